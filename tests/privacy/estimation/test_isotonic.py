"""Consistent versions: nearest to the raw ones, and consistent."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import isotonic_regression, minimize

from privacy.errors import PrivacyError
from privacy.estimation import pattern_terms
from privacy.estimation.isotonic import MOST_SETS, consistent_patterns, isotonic_supports
from tests.privacy.estimation.designs import CHOICES, ONE_BLOCK, SKIPPABLE, TWO_BLOCKS
from tests.privacy.estimation.pattern_table import patterns
from tests.privacy.estimation.records import count, sample

LATTICE = [items for size in (1, 2, 3, 4) for items in combinations(range(5), size)]


def test_raw_shares_that_are_possible_stay_as_they_are() -> None:
    rows = sample(ONE_BLOCK, 6000, seed=1)
    counts = count(ONE_BLOCK, rows, pattern_terms((0, 1), ONE_BLOCK))
    raw = patterns(counts, (0, 1), ONE_BLOCK).value
    assert raw.min() > 0
    # With both groups inside the simplex the most likely shares are the inverted ones.
    np.testing.assert_allclose(consistent_patterns(counts, (0, 1), ONE_BLOCK), raw, atol=1e-6)


@pytest.mark.parametrize("questionnaire", [TWO_BLOCKS, SKIPPABLE, CHOICES])
def test_they_lie_between_0_and_1_add_up_and_leave_out_what_cannot_be(questionnaire) -> None:
    # The first few rows that need it: raw shares below 0, and somebody who did not skip.
    keys = pattern_terms((0, 1, 2), questionnaire)
    for seed in range(50):
        counts = count(questionnaire, sample(questionnaire, 6, seed=seed, direct=0.1), keys)
        raw = patterns(counts, (0, 1, 2), questionnaire)
        if raw.value.min() < -0.01 and raw.value.sum() < 0.99 + 0.02 * (questionnaire is not SKIPPABLE):
            break
    else:
        pytest.fail("no sample had raw shares below 0")
    found = consistent_patterns(counts, (0, 1, 2), questionnaire)
    assert found.min() >= 0
    assert (found[~raw.possible] == 0).all()
    if questionnaire is SKIPPABLE:
        assert 0 < found.sum() < 1, "some skip"
    else:
        assert found.sum() == pytest.approx(1)


def test_on_a_chain_it_is_isotonic_regression() -> None:
    rng = np.random.default_rng(3)
    chain = [tuple(range(size)) for size in range(1, 9)]
    raw, errors = rng.random(8), 0.05 + rng.random(8)
    expected = isotonic_regression(raw, weights=1 / errors**2, increasing=False).x
    np.testing.assert_allclose(isotonic_supports(chain, raw, errors), expected, atol=1e-6)


def test_on_a_lattice_no_monotone_supports_are_nearer() -> None:
    rng = np.random.default_rng(7)
    raw = np.array([0.5 ** len(items) for items in LATTICE]) + 0.15 * rng.standard_normal(len(LATTICE))
    errors = 0.05 + 0.1 * rng.random(len(LATTICE))
    found = isotonic_supports(LATTICE, raw, errors)
    pairs = [(a, b) for a, x in enumerate(LATTICE) for b, y in enumerate(LATTICE) if set(x) < set(y)]
    assert all(found[a] >= found[b] for a, b in pairs)
    assert found.min() >= 0
    assert found.max() <= 1
    neighbours = [(a, b) for a, b in pairs if len(LATTICE[b]) == len(LATTICE[a]) + 1]
    oracle = minimize(
        lambda values: (((values - raw) / errors) ** 2).sum(),
        np.full(len(raw), 0.2),
        jac=lambda values: 2 * (values - raw) / errors**2,
        bounds=[(0, 1)] * len(raw),
        constraints={
            "type": "ineq",
            "fun": lambda values: np.array([values[a] - values[b] for a, b in neighbours]),
        },
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-10},
    )
    ours = (((found - raw) / errors) ** 2).sum()
    assert ours == pytest.approx(oracle.fun, rel=1e-6)
    np.testing.assert_allclose(found, oracle.x, atol=1e-4)


def test_monotone_ones_within_bounds_are_left_alone_and_exact_ones_give_way_last() -> None:
    assert isotonic_supports([(0,), (0, 1)], [0.4, 0.2], [0.1, 0.1]).tolist() == [0.4, 0.2]
    assert isotonic_supports([(0,)], [1.3], [0.1]).tolist() == [1.0]
    assert isotonic_supports([], [], []).tolist() == []
    found = isotonic_supports([(0,), (0, 1)], [0.2, 0.3], [0.0, 0.1])
    np.testing.assert_allclose(found, 0.2, atol=1e-6)


def test_a_set_listed_without_those_between_still_lies_below_its_items() -> None:
    found = isotonic_supports([(0,), (1,), (0, 1, 2)], [0.3, 0.1, 0.2], [0.1, 0.1, 0.1])
    np.testing.assert_allclose(found, [0.3, 0.15, 0.15], atol=1e-6)


def test_ten_thousand_and_one_sets_are_refused_by_number() -> None:
    sets = [(item,) for item in range(MOST_SETS + 1)]
    with pytest.raises(PrivacyError, match="10001 itemsets") as refusal:
        isotonic_supports(sets, np.zeros(len(sets)), np.ones(len(sets)))
    assert refusal.value.code == "too_many_sets"
