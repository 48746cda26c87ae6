"""Frequent itemsets of undisguised rows: mlxtend's apriori as it is."""

from __future__ import annotations

import itertools
import math
from typing import Final

import numpy as np

from mining.candidates import single_items
from mining.columns.bitmatrix import BitMatrix
from mining.columns.transposition import FULL, unpacked_columns
from mining.thresholds import Thresholds
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of

__all__ = [
    "frequent_itemsets",
    "is_undisguised",
    "plain_rows",
    "search_by_mlxtend",
]

_LARGEST_TABLE: Final = 1 << 28
"""Cells that mlxtend may build at once (a byte each); beyond it works with little memory, more slowly."""


def frequent_itemsets(rows: Flags, *, support: float, max_size: int) -> dict[Columns, float]:
    """List every itemset that at least a share `support` of the rows hold.

    Parameters
    ----------
    rows : ndarray of bool, shape (n, items), n >= 1
        True answers.
    support : float
        0 < support <= 1.
    max_size : int
        Longest itemset, at least 1.

    Returns
    -------
    dict of Columns to float
        Share of the rows that hold it, by itemset: shorter ones first, those of one size in the order of
        their items.

    Raises
    ------
    PrivacyError
        ``no_rows``.

    Examples
    --------
    >>> rows = np.array([[True, True], [True, False], [True, True], [False, True]])
    >>> frequent_itemsets(rows, support=0.5, max_size=2)
    {(0,): 0.75, (1,): 0.75, (0, 1): 0.5}
    """
    n, n_items = rows.shape
    if n == 0:
        raise PrivacyError("no_rows.mine", 0)
    # Loaded where it is used: web and sweeper start, and stay, without it.
    import pandas as pd
    from mlxtend.frequent_patterns import apriori

    table = apriori(
        pd.DataFrame(rows),
        min_support=support,
        max_len=max_size,
        low_memory=n * max(math.comb(n_items, size) for size in range(1, min(3, max_size) + 1))
        > _LARGEST_TABLE,
    )
    itemsets = [tuple(sorted(map(int, items))) for items in table["itemsets"]]
    supports = dict(zip(itemsets, table["support"].tolist(), strict=True))
    return {items: supports[items] for items in sorted(itemsets, key=lambda items: (len(items), items))}


def is_undisguised(matrix: BitMatrix) -> bool:
    """Say whether every row shows true answers to every question: mining it is plain mining.

    So it is when p = 1 in each group with rows, of every block, and no one left out a question.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    """
    design = matrix.design
    direct, protected = index_of(design).undisguised
    as_it_is = (direct or not matrix.n_direct) and (protected or not matrix.n_protected)
    return as_it_is and all(
        matrix.stored_at[design.asked_column(number)] == FULL for number in range(len(design.questions))
    )


def plain_rows(matrix: BitMatrix) -> Flags:
    """Unpack the items of all rows, direct ones first, shape (n, items); a byte for each.

    Parameters
    ----------
    matrix : BitMatrix
        Of rows that no one disguised.
    """
    n_items = len(matrix.design.items)
    rows = np.ones((matrix.n, n_items), dtype=bool)
    stored = matrix.stored_at[:n_items]
    start = 0
    for group in (matrix.direct, matrix.protected):
        places = stored[stored != FULL]
        rows[start : start + group.n, stored != FULL] = unpacked_columns(group.words[places], group.n).T
        start += group.n
    return rows


def search_by_mlxtend(matrix: BitMatrix, thresholds: Thresholds) -> tuple[Whole, ...]:
    """Search frequent itemsets by size, rows in lexicographic order; candidates are bounded before.

    Parameters
    ----------
    matrix : BitMatrix
        Of rows that no one disguised.
    thresholds : Thresholds
        Of the run.
    """
    mined = single_items(matrix.design)[:, 0]
    itemsets = frequent_itemsets(
        plain_rows(matrix)[:, mined], support=thresholds.support, max_size=thresholds.max_size
    )
    return tuple(mined[np.array(list(level))] for _size, level in itertools.groupby(itemsets, key=len))
