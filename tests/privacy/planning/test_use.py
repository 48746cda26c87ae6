"""Break-even of a disguise, and people for two arms: golden figures, the inequality, a simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.planning.power import AskedItem, half_width
from privacy.planning.use import break_even, people_for_arms, variance


def asked(truth: float, share: float) -> AskedItem:
    return AskedItem(truth=truth, decoy=0.5 if truth < 1 else 0, share=share)


@pytest.mark.parametrize(
    ("share", "truth", "points"),
    [(0.2, 0.6, (3.05, 2.14, 0.95)), (0.2, 0.8, (1.74, 1.22, 0.54)), (0.1, 0.6, (3.07, 2.15, 0.95))],
)
def test_protection_pays_from_these_points_on(share: float, truth: float, points: tuple[float, ...]) -> None:
    found = [break_even(asked(truth, share), n) for n in (500, 1000, 5000)]
    assert [round(100 * each, 2) for each in found if each is not None] == list(points)


def test_what_two_of_a_hundred_have_cannot_pay_with_500_people() -> None:
    assert break_even(asked(0.6, 0.02), 500) is None
    assert break_even(asked(0.6, 0.02), 5000) is not None


def error_asked_directly(share: float, hidden: float, n: int) -> float:
    return hidden**2 + (share - hidden) * (1 - share + hidden) / n


@given(
    truth=st.floats(0.05, 0.95),
    decoy=st.floats(0.05, 0.95),
    share=st.floats(0.01, 0.99),
    n=st.integers(2, 10**6),
)
def test_the_break_even_is_the_least_hiding_whose_error_is_as_large(
    truth: float, decoy: float, share: float, n: int
) -> None:
    item = AskedItem(truth=truth, decoy=decoy, share=share)
    hidden, disguised = break_even(item, n), variance(item) / n
    if hidden is None:
        tried = np.linspace(0, share, 50)
    else:
        assert error_asked_directly(share, hidden, n) == pytest.approx(disguised, rel=1e-9)
        tried = np.linspace(0, hidden, 50)[:-1]
    assert all(error_asked_directly(share, each, n) < disguised * (1 + 1e-9) for each in tried)


@pytest.mark.parametrize(
    ("first", "second", "people"),
    [(0.6, 1.0, 4042), (0.6, 0.9, 4589), (0.8, 1.0, 2574), (0.8, 0.9, 3014)],
)
def test_twenty_against_fifteen_of_a_hundred_takes_so_many_people(
    first: float, second: float, people: int
) -> None:
    assert people_for_arms(asked(first, 0.2), asked(second, 0.15)).people == people


def test_the_arms_are_shared_out_by_their_standard_deviations() -> None:
    arms = people_for_arms(asked(0.6, 0.2), asked(0.9, 0.15))
    assert (arms.first, arms.second) == (2951, 1638)


def test_the_variance_is_that_of_the_half_width() -> None:
    item = AskedItem(truth=0.7, decoy=0.3, share=0.1, share_asked=0.4)
    assert half_width(item, 100) == pytest.approx(1.959963984540054 * math.sqrt(variance(item) / 100))


def test_arms_that_are_alike_and_a_single_person_are_refused() -> None:
    with pytest.raises(PrivacyError) as refused:
        people_for_arms(asked(0.6, 0.2), asked(0.9, 0.2))
    assert refused.value.code == "share"
    with pytest.raises(PrivacyError) as refused:
        break_even(asked(0.6, 0.2), 1)
    assert refused.value.code == "n"


def test_the_stated_power_and_level_hold_in_20_000_simulated_surveys() -> None:
    # Three standard errors of a share of 20,000: .0085 at .8, .0046 at .05.
    rng, arms = np.random.default_rng(39), people_for_arms(asked(0.6, 0.2), asked(0.9, 0.15))
    found = {}
    for second in (0.15, 0.2):
        shares = []
        for truth, share, n in ((0.6, 0.2, arms.first), (0.9, second, arms.second)):
            shown = rng.binomial(n, truth * share + (1 - truth) * 0.5, 20_000) / n
            shares.append(((shown - (1 - truth) * 0.5) / truth, shown * (1 - shown) / truth**2 / n))
        (first, its), (other, others) = shares
        found[second] = float((np.abs(first - other) > 1.959964 * np.sqrt(its + others)).mean())
    assert abs(found[0.15] - 0.8) < 0.0085
    assert abs(found[0.2] - 0.05) < 0.0046
