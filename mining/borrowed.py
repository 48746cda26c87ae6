"""Itemsets predicted from shares and pairs, beside those that enough people were asked."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from mining.columns.count_cache import CountCache
from mining.itemset_table import ItemsetTable
from mining.itemsets import ROUNDING, least_complete
from mining.open_crosses import disguised_rows
from privacy.arrays import Array, Whole
from privacy.estimation import Columns, Estimates
from privacy.estimation.borrowing import PairFigures, borrow, borrowing_items, released
from privacy.estimation.completion import completed, largest_sets
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import estimates_of
from privacy.estimation.required_counts import Plan
from privacy.policy import LEAST_COMPLETE_ROWS

__all__ = [
    "LONGEST_COMPLETED",
    "Basis",
    "BorrowedItemsets",
    "borrowed_columns",
    "borrowed_itemsets",
    "pair_figures",
]

Basis: TypeAlias = Literal["direct", "shrunk", "pooled", "completed"]

LONGEST_COMPLETED: Final = 4
"""Items of the longest itemset that is predicted."""

_LEAST_ITEMS: Final = 3


@dataclass(frozen=True, kw_only=True, eq=False)
class BorrowedItemsets:
    """Predicted supports of itemsets of two items or more; shorter ones first, then by items.

    Attributes
    ----------
    itemsets : tuple of Columns
    value, low, high : ndarray of float
        Completed itemsets have no interval: NaN.
    asked : ndarray of int64
        Rows that were asked everything.
    basis : tuple of str
        "shrunk": the pair's own rows and all others. "pooled": its shares and what all pairs have in common.
        "completed": the shares and pairs of a larger itemset.
    """

    itemsets: tuple[Columns, ...]
    value: Array
    low: Array
    high: Array
    asked: Whole
    basis: tuple[Basis, ...]

    @cached_property
    def position_of(self) -> dict[Columns, int]:
        """Position of each itemset."""
        return {items: position for position, items in enumerate(self.itemsets)}


def pair_figures(count_cache: CountCache) -> PairFigures | None:
    """Return shares and every pair of the items that can borrow; None where fewer than three can.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    """
    design = count_cache.matrix.design
    index, items = index_of(design), borrowing_items(design)
    alone = _estimated(count_cache, items[:, None])
    asked = disguised_rows(design, alone.n_direct, alone.n_protected) >= LEAST_COMPLETE_ROWS
    items = items[asked]
    if len(items) < _LEAST_ITEMS:
        return None
    pairs = np.array(list(itertools.combinations(range(len(items)), 2)))
    pairs = pairs[~index.excludes(items[pairs[:, 0]], items[pairs[:, 1]])]
    together = index.reachable(items[pairs])
    found = _estimated(count_cache, items[pairs[together]])
    estimates, both = np.full(len(pairs), np.nan), np.zeros((len(pairs), 2), dtype=np.int64)
    estimates[together] = found.value
    both[together] = np.stack([found.n_direct, found.n_protected], axis=1)
    return PairFigures(
        design=design,
        items=items,
        pairs=pairs,
        n=count_cache.matrix.n,
        shares=alone.value[asked],
        asked=np.stack([alone.n_direct, alone.n_protected], axis=1)[asked],
        estimates=estimates,
        asked_both=both,
        all_rows=count_cache.all_rows or not design.rotates,
    )


def borrowed_itemsets(
    count_cache: CountCache, *, least: float, size: int, also: Collection[Columns] = ()
) -> BorrowedItemsets | None:
    """Predict the itemsets of disguised items that reach a support.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    least : float
        Smallest predicted support.
    size : int
        Most items; predictions end at `LONGEST_COMPLETED`.
    also : collection of Columns, optional
        Itemsets that are predicted whatever comes out, as far as their items can borrow.

    Returns
    -------
    BorrowedItemsets or None
        None where the design leaves too little to borrow from.
    """
    figures = pair_figures(count_cache)
    pairs = None if figures is None else borrow(released(figures))
    if figures is None or pairs is None or size < 2:
        return None
    items, (first, second) = figures.items, figures.pairs.T
    table = np.full((len(items), len(items)), np.nan)
    table[first, second] = table[second, first] = pairs.value
    np.fill_diagonal(table, pairs.shares)
    place = {item: position for position, item in enumerate(items.tolist())}
    wanted = {tuple(place[item] for item in own) for own in also if place.keys() >= set(own)}
    named = [pair in wanted for pair in map(tuple, figures.pairs.tolist())]
    own = np.flatnonzero((pairs.value >= least - ROUNDING) | named)
    sets = [tuple(pair) for pair in items[figures.pairs[own]].tolist()]
    bases: list[Basis] = ["shrunk" if shrunk else "pooled" for shrunk in pairs.is_shrunk[own].tolist()]
    parts = [np.stack([pairs.value, pairs.low, pairs.high, figures.asked_both.sum(axis=1)])[:, own]]
    level, support = figures.pairs, pairs.value
    for longer in range(3, min(size, LONGEST_COMPLETED) + 1):
        known = {tuple(own): value for own, value in zip(level.tolist(), support.tolist(), strict=True)}
        level = largest_sets(table, known, least - ROUNDING)
        more = sorted({own for own in wanted if len(own) == longer} - set(map(tuple, level.tolist())))
        level = np.concatenate(
            [level.reshape(-1, longer), np.array(more, dtype=np.int64).reshape(-1, longer)]
        )
        if not len(level):
            break
        subsets = [np.delete(level, at, axis=1).tolist() for at in range(longer)]
        bound = np.array([[known.get(tuple(own), 1.0) for own in subset] for subset in subsets]).min(axis=0)
        support = np.minimum(completed(pairs.shares, table, level), bound)
        reached = (support >= least - ROUNDING) | (np.arange(len(level)) >= len(level) - len(more))
        listed = items[level[reached]]
        sets += [tuple(row) for row in listed.tolist()]
        bases += ["completed"] * len(listed)
        blank = np.full(len(listed), np.nan)
        parts.append(np.stack([support[reached], blank, blank, _asked(count_cache, listed)]))
    value, low, high, asked = np.concatenate(parts, axis=1)
    return BorrowedItemsets(
        itemsets=tuple(sets),
        value=value,
        low=low,
        high=high,
        asked=asked.astype(np.int64),
        basis=tuple(bases),
    )


def borrowed_columns(
    count_cache: CountCache, direct: ItemsetTable, *, least: float, size: int
) -> tuple[dict[str, Any], list[Columns]]:
    """Return predictions beside direct estimates, as columns of a table, and the itemsets of its rows.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    direct : ItemsetTable
        The itemsets whose own estimate reaches the support.
    least, size
        As in `borrowed_itemsets`.
    """
    found = borrowed_itemsets(count_cache, least=least, size=size, also=direct.itemsets)
    rows: dict[Columns, list[Any]] = {}
    if found is not None:
        for items, *own in zip(
            found.itemsets, found.value, found.low, found.high, found.asked, found.basis, strict=True
        ):
            rows[items] = [np.nan, *own]
    for items, at in direct.position_of.items():
        value, interval = direct.estimates.value[at], direct.interval
        alone = [value, interval.low[at], interval.high[at], direct.estimates.n[at], "direct"]
        rows[items] = [value, *rows.get(items, [np.nan, *alone])[1:]]
    missing = [items for items, row in rows.items() if np.isnan(row[0])]
    for items, value in _direct(count_cache, missing).items():
        rows[items][0] = value
    itemsets = sorted(rows, key=lambda items: (len(items), items))
    names = ("direct", "borrowed", "low", "high", "asked", "basis")
    columns = {name: [rows[items][at] for items in itemsets] for at, name in enumerate(names)}
    return columns, itemsets


def _direct(count_cache: CountCache, itemsets: list[Columns]) -> dict[Columns, float]:
    """Return the direct estimates of itemsets of which enough people were asked everything."""
    known: dict[Columns, float] = {}
    for _, same in itertools.groupby(sorted(itemsets, key=len), key=len):
        level = np.array(sorted(same))
        reached = index_of(count_cache.matrix.design).reachable(level)
        table = _estimated(count_cache, level[reached])
        least = least_complete(count_cache.matrix.design, level[reached])
        for items, value, n, most in zip(level[reached].tolist(), table.value, table.n, least, strict=True):
            if n >= most and n:
                known[tuple(items)] = float(value)
    return known


def _asked(count_cache: CountCache, itemsets: Whole) -> Whole:
    """Count the rows that were asked everything in itemsets of one size."""
    index = index_of(count_cache.matrix.design)
    asked: Whole = count_cache.of(index.keys(index.asked_column[itemsets])).sum(axis=1)
    return asked


def _estimated(count_cache: CountCache, itemsets: Whole) -> Estimates:
    """Estimate itemsets of one size."""
    plan = Plan.of_itemsets(count_cache.matrix.design, itemsets, all_rows=count_cache.all_rows)
    return estimates_of(plan, count_cache.of(plan.requests), "stratified")
