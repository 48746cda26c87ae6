from importlib.util import find_spec
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mining.columns.bitmatrix import NO_BIT, bit_columns, words_for

WAYS = [False, True] if find_spec("numba") else [False]


@pytest.mark.parametrize("compiled", WAYS)
@settings(deadline=None)
@given(
    n=st.integers(0, 1100),
    n_bytes=st.integers(1, 20),
    seed=st.integers(0, 2**32 - 1),
    order=st.sampled_from(["C", "F"]),
    wanted=st.lists(st.integers(NO_BIT, 159), max_size=30),
)
def test_every_bit_of_every_row_reaches_its_position(
    compiled: bool, n: int, n_bytes: int, seed: int, order: Literal["C", "F"], wanted: list[int]
) -> None:
    rows = np.random.default_rng(seed).integers(0, 256, size=(n, n_bytes), dtype=np.uint8)
    positions = [position % (8 * n_bytes) if position >= 0 else position for position in wanted]
    columns = bit_columns(np.asarray(rows, order=order), positions, compiled=compiled)
    expected = np.zeros((len(positions), 64 * words_for(n)), dtype=np.uint8)
    bits = np.unpackbits(rows, axis=1)
    for place, position in enumerate(positions):
        if position != NO_BIT:
            expected[place, :n] = bits[:, position]
    octets = np.packbits(expected, axis=1, bitorder="little")
    assert columns.dtype == np.uint64
    assert np.ascontiguousarray(columns, dtype="<u8").tobytes() == octets.tobytes()


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("single", range(8))
def test_a_single_row_does_not_affect_its_seven_neighbours(single: int, compiled: bool) -> None:
    rows = np.zeros((8, 1), dtype=np.uint8)
    rows[single] = 0xFF
    assert bit_columns(rows, range(8), compiled=compiled).tolist() == [[1 << single]] * 8
