"""Crosses of open answers: how many people give each combination that an itemset names.

Open answers are sent as they are, and can be known otherwise. One share less another must not come down to a
few people: of two open questions or more that are named together each combination of answers is given by
enough people, or by no one. Whether someone is lightly or strongly disguised is sent as it is too: it is one
more open question of every figure that weighs the two groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from mining.columns.count_cache import CountCache
from privacy.arrays import Whole
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

_Axis: TypeAlias = tuple[int, ...]
"""Items of which a person who was asked has at most one, or a single column, which is had or not."""


def disguised_rows(design: Design, n_direct: Any, n_protected: Any) -> Any:
    """Return how many rows are disguised, numbers or arrays: of both groups where there are two strengths.

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
    answered: Collection[int] = (),
) -> list[bool]:
    """Say of which itemsets every combination of answers to their open questions is given by enough people.

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
    answered : collection of int
        Open questions, by number, whose answers as a whole figures of each itemset are of: the mean of a
        number. Those who answered it are then one more answer that is named.

    Returns
    -------
    list of bool
        True for itemsets whose estimates weight both groups equally and that name fewer than two open
        questions: results for one question are published.

    Notes
    -----
    All options of a question are checked, whichever is named: the share of those with another option is a
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
    ...     key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...     questions=(nurse, night)),))
    >>> rows = np.array([[True, True], [True, False], [True, False], [False, False], [False, False]])
    >>> cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(5, dtype=bool)))
    >>> large_crosses(cache, design, [(0,), (0, 1)], 2), large_crosses(cache, design, [(0, 1)], 1)
    ([True, False], [True])
    """
    known: dict[tuple[tuple[_Axis, ...], Columns | None], bool] = {}

    def is_large(axes: tuple[_Axis, ...], within: Columns | None) -> bool:
        key = axes, within
        if key not in known:
            parts = (axes[:position] + axes[position + 1 :] for position in range(len(axes)))
            known[key] = len(axes) < (1 if within is None else 2) or (
                all(is_large(part, within) for part in parts) and _is_large(cache, axes, within, least)
            )
        return known[key]

    index, axes = index_of(design), _axes(design)
    has_groups = cache.matrix.n_direct > 0 and cache.matrix.n_protected > 0
    large = []
    for items in itemsets:
        open_axes = {axes[item] for item in items if item in axes}
        columns = {design.asked_column(each) for each in answered}
        open_axes |= {(column,) for column in columns}
        within: Columns | None = tuple(sorted({*index.asked_of(items), *columns}))
        protected = {*beside, *(design.items[item].question for item in items if item not in axes)}
        # Open answers decide who is asked a conditional question.
        if (
            has_groups
            and protected
            and (open_axes or any(_is_conditional(design, each) for each in protected))
        ):
            missing = (each for each in protected if design.can_be_missing(each))
            open_axes, within = open_axes | {(design.asked_column(each),) for each in missing}, None
        large.append(is_large(tuple(sorted(open_axes)), within))
    return large


def _is_conditional(design: Design, question: int) -> bool:
    return design.blocks[design.block_of(question)].asked_if is not None


def _axes(design: Design) -> dict[int, _Axis]:
    """Return by open item the question that it names, as the items that answer it."""
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
    """Return rows of both groups by combination of answers, of those asked everything."""
    design = cache.matrix.design
    exhaustive = [len(axis) > 1 and _is_exhaustive(design, axis) for axis in axes]
    choices: list[list[Columns]] = [
        [*([] if every else [()]), *((column,) for column in axis)]
        for axis, every in zip(axes, exhaustive, strict=True)
    ]
    rows: Whole = _counted(cache, choices, within).sum(axis=-1)
    for position in (position for position, every in enumerate(exhaustive) if not every):
        # From "whether or not, has it" to "has it not, has it".
        everybody, *having = np.moveaxis(rows, position, 0)
        rows = np.stack([everybody - sum(having), *having], axis=position)
    return rows


def _is_exhaustive(design: Design, axis: _Axis) -> bool:
    return design.questions[design.items[axis[0]].question].is_exhaustive


def _rows_by_group(cache: CountCache, axes: tuple[_Axis, ...]) -> Whole:
    """Return rows by combination of answers, none among them, and by group along the last axis."""
    design = cache.matrix.design
    # From few to many: whether or not, asked and whichever answer, this answer.
    choices: list[list[Columns]] = [
        [(), axis]
        if axis[0] >= len(design.items)
        else [(), (design.asked_column(design.items[axis[0]].question),), *((item,) for item in axis)]
        for axis in axes
    ]
    rows = _counted(cache, choices, ())
    for position in range(len(axes)):
        everybody, base, *having = np.moveaxis(rows, position, 0)
        # No one asked a single choice is without an answer to it; a number may lie in none of its ranges.
        rest = base - sum(having)
        rows = np.stack([everybody - base, rest, *having], axis=position)
    return rows


def _counted(cache: CountCache, choices: list[list[Columns]], within: Columns) -> Whole:
    cells = [tuple(sorted({*sum(cell, ()), *within})) for cell in product(*choices)]
    counts = cache.need(cells)
    return np.array([counts[cell] for cell in cells]).reshape([*map(len, choices), 2])
