"""Itemsets that no larger one replaces: maximal itemsets, and closed ones within the error."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from mining import chunks, ignore_progress
from mining.columns.count_cache import CountCache
from mining.itemset_table import ItemsetTable
from mining.itemsets import NORMAL
from mining.rules import counted_in_chunks
from privacy.arrays import Flags, Whole
from privacy.estimation.counts import Columns
from privacy.estimation.estimates import Estimates
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import contingency_tables
from privacy.estimation.shapes import FIRST, SECOND
from privacy.survey.design import Design


def maximal_itemsets(itemsets: Sequence[Columns]) -> Flags:
    """Flag the itemsets without a listed superset.

    Parameters
    ----------
    itemsets : sequence of tuple of int
        Listed itemsets, each with its items ascending.

    Examples
    --------
    >>> maximal_itemsets([(0,), (1,), (2,), (0, 1)]).tolist()
    [False, False, True, True]
    """
    # Estimates may list a set without all its subsets, so every subset is checked, not only the longest.
    below = {
        part for items in itemsets for size in range(1, len(items)) for part in combinations(items, size)
    }
    return np.array([items not in below for items in itemsets], dtype=bool)


def _covers(table: ItemsetTable) -> Whole:
    """Return the positions of listed itemsets and of those with one more item, shape (pairs, 2)."""
    position_of = table.position_of
    pairs = [
        (position_of[part], position)
        for position, items in enumerate(table.itemsets)
        if len(items) > 1
        for part in combinations(items, len(items) - 1)
        if part in position_of
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def closed_itemsets(table: ItemsetTable, count_cache: CountCache, design: Design) -> Flags:
    """Flag listed itemsets whose support drops by more than the error with any item added.

    Parameters
    ----------
    table : ItemsetTable
        Listed itemsets.
    count_cache : CountCache
        Cache of the rows; missing counts are added.
    design : Design
        Design of the rows.

    Notes
    -----
    An itemset is closed if no listed set with one more item is as frequent. On disguised rows "as frequent"
    means that the difference of the supports is at most 1.96 times its standard error for these respondents,
    from their covariance; on open rows that error is 0, which gives the usual definition.
    """
    result = np.ones(len(table), dtype=bool)
    covers = _covers(table)
    unclear = covers[~_differ_clearly(table.estimates, covers, design)]
    pairs = [(table.itemsets[part], table.itemsets[larger]) for part, larger in unclear.tolist()]
    counted = counted_in_chunks(count_cache, pairs)
    for some in chunks(pairs, stage="closed", progress=ignore_progress):
        for part in contingency_tables(next(counted), some, design):
            scores = Scores.of(part)
            covariance = scores.respondents_covariance
            variance = covariance[FIRST, FIRST] + covariance[SECOND, SECOND] - 2 * covariance[FIRST, SECOND]
            error = np.sqrt(np.maximum(variance, 0.0))
            same = scores.value[FIRST] - scores.value[SECOND] <= NORMAL * error + 1e-12
            for position in part.positions[same].tolist():
                result[table.position_of[some[position][0]]] = False
    return result


def _differ_clearly(supports: Estimates, covers: Whole, design: Design) -> Flags:
    """Return, for pairs of itemsets, whether a bound shows that their supports differ by more than the error.

    The variance of the difference is sum (z_1 - z_2)^2 / n^2 - (P_1 - P_2)/n, with the scores z of
    `privacy.estimation.moments`. By Minkowski's inequality, the root of the sum is at most
    sqrt(sum z_1^2) + sqrt(sum z_2^2), and the estimates contain both. Both supports must use the same rows.
    """
    root = np.sqrt(supports.standard_error**2 + supports.value**2 / supports.n)
    part, larger = covers.T
    same_rows = (supports.n[part] == supports.n[larger]) & (not design.rotates)
    # The margin covers rounding.
    differ = supports.value[part] - supports.value[larger] > NORMAL * (root[part] + root[larger]) + 1e-9
    return np.asarray(same_rows & differ)
