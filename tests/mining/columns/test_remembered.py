"""Results found again by the array they were made of."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import precomputed_counts, precomputed_requests
from mining.columns.remembered import Remembered, key_of, read_only
from tests.fixtures.planted_rules import DESIGN, sent
from tests.mining.columns.counted import count


def test_an_array_that_can_be_written_to_is_never_remembered() -> None:
    known = Remembered[int](4)
    array = np.arange(3)
    assert [known.of(array, lambda value=value: value) for value in (1, 2)] == [1, 2]


def test_equal_arrays_are_two_and_what_stands_beside_counts() -> None:
    known = Remembered[int](4)
    first, second = read_only(np.arange(3)), read_only(np.arange(3))
    assert known.of(first, lambda: 1) == 1
    assert known.of(second, lambda: 2) == 2
    assert known.of(first, lambda: 3, beside="b") == 3
    assert known.of(first, lambda: 4) == 1


def test_kept_counts_of_batches_that_store_other_columns_are_still_those_of_their_rows() -> None:
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
def test_keys_order_sets_by_size_and_then_item_by_item(width: int) -> None:
    sets = [places for size in range(5) for places in combinations(range(6), size)]
    keys = key_of(aligned(sets, width), 6).tolist()
    assert keys == sorted(keys)
    assert len(set(keys)) == len(sets)
    assert keys == key_of(aligned(sets, 4), 6).tolist()


def test_keys_are_exact_on_both_sides_of_a_machine_word() -> None:
    # 10^18 < 2^63 < 10^19: 18 digits to base 10 fit, 19 do not.
    for width in (18, 19):
        keys = key_of(np.full((1, width), 8), 9)
        assert int(keys[0]) == int("9" * width)
        assert keys.dtype == (np.int64 if width == 18 else object)
