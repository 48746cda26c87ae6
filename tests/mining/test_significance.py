"""Corrections against those of scipy and statsmodels on the whole family written out."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from mining.family import Family
from mining.significance import adjusted, decisions, selection_level
from mining.thresholds import Thresholds
from privacy.errors import PrivacyError
from privacy.policy import SIGNIFICANCE_LEVEL

RNG = np.random.default_rng(4)
SOME = np.concatenate([RNG.random(40) ** 6, [0.0, 0.01, 0.01, 1.0]])
TOTAL = 120


def padded(p_values: np.ndarray) -> np.ndarray:
    return np.concatenate([p_values, np.ones(TOTAL - len(p_values))])


@pytest.mark.parametrize(("name", "method"), [("bh", "bh"), ("by", "by")])
def test_false_discovery_corrections_are_scipys_with_the_rest_of_the_family_at_1(name, method) -> None:
    expected = false_discovery_control(padded(SOME), method=method)[: len(SOME)]
    np.testing.assert_allclose(adjusted(SOME, TOTAL, name), expected, rtol=1e-12)


@pytest.mark.parametrize(("name", "method"), [("bh", "fdr_bh"), ("by", "fdr_by"), ("holm", "holm")])
def test_corrections_are_statsmodels_with_the_rest_of_the_family_at_1(name, method) -> None:
    expected = multipletests(padded(SOME), method=method)[1][: len(SOME)]
    np.testing.assert_allclose(adjusted(SOME, TOTAL, name), expected, rtol=1e-12)


def test_without_a_correction_p_values_stay_and_above_1_they_are_1() -> None:
    assert adjusted([0.2, 3.0], 10, "none").tolist() == [0.2, 1.0]
    assert adjusted([], 10, "by").tolist() == []


def test_a_family_of_billions_needs_no_list() -> None:
    # The harmonic number by its definition, a million terms at a time.
    total = 3_000_000
    harmonic = sum((1 / np.arange(start, start + 1_000_000)).sum() for start in range(1, total, 1_000_000))
    np.testing.assert_allclose(adjusted([1e-12], total, "by"), total * harmonic * 1e-12, rtol=1e-12)


def test_both_orders_of_a_pair_are_one_hypothesis_with_one_verdict() -> None:
    family = Family(by_size=((2, 3),))
    pair, other = frozenset({(0,), (1,)}), frozenset({(0,), (2,)})
    found = decisions([0.01, 0.01, 0.02], [pair, pair, other], [2, 2, 2], family, "bh")
    np.testing.assert_allclose(found.adjusted, [0.03, 0.03, 0.03])  # 3 * .01 / 1 and 3 * .02 / 2
    assert found.passes.all()


def test_few_short_rules_keep_their_share_of_the_level_beside_many_long_ones() -> None:
    family = Family(by_size=((2, 10), (3, 990)))
    found = decisions([0.001, 0.0001], ["short", "long"], [2, 3], family, "holm")
    # Weights 50 and 1000/1980; the short one, rejected first, gives back its 50.
    np.testing.assert_allclose(found.adjusted, [1000 * 0.001 / 50, 950 * 0.0001 * 1.98])


def test_holm_with_weights_is_the_closed_test_of_weighted_bonferroni() -> None:
    """A hypothesis is rejected where every set of hypotheses that holds it is, by shares of the level."""
    rng = np.random.default_rng(8)
    for _ in range(200):
        weights = rng.random(5)
        weights *= 5 / weights.sum()
        p_values = rng.random(5) ** 4
        closed = np.zeros(5)
        for size in range(1, 6):
            for some in map(list, combinations(range(5), size)):
                local = min(1.0, (p_values[some] / weights[some]).min() * weights[some].sum())
                closed[some] = np.maximum(closed[some], local)
        found = adjusted(p_values / weights, 5, "holm", weights=weights)
        np.testing.assert_allclose(found, closed, rtol=1e-12)


def test_rejected_light_hypotheses_lend_nothing_to_heavy_ones() -> None:
    # A hundred long rules hold for certain; of five short ones none does. Each has a fifth of the level.
    family = Family(by_size=((2, 5), (3, 100)))
    p_values, sizes = [0.0] * 100 + [0.011, 0.2, 0.4, 0.6, 0.8], [3] * 100 + [2] * 5
    found = decisions(p_values, list(range(105)), sizes, family, "holm")
    np.testing.assert_allclose(found.adjusted[100], 5 * 0.011)
    assert found.passes.tolist() == [True] * 100 + [False] * 5
    np.testing.assert_allclose(found.cut_off[100:], SIGNIFICANCE_LEVEL / 5)


@pytest.mark.parametrize("correction", ["by", "bh", "holm", "none"])
def test_a_rule_passes_where_its_p_value_meets_its_cut_off(correction) -> None:
    family = Family(by_size=((2, 60), (3, 60)))
    sizes = np.where(np.arange(len(SOME)) % 2, 2, 3)
    found = decisions(SOME, list(range(len(SOME))), sizes, family, correction)
    np.testing.assert_array_equal(found.passes, found.p_values <= found.cut_off)
    assert 0 < found.passes.sum() < len(SOME)


def test_when_none_passes_the_cut_off_is_what_the_first_had_to_meet() -> None:
    family = Family(by_size=((2, 10),))
    found = decisions([0.5, 0.9], ["a", "b"], [2, 2], family, "bh")
    assert not found.passes.any()
    np.testing.assert_allclose(found.cut_off, SIGNIFICANCE_LEVEL / 10)


@pytest.mark.parametrize("correction", ["by", "bh", "holm", "none"])
def test_a_family_without_a_rule_has_no_verdicts(correction) -> None:
    found = decisions([], [], [], Family(by_size=()), correction)
    assert found.p_values.size == found.adjusted.size == found.cut_off.size == found.passes.size == 0


def test_intervals_of_listed_parameters_are_as_wide_as_their_selection_was_hard() -> None:
    assert selection_level(10, 10) == pytest.approx(0.95)
    assert selection_level(0, 200) == pytest.approx(1 - 0.05 / 200)


def test_an_unknown_correction_is_refused_by_name() -> None:
    with pytest.raises(PrivacyError, match=r"'bonferroni' is unknown.*'by', 'bh', 'holm', 'none'"):
        adjusted([0.1], 3, "bonferroni")  # type: ignore[arg-type]  # on purpose


def test_a_run_with_an_unknown_correction_is_refused_and_an_older_one_has_the_default() -> None:
    with pytest.raises(PrivacyError, match="correction = 'sidak' is unknown") as refusal:
        Thresholds(support=0.1, correction="sidak")  # type: ignore[arg-type]  # on purpose
    assert refusal.value.code == "correction"
    stored = Thresholds(support=0.1).to_json()
    del stored["correction"]
    assert Thresholds.from_json(stored).correction == "by"
