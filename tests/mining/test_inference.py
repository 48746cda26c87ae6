"""False discoveries of whole runs on data whose true rules are known."""

from itertools import combinations

import numpy as np
import pytest

from benchmarks.simulation import study_design, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import CountCache
from mining.family import decisions, rule_family
from mining.inference import NEVER, NOT_SEARCHED, Inference, families, fragility, infer
from mining.pipeline import MiningResult, mine
from mining.thresholds import Thresholds
from privacy.estimation.intervals import p_values
from privacy.estimation.required_counts import required_counts
from privacy.policy import SIGNIFICANCE_LEVEL
from tests.fixtures.planted_rules import DESIGN, is_true, sent
from tests.fixtures.vectorised import disguise_rows, draw_coins

ASKED = Thresholds(support=0.05, lift=1.0, max_size=3)
SIMULATIONS = 200


def run(seed: int) -> tuple[MiningResult, CountCache]:
    matrix = sent(seed)
    return mine(matrix, DESIGN, ASKED), CountCache(matrix)


@pytest.fixture(scope="module")
def one() -> tuple[MiningResult, Inference]:
    result, count_cache = run(0)
    return result, infer(result, count_cache)


@pytest.mark.soak
@pytest.mark.slow
def test_the_false_discovery_rate_stays_below_its_level() -> None:
    pairs = [
        (before, tuple(item for item in items if item not in before))
        for size in (2, 3)
        for items in combinations(range(6), size)
        for before in combinations(items, 1)
        if size == 3 or before[0] == items[0]
    ]
    truly = np.array([is_true(*pair) for pair in pairs])
    family = rule_family(DESIGN, ASKED.sides, ASKED.max_size, ordered=False)
    assert family.total == len(pairs) == 75
    sizes = [len(before) + len(after) for before, after in pairs]
    false: dict[str, list[float]] = {"corrected": [], "as they are": []}
    power: dict[str, list[float]] = {"corrected": [], "as they are": []}
    for seed in range(SIMULATIONS):
        raw = p_values(CountCache(sent(seed)).need(required_counts(pairs, DESIGN)), pairs, DESIGN)
        accepted = {
            "corrected": decisions(raw, pairs, sizes, family).passes,
            "as they are": raw <= SIGNIFICANCE_LEVEL,
        }
        for name, passes in accepted.items():
            false[name].append((passes & ~truly).sum() / max(1, passes.sum()))
            power[name].append((passes & truly).sum() / truly.sum())
    error = np.std(false["corrected"]) / np.sqrt(SIMULATIONS)
    assert np.mean(false["corrected"]) <= SIGNIFICANCE_LEVEL + 2 * error, np.mean(false["corrected"])
    # Without the correction too many are false: the test can fail.
    assert np.mean(false["as they are"]) > SIGNIFICANCE_LEVEL
    # Power as well: the correction costs some, but does have an effect.
    assert np.mean(power["as they are"]) > np.mean(power["corrected"]) > 0.5


def test_inference_results_align_with_rules_and_itemsets(one: tuple[MiningResult, Inference]) -> None:
    result, inference = one
    rules, itemsets = len(result.rules), len(result.itemsets)
    assert rules > 5
    for values in (
        inference.lift.passes,
        inference.fragility,
        inference.explained_by,
        *inference.interest.values(),
    ):
        assert len(values) == rules
    assert len(inference.maximal) == len(inference.closed) == len(inference.itemsets) == itemsets
    coverage = [
        result.rules.measures.support.value[place] / result.rules.measures.confidence.value[place]
        for place in range(rules)
    ]
    np.testing.assert_allclose(inference.interest["coverage"], coverage)


def test_intervals_after_selection_contain_those_without(
    one: tuple[MiningResult, Inference],
) -> None:
    result, inference = one
    named, listed = result.rules.measures.lift, inference.rules.lift
    assert (listed.low <= named.low).all()
    assert (listed.high >= named.high).all()
    assert (listed.low < named.low).any()
    assert inference.rule_level > 0.95
    assert (inference.itemsets.low <= result.itemsets.interval.low).all()
    assert (inference.itemsets.low < result.itemsets.interval.low).any() == (inference.itemset_level > 0.95)


