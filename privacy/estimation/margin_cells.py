"""Cells that the margins of open questions divide rows into: their counts and estimates.

Known shares of the answers to an open question, in the population that a survey is about.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK, index_of
from privacy.estimation.estimates import Estimate, asked_columns, estimate
from privacy.estimation.intervals import support_intervals
from privacy.estimation.measures import Measured
from privacy.estimation.required_counts import required_counts
from privacy.policy import MARGIN_ROUNDING
from privacy.survey.design import Design

__all__ = ["JOIN", "MOST_CELLS", "Category", "Cells", "Margin", "margin_of"]


JOIN: Final = "|"
"""Between options that a margin takes together; no key holds it."""


@dataclass(frozen=True, kw_only=True)
class Category:
    """Answers to one question that a margin takes together.

    Parameters
    ----------
    label : str
        Keys of the options, joined by "|".
    parts : tuple of (int, Columns)
        Their rows are those with the columns, added and subtracted by the signs.
    share : float
        In the population.
    """

    label: str
    parts: tuple[tuple[int, Columns], ...]
    share: float


@dataclass(frozen=True, kw_only=True)
class Margin:
    """The known shares of the answers to one open question; see `margin_of`."""

    key: str
    question: int
    categories: tuple[Category, ...]


def margin_of(question: str, shares: Mapping[str, float], design: Design) -> Margin:
    """Return the margin of an open question.

    Parameters
    ----------
    question : str
        Key of an open question with one answer.
    shares : mapping of str to float
        Population share by option, each option once; "yes" and "no" of a yes/no question. Options joined by
        "|" are taken together. A share of 0 leaves people out who do not belong to the population.
    design : Design

    Raises
    ------
    PrivacyError
        ``margin_question`` (unknown, protected, or with several answers), ``margin_option`` (unknown, named
        twice or not at all), ``shares`` (none from 0 to 1, or not adding up to 1).

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="you", protected=False,
    ...     truth_probability=10_000, refusal=None, asked_if=None, questions=(Question(key="age",
    ...     kind="single", options=("young", "middle", "old"), unrelated=()),)),))
    >>> margin = margin_of("age", {"young": 0.3, "middle|old": 0.7}, design)
    >>> [(category.label, category.parts, category.share) for category in margin.categories]
    [('young', ((1, (0,)),), 0.3), ('middle|old', ((1, (1,)), (1, (2,))), 0.7)]
    """
    number = _open_question(question, design)
    parts = _parts(number, design)
    values = [_share(question, label, share) for label, share in shares.items()]
    keys: list[str] = []
    for label in shares:
        for option in label.split(JOIN):
            if option not in parts:
                raise PrivacyError("margin_option.unknown", option, question=question, parts=", ".join(parts))
            if option in keys:
                raise PrivacyError("margin_option.twice", option, question=question)
            keys.append(option)
    left = [option for option in parts if option not in keys]
    if left:
        raise PrivacyError("margin_option.missing", left[0], question=question)
    total = math.fsum(values)
    if abs(total - 1) > MARGIN_ROUNDING:
        raise PrivacyError("shares", total, question=question)
    categories = tuple(
        Category(
            label=label,
            parts=tuple(part for option in label.split(JOIN) for part in parts[option]),
            share=value / total,
        )
        for label, value in zip(shares, values, strict=True)
    )
    return Margin(key=question, question=number, categories=categories)


def _open_question(key: str, design: Design) -> int:
    number = next(
        (position for position, question in enumerate(design.questions) if question.key == key), None
    )
    open_ones = [
        question.key
        for block in design.blocks
        for question in block.questions
        if not block.protected and question.kind in ("yes_no", "single")
    ]
    if number is None or key not in open_ones:
        known = ", ".join(open_ones) or "none in this design"
        what = "unknown" if number is None else "protected, or has several answers"
        raise PrivacyError("margin_question", key, what=what, known=known)
    return number


def _parts(number: int, design: Design) -> dict[str, tuple[tuple[int, Columns], ...]]:
    items = [item.index for item in design.items if item.question == number]
    options = design.questions[number].options
    if options:
        return {option: ((1, (item,)),) for option, item in zip(options, items, strict=True)}
    yes = (items[0],)
    return {"yes": ((1, yes),), "no": ((1, (design.asked_column(number),)), (-1, yes))}


def _share(question: str, label: str, share: object) -> float:
    return validation.real_number(
        share, f"population share of {question}={label}", low=0, high=1, code="shares"
    )


Table: TypeAlias = dict[Columns, Whole]

MOST_CELLS: Final = 500
"""Most cells that margins together may cut the rows into."""


class Cells:
    """The rows that an itemset and margins use: those asked all of it who answered the margins' questions.

    Where devices draw some of the itemset's questions, and the counts allow it, rows that were asked a part
    of it count too: what is drawn depends on no answer, so each cell is a survey of its own.

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
        self.within: Columns = tuple(sorted({*asked_columns(itemset, design), *needed}))

    @cached_property
    def keys(self) -> tuple[Columns, ...]:
        """Sets of columns whose counts an estimate in a cell needs."""
        return required_counts([self.itemset], self.design, within=self.within)

    @cached_property
    def keys_of_all_rows(self) -> tuple[Columns, ...]:
        """Counts that an estimate in a cell from all rows needs; none where the itemset is asked of all."""
        if not self._index.is_drawn[list(self.itemset)].any():
            return ()
        return required_counts([self.itemset], self.design)

    @cached_property
    def terms(self) -> tuple[Columns, ...]:
        """Sets of columns whose counts are needed."""
        keys = tuple(dict.fromkeys([*self.keys, *self.keys_of_all_rows]))
        parts = (columns for cell in self for _key, _sign, columns in self._parts(cell, keys))
        return tuple(dict.fromkeys([*keys, *parts]))

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

    def _within(self, cell: Sequence[Category], keys: Sequence[Columns], counts: SupportCounts) -> Table:
        table = {key: np.zeros(2, dtype=np.int64) for key in keys}
        for key, sign, columns in self._parts(cell, keys):
            table[key] += sign * np.array(counts[columns])
        return table

    def estimates(self, counts: SupportCounts) -> tuple[list[Estimate | None], Estimate]:
        """Estimate the support in each cell, None where it holds no row, and in all of them together."""
        return self._of_all_rows(counts) or self._of_complete_rows(counts)

    def interval(self, counts: SupportCounts, *, all_rows: bool) -> Measured:
        """Return the support in all cells together with its interval."""
        if not all_rows:
            return support_intervals(counts, [self.itemset], self.design, within=self.within)[0]
        keys = self.keys_of_all_rows
        together = {key: np.zeros(2, dtype=np.int64) for key in keys}
        for cell in self:
            for key, number in self._within(cell, keys, counts).items():
                together[key] += number
        return support_intervals(_counted(together, all_rows=True), [self.itemset], self.design)[0]

    def _of_complete_rows(self, counts: SupportCounts) -> tuple[list[Estimate | None], Estimate]:
        rows = self._index.key([self.within])
        estimates: list[Estimate | None] = []
        for cell in self:
            inside = self._within(cell, self.keys, counts)
            estimates.append(
                estimate(_counted(inside), self.itemset, self.design, within=self.within)
                if inside[rows].sum()
                else None
            )
        return estimates, estimate(counts, self.itemset, self.design, within=self.within)

    def _of_all_rows(self, counts: SupportCounts) -> tuple[list[Estimate | None], Estimate] | None:
        """Do so from all rows; None where a cell has rows of a group, but none that was asked everything."""
        keys = self.keys_of_all_rows
        if not counts.all_rows or not keys:
            return None
        base = self._index.base[list(self.itemset)]
        own = tuple({int(column) for column in base} - {BLANK})
        reach = [(sign, self._index.key([own, columns])) for sign, columns in self._index.reach(self.itemset)]
        complete = self._index.key([asked_columns(self.itemset, self.design)])
        together = {key: np.zeros(2, dtype=np.int64) for key in keys}
        estimates: list[Estimate | None] = []
        for cell in self:
            inside = self._within(cell, keys, counts)
            for key, number in inside.items():
                together[key] += number
            if not sum(sign * inside[rows].sum() for sign, rows in reach):
                estimates.append(None)
                continue
            if not inside[complete].sum():
                return None
            estimates.append(estimate(_counted(inside, all_rows=True), self.itemset, self.design))
        if not all(cell is None or cell.all_rows for cell in estimates):
            return None
        return estimates, estimate(_counted(together, all_rows=True), self.itemset, self.design)


def _counted(table: Table, *, all_rows: bool = False) -> SupportCounts:
    counts = {key: (int(direct), int(protected)) for key, (direct, protected) in table.items()}
    return SupportCounts(counts, all_rows=all_rows)
