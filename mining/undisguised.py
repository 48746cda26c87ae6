"""Frequent itemsets of rows that nobody disguised: mlxtend's apriori, as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori
from numpy.typing import NDArray

from mining.errors import MiningError
from privacy.reconstruct.counts import Columns

__all__ = ["PlainItemset", "frequent_itemsets"]

_LARGEST_TABLE: Final = 1 << 28
"""Cells that mlxtend may build at once (a byte each); beyond it works with little memory, more slowly."""


@dataclass(frozen=True, kw_only=True)
class PlainItemset:
    """An itemset and the share of rows that hold it."""

    items: Columns
    support: float


def frequent_itemsets(rows: NDArray[np.bool_], *, support: float, max_size: int) -> tuple[PlainItemset, ...]:
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
    tuple of PlainItemset
        Shorter ones first, those of one size in the order of their items.

    Raises
    ------
    MiningError
        ``no_rows``.

    Examples
    --------
    >>> rows = np.array([[True, True], [True, False], [True, True], [False, True]])
    >>> [(found.items, found.support) for found in frequent_itemsets(rows, support=0.5, max_size=2)]
    [((0,), 0.75), ((1,), 0.75), ((0, 1), 0.5)]
    """
    n, n_items = rows.shape
    if n == 0:
        raise MiningError("no_rows", "there is no row to mine", 0, "wait for answers")
    table = apriori(
        pd.DataFrame(rows),
        min_support=support,
        max_len=max_size,
        low_memory=n * max(math.comb(n_items, size) for size in range(1, min(3, max_size) + 1))
        > _LARGEST_TABLE,
    )
    found = [
        PlainItemset(items=tuple(sorted(map(int, items))), support=float(share))
        for items, share in zip(table["itemsets"], table["support"], strict=True)
    ]
    return tuple(sorted(found, key=lambda itemset: (len(itemset.items), itemset.items)))
