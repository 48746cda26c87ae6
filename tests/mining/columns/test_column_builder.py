from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mining.columns.column_builder import ColumnBuilder


def packed(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Columns of at most 64 rows, one word each."""
    weights = np.uint64(1) << np.arange(len(rows), dtype=np.uint64)
    return np.array([[weights[column].sum()] for column in rows.T], dtype=np.uint64)


def test_a_column_that_is_full_in_some_pieces_only_is_whole_in_the_end() -> None:
    rng = np.random.default_rng(1)
    first, second, last = rng.random((64, 3)) < 0.5, rng.random((64, 3)) < 0.5, rng.random((10, 3)) < 0.5
    first[:, 0] = second[:, 1] = last[:, 2] = True
    arriving = ColumnBuilder(3)
    for rows in (first, second, last):
        arriving.append(packed(rows), len(rows))
    expected = np.concatenate([packed(rows) for rows in (first, second, last)], axis=1)
    assert np.array_equal(arriving.words([0, 1, 2]), expected)
    assert np.array_equal(arriving.words([2, 0]), expected[[2, 0]])
    assert (arriving.n, arriving.ones.tolist()) == (
        138, (first.sum(axis=0) + second.sum(axis=0) + last.sum(axis=0)).tolist(),
    )  # fmt: skip


def test_bits_behind_the_last_row_stay_0_in_a_full_column() -> None:
    arriving = ColumnBuilder(1)
    arriving.append(packed(np.ones((10, 1), dtype=bool)), 10)
    assert arriving.words([0]).tolist() == [[(1 << 10) - 1]]


def test_equal_columns_have_equal_fingerprints_and_others_have_not() -> None:
    rows = np.random.default_rng(2).random((30, 3)) < 0.5
    rows[:, 2] = rows[:, 0]
    arriving = ColumnBuilder(3)
    arriving.append(packed(rows), 30)
    arriving.append(packed(rows | True), 30)
    prints = [arriving.fingerprint(column) for column in range(3)]
    assert prints[0] == prints[2] != prints[1]


def test_without_a_row_there_is_no_word() -> None:
    assert ColumnBuilder(4).words([1, 3]).shape == (2, 0)
