from __future__ import annotations

import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.channels.amplification import (
    amplification_below,
    bayes,
    conditional,
    effective_epsilon,
    posterior_at,
    posterior_bound,
)
from tests.fixtures.refusals import refused


@pytest.mark.parametrize(
    "epsilon", [0.01, 0.1, 0.5, 0.69, 1.0, 1.788, 2.0, 3.5, 5.0, 10.0, 15.0, 19.99, 20.0]
)
def test_the_fraction_never_exceeds_the_power_and_misses_it_by_less_than_a_part_in_a_million(
    epsilon: float,
) -> None:
    getcontext().prec = 60
    power = Decimal(epsilon).exp()
    found = amplification_below(epsilon)
    exact = Decimal(found.numerator) / Decimal(found.denominator)
    assert exact < power
    assert (power - exact) / power < Decimal("1.1e-6")
    assert found.denominator <= 1 << 20
    assert epsilon - 2e-6 < effective_epsilon(found) <= epsilon


@pytest.mark.parametrize("wrong", [0.0, 0.009, 20.1, -1.0, float("nan"), float("inf"), "2", True])
def test_an_epsilon_out_of_range_is_refused(wrong: float) -> None:
    with refused("epsilon", repr(wrong)):
        amplification_below(wrong)


def test_no_bound_is_an_infinite_epsilon() -> None:
    assert effective_epsilon(None) == math.inf


SHARES = st.fractions(min_value="1/100", max_value="99/100")


@given(SHARES, SHARES, SHARES)
def test_fractions_floats_and_arrays_are_judged_alike(
    share: Fraction, one: Fraction, other: Fraction
) -> None:
    exact = bayes((share, 1 - share), (one, other))
    assert sum(exact) == 1
    assert exact[0] * one.denominator * (share * one + (1 - share) * other) == share * one * one.denominator
    floats = bayes((float(share), float(1 - share)), (float(one), float(other)))
    assert floats == pytest.approx([float(part) for part in exact])
    arrays = bayes(
        (np.array([float(share)] * 2), np.array([float(1 - share)] * 2)),
        (np.array([float(one), 0.0]), np.array([float(other), 0.0])),
    )
    assert arrays[0].tolist() == [pytest.approx(floats[0]), 0.0]


@given(SHARES, st.fractions(min_value=1, max_value=1000))
def test_no_property_exceeds_the_bound_of_gamma_and_its_logarithm_says_the_same(
    share: Fraction, gamma: Fraction
) -> None:
    bound = posterior_bound(gamma, share)
    assert bound == gamma * share / (1 + (gamma - 1) * share)
    assert posterior_bound(float(gamma), float(share)) == pytest.approx(float(bound))
    assert posterior_at(math.log(gamma), float(share)) == pytest.approx(float(bound))


def test_what_is_never_observed_has_no_posterior() -> None:
    with pytest.raises(ZeroDivisionError):
        bayes((Fraction(1, 2), Fraction(1, 2)), (Fraction(0), Fraction(0)))
    assert conditional(np.array([[0.2, 0.0], [0.0, 0.0]]), np.array([[0.4], [0.0]])).tolist() == [
        [0.5, 0],
        [0, 0],
    ]


def test_a_ratio_beyond_all_floats_has_its_logarithm() -> None:
    assert effective_epsilon(Fraction(10**400, 3)) == pytest.approx(400 * math.log(10) - math.log(3))
    assert effective_epsilon(None) == math.inf
