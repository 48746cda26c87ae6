"""Counting with numpy alone: AND and population count over blocks of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.transposition import WORD, unpacked_columns
from privacy.arrays import Whole

__all__ = ["count_as_mlxtend", "count_rows"]

_WORDS_AT_A_TIME: Final = 512
"""A block of a column is 4 kB, and its count, at most 512 * 64 = 32,768, fits 16 bits."""

_CELLS_AT_A_TIME: Final = 1 << 15
"""Words in one intermediate result: 256 kB, so that it stays in the second-level cache."""

_WORDS_OF_FLAGS: Final = 64
_FLAGS_AT_A_TIME: Final = 1 << 24
"""True and false take a byte each: no intermediate table is larger than 16 MB."""


def count_rows(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count, for each candidate, the rows that have a 1 in all of its columns.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Packed columns; bits behind the last row are 0.
    candidates : ndarray of int64, shape (m, size), size >= 1
        Places of columns, one candidate a row. Candidates that share all columns but the last should be
        adjacent: their common part is then computed once.

    Returns
    -------
    ndarray of int64, shape (m,)

    Notes
    -----
    The table is read in blocks of records: all candidates are counted in one block before the next is read,
    so the columns come from the cache and not from memory. Every intermediate result has a buffer for the
    whole call; fresh arrays of this size would cost more in page faults than the arithmetic.

    Examples
    --------
    Five rows; the first column has rows 0, 1, 2, the second rows 1, 2, 4:

    >>> words = np.array([[0b00111], [0b10110]], dtype=np.uint64)
    >>> count_rows(words, np.array([[0, 1]])).tolist(), count_rows(words, np.array([[0], [1]])).tolist()
    ([2], [3, 3])
    """
    counts = np.zeros(len(candidates), dtype=np.int64)
    width = words.shape[1]
    if width == 0 or len(candidates) == 0:
        return counts
    block = min(width, _WORDS_AT_A_TIME)
    chunks = _chunks(candidates, max(1, _CELLS_AT_A_TIME // block))
    scratch = _Scratch(len(words), max(len(chunk.last) for chunk in chunks), block)
    for first in range(0, width, block):
        records = words[:, first : first + block]
        if records.shape[1] != block:
            scratch = _Scratch(*scratch.shape, records.shape[1])
        # Rows of one block lie side by side in the copy, instead of a whole column apart.
        scratch.records[:] = records
        for chunk in chunks:
            counts[chunk.candidates] += scratch.count(chunk)
    return counts


@dataclass(frozen=True, kw_only=True)
class _Chunk:
    """Candidates that are counted together.

    `prefixes` has one column for each different prefix (all columns but the last), `prefix_of` says which
    one a candidate has.
    """

    candidates: slice
    prefixes: Whole
    prefix_of: Whole
    last: Whole


def _chunks(candidates: Whole, step: int) -> list[_Chunk]:
    new = np.ones(len(candidates), dtype=bool)
    np.any(candidates[1:, :-1] != candidates[:-1, :-1], axis=1, out=new[1:])
    new[::step] = True
    return [
        _Chunk(
            candidates=slice(start, start + step),
            prefixes=np.ascontiguousarray(candidates[start : start + step, :-1][new[start : start + step]].T),
            prefix_of=np.cumsum(new[start : start + step]) - 1,
            last=np.ascontiguousarray(candidates[start : start + step, -1]),
        )
        for start in range(0, len(candidates), step)
    ]


class _Scratch:
    """Places for the intermediate results of one block of records."""

    def __init__(self, columns: int, most: int, block: int) -> None:
        self.shape = (columns, most)
        self.records = np.empty((columns, block), dtype=np.uint64)
        self._prefix = np.empty((most, block), dtype=np.uint64)
        self._other = np.empty((most, block), dtype=np.uint64)
        self._matched = np.empty((most, block), dtype=np.uint64)
        self._ones = np.empty((most, block), dtype=np.uint8)

    def count(self, chunk: _Chunk) -> NDArray[np.uint16]:
        """Matches of each candidate of the chunk in this block."""
        m = len(chunk.last)
        matched, ones = self._matched[:m], self._ones[:m]
        self._rows(self.records, chunk.last, matched)
        if len(chunk.prefixes):
            different = chunk.prefixes.shape[1]
            prefix, other = self._prefix[:different], self._other[:different]
            self._rows(self.records, chunk.prefixes[0], prefix)
            for columns in chunk.prefixes[1:]:
                self._rows(self.records, columns, other)
                np.bitwise_and(prefix, other, out=prefix)
            self._rows(prefix, chunk.prefix_of, self._other[:m])
            np.bitwise_and(matched, self._other[:m], out=matched)
        np.bitwise_count(matched, out=ones)
        counts: NDArray[np.uint16] = ones.sum(axis=1, dtype=np.uint16)
        return counts

    @staticmethod
    def _rows(table: NDArray[np.uint64], places: Whole, out: NDArray[np.uint64]) -> None:
        # With mode "raise" numpy would fill a buffer of its own first; the places are known to be inside.
        np.take(table, places, axis=0, out=out, mode="clip")


def count_as_mlxtend(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count rows the way `mlxtend.frequent_patterns.apriori` does: a table of true and false, and ``all``.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Bits of the rows, a column after another.
    candidates : ndarray of int64, shape (m, width)
        Columns of each set.

    Returns
    -------
    ndarray of int64, shape (m,)

    Notes
    -----
    mlxtend itself builds one table of n times all candidates, which for a million rows and all triples of
    60 items would need 34 GB. Here the records and the candidates come in chunks; each chunk is computed as
    in mlxtend's ``np.all(X[:, candidates], axis=2)``.
    """
    counts = np.zeros(len(candidates), dtype=np.int64)
    for first in range(0, words.shape[1], _WORDS_OF_FLAGS):
        some = words[:, first : first + _WORDS_OF_FLAGS]
        table = unpacked_columns(some, some.shape[1] * WORD).T
        step = max(1, _FLAGS_AT_A_TIME // (_WORDS_OF_FLAGS * WORD * candidates.shape[1]))
        for start in range(0, len(candidates), step):
            part = candidates[start : start + step]
            counts[start : start + step] += np.all(table[:, part], axis=2).sum(axis=0)
    return counts
