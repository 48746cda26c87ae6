"""Patterns of bits, numbered and counted: some columns, many rows, few of them different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["PatternCounts", "numbered", "ranked"]

Bits: TypeAlias = NDArray[np.uint8]
Whole: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

_BITS_AT_A_TIME: Final = 20
"""So many columns are numbered by a table of all their patterns, without sorting."""

_MERGED_FROM: Final = 1 << 18
_OCTETS: Final = 8


class PatternCounts:
    """Distinct patterns of some columns, and how often each came, as they arrive in chunks.

    Parameters
    ----------
    width : int
        Columns.
    counts : int
        How many counts each pattern has.

    Examples
    --------
    >>> seen = PatternCounts(2, counts=1)
    >>> for chunk in ([[1, 0], [0, 1]], [[1, 0], [0, 0]]):
    ...     seen.add(np.array(chunk, dtype=np.uint8), np.array([[5], [7]]))
    >>> patterns, counts = seen.finish()
    >>> patterns.tolist(), counts.tolist()
    ([[0, 0], [0, 1], [1, 0]], [[7], [7], [10]])
    """

    def __init__(self, width: int, *, counts: int) -> None:
        self._width = width
        self._words = _packed(np.zeros((0, width), dtype=np.uint8))
        self._counts: Whole = np.zeros((0, counts), dtype=np.int64)
        self._waiting: list[tuple[Words, Whole]] = []
        self._n_waiting = 0

    def add(self, patterns: Bits, counts: Whole) -> None:
        """Count patterns, shape (patterns, width), so many times, shape (patterns, counts)."""
        self._waiting.append((_packed(patterns), counts))
        self._n_waiting += len(patterns)
        # Merging when there are as many new ones as old ones costs each of them a few merges in all.
        if self._n_waiting > max(_MERGED_FROM, len(self._words)):
            self._merge()

    def more_than(self, most: int) -> bool:
        """Say whether there are more distinct patterns than this so far."""
        if len(self._words) + self._n_waiting > most:
            self._merge()
        return len(self._words) > most

    def finish(self) -> tuple[Bits, Whole]:
        """Return the distinct patterns, ascending, the first column counting most, and their counts."""
        self._merge()
        return _unpacked(self._words, self._width), self._counts

    def _merge(self) -> None:
        words = np.concatenate([self._words, *(words for words, _ in self._waiting)])
        counts = np.concatenate([self._counts, *(counts for _, counts in self._waiting)])
        self._waiting, self._n_waiting = [], 0
        order, new = _sorted(words)
        if len(words):
            words, counts = words[order][new], np.add.reduceat(counts[order], np.flatnonzero(new), axis=0)
        self._words, self._counts = words, counts


def ranked(patterns: Bits) -> tuple[Bits, Whole]:
    """Return the distinct patterns in ascending order, and for each pattern its place among them.

    >>> ranked(np.array([[1, 0], [0, 1], [1, 0]], dtype=np.uint8))[1].tolist()
    [1, 0, 1]
    """
    words = _packed(patterns)
    order, new = _sorted(words)
    rank = np.empty(len(words), dtype=np.int64)
    rank[order] = np.cumsum(new) - 1
    return patterns[order][new], rank


def numbered(columns: Sequence[Bits], n: int) -> tuple[Whole, Bits]:
    """Return for each of `n` rows the number of its pattern, and the patterns, shape (distinct, columns)."""
    number = np.zeros(n, dtype=np.int64)
    patterns = np.zeros((min(n, 1), 0), dtype=np.uint8)
    for start in range(0, len(columns), _BITS_AT_A_TIME):
        some = columns[start : start + _BITS_AT_A_TIME]
        code = np.zeros(n, dtype=np.int64)
        for position, column in enumerate(some):
            code |= column.astype(np.int64) << position
        both = number << len(some) | code
        if len(patterns) << len(some) <= 1 << _BITS_AT_A_TIME:
            seen = np.flatnonzero(np.bincount(both, minlength=1))
            table = np.zeros(int(both.max(initial=0)) + 1, dtype=np.int64)
            table[seen] = np.arange(len(seen))
            number = table[both]
        else:
            seen, number = np.unique(both, return_inverse=True)
        bits = (seen[:, None] >> np.arange(len(some)) & 1).astype(np.uint8)
        patterns = np.concatenate([patterns[seen >> len(some)], bits], axis=1)
    return number, patterns


def _sorted(words: Words) -> tuple[Whole, NDArray[np.bool_]]:
    """Return the order of patterns, and where in that order one differs from the one before."""
    order = np.lexsort(words.T[::-1])
    ascending = words[order]
    new = np.ones(len(words), dtype=np.bool_)
    new[1:] = (ascending[1:] != ascending[:-1]).any(axis=1)
    return order, new


def _packed(patterns: Bits) -> Words:
    """Write each pattern as whole words, so that their order is that of its bits."""
    octets = np.zeros((len(patterns), _OCTETS * max(1, -(-patterns.shape[1] // 64))), dtype=np.uint8)
    packed = np.packbits(patterns, axis=1)
    octets[:, : packed.shape[1]] = packed
    return octets.view(">u8").astype(np.uint64)


def _unpacked(words: Words, width: int) -> Bits:
    return np.unpackbits(words.astype(">u8").view(np.uint8), axis=1, count=width)
