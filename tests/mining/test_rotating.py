"""Mining of rows whose devices drew the questions, from simulated devices to rules and their intervals."""

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.simulation import simulate, study_design, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import CountCache
from mining.family import itemset_family, rule_family
from mining.inference import infer
from mining.pipeline import mine
from mining.thresholds import Sides, Thresholds, join, single_items
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.survey.booklets import Rotation
from privacy.survey.design import Design
from tests.privacy.estimation.designs import design, opened, protected, yes_no

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
        # Six standard errors: a false alarm comes once in millions of runs.
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
        # Nothing is missed: whatever is left out leaves no set above it either.
        assert family.get(size, 0) == len(level)
        rules += len(level) * (2**size - 2)
    assert rule_family(asked, Sides(), 4, ordered=True).total == rules


def test_too_many_listed_sets_are_corrected_conservatively(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = itemset_family(LISTED, 3).total
    monkeypatch.setattr("mining.family.MOST_SETS", 3)
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
    """The rows of `few` are not drawn at random: the test detects it, and only complete rows are used."""
    result = mine(few(600, 150), ASKS_TWO, Thresholds(support=0.1, max_size=2))
    assert [test.key for test in result.draw_tests.rejected] == ["b"]
    assert not result.itemsets.estimates.all_rows.any()
    assert result.itemsets.estimates.n_used.tolist() == result.itemsets.estimates.n.tolist()


def test_a_rotating_part_counts_as_answered_if_any_question_was_asked() -> None:
    matrix, _ = simulated(50, seed=5)
    asked = matrix.design
    assert asked.answered_column(0) in matrix.full
    assert asked.asked_column(0) not in matrix.full
