"""Limits for several waves: each device stays within the limits in all waves together."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from privacy.planning.protection import Protection, root_below


@pytest.mark.parametrize("degree", [1, 2, 3, 10])
def test_powers_of_roots_never_exceed_the_odds(degree: int) -> None:
    for odds in (Fraction(19), Fraction(4), Fraction(22, 3), Fraction(9), Fraction(7, 3)):
        root = root_below(odds, degree)
        assert root**degree <= odds < (root + Fraction(1, 10**6)) ** degree


@pytest.mark.parametrize("name", ["everything", "answer", "skip"])
def test_figures_may_reach_each_limit_but_not_pass_it(name: str) -> None:
    limits = {"everything": Fraction(19), "answer": Fraction(4), "skip": Fraction(9)}
    protection = Protection(**limits)
    assert protection.allows(SimpleNamespace(**limits))  # type: ignore[arg-type]
    assert protection.allows(SimpleNamespace(**limits | {"skip": None}))  # type: ignore[arg-type]
    more = limits | {name: limits[name] + Fraction(1, 10**9)}
    assert not protection.allows(SimpleNamespace(**more))  # type: ignore[arg-type]


def test_the_largest_p_keeps_one_answer_within_its_odds() -> None:
    """p / (1 - p) = (4 - 1) / 2 * .8 = 1.2 with a fifth of random answers skipped: 6 of 11."""
    protection = Protection(everything=Fraction(19), answer=Fraction(4))
    assert protection.truth_of_one(Fraction(1, 2), refusal=2_000) == 5_454
    assert protection.truth_of_one(Fraction(1, 5)) == 3_750
