"""Slips multiply with the number of components, by enumeration of all slips."""

import itertools

import pytest

from privacy.planning.careless_components import careless_share
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Step
from tests.vectors.composite_designs import at_least, levels, only_if, scored, yes

NO_GAPS = Gaps(at_most=0, fill="no_points")


def listed(count: int, start: int) -> Composite:
    acts = tuple(yes(f"act{number}") for number in range(count))
    return Composite(components=acts, missing=NO_GAPS, levels=at_least(start))


@pytest.mark.parametrize(
    ("count", "start", "slip", "percent"),
    [
        (10, 1, 0.01, 9.6),
        (10, 1, 0.02, 18.3),
        (5, 1, 0.01, 4.9),
        (5, 1, 0.02, 9.6),
        (10, 2, 0.01, 0.4),
        (10, 2, 0.02, 1.6),
    ],
)
def test_a_longer_list_and_a_lower_start_count_more_slips(
    count: int, start: int, slip: float, percent: float
) -> None:
    share = careless_share(listed(count, start), slip)
    assert share is not None
    assert round(100 * share, 1) == percent


def test_unequal_points_and_an_instructed_component_agree_with_enumeration() -> None:
    parts = (yes("a", 2), yes("b", 3), yes("check", 0, instructed="no"), yes("c", 1))
    rule = Composite(
        components=parts, missing=NO_GAPS, levels=levels(("low", None), ("middle", 2), ("high", 4))
    )
    expected = 0.0
    for slips in itertools.product((0, 1), repeat=3):
        if 2 * slips[0] + 3 * slips[1] + slips[2] >= 2:
            expected += 0.05 ** sum(slips) * 0.95 ** (3 - sum(slips))
    assert careless_share(rule, 0.05) == pytest.approx(expected, rel=1e-12)


def test_other_rules_have_no_such_share() -> None:
    acts = (yes("a"), yes("b", asked_if=only_if("a", "yes")))
    step = Step(key="s", of=("a",), levels=levels(("", None))[:1])
    assert careless_share(Composite(components=acts, missing=NO_GAPS, levels=at_least(1))) is None
    assert (
        careless_share(Composite(components=(scored("a", 0, 1),), missing=NO_GAPS, levels=at_least(1)))
        is None
    )
    assert (
        careless_share(Composite(components=acts[:1], missing=NO_GAPS, steps=(step,), levels=at_least(1)))
        is None
    )
    assert careless_share(Composite(components=acts[:1], missing=NO_GAPS)) is None
