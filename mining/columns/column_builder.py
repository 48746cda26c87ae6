"""Columns of one group of rows while the rows arrive, a chunk at a time."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.row_reader import RowReader
from mining.columns.transposition import FULL, WORD, columns_at, words_for
from privacy.arrays import Whole

__all__ = ["ColumnBuilder"]

_ENOUGH: Final = 8192
"""Rows from which on they become columns at once."""


class ColumnBuilder:
    """Columns of one group while its rows arrive; holds back rows that do not fill a word."""

    def __init__(self, n_columns: int) -> None:
        self.n = 0
        self.ones = np.zeros(n_columns, dtype=np.int64)
        self._pieces: list[_Piece] = []
        self._waiting: NDArray[np.uint8] | None = None

    def add(self, rows: NDArray[np.uint8], reader: RowReader) -> None:
        """Take rows in; as many as fill whole words become columns at once."""
        if self._waiting is not None and len(self._waiting):
            rows = np.concatenate([self._waiting, rows])
        # A small batch is turned once, when it is complete.
        whole = len(rows) // WORD * WORD if len(rows) >= _ENOUGH else 0
        if whole:
            self.append(reader.columns(rows[:whole]), whole)
        # A copy, because a slice would keep the whole chunk in memory.
        self._waiting = rows[whole:].copy()

    def finish(self, reader: RowReader) -> ColumnBuilder:
        """Turn the rows held back into columns."""
        if self._waiting is not None and len(self._waiting):
            self.append(reader.columns(self._waiting), len(self._waiting))
        return self

    def append(self, words: NDArray[np.uint64], n: int) -> None:
        """Add the columns of `n` more rows; only the last piece may end inside a word."""
        ones = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
        self.n += n
        self.ones += ones
        stored_at = np.where(ones < n, np.cumsum(ones < n) - 1, FULL)
        self._pieces.append(_Piece(words=words[ones < n], stored_at=stored_at, n=n))

    def fingerprint(self, column: int) -> bytes:
        """Equal for equal columns."""
        digest = hashlib.blake2b(digest_size=16)
        for piece in self._pieces:
            digest.update(piece.columns([column]).tobytes())
        return digest.digest()

    def words(self, selected: list[int]) -> NDArray[np.uint64]:
        """The columns to be stored, in one piece."""
        words = np.empty((len(selected), words_for(self.n)), dtype=np.uint64)
        start = 0
        for piece in self._pieces:
            end = start + words_for(piece.n)
            words[:, start:end] = piece.columns(selected)
            start = end
        return words


@dataclass(frozen=True, kw_only=True, eq=False)
class _Piece:
    """Columns of some rows, without those that are full here: half of all, as a rule.

    Attributes
    ----------
    words : ndarray of uint64, shape (stored columns, words_for(n))
    stored_at : ndarray of int64
        Place of each column among those stored.
    n : int
    """

    words: NDArray[np.uint64]
    stored_at: Whole
    n: int

    def columns(self, wanted: list[int]) -> NDArray[np.uint64]:
        """Some of the columns, full ones too."""
        return columns_at(self.words, self.n, self.stored_at[wanted])
