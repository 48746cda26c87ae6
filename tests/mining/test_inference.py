"""False discoveries of whole runs on data whose true rules are known."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.simulation import simulate, study_design, true_rows
from mining import Progress
from mining.apriori import join, single_items
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.family import itemset_family, rule_family
from mining.fragility import MOST_FLIPS, NOT_SEARCHED
from mining.inference import Inference, families, further_values, group_tests, infer
from mining.interest import interest
from mining.multiple_testing import decisions
from mining.pipeline import MiningResult, mine
from mining.thresholds import Sides, Thresholds
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_tests import p_values
from privacy.policy import LEAST_COMPLETE_ROWS, SIGNIFICANCE_LEVEL
from privacy.survey.design import Design
from privacy.survey.rotation import Rotation
from tests.fixtures.planted_rules import DESIGN, is_true, sent
from tests.privacy.estimation.designs import design, opened, protected, yes_no

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
    # Without the correction too many discoveries are false, so the test can fail.
    assert np.mean(false["as they are"]) > SIGNIFICANCE_LEVEL
    # The correction costs some power, but not too much.
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


def test_intervals_after_selection_contain_those_without(one: tuple[MiningResult, Inference]) -> None:
    result, inference = one
    named, listed = result.rules.measures.lift, inference.rules.lift
    assert (listed.low <= named.low).all()
    assert (listed.high >= named.high).all()
    assert (listed.low < named.low).any()
    assert inference.rule_level > 0.95
    assert (inference.itemsets.low <= result.itemsets.interval.low).all()
    assert (inference.itemsets.low < result.itemsets.interval.low).any() == (inference.itemset_level > 0.95)


def test_confidence_is_tested_only_with_a_confidence_threshold(one: tuple[MiningResult, Inference]) -> None:
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


PREVALENCES = (0.3, 0.4, 0.5, 0.3, 0.35, 0.45)


def simulated(n: int, seed: int, light: int | None = None) -> tuple[BitMatrix, NDArray[np.bool_]]:
    rng = np.random.default_rng(seed)
    asked = study_design([3, 3], truth_probability=7000, unrelated=5000, light=light, questions_per_person=2)
    truth = true_rows(n, PREVALENCES, 0.5, rng)
    return simulate(asked, truth, rng.random(n) < 0.25, rng), truth


@pytest.mark.soak
@pytest.mark.parametrize("light", [None, 8500])
def test_mining_rotating_questions_finds_correct_rules_and_intervals(light: int | None) -> None:
    matrix, truth = simulated(4000, seed=1, light=light)
    thresholds = Thresholds(support=0.1, max_size=3)
    result = mine(matrix, matrix.design, thresholds)
    assert result.draw_tests.all_rows
    assert len(result.draw_tests.tests) == 2
    kept = set(result.itemsets.itemsets)
    assert kept >= {(0,), (1,), (0, 1), (0, 4), (0, 1, 3)}
    assert (0, 1, 2) not in kept
    for row in result.itemsets:
        true = truth[:, row.items].all(axis=1).mean()
        # At six standard errors, a false alarm occurs once in millions of runs.
        assert abs(row.estimate.value - true) < 6 * row.estimate.standard_error_respondents
        assert (row.estimate.n_used, row.estimate.all_rows) == (4000, True)
        share = matrix.design.drawn_together(row.items)
        assert abs(row.estimate.n - 4000 * float(share)) < 6 * np.sqrt(4000 * float(share * (1 - share)))
    found = infer(result, CountCache(matrix))
    assert found.families.itemsets.total == itemset_family(matrix.design, 3).total
    rule = result.rules.sides.index(((0,), (1,)))
    assert found.lift.p_values[rule] < 1e-6
    assert found.fragility[rule] > 0
    assert len(found.rules) == len(result.rules)


ASKS_TWO = design(protected("b", 6000, *(yes_no(key, 5000) for key in "abcd"), asks=2))
LISTED = design(
    protected("b", 6000, *(yes_no(key, 5000) for key in "abcd"), asks=3, booklets=((0, 1, 2), (0, 1, 3)))
)
PARTS = design(
    opened("o", yes_no("oa")),
    *(protected(key, 6000, yes_no(f"{key}1", 5000), yes_no(f"{key}2", 5000)) for key in "bcd"),
    rotations=(Rotation(blocks=("b", "c", "d"), parts_per_person=2),),
)


@pytest.mark.parametrize("asked", [ASKS_TWO, LISTED, PARTS])
def test_candidates_and_hypotheses_contain_only_questions_drawn_together(asked: Design) -> None:
    level, rules = single_items(asked), 0
    family = dict(itemset_family(asked, 4).by_size)
    for size in (2, 3, 4):
        level = join(asked, level, on_arrays=True)
        assert all(asked.drawn_together(items) for items in level.tolist())
        # No set is missed, because a set that is left out has no superset in the family.
        assert family.get(size, 0) == len(level)
        rules += len(level) * (2**size - 2)
    assert rule_family(asked, Sides(), 4, ordered=True).total == rules


def test_too_many_listed_sets_are_corrected_conservatively(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = itemset_family(LISTED, 3).total
    monkeypatch.setattr("mining.family.MOST_QUESTION_SETS", 3)
    assert itemset_family(LISTED, 3).total > exact


def few(n: int, asked_both: int) -> BitMatrix:
    asked = np.zeros((n, 4), dtype=bool)
    both = np.arange(n) < asked_both
    asked[both, :2] = True
    asked[~both, 2:] = True
    return BitMatrix.from_booleans(ASKS_TWO, asked.copy(), np.zeros(n, dtype=bool), is_asked=asked)


@pytest.mark.parametrize(("rows", "kept"), [(LEAST_COMPLETE_ROWS - 1, False), (LEAST_COMPLETE_ROWS, True)])
def test_an_itemset_asked_of_few_people_is_not_listed(rows: int, kept: bool) -> None:
    matrix = few(600, rows)
    result = mine(matrix, ASKS_TWO, Thresholds(support=0.1, max_size=2))
    assert ((0, 1) in result.itemsets.itemsets) == kept
    assert (2, 3) in result.itemsets.itemsets


def test_an_avoided_question_restricts_estimates_to_complete_rows() -> None:
    """The questions in `few` are not drawn at random. The test detects this, and only complete rows count."""
    result = mine(few(600, 150), ASKS_TWO, Thresholds(support=0.1, max_size=2))
    assert [test.key for test in result.draw_tests.rejections] == ["b"]
    assert not result.itemsets.estimates.all_rows.any()
    assert result.itemsets.estimates.n_used.tolist() == result.itemsets.estimates.n.tolist()


def test_a_rotating_part_counts_as_answered_if_any_question_was_asked() -> None:
    matrix, _ = simulated(50, seed=5)
    asked = matrix.design
    assert asked.answered_column(0) in matrix.full
    assert asked.asked_column(0) not in matrix.full


def test_further_measures_are_those_of_the_four_shares() -> None:
    """Support .2, confidence .5 and lift 1.25: antecedent .4 and consequent .4."""
    values = SimpleNamespace(support=np.array([0.2]), confidence=np.array([0.5]), lift=np.array([1.25]))
    found = further_values(values)  # type: ignore[arg-type]
    expected = interest(np.array([0.2]), np.array([0.4]), np.array([0.4]))
    assert {name: own.tolist() for name, own in found.items()} == {
        name: pytest.approx(own.tolist(), nan_ok=True) for name, own in expected.items()
    }
    assert found["added_value"].tolist() == pytest.approx([0.5 - 0.4])


def test_the_search_for_flips_reports_its_total_before_it_starts() -> None:
    result, count_cache = run(1)
    steps: list[Progress] = []
    infer(result, count_cache, progress=steps.append)
    flips = [(step.done, step.total) for step in steps if step.stage == "flips"]
    total = min(len(result.rules), MOST_FLIPS)
    assert (flips[0], flips[-1]) == ((0, total), (total, total))


@pytest.mark.parametrize(("direct", "disguised", "tested"), [(2, 1, 1), (1, 2, 0), (3, 0, 0)])
def test_groups_are_compared_if_both_have_enough_rows(direct: int, disguised: int, tested: int) -> None:
    asked = design(protected("b", 5000, yes_no("a", 5000), light=9000))
    n = direct + disguised
    matrix = BitMatrix.from_booleans(asked, np.ones((n, 1), dtype=bool), np.arange(n) < direct)
    result = mine(matrix, asked, Thresholds(support=0.1, max_size=1))
    assert len(group_tests(result, CountCache(matrix), least_direct=2)) == tested
