"""Weights of rows to known margins, by cell of the margins and by pattern of answers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.estimation.composed_parts import Side
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.margin_cells import raked_shares
from privacy.estimation.margins import JOIN, Category, Margin
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.runs.releasable_rows import ReleasableRows

Combination: TypeAlias = dict[Columns, int]
"""Rows with some property, as a signed sum of counts of rows that have all of some columns."""


def all_of(parts: Sequence[Combination]) -> Combination:
    """Return the rows that have all of these properties.

    >>> all_of([{(): 1, (2,): -1}, {(5,): 1}])  # without 2, with 5
    {(5,): 1, (2, 5): -1}
    """
    rows: Combination = {(): 1}
    for part in parts:
        result: Combination = {}
        for (columns_of_row, times), (columns_of_part, part_times) in itertools.product(
            rows.items(), part.items()
        ):
            columns = tuple(sorted({*columns_of_row, *columns_of_part}))
            result[columns] = result.get(columns, 0) + times * part_times
        rows = result
    return rows


def category_rows(category: Category) -> Combination:
    """Return the rows of a category of a margin."""
    rows: Combination = {}
    for sign, columns in category.parts:
        rows[columns] = rows.get(columns, 0) + sign
    return rows


_MOST_PATTERNS: Final = 1 << 14
"""Most patterns of answers to the questions of the margins."""


def items_with(margins: Sequence[Margin], by: Side, outcome: Side, design: Design) -> Columns:
    """Return the items of both sides and of the margins' questions."""
    questions = {margin.question for margin in margins}
    beside = {item.index for item in design.items if item.question in questions}
    return tuple(sorted({*by.all_items, *outcome.all_items, *beside}))


def pattern_weights(
    rows: ReleasableRows, base: Iterable[int], margins: Sequence[Margin]
) -> tuple[Columns, Array]:
    """Return the open items that decide a row's weight, and the weight of each pattern of these items.

    Parameters
    ----------
    rows : ReleasableRows
    base : iterable of int
        Columns of the questions that the counted rows were asked, besides those of the margins.
    margins : sequence of Margin

    Raises
    ------
    SurveyError
        ``small_cell``: too few rows in a cell of the margins; ``regression.cells``: too many patterns.
    """
    design = rows.design
    items = items_with(margins, Side(), Side(), design)
    if 1 << len(items) > _MOST_PATTERNS:
        raise SurveyError("regression.cells", 1 << len(items), cells=1 << len(items), most=_MOST_PATTERNS)
    weights = cell_weights(rows, cell_sizes(rows, base, margins), margins)
    patterns = np.arange(1 << len(items))
    having = {item: (patterns >> position & 1) == 1 for position, item in enumerate(items)}
    of_patterns = np.zeros(len(patterns))
    for cell, weight in zip(
        itertools.product(*(margin.categories for margin in margins)), weights.ravel(), strict=True
    ):
        share = math.prod(
            (
                sum(
                    sign
                    * np.logical_and.reduce(
                        [having[column] for column in columns if column in having], initial=True
                    )
                    for sign, columns in category.parts
                )
                for category in cell
            ),
            start=np.ones(len(patterns)),
        )
        of_patterns += weight * share
    return items, of_patterns


def cell_weights(rows: ReleasableRows, sizes: Array | Whole, margins: Sequence[Margin]) -> Array:
    """Return the weight W_h n / n_h of a row in each cell h of the margins, with one axis for each margin.

    Parameters
    ----------
    rows : ReleasableRows
    sizes : ndarray, shape (cells, 2)
        Rows of each cell, direct and protected.
    margins : sequence of Margin

    Raises
    ------
    SurveyError
        ``small_cell``: a cell of the margins has too few rows for a result of its own.
    """
    if not large_cells(rows, sizes):
        raise SurveyError("small_cell", least=rows.disclosure.least_protected, join=JOIN)
    people = sizes.sum(axis=1).reshape([len(margin.categories) for margin in margins]).astype(np.float64)
    shares = raked_shares(people, margins)
    weights: Array = np.divide(shares * people.sum(), people, out=np.zeros_like(people), where=people > 0)
    return weights


def cell_sizes(rows: ReleasableRows, base: Iterable[int], margins: Sequence[Margin]) -> Whole:
    """Count the rows with the columns `base` in each cell of the margins: direct, protected."""
    design, cache = rows.design, rows.count_cache
    within = {*base, *index_of(design).asked_of(items_with(margins, Side(), Side(), design))}
    cells = [
        all_of([{tuple(sorted(within)): 1}, *(category_rows(category) for category in cell)])
        for cell in itertools.product(*(margin.categories for margin in margins))
    ]
    counts = cache.need({columns for cell in cells for columns in cell})
    return np.array(
        [
            np.sum([sign * np.array(counts[columns]) for columns, sign in cell.items()], axis=0)
            for cell in cells
        ]
    )


def large_cells(rows: ReleasableRows, sizes: Array | Whole) -> bool:
    """Whether each cell is empty or has enough disguised rows for a result of its own."""
    return bool(((sizes.sum(axis=1) == 0) | rows.is_enough(sizes[:, 0], sizes[:, 1])).all())
