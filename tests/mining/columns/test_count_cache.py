"""A cache counts each set once, and its counts equal direct ones."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mining.columns import count_cache as module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.frames.survey import Survey
from privacy.estimation.withheld import Evidence, Withheld
from tests.fixtures.questionnaires import (
    EVERYTHING,
    bodies,
    grouped,
    true_rows,
    undisguised,
)
from tests.fixtures.refusals import refused
from tests.mining.columns.counted import count

ROWS = np.array([[True, True, False], [True, False, True], [False, True, False]])


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Record every set of places that is counted from the rows."""
    seen: list[list[int]] = []
    count_places = module.count_places

    def spy(matrix: BitMatrix, places: NDArray[np.int64], **options: Any) -> Any:
        seen.extend([place for place in row if place >= 0] for row in places.tolist())
        return count_places(matrix, places, **options)

    monkeypatch.setattr(module, "count_places", spy)
    return seen


def test_each_itemset_is_counted_once(counted: list[list[int]]) -> None:
    count_cache = CountCache(BitMatrix.from_booleans(grouped([3]), ROWS, np.array([True, False, False])))
    first = count_cache.need([(), (0,), (0,)])
    second = count_cache.need([(0,), (0, 1), ()])
    in_array = count_cache.of(np.array([[-1, 2], [0, 1], [1, 0], [-1, 2]]))
    assert counted == [[], [0], [0, 1], [2]]
    assert dict(first) == {(): (1, 2), (0,): (1, 1)}
    assert dict(second) == {(): (1, 2), (0,): (1, 1), (0, 1): (1, 0)}
    assert in_array.tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]
    assert dict(count_cache.counts) == dict(second)


def test_cached_counts_match_direct_counts_in_any_order() -> None:
    matrix = BitMatrix.from_rows(
        EVERYTHING, bodies(EVERYTHING, true_rows(150, seed=1), np.arange(150) % 3 == 0, seed=1)
    )
    count_cache, rng = CountCache(matrix), np.random.default_rng(2)
    for _ in range(30):
        requests = rng.integers(-1, EVERYTHING.n_columns, size=(20, int(rng.integers(1, 6))))
        assert np.array_equal(count_cache.of(requests), count(matrix, requests))


def test_sets_larger_than_a_machine_word_are_cached_too(counted: list[list[int]]) -> None:
    n_items = 40
    rows = np.random.default_rng(3).random((30, n_items)) < 0.95
    matrix = BitMatrix.from_booleans(undisguised(n_items), rows, np.zeros(30, dtype=bool))
    count_cache = CountCache(matrix)
    few, many = np.arange(3)[None, :], np.arange(n_items)[None, :]
    for _ in range(2):
        assert count_cache.of(few)[0, 1] == rows[:, :3].all(axis=1).sum()
        assert count_cache.of(many)[0, 1] == rows.all(axis=1).sum()
    assert len(counted) == 2


def test_devices_that_draw_are_tested_and_others_are_not() -> None:
    everyone = CountCache(BitMatrix.from_booleans(grouped([3]), ROWS, np.array([True, False, False])))
    assert everyone.draw_tests.tests == ()
    assert not everyone.all_rows
    design = Survey({"b": ["x", "y", "z"]}, p=0.5, questions_per_person={"b": 1}).design
    drawn = np.eye(3, dtype=bool)[np.arange(300) % 3]
    matrix = BitMatrix.from_booleans(design, drawn, np.zeros(300, dtype=bool), is_asked=drawn)
    cache = CountCache(matrix)
    assert len(cache.draw_tests.tests) == 1
    assert cache.all_rows
    assert cache.counts.all_rows


def test_no_count_reads_a_withheld_question() -> None:
    design = grouped([1, 1])
    withheld = Withheld(
        questions={1: Evidence(rows=40, n=300)}, keys=tuple(each.key for each in design.questions)
    )
    matrix = BitMatrix.from_booleans(design, ROWS[:, :2], np.zeros(3, dtype=bool))
    cache = CountCache(matrix, withheld=withheld)
    assert len(cache.need([(), (0,)])) == 2
    with refused("forged"):
        cache.need([(0, 1)])


def test_an_array_of_requests_with_a_withheld_question_is_refused() -> None:
    design = grouped([3])
    withheld = Withheld(questions={1: Evidence(rows=1, n=3)}, keys=("a", "b", "c"))
    guarded = CountCache(BitMatrix.from_booleans(design, ROWS, np.zeros(3, dtype=bool)), withheld=withheld)
    assert guarded.of(np.array([[0, -1], [0, 2]])).tolist() == [[0, 2], [0, 1]]
    with refused("forged"):
        guarded.of(np.array([[0, -1], [0, 1]]))
