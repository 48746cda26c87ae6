from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.planning.calibration import (
    allowed_amplification,
    construct_block,
    largest_block,
    largest_truth_probability,
)
from privacy.planning.power import Plan, standard_error
from privacy.risk.breach import no_breach
from privacy.risk.budget import block_budget
from tests.cast.blocks import even
from tests.cast.refusals import refused

FIVE, HALF = Fraction(1, 20), Fraction(1, 2)


def test_five_questions_with_fair_decoys_and_gamma_19_allow_a_truth_probability_of_36_per_cent() -> None:
    assert allowed_amplification(FIVE, HALF) == 19
    assert largest_truth_probability(Fraction(19), Fraction(1, 32)) == Fraction(36, 100)
    found = construct_block(FIVE, HALF, prevalences=[0.2] * 5, unrelated=5000)
    assert (found.largest, found.truth_probability) == (Fraction(36, 100), 3599)
    assert found.amplification == block_budget(even(3599, 5)).amplification


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9999))
def test_a_constructed_block_keeps_the_promise_and_the_next_ten_thousandth_does_not(
    count: int, first: int, more: int, theta: int
) -> None:
    rho1 = Fraction(first, 20)
    rho2 = rho1 + Fraction(more, 20)
    try:
        found = construct_block(rho1, rho2, prevalences=[0.2] * count, unrelated=theta)
    except PrivacyError:
        # Only because not even one ten-thousandth of truth keeps it.
        assert not no_breach(block_budget(even(1, count, theta=theta)).amplification, rho1, rho2)
        return
    p = found.truth_probability
    assert no_breach(block_budget(even(p, count, theta=theta)).amplification, rho1, rho2)
    if p < 9999:
        assert not no_breach(block_budget(even(p + 1, count, theta=theta)).amplification, rho1, rho2)


@pytest.mark.parametrize("prevalence", [0.02, 0.05, 0.2, 0.6])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_no_theta_gives_a_smaller_variance_under_the_same_promise(count: int, prevalence: float) -> None:
    found = construct_block(FIVE, HALF, prevalences=[prevalence] * count)
    plan = Plan(p=found.truth_probability / 10_000, theta_a=found.unrelated / 10_000)
    assert standard_error(plan, prevalence, 1) == pytest.approx(found.standard_error)
    near = range(max(1, found.unrelated - 10), min(10_000, found.unrelated + 11))
    for theta in (*range(250, 10_000, 250), *near):
        try:
            other = construct_block(FIVE, HALF, prevalences=[prevalence] * count, unrelated=theta)
        except PrivacyError:
            continue
        assert other.standard_error >= found.standard_error - 1e-12


def test_background_knowledge_makes_the_promise_stricter() -> None:
    plain = construct_block(FIVE, HALF, prevalences=[0.2] * 3)
    aware = construct_block(FIVE, HALF, prevalences=[0.2] * 3, background=[Fraction(1, 4), Fraction(1, 50)])
    assert (plain.limit, aware.limit) == (19, 3)
    assert aware.truth_probability < plain.truth_probability
    with refused("background", "0.5"):
        construct_block(FIVE, HALF, prevalences=[0.2], background=[HALF])


@pytest.mark.parametrize("count", range(1, 12))
def test_the_largest_block_is_the_last_one_within_its_gamma(count: int) -> None:
    gamma = block_budget(even(5000, count)).amplification
    assert gamma is not None
    assert largest_block(gamma, 5000, 5000) == count
    assert largest_block(gamma - Fraction(1, 100), 5000, 5000) == count - 1


def test_what_cannot_be_promised_is_refused() -> None:
    with refused("too_strict"):
        construct_block(Fraction(49, 100), HALF, prevalences=[0.2] * 20)
    with refused("prevalences"):
        construct_block(FIVE, HALF, prevalences=[])
    with refused("prevalences", "1.5"):
        construct_block(FIVE, HALF, prevalences=[1.5])
    with refused("rho"):
        construct_block(HALF, FIVE, prevalences=[0.2])
    with refused("gamma"):
        largest_truth_probability(Fraction(1, 2), HALF)
    with refused("decoy"):
        largest_truth_probability(Fraction(2), Fraction(0))
    with refused("truth_probability"):
        largest_block(Fraction(2), 0, 5000)


def test_the_largest_block_of_the_last_truth_probability_below_certainty() -> None:
    """Of odds 9,999 a block of m questions amplifies by 1 + 9,999 2^m."""
    assert largest_block(Fraction(1 + 9_999 * 2**5), 9_999, 5_000) == 5
    assert largest_block(Fraction(9_999 * 2**5), 9_999, 5_000) == 4
    with refused("out_of_range"):
        largest_block(Fraction(19), 10_000, 5_000)
