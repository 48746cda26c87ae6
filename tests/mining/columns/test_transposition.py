from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mining.columns.transposition import bit_columns, words_for


@given(n=st.integers(0, 200), n_bytes=st.integers(1, 4), seed=st.integers(0, 2**32 - 1))
def test_every_bit_of_every_row_arrives_at_its_place(n: int, n_bytes: int, seed: int) -> None:
    rows = np.random.default_rng(seed).integers(0, 256, size=(n, n_bytes), dtype=np.uint8)
    columns = bit_columns(rows, range(8 * n_bytes))
    for position, column in columns.items():
        for row in range(64 * words_for(n)):
            bit = int(column[row // 64]) >> (row % 64) & 1
            expected = row < n and int(rows[row, position // 8]) >> (7 - position % 8) & 1
            assert bit == expected


def test_only_the_wanted_bits_are_taken() -> None:
    assert set(bit_columns(np.zeros((3, 2), dtype=np.uint8), [9, 0])) == {0, 9}


@pytest.mark.parametrize("single", range(8))
def test_one_row_alone_does_not_touch_its_seven_neighbours(single: int) -> None:
    rows = np.zeros((8, 1), dtype=np.uint8)
    rows[single] = 0xFF
    assert [int(column[0]) for column in bit_columns(rows, range(8)).values()] == [1 << single] * 8
