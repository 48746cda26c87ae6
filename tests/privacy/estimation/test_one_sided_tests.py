"""One-sided tests agree with the intervals they belong to, and hold their level."""

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.simulation import study_design
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.simulation import true_rows
from privacy.errors import PrivacyError
from privacy.estimation import SupportCounts, measure_rules, required_counts
from privacy.estimation.one_sided_tests import p_values
from tests.fixtures.vectorised import disguise_rows, draw_coins
from tests.statistics import POWER, binomial_power, binomial_range

DESIGN = study_design([2, 2], truth_probability=5000, unrelated=5000)
RULES = [((0,), (1,)), ((1,), (0,)), ((0,), (2,)), ((1, 3), (2,)), ((3,), (0, 1)), ((2,), (3,))]
BOTH_TARGETS = pytest.mark.parametrize("target", ["population", "respondents"])
BOTH_ESTIMATORS = pytest.mark.parametrize("estimator", ["stratified", "pooled"])


def counts(n: int, seed: int, dependence: float = 0.1) -> SupportCounts:
    rng = np.random.default_rng(seed)
    truth = true_rows(n, [0.3, 0.4, 0.5, 0.6], dependence, rng)
    direct = rng.random(n) < 0.2
    rows = disguise_rows(DESIGN, truth, direct, draw_coins(DESIGN, n, rng))
    return CountCache(BitMatrix.from_booleans(DESIGN, rows, direct)).need(required_counts(RULES, DESIGN))


@BOTH_TARGETS
@BOTH_ESTIMATORS
def test_a_rule_is_significant_where_its_interval_of_twice_the_level_leaves_out_what_is_tested(
    estimator, target
) -> None:
    some = counts(1500, seed=3)
    options = {"estimator": estimator, "target": target}
    lift = p_values(some, RULES, DESIGN, **options)
    confidence = p_values(some, RULES, DESIGN, hypothesis="confidence", above=0.45, **options)
    for alpha in (0.2, 0.05, 0.01, 0.001):
        table = measure_rules(some, RULES, DESIGN, level=1 - 2 * alpha, **options)
        np.testing.assert_array_equal(lift < alpha, table.leverage.low > 0)
        np.testing.assert_array_equal(confidence < alpha, table.confidence.low > 0.45)
    assert (lift < 0.05).any()
    assert (lift > 0.05).any()


def test_open_answers_are_tested_as_their_interval_of_the_same_lift_would() -> None:
    some = counts(1500, seed=3)
    above = p_values(some, RULES, DESIGN, above=1.2)
    table = measure_rules(some, RULES, DESIGN, level=0.9)
    np.testing.assert_array_equal(above < 0.05, table.lift.low > 1.2)


def test_about_these_respondents_p_is_that_of_the_estimate_by_its_standard_error() -> None:
    some = counts(4000, seed=5)
    table = measure_rules(some, RULES, DESIGN, target="respondents")
    found = p_values(some, RULES, DESIGN, target="respondents")
    expected = norm.sf(table.leverage.value / table.leverage.standard_error)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.soak
@pytest.mark.slow
def test_independent_items_are_found_associated_as_often_as_the_level_says() -> None:
    repetitions, level, n = 1200, 0.05, 1500
    low, high = binomial_range(repetitions, level)
    assert binomial_power(repetitions, level, 0.065) > POWER
    rule = [((0,), (2,))]
    hits = 0
    for seed in range(repetitions):
        rng = np.random.default_rng([20_261_120, seed])
        truth = rng.random((n, 4)) < [0.3, 0.4, 0.5, 0.6]
        direct = rng.random(n) < 0.2
        sent = disguise_rows(DESIGN, truth, direct, draw_coins(DESIGN, n, rng))
        count_cache = CountCache(BitMatrix.from_booleans(DESIGN, sent, direct))
        hits += int(p_values(count_cache.need(required_counts(rule, DESIGN)), rule, DESIGN)[0] <= level)
    assert low <= hits <= high, hits


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"hypothesis": "support"}, "hypothesis", "'support' is unknown"),
        ({"hypothesis": "confidence", "above": 1.5}, "above", "value tested = 1.5 is outside"),
        ({"above": -1.0}, "above", "value tested = -1.0 is outside"),
        ({"target": "everybody"}, "target", "'everybody' is unknown"),
        ({"estimator": "best"}, "estimator", "'best' is unknown"),
    ],
)
def test_what_cannot_be_tested_is_refused_with_its_value(change, code, said) -> None:
    with pytest.raises(PrivacyError, match=said) as refusal:
        p_values(counts(100, seed=1), RULES, DESIGN, **change)
    assert refusal.value.code == code
