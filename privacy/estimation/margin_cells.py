"""The cells that the margins of open questions cut rows into, and what is counted in each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import Estimate, asked, estimate
from privacy.estimation.margins import JOIN, Category, Margin
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Design

__all__ = ["MOST_CELLS", "Cells"]

MOST_CELLS: Final = 500
"""Most cells that margins together may cut the rows into."""


class Cells:
    """The rows that an itemset and margins use: those asked all of it who answered the margins' questions.

    Parameters
    ----------
    itemset : Columns
    margins : sequence of Margin
        At least one, each question once.
    design : Design

    Raises
    ------
    PrivacyError
        ``margins``, ``too_many_cells``.
    """

    def __init__(self, itemset: Columns, margins: Sequence[Margin], design: Design) -> None:
        self.itemset, self.margins, self.design = itemset, margins, design
        self._index = index_of(design)
        questions = [margin.question for margin in margins]
        if not margins or len(set(questions)) < len(questions):
            raise PrivacyError("margins.number", len(margins))
        self.shape = tuple(len(margin.categories) for margin in margins)
        if math.prod(self.shape) > MOST_CELLS:
            raise PrivacyError("too_many_cells", math.prod(self.shape), join=JOIN, most=MOST_CELLS)
        # Rows that miss an answer to a weighting question belong to no cell.
        needed = {design.asked_column(number) for number in questions if design.can_be_missing(number)}
        self.within: Columns = tuple(sorted({*asked(itemset, design), *needed}))

    @cached_property
    def keys(self) -> tuple[Columns, ...]:
        """Sets of columns whose counts an estimate in a cell needs."""
        return required_counts([self.itemset], self.design, within=self.within)

    @cached_property
    def terms(self) -> tuple[Columns, ...]:
        """Sets of columns whose counts everything here needs."""
        parts = (columns for cell in self for _key, _sign, columns in self._parts(cell, self.keys))
        return tuple(dict.fromkeys([*self.keys, *parts]))

    def __iter__(self) -> Iterator[tuple[Category, ...]]:
        return product(*(margin.categories for margin in self.margins))

    def _parts(
        self, cell: Sequence[Category], keys: Iterable[Columns]
    ) -> Iterator[tuple[Columns, int, Columns]]:
        """Yield, for each key, signs and the columns whose counts add up to it within the cell."""
        for key in keys:
            for parts in product(*(category.parts for category in cell)):
                columns = [columns for _sign, columns in parts]
                items = {
                    column for some in (key, *columns) for column in some if column < len(self.design.items)
                }
                if self._index.excluded(items) is None:
                    yield key, math.prod(sign for sign, _ in parts), self._index.key([key, *columns])

    def _within(
        self, cell: Sequence[Category], keys: Sequence[Columns], counts: SupportCounts
    ) -> SupportCounts:
        table = {key: np.zeros(2, dtype=np.int64) for key in keys}
        for key, sign, columns in self._parts(cell, keys):
            table[key] += sign * np.array(counts[columns])
        return SupportCounts({key: (int(found[0]), int(found[1])) for key, found in table.items()})

    def estimates(self, counts: SupportCounts) -> Iterator[Estimate | None]:
        """Estimate the support in each cell; None where it holds no row."""
        rows = self._index.key([self.within])
        for cell in self:
            inside = self._within(cell, self.keys, counts)
            if sum(inside[rows]):
                yield estimate(inside, self.itemset, self.design, within=self.within)
            else:
                yield None
