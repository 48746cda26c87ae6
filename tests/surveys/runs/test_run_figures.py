"""Figures of a run state what is known about its rows, at any depth."""

from dataclasses import dataclass
from typing import Any

import pytest

from privacy.printed import UNCHECKED, Measured, Origin
from surveys.models import Run
from surveys.runs import run_figures
from surveys.runs.interim_or_final import standing_of
from surveys.runs.run_figures import of_run, origin_of
from tests.fixtures.runs import answered_version, mined_run

FOUND = Measured(
    value=0.2, low=0.1, high=0.3, standard_error=0.05, estimable=True, n=100, effective_n=100.0, level=0.95,
    possible=(0.0, 1.0), method="scores", shift=0.0, origin=UNCHECKED,
)  # fmt: skip
FINAL = Origin(fit_check="fits", look="final")


@dataclass(frozen=True)
class Pair:
    both: Measured
    name: str


@dataclass(frozen=True)
class Nested(Measured):
    unweighted: Measured


def test_each_estimate_gets_the_origin_of_the_run_at_any_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_figures, "origin_of", lambda _run: FINAL)
    run = Run()
    pair = Pair(both=FOUND, name="a")
    nested = Nested(**vars(FOUND), unweighted=FOUND)
    figures: Any = {"pairs": [pair], "shares": (FOUND, None), "deep": {"one": nested}, "n": 3}
    found = of_run(figures, run)
    assert found["pairs"][0].both.origin == FINAL
    assert found["pairs"][0].name == "a"
    assert found["shares"][0].origin == FINAL
    assert found["deep"]["one"].origin == found["deep"]["one"].unweighted.origin == FINAL
    assert (found["n"], found["shares"][1]) == (3, None)
    assert FOUND.origin == UNCHECKED, "the original is unchanged"


@pytest.mark.django_db
@pytest.mark.parametrize("is_settled", [True, False])
def test_the_look_is_that_of_the_run_now(is_settled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    run = mined_run(answered_version(300))
    standing = standing_of(run)
    monkeypatch.setitem(run.__dict__, "_standing", type(standing)(is_final=is_settled))
    assert origin_of(run) == Origin(fit_check="fits", look="final" if is_settled else "interim")
