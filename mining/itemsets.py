"""Frequent itemsets of the true answers, found level by level from the disguised ones.

Itemsets whose open answers could single out a few people are left out: see `mining.open_floor`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from mining import Progress, chunks, ignore_progress
from mining.apriori import MAX_CANDIDATES, join, single_items
from mining.columns.count_cache import CountCache
from mining.itemset_table import ItemsetTable
from mining.mlxtend_search import search_by_mlxtend
from mining.open_floor import SHOW_ALL, OpenFloor, large_crosses
from mining.thresholds import Thresholds
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.array_tables import MeasuredArray, concatenate, take
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import asked_columns, index_of
from privacy.estimation.estimates import Estimates, estimates, estimates_of
from privacy.estimation.intervals import support_intervals
from privacy.estimation.required_counts import Plan, required_counts
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.survey.design import Design


def disguised_rows(design: Design, n_direct: Any, n_protected: Any) -> Any:
    """Return the number of disguised rows (numbers or arrays): of both groups if there are two strengths.

    Parameters
    ----------
    design : Design
        Design of the rows.
    n_direct, n_protected : int or ndarray of int
        Rows of each group.
    """
    return n_protected + n_direct if design.has_two_strengths else n_protected


NORMAL: Final = 1.959963984540054
"""97.5% quantile of the normal distribution. Policy "inclusive" keeps itemsets whose estimate is at most this
many standard errors below the threshold."""

ROUNDING: Final = 1e-12
"""Tolerance of the support threshold, because .05 may become .04999999999999999."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SearchResult:
    """Result of a search.

    Attributes
    ----------
    levels : tuple of ndarray of int64, each of shape (m, size)
        Itemsets from which longer ones were built, by size; all subsets of each are included.
    estimates : Estimates
        Position i belongs to kept itemset i, counted over all levels.
    listed : ndarray of bool, shape (all kept itemsets,)
        Whether the estimated support reaches the threshold.
    n_candidates : int or None
        Number of counted itemsets; None if mlxtend searched, which does not report it.
    """

    levels: tuple[Whole, ...]
    estimates: Estimates
    listed: Flags
    n_candidates: int | None

    @cached_property
    def frequent(self) -> tuple[Columns, ...]:
        """The itemsets of all levels."""
        return tuple(tuple(items) for level in self.levels for items in level.tolist())


def examine(
    count_cache: CountCache,
    design: Design,
    thresholds: Thresholds,
    *,
    least_protected: int = 0,
    floor: OpenFloor = SHOW_ALL,
    max_candidates: int = MAX_CANDIDATES,
    join_on_arrays: bool = False,
) -> SearchResult:
    """Search itemsets level by level: join, count, estimate, keep.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the disguised rows.
    design : Design
    thresholds : Thresholds
    least_protected : int
        Itemsets are dropped if fewer disguised rows were asked everything in them. No more rows were asked a
        longer itemset, so none that reaches this number is missed.
    floor : OpenFloor
        Itemsets are dropped if their open answers may not be shown.
    max_candidates : int
        Limit on candidates of one size.
    join_on_arrays : bool
        See `mining.apriori.join`.

    Returns
    -------
    SearchResult

    Raises
    ------
    PrivacyError
        ``max_candidates``.
        ``truth_probability``: a block reveals nothing (p = 0).

    Notes
    -----
    A disguised itemset is observed with share a P(E) + (1-k)(1-p) q(E), which depends on its length: one
    threshold on observed shares either misses sets or admits nearly all of them. So each candidate is
    estimated first and then compared with the threshold. Policy "inclusive" keeps a set while its estimate
    plus 1.96 standard errors reaches the threshold, because an estimate, unlike a support, may be smaller
    than that of a longer set. If devices draw questions, a set is kept only if at least 100 rows were asked
    everything in it.
    """
    levels: list[Whole] = []
    parts: list[Estimates] = []
    is_listed: list[Flags] = []
    n_candidates = 0
    least = thresholds.support - ROUNDING
    candidates = single_items(design)
    # Neither these itemsets nor any that contain them are counted.
    candidates = candidates[count_cache.withheld.allowed(design, candidates)]
    for size in range(1, thresholds.max_size + 1):
        n_candidates += len(candidates)
        figures = count_and_estimate(count_cache, design, candidates)
        reach = figures.value
        if thresholds.policy == "inclusive":
            reach = reach + NORMAL * figures.standard_error
        # An itemset that was never asked has the estimate NaN, which reaches no threshold.
        enough = disguised_rows(design, figures.n_direct, figures.n_protected) >= least_protected
        enough &= figures.n >= least_complete(design, candidates)
        selected = np.flatnonzero((reach >= least) & enough)
        if floor.hides:
            selected = selected[_large(count_cache, candidates[selected], floor)]
        levels.append(candidates[selected])
        parts.append(take(figures, selected))
        is_listed.append(parts[-1].value >= least)
        if size == thresholds.max_size or len(selected) < 2:
            break
        count_cache.progress(Progress(stage="candidates", done=size, total=thresholds.max_size))
        candidates = join(
            design, candidates[selected], max_candidates=max_candidates, on_arrays=join_on_arrays
        )
        candidates = candidates[count_cache.withheld.allowed(design, candidates)]
        if len(candidates) == 0:
            break
    return SearchResult(
        levels=tuple(levels),
        estimates=concatenate(parts),
        listed=np.concatenate(is_listed),
        n_candidates=n_candidates,
    )


