"""Denial that the weaker of two strengths adds."""

from dataclasses import replace

from privacy.estimation.added_denial import added_denial
from tests.privacy.estimation.test_denial import RATIO


def test_the_added_denial_is_the_difference_of_the_strengths_turned_round() -> None:
    difference = replace(RATIO, value=-0.08, low=-0.2, high=0.01, possible=(-1.0, 1.0))
    added = added_denial(difference)
    assert (added.value, added.low, added.high, added.possible) == (0.08, -0.01, 0.2, (-1.0, 1.0))
    assert added_denial(added) == difference
