"""Count sets of columns with numpy."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import WORD, unpacked_columns
from privacy.arrays import Whole

_CELLS_AT_A_TIME: Final = 1 << 15
"""Words in one intermediate result: 256 kB, which fits in the second-level cache."""
_WORDS_OF_FLAGS: Final = 64
_FLAGS_AT_A_TIME: Final = 1 << 24
"""Limit on intermediate Boolean tables (one byte per cell): 16 MB."""


def count_rows(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count, for each candidate, the rows that have a 1 in all of its columns.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Packed columns; bits after the last row are 0.
    candidates : ndarray of int64, shape (m, size), size >= 1
        Positions of columns, one candidate per row.

    Returns
    -------
    ndarray of int64, shape (m,)

    Notes
    -----
    Candidates are processed in chunks whose words fit in the second-level cache.

    Examples
    --------
    Five rows; the first column has rows 0, 1, 2, the second rows 1, 2, 4:

    >>> words = np.array([[0b00111], [0b10110]], dtype=np.uint64)
    >>> count_rows(words, np.array([[0, 1]])).tolist(), count_rows(words, np.array([[0], [1]])).tolist()
    ([2], [3, 3])
    """
    counts = np.zeros(len(candidates), dtype=np.int64)
    step = max(1, _CELLS_AT_A_TIME // max(1, words.shape[1]))
    for start in range(0, len(candidates), step):
        first, *further_columns = candidates[start : start + step].T
        matched = words[first]
        for columns in further_columns:
            matched &= words[columns]
        counts[start : start + step] = np.bitwise_count(matched).sum(axis=1, dtype=np.int64)
    return counts


def count_as_mlxtend(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count rows like `mlxtend.frequent_patterns.apriori`: a Boolean table, and ``all``.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Packed columns.
    candidates : ndarray of int64, shape (m, width)
        Columns of each set.

    Returns
    -------
    ndarray of int64, shape (m,)

    Notes
    -----
    mlxtend itself builds one table of n times all candidates, which for a million rows and all triples of 60
    items would need 34 GB. Here rows and candidates are processed in chunks; each chunk is computed as in
    mlxtend's ``np.all(X[:, candidates], axis=2)``.
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
