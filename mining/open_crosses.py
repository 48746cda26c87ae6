"""Crosses of open answers: how many people give each combination that an itemset names.

Open answers are sent as they are, and can be known otherwise. One share less another must not come down to a
few people: of two open questions or more that are named together each combination of answers is given by
enough people, or by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from mining.columns.count_cache import CountCache
from privacy.estimation import Columns
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

__all__ = ["disguised_rows", "large_crosses"]

_Axis: TypeAlias = tuple[int, ...]
"""Items of which a person who was asked has exactly one, or a single item, which is had or not."""


def disguised_rows(design: Design, n_direct: Any, n_protected: Any) -> Any:
    """Return how many rows are disguised, numbers or arrays: of both groups where there are two strengths."""
    return n_protected + n_direct if design.has_two_strengths else n_protected


def large_crosses(cache: CountCache, design: Design, itemsets: Iterable[Columns], least: int) -> list[bool]:
    """Say of which itemsets every combination of answers to their open questions is given by enough people.

    Parameters
    ----------
    cache : CountCache
    design : Design
    itemsets : iterable of Columns
    least : int
        Rows of both groups, among those asked everything in the itemset; 0 rows are allowed.

    Returns
    -------
    list of bool
        True for itemsets that name fewer than two open questions: what holds of one question is published.

    Notes
    -----
    All options of a question are looked at, whichever is named: the share of those with another option is a
    difference of shares that are listed. Options that are ticked independently are questions of their own.
    Combinations of more questions are subsets of combinations of fewer: an itemset that fails fails with any
    item added, and what holds a failing part is not counted.

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
    known: dict[tuple[tuple[_Axis, ...], Columns], bool] = {}

    def is_large(axes: tuple[_Axis, ...], within: Columns) -> bool:
        key = axes, within
        if key not in known:
            parts = (axes[:position] + axes[position + 1 :] for position in range(len(axes)))
            known[key] = len(axes) < 2 or (
                all(is_large(part, within) for part in parts) and _is_large(cache, axes, within, least)
            )
        return known[key]

    index, axes = index_of(design), _axes(design)
    named = (
        (tuple(sorted({axes[item] for item in items if item in axes})), index.asked_of(items))
        for items in itemsets
    )
    return [is_large(axes_named, within) for axes_named, within in named]


def _axes(design: Design) -> dict[int, _Axis]:
    """Return by open item the question that it names, as the items that answer it."""
    axes: dict[int, list[int]] = {}
    for item in design.items:
        axes.setdefault(item.question, []).append(item.index)
    return {
        item.index: tuple(axes[item.question])
        if design.questions[item.question].kind == "single"
        else (item.index,)
        for item in design.items
        if not design.blocks[item.block].protected
    }


def _is_large(cache: CountCache, axes: tuple[_Axis, ...], within: Columns, least: int) -> bool:
    choices: list[list[Columns]] = [
        [(item,) for item in axis] if len(axis) > 1 else [(), axis] for axis in axes
    ]
    cells = [tuple(sorted({*sum(cell, ()), *within})) for cell in product(*choices)]
    counts = cache.need(cells)
    rows = np.array([sum(counts[cell]) for cell in cells]).reshape([len(choice) for choice in choices])
    for position, axis in enumerate(axes):
        if len(axis) == 1:
            # From "whether or not, has it" to "has it not, has it".
            everybody, having = np.moveaxis(rows, position, 0)
            rows = np.stack([everybody - having, having], axis=position)
    return bool(((rows == 0) | (rows >= least)).all())
