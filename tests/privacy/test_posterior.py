import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.channels import Channel
from privacy.posterior import bayes, conditional, posterior_at, posterior_bound, retention_posterior

# Hypothesis draws two integers ten times as fast as a fraction.
SHARES = st.builds(lambda yes, no: Fraction(yes, yes + no), st.integers(1, 999), st.integers(1, 999))


GAMMAS = st.builds(lambda more, n: 1 + Fraction(more, n), st.integers(0, 999), st.integers(1, 999))


@given(SHARES, SHARES, SHARES)
def test_bayes_agrees_for_fractions_floats_and_arrays(
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


@given(SHARES, GAMMAS)
def test_posterior_bounds_agree_for_gamma_and_its_logarithm(share: Fraction, gamma: Fraction) -> None:
    bound = posterior_bound(gamma, share)
    assert bound == gamma * share / (1 + (gamma - 1) * share)
    assert posterior_bound(float(gamma), float(share)) == pytest.approx(float(bound))
    assert posterior_at(math.log(gamma), float(share)) == pytest.approx(float(bound))
    assert (posterior_at(math.inf, 0), posterior_at(math.inf, float(share))) == (0, 1)


def test_unobservable_reports_have_no_posterior() -> None:
    with pytest.raises(ZeroDivisionError):
        bayes((Fraction(1, 2), Fraction(1, 2)), (Fraction(0), Fraction(0)))
    assert conditional(np.array([[0.2, 0.0], [0.0, 0.0]]), np.array([[0.4], [0.0]])).tolist() == [
        [0.5, 0],
        [0, 0],
    ]


def test_posteriors_follow_bayes_rule() -> None:
    carriers = Fraction(1, 10)
    # If 80% of carriers and 40% of others choose protection, the choice raises 10% to 2/11, about 18%.
    flag = Channel.of([[Fraction(4, 5), Fraction(2, 5)], [Fraction(1, 5), Fraction(3, 5)]])
    assert bayes((carriers, 1 - carriers), flag.row(0))[0] == Fraction(2, 11)


def test_a_report_is_the_truth_or_says_nothing() -> None:
    """1/3 (1/2) + 2/3 (1/10) = 7/30."""
    assert retention_posterior(Fraction(1, 3), Fraction(1, 2), Fraction(1, 10)) == Fraction(7, 30)
    assert retention_posterior(Fraction(0), 1, Fraction(1, 10)) == Fraction(1, 10)
    assert retention_posterior(Fraction(1), Fraction(1, 2), Fraction(1, 10)) == Fraction(1, 2)
