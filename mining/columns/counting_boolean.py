"""Counting the way `mlxtend.frequent_patterns.apriori` does: a table of true and false, and ``all``."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mining.columns.transposition import WORD, unpacked_columns
from privacy.arrays import Whole

__all__ = ["count_rows"]

_WORDS_AT_A_TIME: Final = 64
_CELLS_AT_A_TIME: Final = 1 << 24
"""True and false take a byte each: no intermediate table is larger than 16 MB."""


def count_rows(words: NDArray[np.uint64], candidates: Whole) -> Whole:
    """Count rows; parameters and result as in `mining.columns.counting_numpy.count_rows`.

    Parameters
    ----------
    words : ndarray of uint64, shape (columns, words)
        Bits of the rows, a column after another.
    candidates : ndarray of int64, shape (m, width)
        Columns of each set.

    Notes
    -----
    mlxtend itself builds one table of n times all candidates, which for a million rows and all triples of
    60 items would take 34 GB. Here the records and the candidates come in chunks; what is done to each
    chunk is mlxtend's ``np.all(X[:, candidates], axis=2)``.
    """
    counts = np.zeros(len(candidates), dtype=np.int64)
    for first in range(0, words.shape[1], _WORDS_AT_A_TIME):
        some = words[:, first : first + _WORDS_AT_A_TIME]
        table = unpacked_columns(some, some.shape[1] * WORD).T
        step = max(1, _CELLS_AT_A_TIME // (_WORDS_AT_A_TIME * WORD * candidates.shape[1]))
        for start in range(0, len(candidates), step):
            part = candidates[start : start + step]
            counts[start : start + step] += np.all(table[:, part], axis=2).sum(axis=0)
    return counts
