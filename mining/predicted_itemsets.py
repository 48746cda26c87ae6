"""Predict supports of itemsets from shares and pairs, in addition to direct estimates."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mining.columns.count_cache import CountCache
from mining.itemset_table import ItemsetTable
from mining.itemsets import ROUNDING, count_and_estimate, disguised_rows
from privacy.arrays import Whole
from privacy.estimation.borrowed_pairs import BorrowedPairs, PairFigures, borrow, publishable_pairs
from privacy.estimation.completion import complete_supports, largest_sets
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.planned_pairs import LEAST_ITEMS, borrowing_items
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.printed import CHECKED, UNCHECKED, Basis, Measured, Method, about_estimates

LEVEL_OF_PREDICTIONS: Final = (
    "95% of all predicted pairs on average; less often for a single pair that is unlike all others"
)
"""How often the intervals of predicted itemsets hold, for tables and files."""

LONGEST_COMPLETED: Final = 4
"""Length of the longest predicted itemset."""


@dataclass(frozen=True, kw_only=True)
class BorrowedItemset(Measured):
    """Predicted support of two items or more.

    ``n`` are the rows that were asked everything. ``effective_n`` are the rows that were asked the item that
    fewest were asked: the prediction rests on the shares of its items, so it may exceed ``n``.
    ``method`` is "shrunk": from the pair's own rows and all others; "pooled": from its shares and the
    association of all pairs; "completed": from the shares and pairs of a larger itemset, with the interval
    from 0 to the smallest upper end of its pairs; or "not determined": the association of all pairs is too
    uncertain for any of these (`BorrowedPairs.is_determined`), so only the interval says something.

    Parameters
    ----------
    items : Columns
    """

    items: Columns

    @property
    def basis(self) -> Basis:
        """What may be printed; only the bounds if the association is not determined."""
        return "between" if self.method == "not determined" and self.estimable else super().basis


def pair_figures(count_cache: CountCache) -> PairFigures | None:
    """Return the shares and pairs of the items that can borrow; None if fewer than three can.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows.
    """
    design = count_cache.matrix.design
    index, items = index_of(design), borrowing_items(design)
    items = items[count_cache.withheld.allowed(design, items[:, None])]
    alone = count_and_estimate(count_cache, design, items[:, None])
    has_enough = disguised_rows(design, alone.n_direct, alone.n_protected) >= LEAST_COMPLETE_ROWS
    items = items[has_enough]
    if len(items) < LEAST_ITEMS:
        return None
    pairs = np.array(list(itertools.combinations(range(len(items)), 2)))
    pairs = pairs[~index.excludes(items[pairs[:, 0]], items[pairs[:, 1]])]
    pairs = pairs[count_cache.withheld.allowed(design, items[pairs])]
    together = index.reachable(items[pairs])
    found = count_and_estimate(count_cache, design, items[pairs[together]])
    estimates, both = np.full(len(pairs), np.nan), np.zeros((len(pairs), 2), dtype=np.int64)
    estimates[together] = found.value
    both[together] = np.stack([found.n_direct, found.n_protected], axis=1)
    return PairFigures(
        design=design,
        items=items,
        pairs=pairs,
        n=count_cache.matrix.n,
        shares=alone.value[has_enough],
        n_asked=np.stack([alone.n_direct, alone.n_protected], axis=1)[has_enough],
        estimates=estimates,
        asked_both=both,
        all_rows=count_cache.all_rows or not design.rotates,
    )


def predicted_pairs(count_cache: CountCache) -> tuple[PairFigures, BorrowedPairs] | None:
    """Return the publishable pairs and their predictions; None if nothing can be borrowed.

    Parameters
    ----------
    count_cache : CountCache
    """
    figures = pair_figures(count_cache)
    kept = None if figures is None else publishable_pairs(figures)
    pairs = None if kept is None else borrow(kept)
    return None if kept is None or pairs is None else (kept, pairs)


def borrowed_itemsets(
    count_cache: CountCache, *, least: float, size: int, also: Collection[Columns] = ()
) -> list[BorrowedItemset]:
    """Predict the itemsets of disguised items that reach a support; shorter ones first, then by items.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows.
    least : float
        Smallest predicted support.
    size : int
        Largest number of items, at most `LONGEST_COMPLETED`.
    also : collection of Columns, optional
        Itemsets to predict at any support, if their items can borrow.

    Returns
    -------
    list of BorrowedItemset
        Empty if the design leaves too little to borrow from.
    """
    known_pairs = predicted_pairs(count_cache)
    if known_pairs is None or size < 2:
        return []
    figures, pairs = known_pairs
    items, (first, second) = figures.items, figures.pairs.T
    table = np.full((len(items), len(items)), np.nan)
    table[first, second] = table[second, first] = pairs.value
    np.fill_diagonal(table, pairs.shares)
    place = {item: position for position, item in enumerate(items.tolist())}
    targets = {tuple(place[item] for item in keys) for keys in also if place.keys() >= set(keys)}
    named = [pair in targets for pair in map(tuple, figures.pairs.tolist())]
    asked = figures.asked_both.sum(axis=1)
    # If many people were asked a pair, its own estimate is better than one from other pairs alone.
    is_predicted = pairs.is_shrunk | (asked < LEAST_COMPLETE_ROWS)
    keys = np.flatnonzero(((pairs.value >= least - ROUNDING) | named) & is_predicted)
    sets = [tuple(pair) for pair in items[figures.pairs[keys]].tolist()]
    methods: list[Method] = ["shrunk" if shrunk else "pooled" for shrunk in pairs.is_shrunk[keys].tolist()]
    parts = [np.stack([pairs.value, pairs.low, pairs.high, asked])[:, keys]]
    level, support, high = figures.pairs, pairs.value, pairs.high
    for longer in range(3, min(size, LONGEST_COMPLETED) + 1):
        values = {tuple(keys): value for keys, value in zip(level.tolist(), support.tolist(), strict=True)}
        ends = {tuple(keys): end for keys, end in zip(level.tolist(), high.tolist(), strict=True)}
        level = largest_sets(table, values, least - ROUNDING)
        more = sorted({keys for keys in targets if len(keys) == longer} - set(map(tuple, level.tolist())))
        level = np.concatenate(
            [level.reshape(-1, longer), np.array(more, dtype=np.int64).reshape(-1, longer)]
        )
        if not len(level):
            break
        subsets = [np.delete(level, dropped, axis=1).tolist() for dropped in range(longer)]
        bound = np.array([[values.get(tuple(keys), 1.0) for keys in subset] for subset in subsets]).min(
            axis=0
        )
        support = np.minimum(complete_supports(pairs.shares, table, level), bound)
        # Having all items means having each subset, so the upper end of a subset holds for the set, too.
        high = np.array([[ends.get(tuple(keys), 1.0) for keys in subset] for subset in subsets]).min(axis=0)
        reached = (support >= least - ROUNDING) | (np.arange(len(level)) >= len(level) - len(more))
        itemsets = items[level[reached]]
        sets += [tuple(row) for row in itemsets.tolist()]
        methods += ["completed"] * len(itemsets)
        low, asked_all = np.zeros(len(itemsets)), count_asked(count_cache, itemsets)
        parts.append(np.stack([support[reached], low, high[reached], asked_all]))
    if not pairs.is_determined:
        methods = ["not determined"] * len(sets)
    rows = np.concatenate(parts, axis=1).T.tolist()
    asked_one = dict(zip(items.tolist(), figures.n_asked.sum(axis=1).tolist(), strict=True))
    return [
        BorrowedItemset(
            items=keys,
            value=value,
            low=low,
            high=high,
            standard_error=None,
            estimable=True,
            n=int(asked),
            effective_n=float(min(asked_one[item] for item in keys)),
            level=0.95,
            possible=(0.0, 1.0),
            method=method,
            shift=None,
            origin=UNCHECKED,
        )
        for keys, (value, low, high, asked), method in zip(sets, rows, methods, strict=True)
    ]


def borrowed_columns(
    count_cache: CountCache, direct: ItemsetTable, *, least: float, size: int
) -> tuple[dict[str, Any], list[Columns]]:
    """Return predictions and direct estimates as columns of a table, and the itemsets of its rows.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows.
    direct : ItemsetTable
        Itemsets whose direct estimate reaches the support.
    least, size
        As in `borrowed_itemsets`.
    """
    found = borrowed_itemsets(count_cache, least=least, size=size, also=direct.itemsets)
    rows: dict[Columns, list[Any]] = {
        own.items: [np.nan, own.value, own.low, own.high, own.n, own.method] for own in found
    }
    for items, index in direct.position_of.items():
        value, interval = direct.estimates.value[index], direct.interval
        alone = [value, interval.low[index], interval.high[index], direct.estimates.n[index], "direct"]
        rows[items] = [value, *rows.get(items, [np.nan, *alone])[1:]]
    missing = [items for items, row in rows.items() if np.isnan(row[0]) and row[4] >= LEAST_COMPLETE_ROWS]
    for _, same in itertools.groupby(sorted(missing, key=len), key=len):
        level = list(same)
        values = count_and_estimate(count_cache, count_cache.matrix.design, np.array(level)).value
        for items, value in zip(level, values.tolist(), strict=True):
            rows[items][0] = value
    itemsets = sorted(rows, key=lambda items: (len(items), items))
    names = ("direct", "borrowed", "low", "high", "asked", "basis")
    columns: dict[str, Any] = {
        name: [rows[items][index] for items in itemsets] for index, name in enumerate(names)
    }
    return columns | {"level": [0.95] * len(itemsets)}, itemsets


def about_borrowed(bases: Sequence[Any]) -> dict[str, Any]:
    """Return what holds for a table of predictions and direct estimates, with the level of its intervals.

    Parameters
    ----------
    bases : sequence of str
        Column ``basis`` of the table.
    """
    methods: list[Method] = ["scores" if basis == "direct" else basis for basis in bases]
    about = about_estimates(methods, shift=0.0, origin=CHECKED)
    return about | {"level": LEVEL_OF_PREDICTIONS}


def count_asked(count_cache: CountCache, itemsets: Whole) -> Whole:
    """Count the rows that were asked everything in itemsets of one size.

    Parameters
    ----------
    count_cache : CountCache
    itemsets : ndarray of int64, shape (itemsets, size)
    """
    index = index_of(count_cache.matrix.design)
    return np.asarray(count_cache.of(index.keys(index.asked_column[itemsets])).sum(axis=1))
