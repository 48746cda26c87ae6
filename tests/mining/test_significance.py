"""Corrections against those of scipy and statsmodels on the whole family written out."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from mining.family import Family
from mining.significance import adjusted, decisions, selection_level
from privacy.policy import SIGNIFICANCE_LEVEL

RNG = np.random.default_rng(4)
SOME = np.concatenate([RNG.random(40) ** 6, [0.0, 0.01, 0.01, 1.0]])
TOTAL = 120


def padded(p_values: np.ndarray) -> np.ndarray:
    return np.concatenate([p_values, np.ones(TOTAL - len(p_values))])


def test_the_correction_is_scipys_with_the_rest_of_the_family_at_1() -> None:
    expected = false_discovery_control(padded(SOME), method="by")[: len(SOME)]
    np.testing.assert_allclose(adjusted(SOME, TOTAL), expected, rtol=1e-12)


def test_the_correction_is_statsmodels_with_the_rest_of_the_family_at_1() -> None:
    expected = multipletests(padded(SOME), method="fdr_by")[1][: len(SOME)]
    np.testing.assert_allclose(adjusted(SOME, TOTAL), expected, rtol=1e-12)


def test_no_hypothesis_needs_no_correction_and_p_values_above_1_are_1() -> None:
    assert adjusted([], 10).tolist() == []
    assert adjusted([3.0], 1).tolist() == [1.0]


def test_a_family_of_billions_needs_no_list() -> None:
    # The harmonic number by its definition, a million terms at a time.
    total = 3_000_000
    harmonic = sum((1 / np.arange(start, start + 1_000_000)).sum() for start in range(1, total, 1_000_000))
    np.testing.assert_allclose(adjusted([1e-12], total), total * harmonic * 1e-12, rtol=1e-12)


def test_both_orders_of_a_pair_are_one_hypothesis_with_one_verdict() -> None:
    family = Family(by_size=((2, 3),))
    pair, other = frozenset({(0,), (1,)}), frozenset({(0,), (2,)})
    found = decisions([0.01, 0.01, 0.02], [pair, pair, other], [2, 2, 2], family)
    # 3 * .01 / 1 and 3 * .02 / 2, times 1 + 1/2 + 1/3.
    np.testing.assert_allclose(found.adjusted, [0.055, 0.055, 0.055])
    assert decisions([0.001] * 3, [pair, pair, other], [2, 2, 2], family).passes.all()


def test_few_short_rules_keep_their_share_of_the_level_beside_many_long_ones() -> None:
    family = Family(by_size=((2, 10), (3, 990)))
    found = decisions([0.001, 0.0001], ["short", "long"], [2, 3], family)
    harmonic = (1 / np.arange(1, 1001)).sum()
    # Weights 50 and 1000/1980: .00002 comes first, .000198 second of 1,000.
    np.testing.assert_allclose(
        found.adjusted, [1000 * harmonic * 0.001 / 50, 1000 * harmonic * 0.0001 * 1.98 / 2]
    )


def test_a_rule_passes_where_its_p_value_meets_its_cut_off() -> None:
    family = Family(by_size=((2, 60), (3, 60)))
    sizes = np.where(np.arange(len(SOME)) % 2, 2, 3)
    found = decisions(SOME, list(range(len(SOME))), sizes, family)
    np.testing.assert_array_equal(found.passes, found.p_values <= found.cut_off)
    assert 0 < found.passes.sum() < len(SOME)


def test_when_none_passes_the_cut_off_is_what_the_first_had_to_meet() -> None:
    family = Family(by_size=((2, 10),))
    found = decisions([0.5, 0.9], ["a", "b"], [2, 2], family)
    assert not found.passes.any()
    np.testing.assert_allclose(found.cut_off, SIGNIFICANCE_LEVEL / 10 / (1 / np.arange(1, 11)).sum())


def test_a_family_without_a_rule_has_no_verdicts() -> None:
    found = decisions([], [], [], Family(by_size=()))
    assert found.p_values.size == found.adjusted.size == found.cut_off.size == found.passes.size == 0


def test_intervals_of_listed_parameters_are_as_wide_as_their_selection_was_hard() -> None:
    assert selection_level(10, 10) == pytest.approx(0.95)
    assert selection_level(0, 200) == pytest.approx(1 - 0.05 / 200)
