"""The floor on crosses of open questions, against counting row by row."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.open_crosses import disguised_rows, large_crosses
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.survey.design import Block, Design, GroupPolicy, Question

LEAST = 10


def design_of(policy: GroupPolicy, light: int | None = None) -> Design:
    """Items 0-2 a single choice, 3 and 4 yes/no, 5 and 6 ticked, all open; 7 protected."""
    open_questions = (
        Question(key="ward", kind="single", options=("a", "b", "c"), unrelated=()),
        Question(key="night", kind="yes_no", options=(), unrelated=()),
        Question(key="new", kind="yes_no", options=(), unrelated=()),
        Question(key="reads", kind="multi", options=("news", "novels"), unrelated=()),
    )
    late = Question(key="late", kind="yes_no", options=(), unrelated=(5000,))
    return Design(
        group=policy,
        use="live",
        blocks=(
            Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
                  questions=open_questions),
            Block(key="work", protected=True, truth_probability=6000, refusal=None, asked_if=None,
                  questions=(late,), light=light),
        ),
    )  # fmt: skip


EVERYBODY = design_of(GroupPolicy())
RNG = np.random.default_rng(11)
WARD = RNG.choice(3, size=400, p=[0.6, 0.36, 0.04])
ROWS = np.column_stack(
    [*(option == WARD for option in range(3)), RNG.random((400, 5)) < [0.3, 0.05, 0.4, 0.04, 0.4]]
)
QUESTIONS: dict[int, tuple[int, ...]] = {
    0: (0, 1, 2),
    1: (0, 1, 2),
    2: (0, 1, 2),
    3: (3,),
    4: (4,),
    5: (5,),
    6: (6,),
}


def expected(items: tuple[int, ...]) -> bool:
    axes = {QUESTIONS[item] for item in items if item in QUESTIONS}
    if len(axes) < 2:
        return True
    columns = sorted({column for axis in axes for column in axis})
    _cells, people = np.unique(ROWS[:, columns], axis=0, return_counts=True)
    return bool((people >= LEAST).all())


def test_every_cross_of_the_questions_named_is_given_by_enough_or_by_nobody() -> None:
    count_cache = CountCache(BitMatrix.from_booleans(EVERYBODY, ROWS, np.zeros(400, dtype=bool)))
    itemsets = [items for size in (1, 2, 3, 4) for items in combinations(range(8), size)]
    found = large_crosses(count_cache, EVERYBODY, itemsets, LEAST)
    assert found == [expected(items) for items in itemsets]
    assert {True, False} == set(found)


def test_one_person_more_or_less_decides() -> None:
    rows = np.zeros((40, 8), dtype=bool)
    rows[:, 0] = True
    rows[:20, 3] = True
    rows[10:20, 4] = rows[20:30, 4] = True
    for count, large in ((10, True), (11, False)):
        count_cache = CountCache(BitMatrix.from_booleans(EVERYBODY, rows, np.zeros(40, dtype=bool)))
        assert large_crosses(count_cache, EVERYBODY, [(3, 4)], count) == [large]


def test_a_report_lists_no_small_cross_and_hides_nothing_else() -> None:
    matrix = BitMatrix.from_booleans(EVERYBODY, ROWS, np.zeros(400, dtype=bool))
    thresholds = Thresholds(support=1e-9, confidence=0.5, max_size=3)
    free = {tuple(one.items) for one in mine(matrix, EVERYBODY, thresholds).itemsets}
    floored = {tuple(one.items) for one in mine(matrix, EVERYBODY, thresholds, least_cross=LEAST).itemsets}
    assert floored == {items for items in free if expected(items)}
    assert floored < free


def test_rows_of_both_groups_are_disguised_where_there_are_two_strengths() -> None:
    for light, count in product((None, 9000), (0, 7)):
        design = design_of(GroupPolicy(policy="choice"), light)
        assert disguised_rows(design, count, 5) == 5 + (count if light else 0)