def examine_undisguised(
    count_cache: CountCache, thresholds: Thresholds, *, floor: OpenFloor = SHOW_ALL
) -> SearchResult:
    """Search undisguised rows with mlxtend's apriori.

    On undisguised rows, every set is at least as frequent as its supersets, so under either policy only the
    listed sets are kept.

    Parameters
    ----------
    count_cache : CountCache
    thresholds : Thresholds
    floor : OpenFloor
        As in `examine`: a set is not listed if its open answers may not be shown.
    """
    matrix = count_cache.matrix
    levels = search_by_mlxtend(matrix, thresholds)
    if floor.hides:
        large = (level[_large(count_cache, level, floor)] for level in levels)
        levels = tuple(level for level in large if len(level))
    joined_estimates = concatenate(
        [
            count_and_estimate(count_cache, matrix.design, level)
            for level in levels or (np.empty((0, 1), dtype=np.int64),)
        ]
    )
    return SearchResult(
        levels=levels,
        estimates=joined_estimates,
        listed=np.ones(len(joined_estimates), dtype=bool),
        n_candidates=None,
    )


def _large(count_cache: CountCache, itemsets: Whole, floor: OpenFloor) -> list[bool]:
    """Flag the itemsets (one per row of the array) whose open answers may be shown."""
    columns = [tuple(items) for items in itemsets.tolist()]
    return large_crosses(count_cache, count_cache.matrix.design, columns, floor)


def check_length(search_result: SearchResult, max_itemsets: int) -> None:
    """Refuse to list more itemsets than a limit.

    Parameters
    ----------
    search_result : SearchResult
    max_itemsets : int
        Limit on listed itemsets, at least 0.

    Raises
    ------
    PrivacyError
        ``max_itemsets``, with the number of itemsets and, if there is one, the smallest support threshold of
        three decimals with which the same search lists no more than the limit.
    """
    listed = search_result.listed
    if int(listed.sum()) <= max_itemsets:
        return
    sizes = np.repeat(
        [level.shape[1] for level in search_result.levels], list(map(len, search_result.levels))
    )
    values = np.sort(search_result.estimates.value[listed])
    # The largest estimate that must not be listed.
    highest = values[-1 - max_itemsets]
    support = (np.floor(1000 * (highest + ROUNDING)) + 1) / 1000
    raise PrivacyError(
        "max_itemsets" if support <= 1 else "max_itemsets.shorter",
        len(values),
        rules=int(((1 << sizes[listed]) - 2).sum()),
        max_itemsets=max_itemsets,
        support=f"{support:.3f}",
    )


