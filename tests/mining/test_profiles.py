"""Few people with the same open answers: what may be told about them, against counting row by row."""

from itertools import combinations, product

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.halves import measured_again
from mining.pipeline import mine
from mining.profiles import large_profiles
from mining.thresholds import Thresholds
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Question
from privacy.survey.layout import Layout, Record

LEAST = 10


def yes_no(key: str, theta: int | None = None) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=() if theta is None else (theta,))


def block(key: str, *questions: Question, protected: bool, asked_if: Condition | None = None) -> Block:
    return Block(
        key=key,
        protected=protected,
        truth_probability=6000 if protected else 10_000,
        refusal=None,
        asked_if=asked_if,
        questions=questions,
    )


# Items 0, 1, 2 open; 3, 4 protected.
DESIGN = Design(
    group=GroupPolicy(policy="choice"),
    use="live",
    blocks=(
        block("you", yes_no("nurse"), yes_no("night"), yes_no("new"), protected=False),
        block("work", yes_no("late", 5000), yes_no("drunk", 5000), protected=True),
    ),
)
RNG = np.random.default_rng(5)
ROWS = RNG.random((300, 5)) < [0.3, 0.2, 0.06, 0.4, 0.2]
DIRECT = np.arange(300) < 60


def tally(rows: np.ndarray = ROWS) -> CountCache:
    return CountCache(BitMatrix.from_booleans(DESIGN, rows, DIRECT[: len(rows)]))


def test_every_combination_of_open_answers_must_be_given_by_enough_or_by_none() -> None:
    itemsets = [items for size in (1, 2, 3, 4, 5) for items in combinations(range(5), size)]

    def expected(items: tuple[int, ...]) -> bool:
        open_ones = [item for item in items if item < 3]
        if not open_ones or len(open_ones) == len(items):
            return True
        having = ROWS[:, open_ones]
        numbers = [
            int((having == np.array(pattern)).all(axis=1).sum())
            for pattern in product([False, True], repeat=len(open_ones))
        ]
        return all(number == 0 or number >= LEAST for number in numbers)

    found = large_profiles(tally(), DESIGN, itemsets, LEAST)
    assert found == [expected(items) for items in itemsets]
    assert {True, False} == set(found)


def test_those_without_an_item_count_too() -> None:
    rows = ROWS.copy()
    rows[:, 0] = np.arange(300) >= 3
    assert large_profiles(tally(rows), DESIGN, [(0, 3)], LEAST) == [False]


@pytest.mark.slow
@pytest.mark.parametrize("alike", [1, LEAST - 1, LEAST])
def test_no_itemset_or_rule_tells_of_fewer(alike: int) -> None:
    rows = np.zeros((300, 5), dtype=bool)
    rows[:150, 0] = True
    rows[100:250, 3:] = True
    rows[:alike, 2] = rows[:alike, 3] = True
    thresholds = Thresholds(support=0.001, max_size=3)
    matrix = BitMatrix.from_booleans(DESIGN, rows, DIRECT)
    loose = mine(matrix, DESIGN, thresholds)
    safe = mine(matrix, DESIGN, thresholds, least_profile=LEAST)

    def telling(sides: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        return [items for items in sides if 2 in items and set(items) & {3, 4}]

    def unions(result: object) -> list[tuple[int, ...]]:
        return [one + other for one, other in result.rules.sides]

    assert telling(loose.itemsets.itemsets)
    assert telling(unions(loose))
    assert bool(telling(safe.itemsets.itemsets)) == bool(telling(unions(safe))) == (alike >= LEAST)
    # Nothing else is lost: open answers alone, protected ones alone, and commoner profiles.
    assert {(2,), (0, 2), (4,), (0, 4)} <= set(safe.itemsets.itemsets)


def test_those_who_were_asked_are_counted_not_everybody() -> None:
    nights = Condition(question="night", options=("yes",))
    design = Design(
        group=GroupPolicy(policy="choice"),
        use="live",
        blocks=(
            block("you", yes_no("night"), yes_no("new"), protected=False),
            block("work", yes_no("late", 5000), protected=True, asked_if=nights),
        ),
    )
    # Of the 60 who work at night ten are new; of the others sixty are.
    people = [(number < 60, 50 <= number < 120) for number in range(200)]
    layout = Layout(design)
    packed = b"".join(
        layout.pack(
            Record(
                direct=False,
                answers=((int(night), int(new)), (0,) if night else (None,)),
                refused=(False, False),
            )
        )
        for night, new in people
    )
    matrix = BitMatrix.from_rows(design, packed)
    assert large_profiles(CountCache(matrix), design, [(1, 2)], 10) == [True]
    assert large_profiles(CountCache(matrix), design, [(1, 2)], 11) == [False]


def test_several_options_of_one_question_are_each_a_combination() -> None:
    age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    design = Design(
        group=GroupPolicy(policy="choice"),
        use="live",
        blocks=(block("you", age, protected=False), block("work", yes_no("late", 5000), protected=True)),
    )
    layout = Layout(design)
    packed = b"".join(
        layout.pack(Record(direct=False, answers=((option,), (0,)), refused=(False, False)))
        for option, people in enumerate((20, 12, 30))
        for _ in range(people)
    )
    found = CountCache(BitMatrix.from_rows(design, packed))
    assert large_profiles(found, design, [(0, 1, 3)], 12) == [True]
    assert large_profiles(found, design, [(0, 1, 3)], 13) == [False]


def test_a_half_that_tests_tells_nothing_of_fewer_people_either() -> None:
    listing = mine(tally().matrix, DESIGN, Thresholds(support=0.01, max_size=2), least_profile=LEAST)
    rare = {items for items in listing.itemsets.itemsets if 2 in items and max(items) > 2}
    assert rare
    # One new nurse too few.
    second = tally(ROWS[~(ROWS[:, 2] & (np.cumsum(ROWS[:, 2]) >= LEAST))])
    assert sum(second.need([(2,)])[2,]) == LEAST - 1
    found = measured_again(listing, second, least_profile=LEAST)
    assert set(found.itemsets.itemsets) == set(listing.itemsets.itemsets) - rare
    assert not {pair for pair in found.rules.sides if tuple(sorted(pair[0] + pair[1])) in rare}
