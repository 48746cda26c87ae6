"""Frequent itemsets of undisguised rows, searched depth first on columns of bits.

A true support never grows with the itemset, so a branch ends where the count falls below the threshold, and a
prefix has to be computed once for everything that begins with it. Importing this module needs numba.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.counting_numba import LINE, ones_of_and
from privacy.arrays import Whole
from privacy.compiled import compiled

__all__ = ["Frequent", "search"]

_WORDS_IN_LINE: Final = LINE // 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Frequent:
    """Itemsets of a search, by size.

    Attributes
    ----------
    levels : tuple of ndarray of int64, each of shape (m, size)
        Ascending places of columns, rows in lexicographic order; the first level holds single items.
    counts : tuple of ndarray of int64, each of shape (m,)
        Rows that hold each itemset.
    """

    levels: tuple[Whole, ...]
    counts: tuple[Whole, ...]

    def __len__(self) -> int:
        return sum(map(len, self.counts))

    def as_tuples(self) -> list[tuple[tuple[int, ...], int]]:
        """Return itemsets with their counts as Python's own tuples, shorter ones first.

        Notes
        -----
        Columns are turned into rows by ``zip``, which makes the tuples itself: a third of the time of making
        each from a list of its own. Python's search for cycles rests meanwhile; it would take half of the
        rest and find none.
        """
        itemsets: list[tuple[tuple[int, ...], int]] = []
        searches = gc.isenabled()
        gc.disable()
        try:
            for level, counts in zip(self.levels, self.counts, strict=True):
                itemsets += zip(zip(*level.T.tolist(), strict=True), counts.tolist(), strict=True)
        finally:
            if searches:
                gc.enable()
        return itemsets


def search(words: NDArray[np.uint64], *, least: int, max_size: int, most: int) -> Frequent | None:
    """List every itemset that at least `least` rows hold.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Packed columns; bits behind the last row are 0.
    least : int
        At least 1.
    max_size : int
        Longest itemset, at least 1.
    most : int
        Give up beyond so many itemsets.

    Returns
    -------
    Frequent or None
        None where there are more than `most`.

    Notes
    -----
    Eclat (Zaki 2000): under each prefix the items that extend it frequently are known, and only they are
    tried on its longer ones. Items ascend, so itemsets are met in lexicographic order.

    References
    ----------
    Zaki 2000, section 4.

    Examples
    --------
    Rows {0, 1}, {0}, {0, 1}, {1}:

    >>> frequent = search(np.array([[0b0111], [0b1101]], dtype=np.uint64), least=2, max_size=2, most=9)
    >>> [level.tolist() for level in frequent.levels], [counts.tolist() for counts in frequent.counts]
    ([[[0], [1]], [[0, 1]]], [[3, 3], [2]])
    """
    single = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    frequent = np.flatnonzero(single >= least)
    if len(frequent) > most:
        return None
    if len(frequent) == 0:
        return Frequent(levels=(), counts=())
    columns = _aligned(words[frequent])
    depth = min(max_size, len(frequent))
    prefixes = _aligned(np.zeros((depth, columns.shape[1]), dtype=np.uint64))
    nodes = _search(columns, single[frequent], prefixes, least, depth, most)
    if len(nodes) > most:
        return None
    many = np.bincount(nodes[:, 0])
    levels = tuple(np.empty((m, size), dtype=np.int64) for size, m in enumerate(many.tolist(), start=1))
    path = np.empty(depth, dtype=np.int64)
    counts = []
    for size, level in enumerate(levels, start=1):
        _spell(nodes, frequent, path, level)
        counts.append(nodes[nodes[:, 0] == size - 1, 2])
    return Frequent(levels=levels, counts=tuple(counts))


def _aligned(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Copy to rows that each begin at a cache line and fill whole ones."""
    width = -(-words.shape[1] // _WORDS_IN_LINE) * _WORDS_IN_LINE
    room = np.zeros(len(words) * width + _WORDS_IN_LINE, dtype=np.uint64)
    start = -room.ctypes.data % LINE // 8
    table = room[start : start + len(words) * width].reshape(len(words), width)
    table[:, : words.shape[1]] = words
    return table


def _search_law(columns: Any, single: Any, prefixes: Any, least: Any, depth: Any, most: Any) -> Any:
    """Visit itemsets in lexicographic order; each is (size - 1, last item, count)."""
    n, width = columns.shape
    items = np.empty((depth, n), dtype=np.int64)
    counts = np.empty((depth, n), dtype=np.int64)
    many = np.zeros(depth, dtype=np.int64)
    at = np.zeros(depth, dtype=np.int64)
    nodes = np.empty((1024, 3), dtype=np.int64)
    met = 0
    for item in range(n):
        items[0, item], counts[0, item] = item, single[item]
    many[0] = n
    level = 0
    while level >= 0:
        if at[level] == many[level]:
            level -= 1
            continue
        position = at[level]
        at[level] += 1
        if met > most:
            break
        if met == len(nodes):
            larger = np.empty((2 * met, 3), dtype=np.int64)
            larger[:met] = nodes
            nodes = larger
        nodes[met, 0], nodes[met, 1], nodes[met, 2] = level, items[level, position], counts[level, position]
        met += 1
        if level + 1 == depth or position + 1 == many[level]:
            continue
        new, both = columns[items[level, position]], prefixes[level]
        if level == 0:
            for word in range(width):
                both[word] = new[word]
        else:
            shorter = prefixes[level - 1]
            for word in range(width):
                both[word] = shorter[word] & new[word]
        frequent, candidate, end = 0, position + 1, many[level]
        while candidate + 4 <= end:
            four = ones_of_and(
                (both,),
                columns,
                (
                    items[level, candidate],
                    items[level, candidate + 1],
                    items[level, candidate + 2],
                    items[level, candidate + 3],
                ),
            )
            for step, count in enumerate(four):
                if count >= least:
                    items[level + 1, frequent], counts[level + 1, frequent] = (
                        items[level, candidate + step],
                        count,
                    )
                    frequent += 1
            candidate += 4
        while candidate < end:
            count = ones_of_and((both,), columns, (items[level, candidate],))[0]
            if count >= least:
                items[level + 1, frequent], counts[level + 1, frequent] = items[level, candidate], count
                frequent += 1
            candidate += 1
        if frequent:
            level += 1
            many[level], at[level] = frequent, 0
    return nodes[:met]


def _spell_law(nodes: Any, names: Any, path: Any, level: Any) -> None:
    """Write out the itemsets of the size that `level` has room for."""
    size, row = level.shape[1], 0
    for node in range(len(nodes)):
        depth = nodes[node, 0]
        if depth >= size:
            continue
        path[depth] = names[nodes[node, 1]]
        if depth == size - 1:
            for position in range(size):
                level[row, position] = path[position]
            row += 1


_search = compiled(_search_law)
_spell = compiled(_spell_law)
