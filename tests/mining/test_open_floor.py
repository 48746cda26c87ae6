"""Which figures may name open answers: exact tables, empty answers, conditions, and questions that wait."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.open_floor import (
    SHOW_ALL,
    OpenFloor,
    answer_counts,
    combinations_of,
    crossed_pairs,
    has_enough,
    large_crosses,
)
from privacy.survey.conditions import Condition
from privacy.survey.design import Block, Design, GroupPolicy, Question

OPEN = Block(
    key="you",
    protected=False,
    truth_probability=10_000,
    questions=(
        Question(key="a", kind="yes_no", options=(), unrelated=()),
        Question(key="b", kind="single", options=("x", "y", "z"), unrelated=()),
        Question(key="c", kind="yes_no", options=(), unrelated=()),
    ),
)
LATE = Question(key="late", kind="yes_no", options=(), unrelated=(5000,))
WORK = Block(key="work", protected=True, truth_probability=6000, questions=(LATE,))
DESIGN = Design(group=GroupPolicy(), use="live", blocks=(OPEN, WORK))
"""Item 0 is a, items 1 to 3 are b, item 4 is c; item 5 is protected."""
FLOOR = OpenFloor(least=10)


def cache_of(a: np.ndarray, b: np.ndarray, c: np.ndarray, design: Design = DESIGN) -> CountCache:
    """Return the counts of answers: 0 and 1, or 0 to 2; -1 for none."""
    rows = np.column_stack([a == 1, b == 0, b == 1, b == 2, c == 1, np.zeros(len(a), dtype=bool)])
    late = a == 1 if design.blocks[1].asked_if else np.ones(len(a), dtype=bool)
    asked = np.column_stack([a >= 0, b >= 0, c >= 0, late])
    matrix = BitMatrix.from_booleans(design, rows, np.zeros(len(a), dtype=bool), is_asked=asked)
    return CountCache(matrix)


@pytest.mark.parametrize("seed", range(20))
def test_a_cross_is_shown_if_every_cell_of_its_full_table_is_large(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 240
    answers = {
        0: rng.choice(3, n, p=[0.05, 0.5, 0.45]) - 1,
        1: rng.choice(4, n, p=[0.0, 0.6, 0.3, 0.1]) - 1,
        4: rng.choice(3, n, p=[0.1, 0.45, 0.45]) - 1,
    }
    cache = cache_of(*answers.values())
    for size in (2, 3):
        for items in combinations(answers, size):
            _cells, people = np.unique([answers[item] for item in items], axis=1, return_counts=True)
            (found,) = large_crosses(cache, DESIGN, [items], FLOOR)
            assert found == bool((people >= 10).all()), items


def test_one_person_who_leaves_a_question_empty_hides_the_cross() -> None:
    """Otherwise the share of a, less its share among those who answered c, is that person's answer."""
    a, c = np.arange(80) % 2, np.arange(80) // 2 % 2
    b = np.zeros(80, dtype=int)
    assert large_crosses(cache_of(a, b, c), DESIGN, [(0, 4)], FLOOR) == [True]
    c[0] = -1
    assert large_crosses(cache_of(a, b, c), DESIGN, [(0, 4), (0,), (4,)], FLOOR) == [False, True, True]


def test_the_questions_of_a_condition_count_as_named() -> None:
    design = replace(DESIGN, blocks=(OPEN, replace(WORK, asked_if=Condition(question="a", options=("yes",)))))
    a, c = np.arange(80) % 2, np.arange(80) // 2 % 2
    # Two of those who are not asked say yes to c. No figure of the protected question counts them.
    c[(a == 0) & (np.cumsum(a == 0) > 5)] = 0
    cache = cache_of(a, np.zeros(80, dtype=int), c, design)
    assert large_crosses(cache, design, [(5,), (4,)], FLOOR) == [True, True]
    assert large_crosses(cache, design, [(4, 5)], FLOOR) == [False]
    waiting = OpenFloor(least=10, crosses=False, questions=frozenset({2}))
    assert large_crosses(cache, design, [(5,), (4,), (4, 5)], waiting) == [False, True, False]


def test_while_rows_arrive_no_figure_combines_open_questions() -> None:
    a, c = np.arange(80) % 2, np.arange(80) // 2 % 2
    cache = cache_of(a, np.zeros(80, dtype=int), c)
    floor = OpenFloor(least=10, crosses=False, questions=frozenset({0, 2}))
    found = large_crosses(cache, DESIGN, [(0,), (1,), (4,), (0, 4), (0, 5), (1, 5)], floor)
    assert found == [True, False, True, False, True, False]
    assert large_crosses(cache, DESIGN, [(0, 5), (4,)], replace(floor, withheld=frozenset({4}))) == [
        True,
        False,
    ]
    assert not floor.may_name(DESIGN, (0, 4))
    assert [SHOW_ALL.hides, floor.hides] == [False, True]


def test_answers_are_counted_with_those_who_gave_none() -> None:
    a = np.array([-1] * 3 + [0] * 5 + [1] * 12)
    b = np.array([-1] * 2 + [0] * 8 + [2] * 10)
    cache = cache_of(a, b, a)
    assert answer_counts(cache, DESIGN, 0).sum(axis=1).tolist() == [3, 5, 12]
    assert answer_counts(cache, DESIGN, 1).sum(axis=1).tolist() == [2, 0, 8, 0, 10]
    assert combinations_of(DESIGN, (0, 1)) == [3, 4]


def test_a_difference_of_one_to_nine_is_too_few_in_either_direction() -> None:
    for difference, enough in ((0, True), (9, False), (-9, False), (10, True), (-10, True)):
        assert has_enough(np.array([[0, difference]]), 10) is enough


def test_any_limit_hides_something_and_none_hides_nothing() -> None:
    assert not SHOW_ALL.hides
    for floor in (
        OpenFloor(least=1),
        OpenFloor(crosses=False),
        OpenFloor(questions=frozenset()),
        OpenFloor(withheld=frozenset({0})),
    ):
        assert floor.hides, floor


@pytest.mark.parametrize(
    ("floor", "items", "beside", "named"),
    [
        (SHOW_ALL, (0, 1, 4, 5), (), True),
        (OpenFloor(crosses=False), (0,), (), True),
        (OpenFloor(crosses=False), (0, 5), (), True),
        (OpenFloor(crosses=False), (1, 2), (), True),
        (OpenFloor(crosses=False), (0, 4), (), False),
        (OpenFloor(questions=frozenset({0})), (0, 5), (), True),
        (OpenFloor(questions=frozenset({0})), (4,), (), False),
        (OpenFloor(withheld=frozenset({5})), (0, 5), (), False),
        (OpenFloor(withheld=frozenset({5})), (0,), (), True),
    ],
)
def test_what_a_floor_lets_figures_name(
    floor: OpenFloor, items: tuple[int, ...], beside: tuple[int, ...], named: bool
) -> None:
    assert floor.may_name(DESIGN, items, beside) is named


def test_pairs_of_open_questions_are_shown_if_every_option_crosses_every_other() -> None:
    """80 people in equal parts of a and c; b is always its first option, so it crosses nothing."""
    a, c = np.arange(80) % 2, np.arange(80) // 2 % 2
    b = np.zeros(80, dtype=int)
    assert crossed_pairs(cache_of(a, b, c), DESIGN, FLOOR) == {(0, 1): True, (0, 2): True, (1, 2): True}
    b[:5] = 1
    assert crossed_pairs(cache_of(a, b, c), DESIGN, FLOOR) == {(0, 1): False, (0, 2): True, (1, 2): False}
