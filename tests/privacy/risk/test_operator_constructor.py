"""Operators on one value, made from a promise."""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from privacy.risk.breach import no_breach
from privacy.risk.operator_constructor import (
    Construction,
    construct_gamma_diagonal,
    construct_retention,
    construct_window,
)
from tests.cast.refusals import refused

FIVE, HALF = Fraction(1, 20), Fraction(1, 2)


@pytest.mark.parametrize(
    ("construct", "largest"),
    [
        (lambda rho1, rho2: construct_retention(rho1, rho2, values=1001), Fraction(6, 1006)),
        (lambda rho1, rho2: construct_gamma_diagonal(rho1, rho2, values=1001), Fraction(5, 1006)),
        (
            lambda rho1, rho2: construct_window(rho1, rho2, values=1001, radius=100),
            Fraction(1005, 2006),
        ),
    ],
)
def test_the_source_s_operators_are_made_from_the_promise(
    construct: Callable[[Fraction, Fraction], Construction], largest: Fraction
) -> None:
    found = construct(Fraction(1, 7), HALF)
    assert found.largest == largest
    gamma = found.channel.amplification()
    assert no_breach(gamma, Fraction(1, 7), HALF)
    assert found.share < largest <= found.share + Fraction(1, 10_000)


def test_the_gamma_diagonal_matrix_has_the_least_variance_of_the_three() -> None:
    # At the limit itself, where rounding has no part, R1 and the gamma-diagonal matrix are one.
    wide = construct_window(Fraction(1, 20), Fraction(9, 10), values=101, radius=5).variance_factor
    narrow = construct_window(Fraction(1, 20), Fraction(9, 10), values=101, radius=0).variance_factor
    diagonal = construct_gamma_diagonal(Fraction(1, 20), Fraction(9, 10), values=101).variance_factor
    kept = construct_retention(Fraction(1, 20), Fraction(9, 10), values=101).variance_factor
    assert narrow == diagonal
    assert diagonal < wide
    assert kept == pytest.approx(diagonal, rel=1e-3)


def test_an_operator_that_cannot_be_inverted_is_refused() -> None:
    with refused("radius", "share a divisor"):
        construct_window(FIVE, HALF, values=1001, radius=5)
    assert math.isfinite(construct_retention(FIVE, HALF, values=5).variance_factor)
