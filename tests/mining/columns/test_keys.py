from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from mining.columns.keys import key_of


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
