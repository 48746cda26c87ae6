"""P-values of a family are corrected as scipy does, with weights by size and without a list."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from mining.family import Family
from mining.multiple_testing import Decisions, adjust_p_values, decisions, selection_level
from privacy.policy import SIGNIFICANCE_LEVEL

RNG = np.random.default_rng(4)
SOME = np.concatenate([RNG.random(40) ** 6, [0.0, 0.01, 0.01, 1.0]])
TOTAL = 120


def padded(p_values: np.ndarray) -> np.ndarray:
    return np.concatenate([p_values, np.ones(TOTAL - len(p_values))])


def test_the_correction_matches_scipy_with_other_p_values_at_1() -> None:
    expected = false_discovery_control(padded(SOME), method="by")[: len(SOME)]
    np.testing.assert_allclose(adjust_p_values(SOME, TOTAL), expected, rtol=1e-12)


def test_no_hypotheses_need_no_correction_and_p_values_are_capped() -> None:
    assert adjust_p_values([], 10).tolist() == []
    assert adjust_p_values([3.0], 1).tolist() == [1.0]
    assert adjust_p_values([0.01, np.nan], 4).tolist() == adjust_p_values([0.01, 1.0], 4).tolist()


def test_billions_of_hypotheses_are_corrected_without_a_list() -> None:
    # The harmonic number by definition, a million terms at a time.
    total = 3_000_000
    harmonic = sum((1 / np.arange(start, start + 1_000_000)).sum() for start in range(1, total, 1_000_000))
    np.testing.assert_allclose(adjust_p_values([1e-12], total), total * harmonic * 1e-12, rtol=1e-12)


def test_both_orders_of_a_pair_count_as_one_hypothesis() -> None:
    family = Family(by_size=((2, 3),))
    pair, other = frozenset({(0,), (1,)}), frozenset({(0,), (2,)})
    found = decisions([0.01, 0.01, 0.02], [pair, pair, other], [2, 2, 2], family)
    # 3 * .01 / 1 and 3 * .02 / 2, each times 1 + 1/2 + 1/3.
    np.testing.assert_allclose(found.adjusted, [0.055, 0.055, 0.055])
    assert decisions([0.001] * 3, [pair, pair, other], [2, 2, 2], family).passes.all()


def test_few_short_rules_keep_their_level_among_many_long_ones() -> None:
    family = Family(by_size=((2, 10), (3, 990)))
    found = decisions([0.001, 0.0001], ["short", "long"], [2, 3], family)
    harmonic = (1 / np.arange(1, 1001)).sum()
    # Weights are 50 and 1000/1980, so .00002 comes first and .000198 second of 1,000.
    np.testing.assert_allclose(
        found.adjusted, [1000 * harmonic * 0.001 / 50, 1000 * harmonic * 0.0001 * 1.98 / 2]
    )


def test_a_rule_passes_if_its_p_value_meets_the_cut_off() -> None:
    family = Family(by_size=((2, 60), (3, 60)))
    sizes = np.where(np.arange(len(SOME)) % 2, 2, 3)
    found = decisions(SOME, list(range(len(SOME))), sizes, family)
    np.testing.assert_array_equal(found.passes, found.p_values <= found.cut_off)
    assert 0 < found.passes.sum() < len(SOME)


def test_without_passing_rules_the_cut_off_is_the_first_threshold() -> None:
    family = Family(by_size=((2, 10),))
    found = decisions([0.5, 0.9], ["a", "b"], [2, 2], family)
    assert not found.passes.any()
    np.testing.assert_allclose(found.cut_off, SIGNIFICANCE_LEVEL / 10 / (1 / np.arange(1, 11)).sum())


def test_a_family_without_rules_gives_no_verdicts() -> None:
    found = decisions([], [], [], Family(by_size=()))
    assert found.p_values.size == found.adjusted.size == found.cut_off.size == found.passes.size == 0


def test_intervals_widen_with_the_strictness_of_selection() -> None:
    assert selection_level(10, 10) == pytest.approx(0.95)
    assert selection_level(0, 200) == pytest.approx(1 - 0.05 / 200)


def test_a_corrected_p_value_at_the_level_passes() -> None:
    adjusted = np.array([SIGNIFICANCE_LEVEL, np.nextafter(SIGNIFICANCE_LEVEL, 1)])
    assert Decisions(p_values=adjusted, adjusted=adjusted, cut_off=adjusted).passes.tolist() == [True, False]


def test_each_size_has_its_own_threshold() -> None:
    """Both sizes share the level, so that each of 10 short rules has nine times that of 90 long ones."""
    rng = np.random.default_rng(5)
    family, sizes = Family(by_size=((2, 10), (3, 90))), rng.integers(2, 4, 40)
    p_values = rng.random(40) ** 6
    found = decisions(p_values, range(40), sizes, family)
    assert 0 < found.passes.sum() < 40
    np.testing.assert_array_equal(found.passes, p_values <= found.cut_off)
    assert found.cut_off[sizes == 2].max() == pytest.approx(9 * found.cut_off[sizes == 3].min())
