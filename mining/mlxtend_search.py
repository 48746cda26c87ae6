"""Search undisguised rows for frequent itemsets with mlxtend."""

from __future__ import annotations

import itertools
import math
from typing import Final

import numpy as np

from mining.apriori import single_items
from mining.columns.bitmatrix import FULL, BitMatrix, unpacked_columns
from mining.thresholds import Thresholds
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns

_LARGEST_TABLE: Final = 1 << 28
"""Cells that mlxtend may build at once (one byte each); beyond this, it uses its slow low-memory mode."""


def frequent_itemsets(rows: Flags, *, support: float, max_size: int) -> dict[Columns, float]:
    """List every itemset that at least a share `support` of the rows contain.

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
        Share of the rows that contain each itemset; shorter itemsets first, then by items.

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
        raise PrivacyError("no_rows", 0)
    # Imported here because the web process and the sweeper must not load pandas.
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


def plain_rows(matrix: BitMatrix) -> Flags:
    """Unpack the items of all rows, direct rows first, shape (n, items), one byte per item.

    Parameters
    ----------
    matrix : BitMatrix
        Undisguised rows.
    """
    n_items = len(matrix.design.items)
    rows = np.ones((matrix.n, n_items), dtype=bool)
    positions = matrix.stored_at[:n_items]
    start = 0
    for group in (matrix.direct, matrix.protected):
        places = positions[positions != FULL]
        rows[start : start + group.n, positions != FULL] = unpacked_columns(group.words[places], group.n).T
        start += group.n
    return rows


def search_by_mlxtend(matrix: BitMatrix, thresholds: Thresholds) -> tuple[Whole, ...]:
    """Find frequent itemsets with mlxtend: one array per size, rows in lexicographic order.

    The caller must bound the number of candidates.

    Parameters
    ----------
    matrix : BitMatrix
        Undisguised rows.
    thresholds : Thresholds
        Thresholds of the run.
    """
    items = single_items(matrix.design)[:, 0]
    itemsets = frequent_itemsets(
        plain_rows(matrix)[:, items], support=thresholds.support, max_size=thresholds.max_size
    )
    return tuple(items[np.array(list(level))] for _size, level in itertools.groupby(itemsets, key=len))
