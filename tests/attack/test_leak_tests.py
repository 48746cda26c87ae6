"""The exact leak tests agree with enumeration on small cases, and keep their level if nothing leaks."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from tests.attack.leak_tests import (
    association_p_value,
    channel_p_value,
    constant_bits_p_value,
    order_p_value,
    sum_tail,
)


@pytest.mark.parametrize("sizes", [(2,), (4,), (5,), (3, 3), (2, 4)])
def test_the_order_p_value_is_exact_over_all_permutations(sizes: tuple[int, ...]) -> None:
    worlds = list(itertools.product(*(itertools.permutations(range(size)) for size in sizes)))
    p_values = [order_p_value(world) for world in worlds]
    for level in sorted(set(p_values)):
        assert sum(p <= level + 1e-12 for p in p_values) / len(worlds) <= level + 1e-12


def test_a_preserved_order_has_the_probability_of_one_permutation() -> None:
    assert order_p_value([range(6)]) == pytest.approx(2 / math.factorial(6))
    assert order_p_value([range(6)[::-1]]) == pytest.approx(2 / math.factorial(6))


def test_an_applied_channel_is_accused_no_more_often_than_the_level() -> None:
    """Enumerates all outcomes for six people, with exact probabilities."""
    channel = np.array([[0.75, 0.25], [0.25, 0.75]])
    outcomes = {
        (no, yes): binom.pmf(no, 3, 0.75) * binom.pmf(yes, 3, 0.75)
        for no, yes in itertools.product(range(4), repeat=2)
    }
    p_values = {
        (no, yes): channel_p_value(np.array([[no, 3 - yes], [3 - no, yes]]), channel) for no, yes in outcomes
    }
    for level in set(p_values.values()):
        assert sum(outcomes[each] for each, p in p_values.items() if p <= level) <= level + 1e-12


def test_an_unapplied_channel_is_detected() -> None:
    channel = np.array([[0.75, 0.25], [0.25, 0.75]])
    assert channel_p_value(np.array([[60, 0], [0, 60]]), channel) < 1e-6
    assert channel_p_value(np.array([[45, 15], [15, 45]]), channel) == 1.0


def test_only_bits_that_depend_on_a_secret_are_reported() -> None:
    rng = np.random.default_rng(1)
    stored, secret = rng.random((100, 300)) < 0.5, rng.random((100, 90)) < 0.5
    assert association_p_value(stored, secret)[0] > 1e-3
    stored[:, 17] = ~secret[:, 4]
    p, bit, of = association_p_value(stored, secret)
    assert (bit, of) == (17, 4)
    assert p < 1e-20


def test_a_constant_bit_is_not_associated_with_secrets() -> None:
    secret = np.random.default_rng(2).random((50, 3)) < 0.5
    assert association_p_value(np.ones((50, 2), dtype=np.bool_), secret)[0] == 1.0


def test_the_bound_on_a_sum_is_at_least_the_exact_tail() -> None:
    for successes in range(21):
        exact = float(binom.sf(successes - 1, 20, 0.7))
        assert sum_tail(successes, 14.0, 20) >= exact - 1e-12
    assert sum_tail(20, 0.0, 20) == 0.0


def test_constant_bits_are_detected_from_thirty_one_values() -> None:
    bits = np.random.default_rng(3).random((31, 568)) < 0.5
    assert constant_bits_p_value(bits) > 1e-6
    bits[:, 9] = True
    assert constant_bits_p_value(bits) <= 1e-6
