"""Limits for several waves: each device stays within the limits in all waves together."""

from fractions import Fraction

import pytest

from privacy.planning.protection import root_below


@pytest.mark.parametrize("degree", [1, 2, 3, 10])
def test_powers_of_roots_never_exceed_the_odds(degree: int) -> None:
    for odds in (Fraction(19), Fraction(4), Fraction(22, 3), Fraction(9), Fraction(7, 3)):
        root = root_below(odds, degree)
        assert root**degree <= odds < (root + Fraction(1, 10**6)) ** degree