def test_confidence_is_tested_only_with_a_confidence_threshold(
    one: tuple[MiningResult, Inference],
) -> None:
    _, inference = one
    assert inference.confidence is None
    asked = Thresholds(support=0.05, confidence=0.5, max_size=2)
    matrix = run(0)[1].matrix
    with_threshold = mine(matrix, DESIGN, asked)
    found = infer(with_threshold, CountCache(matrix))
    assert found.confidence is not None
    assert found.families.confidence.total == 30
    assert families(DESIGN, asked).lift.total == 15
    assert (found.confidence.p_values < 0.5).all(), "listed ones lie above the threshold"


def test_flips_are_not_searched_for_the_least_promising_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mining.inference.MOST_FLIPS", 3)
    result, count_cache = run(1)
    inference = infer(result, count_cache)
    searched = inference.fragility != NOT_SEARCHED
    assert searched.sum() == 3
    assert inference.lift.p_values[searched].max() <= inference.lift.p_values[~searched].min()


def test_a_run_of_single_items_has_itemsets_but_no_rules() -> None:
    matrix = sent(0)
    result = mine(matrix, DESIGN, Thresholds(support=0.05, confidence=0.1, max_size=1))
    found = infer(result, CountCache(matrix))
    assert len(result.itemsets) > 0
    assert len(result.rules) == 0
    assert found.lift.passes.size == 0


PAIR_DESIGN = study_design([2, 2], truth_probability=5000, unrelated=4000)
RULES = [((0,), (1,)), ((0,), (2,)), ((1, 3), (2,)), ((3,), (0, 1)), ((2,), (3,))]
CUT_OFF = 0.05


def pair_sent(n: int, seed: int, dependence: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = true_rows(n, [0.3, 0.4, 0.5, 0.6], dependence, rng)
    direct = rng.random(n) < 0.2
    return disguise_rows(PAIR_DESIGN, truth, direct, draw_coins(PAIR_DESIGN, n, rng)), direct


def counts_of(rows: np.ndarray, direct: np.ndarray):
    count_cache = CountCache(BitMatrix.from_booleans(PAIR_DESIGN, rows, direct))
    return count_cache.need(required_counts(RULES, PAIR_DESIGN))


def injected(rows: np.ndarray, direct: np.ndarray, number: int):
    false = np.ones((number, rows.shape[1]), dtype=bool)
    return counts_of(np.concatenate([rows, false]), np.concatenate([direct, np.zeros(number, dtype=bool)]))


def test_the_stated_number_of_false_rows_flips_a_failing_rule() -> None:
    rows, direct = pair_sent(900, seed=2, dependence=0.0)
    numbers = fragility(counts_of(rows, direct), RULES, PAIR_DESIGN, np.full(len(RULES), CUT_OFF))
    failing = np.flatnonzero(p_values(counts_of(rows, direct), RULES, PAIR_DESIGN) > CUT_OFF)
    assert len(failing) >= 4
    for place in failing:
        assert numbers[place] > 0
        for number, passes in ((numbers[place], True), (numbers[place] - 1, False)):
            found = p_values(injected(rows, direct, int(number)), RULES, PAIR_DESIGN)[place]
            assert (found <= CUT_OFF) == passes


def test_fragility_exposes_a_rule_made_by_false_rows() -> None:
    rows, direct = pair_sent(900, seed=2, dependence=0.0)
    cut = np.full(len(RULES), CUT_OFF)
    numbers = fragility(counts_of(rows, direct), RULES, PAIR_DESIGN, cut)
    for place, number in enumerate(numbers.tolist()):
        if p_values(counts_of(rows, direct), RULES, PAIR_DESIGN)[place] <= CUT_OFF:
            continue
        for more in (0, 7):
            after = fragility(injected(rows, direct, number + more), RULES, PAIR_DESIGN, cut)
            assert after[place] == more + 1


def test_false_rows_cannot_flip_a_rule_from_direct_answers_alone() -> None:
    rng = np.random.default_rng(1)
    a = rng.random(600) < 0.4
    rows = np.stack([a, a, rng.random(600) < 0.5, rng.random(600) < 0.5], axis=1)
    direct = np.ones(600, dtype=bool)
    found = fragility(counts_of(rows, direct), RULES[:1], PAIR_DESIGN, np.array([CUT_OFF]))
    assert found.tolist() == [NEVER]