def count_and_estimate(count_cache: CountCache, design: Design, itemsets: Whole) -> Estimates:
    """Count and estimate itemsets of one size.

    Parameters
    ----------
    count_cache : CountCache
    design : Design
    itemsets : ndarray of int64, shape (m, size)
    """
    plan = Plan.of_itemsets(design, itemsets, all_rows=count_cache.all_rows)
    return estimates_of(plan, count_cache.of(plan.requests))


def least_complete(design: Design, itemsets: Whole) -> Whole:
    """Return how many rows must have been asked everything in each itemset; 0 if all rows are asked.

    Parameters
    ----------
    design : Design
        Design of the rows that are searched.
    itemsets : ndarray of int64, shape (m, size)
        Items of each itemset.
    """
    has_draws = index_of(design).is_drawn[itemsets].any(axis=1)
    return np.where(has_draws, LEAST_COMPLETE_ROWS, 0)


def releasable_itemsets(
    count_cache: CountCache, itemsets: Iterable[Columns], *, least_protected: int, floor: OpenFloor
) -> list[Columns]:
    """Return the itemsets whose figures may be published, each once.

    Parameters
    ----------
    count_cache : CountCache
    itemsets : iterable of Columns
    least_protected : int
        Fewest disguised rows that must have been asked everything in a published itemset.
    floor : OpenFloor
        What may be shown of its open answers.

    Notes
    -----
    At least one person must have been asked everything; if devices draw questions, at least 100.
    """
    design = count_cache.matrix.design
    withheld = count_cache.withheld
    rows = {
        items: asked_columns(items, design)
        for items in itemsets
        if withheld.permits(design.items[item].question for item in items)
    }
    counts = count_cache.need(rows.values())
    enough = [
        items
        for items, columns in rows.items()
        if disguised_rows(design, *counts[columns]) >= least_protected
        and sum(counts[columns]) >= max(1, least_complete(design, np.array([items]))[0])
    ]
    if not floor.hides:
        return enough
    large = large_crosses(count_cache, design, enough, floor)
    return [items for items, on in zip(enough, large, strict=True) if on]


def estimate_itemsets(count_cache: CountCache, design: Design, itemsets: Iterable[Columns]) -> ItemsetTable:
    """Estimate the supports of itemsets chosen in advance, frequent or not.

    Parameters
    ----------
    count_cache : CountCache
    design : Design
    itemsets : iterable of Columns
        Itemsets with a question that no one was asked are left out.
    """
    candidates = sorted(set(itemsets), key=lambda items: (len(items), items))
    counts = count_cache.need(required_counts(candidates, design))
    estimable = [items for items in candidates if sum(counts[asked_columns(items, design)])]
    return _table(count_cache, design, estimable, estimates(counts, estimable, design))


def listed_itemsets(count_cache: CountCache, design: Design, search_result: SearchResult) -> ItemsetTable:
    """Return the itemsets whose estimated support reaches the threshold, with their intervals.

    Parameters
    ----------
    count_cache : CountCache
        Cache of the rows.
    design : Design
        Design of the rows.
    search_result : SearchResult
        Result of the search.
    """
    places = np.flatnonzero(search_result.listed)
    itemsets = [search_result.frequent[position] for position in places.tolist()]
    supports = take(search_result.estimates, places)
    return _table(count_cache, design, itemsets, supports)


def _table(
    count_cache: CountCache, design: Design, itemsets: list[Columns], supports: Estimates
) -> ItemsetTable:
    counts = count_cache.need(required_counts(itemsets, design))
    intervals_of = partial(listed_supports, counts, design=design, level=0.95)
    return ItemsetTable(itemsets=tuple(itemsets), estimates=supports, intervals_of=intervals_of)


def listed_supports(
    counts: SupportCounts, itemsets: Sequence[Columns], design: Design, *, level: float
) -> MeasuredArray:
    """Return the supports of itemsets with intervals, a few thousand itemsets at a time.

    Parameters
    ----------
    counts, itemsets, design, level
        As for `privacy.estimation.intervals.support_intervals`.
    """
    return concatenate(
        [
            support_intervals(counts, some, design, level=level)
            for some in chunks(itemsets, stage="intervals", progress=ignore_progress)
        ]
    )
