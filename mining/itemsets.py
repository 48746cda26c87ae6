"""Frequent itemsets of the true answers, found level by level from the disguised ones.

The search also checks combinations of open answers, which are sent undisguised and may be known from
elsewhere. The difference of two shares must not describe only a few people. So if an itemset names two or
more open questions, each combination of their answers must be given by enough people, or by no one. The group
(lightly or strongly disguised) is also sent undisguised, so it counts as one more open question for every
estimate that combines the two groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np

from mining import Progress, chunks
from mining.columns.counting import CountCache
from mining.thresholds import (
    MAX_CANDIDATES,
    ItemsetTable,
    Thresholds,
    concatenate,
    join,
    search_by_mlxtend,
    single_items,
    take,
)
from privacy.arrays import Flags, Whole
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import Estimates, asked_columns, estimates, estimates_of
from privacy.estimation.intervals import support_intervals
from privacy.estimation.required_counts import Plan, required_counts
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.survey.design import Design

_Axis: TypeAlias = tuple[int, ...]
"""Items of which each person asked has at most one; or a single true/false column."""


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


def large_crosses(
    cache: CountCache,
    design: Design,
    itemsets: Iterable[Columns],
    least: int,
    *,
    beside: Collection[int] = (),
    numbers: Collection[int] = (),
) -> list[bool]:
    """Flag itemsets whose open-answer combinations each have enough rows.

    Parameters
    ----------
    cache : CountCache
    design : Design
    itemsets : iterable of Columns
    least : int
        Smallest number of rows; 0 rows are allowed. For an itemset of open questions alone, rows of both
        groups count, among those asked everything in it. For any other, each group counts by itself, and rows
        that were not asked a question, or left it empty, are a separate combination.
    beside : collection of int
        Protected questions, by number, that the itemset's estimates also involve.
    numbers : collection of int
        Open questions, by number, all of whose answers enter an estimate of each itemset, such as the mean
        of a number. Whether the question was answered is then part of the combination.

    Returns
    -------
    list of bool
        True for itemsets that name fewer than two open questions, if their estimates weight both groups
        equally, because results for one question are published anyway.

    Notes
    -----
    All options of a question are checked, whichever is named, because the share of another option is a
    difference of listed shares. Options that can be ticked independently are separate questions. Respondents
    who are asked a protected question because of an open answer reveal that answer by being asked.
    Combinations of more questions are subsets of combinations of fewer, so an itemset that fails also fails
    with any item added, and supersets of a failing part are not counted.

    Examples
    --------
    One of three nurses works at night:

    >>> from mining.columns.bitmatrix import BitMatrix
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> nurse, night = (
    ...     Question(key=key, kind="yes_no", options=(), unrelated=()) for key in ("nurse", "night"))
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(
    ...     key="you", protected=False, truth_probability=10_000,
    ...     questions=(nurse, night)),))
    >>> rows = np.array([[True, True], [True, False], [True, False], [False, False], [False, False]])
    >>> cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(5, dtype=bool)))
    >>> large_crosses(cache, design, [(0,), (0, 1)], 2), large_crosses(cache, design, [(0, 1)], 1)
    ([True, False], [True])
    """
    verdicts: dict[tuple[tuple[_Axis, ...], Columns | None], bool] = {}

    def is_large(axes: tuple[_Axis, ...], within: Columns | None) -> bool:
        key = axes, within
        if key not in verdicts:
            parts = (axes[:position] + axes[position + 1 :] for position in range(len(axes)))
            verdicts[key] = len(axes) < (1 if within is None else 2) or (
                all(is_large(part, within) for part in parts) and _is_large(cache, axes, within, least)
            )
        return verdicts[key]

    index, axes = index_of(design), _axes(design)
    has_groups = cache.matrix.n_direct > 0 and cache.matrix.n_protected > 0
    large = []
    for items in itemsets:
        open_axes = {axes[item] for item in items if item in axes}
        columns = {design.asked_column(each) for each in numbers}
        open_axes |= {(column,) for column in columns}
        within: Columns | None = tuple(sorted({*index.asked_of(items), *columns}))
        questions = {*beside, *(design.items[item].question for item in items if item not in axes)}
        # Open answers decide who is asked a conditional question.
        if (
            has_groups
            and questions
            and (open_axes or any(design.blocks[design.block_of(each)].asked_if for each in questions))
        ):
            missing = (each for each in questions if design.can_be_missing(each))
            open_axes, within = open_axes | {(design.asked_column(each),) for each in missing}, None
        large.append(is_large(tuple(sorted(open_axes)), within))
    return large


def _axes(design: Design) -> dict[int, _Axis]:
    """Map each open item to its question, given as the items that answer it."""
    axes: dict[int, list[int]] = {}
    for item in design.items:
        axes.setdefault(item.question, []).append(item.index)
    return {
        item.index: tuple(axes[item.question])
        if design.questions[item.question].is_exclusive
        else (item.index,)
        for item in design.items
        if not design.blocks[item.block].protected
    }


def _is_large(cache: CountCache, axes: tuple[_Axis, ...], within: Columns | None, least: int) -> bool:
    rows = _rows_by_group(cache, axes) if within is None else _rows_within(cache, axes, within)
    return bool(((rows == 0) | (rows >= least)).all())


def _rows_within(cache: CountCache, axes: tuple[_Axis, ...], within: Columns) -> Whole:
    """Count rows of both groups that were asked everything, by combination of answers."""
    design = cache.matrix.design
    exhaustive = [len(axis) > 1 and _is_exhaustive(design, axis) for axis in axes]
    choices: list[list[Columns]] = [
        [*([] if every else [()]), *((column,) for column in axis)]
        for axis, every in zip(axes, exhaustive, strict=True)
    ]
    rows: Whole = _count_cells(cache, choices, within).sum(axis=-1)
    for position in (position for position, every in enumerate(exhaustive) if not every):
        # Convert counts of ("all", "has it") to ("lacks it", "has it").
        everybody, *having = np.moveaxis(rows, position, 0)
        rows = np.stack([everybody - sum(having), *having], axis=position)
    return rows


def _is_exhaustive(design: Design, axis: _Axis) -> bool:
    return design.questions[design.items[axis[0]].question].is_exhaustive


def _rows_by_group(cache: CountCache, axes: tuple[_Axis, ...]) -> Whole:
    """Count rows by combination of answers, including no answer, and by group along the last axis."""
    design = cache.matrix.design
    # From general to specific: any row, asked with any answer, this answer.
    choices: list[list[Columns]] = [
        [(), axis]
        if axis[0] >= len(design.items)
        else [(), (design.asked_column(design.items[axis[0]].question),), *((item,) for item in axis)]
        for axis in axes
    ]
    rows = _count_cells(cache, choices, ())
    for position in range(len(axes)):
        everybody, base, *having = np.moveaxis(rows, position, 0)
        # Everyone asked a single choice has one of its options, but a number may be in no declared range.
        rest = base - sum(having)
        rows = np.stack([everybody - base, rest, *having], axis=position)
    return rows


def _count_cells(cache: CountCache, choices: list[list[Columns]], within: Columns) -> Whole:
    cells = [tuple(sorted({*sum(cell, ()), *within})) for cell in product(*choices)]
    counts = cache.need(cells)
    return np.array([counts[cell] for cell in cells]).reshape([*map(len, choices), 2])


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
    least_cross: int = 0,
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
    least_cross : int
        Itemsets are dropped if a combination of answers to their open questions has fewer rows; see
        `mining.itemsets.large_crosses`.
    max_candidates : int
        Limit on candidates of one size.
    join_on_arrays : bool
        See `mining.thresholds.join`.

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
        if least_cross:
            selected = selected[_large(count_cache, candidates[selected], least_cross)]
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
    count_cache: CountCache, thresholds: Thresholds, *, least_cross: int = 0
) -> SearchResult:
    """Search undisguised rows with mlxtend's apriori.

    On undisguised rows, every set is at least as frequent as its supersets, so under either policy only the
    listed sets are kept.

    Parameters
    ----------
    count_cache : CountCache
    thresholds : Thresholds
    least_cross : int
        As in `examine`: a set is not listed if a combination of its open answers has fewer rows.
    """
    matrix = count_cache.matrix
    levels = search_by_mlxtend(matrix, thresholds)
    if least_cross:
        large = (level[_large(count_cache, level, least_cross)] for level in levels)
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


def _large(count_cache: CountCache, itemsets: Whole, least: int) -> list[bool]:
    """Flag the itemsets (one per row of the array) in which no combination of open answers has fewer rows."""
    columns = [tuple(items) for items in itemsets.tolist()]
    return large_crosses(count_cache, count_cache.matrix.design, columns, least)


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
    count_cache: CountCache, itemsets: Iterable[Columns], *, least_protected: int, least_cross: int
) -> list[Columns]:
    """Return the itemsets whose figures may be published, each once.

    Parameters
    ----------
    count_cache : CountCache
    itemsets : iterable of Columns
    least_protected : int
        Fewest disguised rows that must have been asked everything in a published itemset.
    least_cross : int
        Fewest rows for each combination of answers to its open questions; 0 for any number. See
        `mining.itemsets.large_crosses`.

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
    if not least_cross:
        return enough
    large = large_crosses(count_cache, design, enough, least_cross)
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
    interval = concatenate(
        [
            support_intervals(counts, some, design)
            for some in chunks(itemsets, stage="intervals", progress=count_cache.progress)
        ]
    )
    return ItemsetTable(itemsets=tuple(itemsets), estimates=supports, interval=interval)
