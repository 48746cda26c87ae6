import sys
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mining import Progress
from mining.columns import counting as module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import (
    CountCache,
    add_counts,
    find_engine,
    key_of,
    precomputed_counts,
    precomputed_requests,
)
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.arrays import ArrayCache, read_only
from privacy.errors import PrivacyError
from privacy.estimation.draw_tests import draw_terms
from privacy.survey.design import Design, Question
from privacy.survey.layout import Layout
from tests.fixtures.planted_rules import DESIGN, sent
from tests.fixtures.questionnaires import (
    ENGINES_HERE,
    EVERYTHING,
    bodies,
    grouped,
    opened,
    questionnaire,
    true_rows,
    undisguised,
)
from tests.mining.columns.counted import count
from tests.privacy.estimation.designs import design, protected, yes_no

EACH_ENGINE = pytest.mark.parametrize("engine", ENGINES_HERE)


def by_hand(
    items: NDArray[np.bool_], direct: NDArray[np.bool_], requests: list[tuple[int, ...]]
) -> list[list[int]]:
    matched = [items[:, list(request)].all(axis=1) for request in requests]
    return [[int((rows & direct).sum()), int((rows & ~direct).sum())] for rows in matched]


@pytest.mark.slow
@settings(deadline=None)
@given(
    n=st.sampled_from([0, 1, 2, 63, 64, 65, 127, 128, 129, 1000]),
    n_items=st.integers(1, 9),
    share=st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]),
    seed=st.integers(0, 2**32 - 1),
)
def test_counts_equal_brute_force(n: int, n_items: int, share: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    items, direct = rng.random((n, n_items)) < share, rng.random(n) < rng.random()
    matrix = BitMatrix.from_booleans(grouped([n_items]), items, direct)
    requests = [request for size in range(5) for request in combinations(range(n_items), size)]
    rng.shuffle(requests)
    expected = by_hand(items, direct, requests)
    for engine in ENGINES_HERE:
        assert count(matrix, requests, engine=engine).tolist() == expected, engine


@pytest.mark.slow
@pytest.mark.parametrize("words", [64, 192, 512, 3 * 512])
@pytest.mark.parametrize("beyond", [-1, 0, 1, 77])
def test_counts_are_correct_across_word_boundaries(words: int, beyond: int) -> None:
    n = 64 * words + beyond
    items = np.random.default_rng(n).random((n, 6)) < 0.6
    direct = np.zeros(n, dtype=bool)
    matrix = BitMatrix.from_booleans(grouped([6]), items, direct)
    requests = [request for size in (1, 2, 3) for request in combinations(range(6), size)]
    expected = by_hand(items, direct, requests)
    for engine in ENGINES_HERE:
        assert count(matrix, requests, engine=engine).tolist() == expected, engine


@EACH_ENGINE
def test_a_thousand_items_and_long_requests_are_counted_correctly(engine: str) -> None:
    rng = np.random.default_rng(5)
    items = rng.random((300, 1000)) < 0.95
    direct = rng.random(300) < 0.5
    reads = [
        Question(
            key=f"reads{part}", kind="multi", options=tuple(f"book{j}" for j in range(200)), unrelated=()
        )
        for part in range(5)
    ]
    matrix = BitMatrix.from_booleans(questionnaire(opened("shelf", *reads)), items, direct)
    requests = [
        tuple(sorted(rng.choice(1000, size=size, replace=False).tolist())) for size in (1, 2, 5, 20) * 50
    ]
    assert count(matrix, requests, engine=engine).tolist() == by_hand(items, direct, requests)


@EACH_ENGINE
def test_counting_accepts_no_requests_and_no_rows(engine: str) -> None:
    matrix = BitMatrix.from_booleans(grouped([2]), np.ones((0, 2), dtype=bool), np.ones(0, dtype=bool))
    assert count(matrix, [], engine=engine).shape == (0, 2)
    assert count(matrix, [(0, 1)], engine=engine).tolist() == [[0, 0]]


def test_asked_and_answered_columns_are_counted_like_any_other() -> None:
    rows = true_rows(300, seed=4)
    matrix = BitMatrix.from_rows(EVERYTHING, bodies(EVERYTHING, rows, np.ones(300, dtype=bool), seed=4))
    age, smokes = EVERYTHING.question_number("age"), EVERYTHING.question_number("smokes")
    requests = [
        (EVERYTHING.asked_column(age),),
        (EVERYTHING.asked_column(smokes),),
        (EVERYTHING.asked_column(age), EVERYTHING.answered_column(1)),
    ]
    told = ["age" in row["you"] for row in rows]
    unskipped = [row["habits"] != "skipped" for row in rows]
    expected = [sum(told), 300, sum(t and u for t, u in zip(told, unskipped, strict=True))]
    assert count(matrix, requests)[:, 0].tolist() == expected


def test_requests_can_be_an_array() -> None:
    items = np.random.default_rng(6).random((90, 5)) < 0.5
    matrix = BitMatrix.from_booleans(grouped([5]), items, np.zeros(90, dtype=bool))
    pairs = list(combinations(range(5), 2))
    assert np.array_equal(count(matrix, np.array(pairs)), count(matrix, pairs))


def test_progress_reports_grow_to_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mining.columns.counting._WORDS_BETWEEN_WATCHES", 8)
    matrix = BitMatrix.from_booleans(grouped([6]), np.eye(6, dtype=bool), np.zeros(6, dtype=bool))
    seen: list[Progress] = []
    count(matrix, list(combinations(range(6), 2)), progress=seen.append)
    assert [progress.done for progress in seen] == [8, 15]
    assert {(progress.stage, progress.total) for progress in seen} == {("counting", 15)}


def test_the_progress_callback_can_stop_counting() -> None:
    def stop(progress: Progress) -> None:
        raise InterruptedError

    matrix = BitMatrix.from_booleans(grouped([2]), np.eye(2, dtype=bool), np.zeros(2, dtype=bool))
    with pytest.raises(InterruptedError):
        count(matrix, [(0,)], progress=stop)


@pytest.mark.parametrize("column", [-1, 5])
def test_unknown_columns_are_refused(column: int) -> None:
    matrix = BitMatrix.from_booleans(grouped([2]), np.eye(2, dtype=bool), np.zeros(2, dtype=bool))
    with pytest.raises(PrivacyError, match=f"column {column} is unknown; use columns from 0 to 4") as refusal:
        count(matrix, [(0,), (0, column)])
    assert (refusal.value.code, refusal.value.value) == ("unknown_column", column)


def test_an_unknown_engine_is_refused_with_the_valid_choices() -> None:
    with pytest.raises(PrivacyError, match="choose one of auto, numba, numpy, mlxtend") as refusal:
        find_engine("abacus", 1)
    assert (refusal.value.code, refusal.value.value) == ("engine", "abacus")


def test_a_missing_numba_is_reported_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mining.columns.counting_numba", None)
    monkeypatch.delattr("mining.columns.counting_numba", raising=False)
    with pytest.raises(PrivacyError, match=r"install requirements-fast\.lock, or choose numpy") as refusal:
        find_engine("numba", 1)
    assert (refusal.value.code, refusal.value.value) == ("engine_missing", "numba")


@pytest.mark.parametrize(("installed", "n", "expected"), [(True, 49_999, "numpy"), (False, 50_000, "numpy")])
def test_numba_is_not_loaded_if_not_worthwhile_or_not_installed(
    installed: bool, n: int, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mining.columns.bitmatrix.find_spec", lambda name: object() if installed else None)
    assert find_engine("auto", n).name == expected


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


SIZE = Layout(EVERYTHING).n_bytes


def requests_of(design: Design) -> Any:
    requests = precomputed_requests(design)
    assert requests is not None
    return requests


def test_without_rotation_all_itemsets_of_up_to_three_are_precomputed() -> None:
    requests = requests_of(grouped([13, 13]))
    assert len(requests) == 1 + 26 + 325 + 2600
    assert len(np.unique(requests, axis=0)) == len(requests)


def test_counts_added_batch_by_batch_match_a_full_count() -> None:
    packed = bodies(EVERYTHING, true_rows(300, seed=5), np.random.default_rng(5).random(300) < 0.3, seed=5)
    requests = requests_of(EVERYTHING)
    arrived = [
        precomputed_counts(BitMatrix.from_rows(EVERYTHING, packed[start * SIZE : end * SIZE]), requests)
        for start, end in ((0, 50), (50, 111), (111, 300))
    ]
    total = add_counts(arrived)
    assert np.array_equal(total.counts, count(BitMatrix.from_rows(EVERYTHING, packed), requests))


def test_designs_with_too_many_itemsets_are_not_precomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PRECOMPUTED", 41)
    precomputed_requests.cache_clear()
    assert precomputed_requests(grouped([6])) is None  # 42 sets
    assert len(requests_of(grouped([5]))) == 26
    assert precomputed_requests(grouped([20])) is None
    precomputed_requests.cache_clear()


def drawn(asks: int, total: int) -> Design:
    questions = (yes_no(f"q{number}", 5000) for number in range(total))
    return design(protected("b", 6000, *questions, asks=asks))


def test_counts_for_draw_tests_are_precomputed_with_the_itemsets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = drawn(4, 6)
    rng = np.random.default_rng(4)
    order = rng.random((4000, 6)).argsort(axis=1)
    given = order < 4
    rows = given & (rng.random((4000, 6)) < 0.5)
    matrix = BitMatrix.from_booleans(asked, rows, np.zeros(4000, dtype=bool), is_asked=given)
    requests = requests_of(asked)
    kept_sets = {tuple(column for column in row if column >= 0) for row in requests.tolist()}
    assert kept_sets >= set(draw_terms(asked))
    assert len(kept_sets) == len(requests)
    known = precomputed_counts(matrix, requests)
    assert np.array_equal(known.counts, count(matrix, requests))
    thresholds = Thresholds(support=0.05, max_size=3)
    expected = mine(matrix, asked, thresholds)

    def look(*arguments: object, **options: object) -> None:
        pytest.fail("a row was looked at")

    monkeypatch.setattr(module, "count_places", look)
    found = mine(matrix, asked, thresholds, precomputed=known)
    assert found.draw_tests.all_rows == expected.draw_tests.all_rows
    assert repr(list(found.itemsets)) == repr(list(expected.itemsets))


def test_booklets_longer_than_a_machine_word_are_counted_from_rows() -> None:
    asked = drawn(14, 16)
    requests = requests_of(asked)
    assert requests.shape[1] == 3
    assert max(map(len, draw_terms(asked))) == 14
    assert key_of(np.sort(requests, axis=1), asked.n_columns).dtype == np.int64


def test_counts_for_sixty_rotating_questions_are_precomputed() -> None:
    parts = [
        protected(f"b{part}", 6000, *(yes_no(f"q{part}x{place}", 5000) for place in range(10)), asks=4)
        for part in range(6)
    ]
    assert len(requests_of(design(*parts))) == 282_221


def test_writable_arrays_are_never_cached() -> None:
    known = ArrayCache[int](4)
    array = np.arange(3)
    assert [known.of(array, lambda value=value: value) for value in (1, 2)] == [1, 2]


def test_the_memo_keys_on_array_identity_and_extra_arguments() -> None:
    known = ArrayCache[int](4)
    first, second = read_only(np.arange(3)), read_only(np.arange(3))
    assert known.of(first, lambda: 1) == 1
    assert known.of(second, lambda: 2) == 2
    assert known.of(first, lambda: 3, beside="b") == 3
    assert known.of(first, lambda: 4) == 1


def test_precomputed_counts_stay_correct_across_different_columns() -> None:
    requests = precomputed_requests(DESIGN)
    assert requests is not None
    everybody = BitMatrix.from_booleans(DESIGN, np.ones((90, 6), dtype=bool), np.zeros(90, dtype=bool))
    for matrix in (sent(1), everybody, sent(2), sent(1)):
        for engine in ("numpy", "numba"):
            found = precomputed_counts(matrix, requests, engine=engine)
            assert (found.counts == count(matrix, requests, engine="mlxtend")).all()


def aligned(sets: list[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array([[-1] * (width - len(places)) + list(places) for places in sets])


@pytest.mark.parametrize("width", [4, 5, 40])
def test_keys_order_sets_by_size_and_then_by_item(width: int) -> None:
    sets = [places for size in range(5) for places in combinations(range(6), size)]
    keys = key_of(aligned(sets, width), 6).tolist()
    assert keys == sorted(keys)
    assert len(set(keys)) == len(sets)
    assert keys == key_of(aligned(sets, 4), 6).tolist()


def test_keys_are_exact_below_and_above_a_machine_word() -> None:
    # 10^18 < 2^63 < 10^19, so 18 digits to base 10 fit, and 19 do not.
    for width in (18, 19):
        keys = key_of(np.full((1, width), 8), 9)
        assert int(keys[0]) == int("9" * width)
        assert keys.dtype == (np.int64 if width == 18 else object)
