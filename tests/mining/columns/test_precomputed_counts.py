"""Precomputed counts add up over batches and equal a full count; their keys are exact."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from mining.columns import precomputed_counts as module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.precomputed_counts import (
    BLANK,
    add_counts,
    key_of,
    precomputed_counts,
    precomputed_requests,
)
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.array_cache import ArrayCache, read_only
from privacy.estimation.draw_tests import draw_terms
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from tests.fixtures.planted_rules import DESIGN, sent
from tests.fixtures.questionnaires import (
    EVERYTHING,
    bodies,
    grouped,
    true_rows,
)
from tests.mining.columns.counted import count
from tests.privacy.estimation.designs import design, protected, yes_no

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
    monkeypatch.setattr(module, "MOST_PRECOMPUTED", 42)
    precomputed_requests.cache_clear()
    assert len(requests_of(grouped([6]))) == 42
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
    assert known.of(first, lambda: 3, settings="b") == 3
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


def test_requests_are_ascending_with_blanks_last() -> None:
    """Also where questions may be missing, so that sets mix items with columns of asked questions."""
    for requests in (requests_of(EVERYTHING), requests_of(drawn(2, 4))):
        is_blank = requests == BLANK
        assert (is_blank[:, :-1] <= is_blank[:, 1:]).all()
        assert ((requests[:, :-1] < requests[:, 1:]) | is_blank[:, 1:]).all()
