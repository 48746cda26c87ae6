"""Three findings about a share and a mean, at their bounds."""

import math

import pytest

from privacy.printed import CHECKED, Measured
from surveys.report.sentences.verdict import VerdictKind, mean_finding, more_people, share_finding


def share(low: float, high: float, shift: float | None = 0.0) -> Measured:
    return Measured(
        value=(low + high) / 2, low=low, high=high, standard_error=0.05, estimable=True, n=100,
        effective_n=100.0, level=0.95, possible=(0.0, 1.0), method="scores", shift=shift, origin=CHECKED,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "shift", "kind"),
    [
        (0.21, 0.41, 0.0, VerdictKind.CLEAR),
        (0.2, 0.41, 0.0, VerdictKind.UNCERTAIN),
        (0.01, 0.05, 0.0, VerdictKind.CLEAR),
        (0.01, 0.05, 0.02, VerdictKind.UNCERTAIN),
        (-0.03, 0.08, 0.0, VerdictKind.RULED_OUT),
        (-0.03, 0.08, 0.13, VerdictKind.UNCERTAIN),
        (-0.2, 0.31, 0.0, VerdictKind.UNCERTAIN),
    ],
)
def test_a_share(low: float, high: float, shift: float, kind: VerdictKind) -> None:
    found = share_finding(share(low, high, shift))
    assert found.kind == kind
    assert bool(found.sentence) == (kind != VerdictKind.CLEAR)


def test_what_is_ruled_out_is_rounded_up_and_includes_forged_rows() -> None:
    assert share_finding(share(-0.03, 0.081)).sentence == "A share of more than 9 of 100 is ruled out."
    assert share_finding(share(0.1, 0.2, None)).kind == VerdictKind.UNCERTAIN, "the shift is unknown"
    assert "more than 12 of" in share_finding(share(-0.03, 0.081, 0.03)).sentence


def test_a_mean() -> None:
    assert mean_finding(100, 0.2, within="7 drinks").kind == VerdictKind.CLEAR
    found = mean_finding(100, 0.4, within="7 drinks")
    assert (found.kind, found.sentence) == (
        VerdictKind.UNCERTAIN,
        "About 300 more people would be enough to know it within ±7 drinks.",
    )
    assert (
        mean_finding(7, math.nan, within="7 drinks").sentence
        == "7 people are too few to say anything about it."
    )
    assert mean_finding(100, 0.01, within="7 drinks", is_explained=True).kind == VerdictKind.UNCERTAIN


def test_no_one_is_missing_from_a_narrow_interval() -> None:
    assert more_people(100, 0.2, 0.2) == 0
