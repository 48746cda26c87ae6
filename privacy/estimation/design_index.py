"""Index of a design by item, question and block, with checks of itemsets."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Flags, Whole
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.drawing import Drawing
from privacy.estimation.reach import EVERYBODY, Reach, both, reach_of
from privacy.survey.block import Block
from privacy.survey.design import Design

BLANK: Final = -1
"""Pads requests that have fewer columns than the widest request."""

MOST_CROSSED: Final = 512
"""Largest number of sets of columns that determine who could be asked several blocks."""


class DesignIndex:
    """Lookup tables of a design for estimation, by item, by question and by block.

    Parameters
    ----------
    design : Design

    Attributes
    ----------
    question, block : int array, by item
    is_open : bool array, by item
        Whether the item is reported undisguised, because its block is open or has p = 1.
    unrelated : float array, by item
        Probability of the item under its question's unrelated distribution.
    asked_column : int array, by item
        Asked column of the item's question; `BLANK` if every row has an answer to it.
    is_drawn : bool array, by item
        Whether only some devices draw the item's question or its block.
    unit : int array, by item
        Equal for items of one block that a device always asks together.
    base : int array, by item
        Column of the rows that could draw the item's question; `BLANK` for all rows.
    reach_block : int array, by item
        The item's block, if several sets of columns determine which rows could be asked it (see `reach`);
        otherwise `BLANK`.
    has_base : bool array, by item
        False if there are too many such sets, see `privacy.estimation.reach.reach_of`.
    truth : float array, shape (2, blocks)
        p of the direct and of the protected group.
    without_disguise : (bool, bool)
        Whether the direct group sends every answer undisguised, and whether the protected group does.
    answering : float array, by block
        Probability that a decoy is not skipped.
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self.n_items = len(design.items)
        blocks, items = design.blocks, design.items
        self.question: Whole = np.array([item.question for item in items], dtype=np.int64)
        self.block: Whole = np.array([item.block for item in items], dtype=np.int64)
        questions = [design.questions[item.question] for item in items]
        self.exclusive = np.array([question.is_exclusive for question in questions], dtype=np.bool_)
        self.unrelated = np.array(
            [
                float(share)
                for question in design.questions
                for share in question.decoy_shares or (1,) * question.n_items
            ]
        )
        true = _flags(block.truth_probability == SCALE for block in blocks)
        is_protected = _flags(block.protected for block in blocks)
        self.is_open: Flags = (~is_protected | true)[self.block]
        rotating = _flags(block.is_rotating for block in blocks)
        self.unit: Whole = np.where(rotating[self.block], self.question, len(design.questions) + self.block)
        self._index_draws(rotating)
        self.truth = np.array(
            [[float(block.truth_in(direct=direct)) for block in blocks] for direct in (True, False)]
        )
        self.without_disguise = tuple(
            all(_is_undisguised(block, direct=direct) for block in blocks) for direct in (True, False)
        )
        self.answering = np.array([1 - (block.refusal or 0) / SCALE for block in blocks])

    def _index_draws(self, rotating: Flags) -> None:
        """Index the questions that devices draw, and which rows could draw them; `rotating` is by block."""
        design = self.design
        in_turn = {key for rotation in design.rotations for key in rotation.blocks}
        has_draw = rotating | _flags(block.key in in_turn for block in design.blocks)
        # Rows of a rotating block show what they drew, unless it can be skipped or a rotation leaves it out.
        shows_draw = _flags(
            block.is_rotating and block.refusal is None and block.key not in in_turn
            for block in design.blocks
        )
        self._reach = _reaches(design, has_draw & ~shows_draw)
        asked_columns = [
            design.asked_column(item.question) if design.can_be_missing(item.question) else BLANK
            for item in design.items
        ]
        leads = [
            design.answered_column(block_number)
            if block.asked_if is not None and shows_draw[block_number]
            else _column(reach)
            for block_number, (block, reach) in enumerate(zip(design.blocks, self._reach, strict=True))
        ]
        reach_block = [
            BLANK if reach in (None, EVERYBODY) or _column(reach) != BLANK else number
            for number, reach in enumerate(self._reach)
        ]
        self.asked_column: Whole = np.array(asked_columns, dtype=np.int64)
        self.is_drawn: Flags = has_draw[self.block]
        self.has_base: Flags = _flags(reach is not None for reach in self._reach)[self.block]
        self.reach_block: Whole = np.array(reach_block, dtype=np.int64)[self.block]
        self.base: Whole = np.where(
            self.is_drawn, np.array(leads, dtype=np.int64)[self.block], self.asked_column
        )

    def reach(self, items: Iterable[int]) -> Reach:
        """Return the rows that could draw all of these items, if several sets of columns determine them.

        Sets with two options of a single choice contain no rows and are dropped.
        """
        blocks = {int(self.reach_block[item]) for item in items} - {BLANK}
        signs: dict[Columns, int] = {}
        for sign, columns in both([self._reach[block] or EVERYBODY for block in sorted(blocks)]):
            if self.excluded_pair(column for column in columns if column < self.n_items) is None:
                key = self.key([columns])
                signs[key] = signs.get(key, 0) + sign
        return tuple((sign, columns) for columns, sign in signs.items() if sign)

    @cached_property
    def _implied_asked(self) -> dict[int, range]:
        """Asked columns that an answered column implies: those of its block, unless the block rotates."""
        design = self.design
        return {
            design.answered_column(number): range(
                design.asked_column(first), design.asked_column(first) + len(block.questions)
            )
            for number, (block, first) in enumerate(zip(design.blocks, design.first_questions, strict=True))
            if block.protected and not block.is_rotating
        }

    @cached_property
    def drawing(self) -> Drawing:
        """The sets of questions that one device can ask."""
        return Drawing(self.design)

    def itemset(self, items: Iterable[int]) -> Columns:
        """Return the items of an itemset in ascending order, or raise if it is invalid.

        Raises
        ------
        PrivacyError
            ``item`` (no such item), ``itemset`` (a repeated item), ``excluded_options`` (two options of one
            single-choice question), ``never_together`` (questions that no device draws together).
        """
        ascending = self.check(items)
        self.refuse_excluded(ascending)
        self.refuse_unreachable(ascending)
        return ascending

    def check(self, items: Iterable[int]) -> Columns:
        """Return the items in ascending order; refuse unknown and repeated ones."""
        numbers = tuple(
            validation.whole_number(item, "item", low=0, high=self.n_items - 1, code="item") for item in items
        )
        ascending = tuple(sorted(numbers))
        if len(set(ascending)) < len(ascending):
            raise PrivacyError("itemset.twice", numbers)
        return ascending

    def refuse_excluded(self, items: Columns) -> None:
        """Refuse two options of one single-choice question."""
        clash = self.excluded_pair(items)
        if clash is not None:
            keys = " and ".join(repr(self.design.items[item].key) for item in clash)
            raise PrivacyError("excluded_options", items, keys=keys)

    def refuse_unreachable(self, items: Columns) -> None:
        """Refuse items of questions that no device asks together."""
        self.refuse_unreachable_questions({int(self.question[item]) for item in items})

    def refuse_unreachable_questions(self, questions: Collection[int]) -> None:
        """Refuse questions that no device draws together."""
        numbers = sorted(questions)
        if not self.drawing.together(np.array([numbers], dtype=np.int64))[0]:
            keys = ", ".join(repr(self.design.questions[number].key) for number in numbers)
            raise PrivacyError("never_together", tuple(numbers), keys=keys)

    def reachable(self, itemsets: Whole) -> Flags:
        """Flag itemsets, shape (R, size), whose questions one device can ask together."""
        return self.drawing.together(self.question[itemsets])

    @cached_property
    def excludes_any(self) -> bool:
        """Whether there is a single-choice question."""
        return bool(self.exclusive.any())

    def excluded_pair(self, items: Iterable[int]) -> tuple[int, int] | None:
        """Return two options of one single-choice question among the items; None if there are none."""
        if not self.excludes_any:
            return None
        first: dict[int, int] = {}
        for item in items:
            if self.exclusive[item] and first.setdefault(int(self.question[item]), item) != item:
                return first[int(self.question[item])], item
        return None

    def excludes(self, items: Whole, others: Whole) -> Flags:
        """Flag pairs of items that are two options of one single-choice question."""
        same = self.question[items] == self.question[others]
        result: Flags = self.exclusive[items] & same & (items != others)
        return result

    def asked_of(self, items: Iterable[int]) -> Columns:
        """Return the asked columns of the items' questions that a row may lack."""
        return tuple(sorted({int(self.asked_column[item]) for item in items} - {BLANK}))

    def within(self, columns: Columns | None, required: Columns) -> Columns:
        """Return the columns that select rows: `columns`, which must contain `required`, or `required`.

        Raises
        ------
        PrivacyError
            ``within``: a required column is missing, or a column is disguised.
        """
        if columns is None:
            return required
        missing = set(required) - set(columns)
        if missing:
            raise PrivacyError("within.questions", columns, missing=tuple(sorted(missing)))
        for column in columns:
            open_item = 0 <= column < self.n_items and self.is_open[column]
            question = column - self.n_items
            if not open_item and not 0 <= question < len(self.design.questions):
                raise PrivacyError("within.column", column)
        return tuple(sorted(set(columns)))

    def key(self, parts: Iterable[Columns]) -> Columns:
        """Return the union of columns, without "asked" columns that an item or "answered" column implies."""
        columns = set().union(*parts)
        redundant = {self.n_items + int(self.question[column]) for column in columns if column < self.n_items}
        for column in columns:
            redundant.update(self._implied_asked.get(column, ()))
        return tuple(sorted(columns - redundant))

    def keys(self, requests: Whole) -> Whole:
        """Normalise many requests as `key` does, with blanks first; "answered" columns are not supported."""
        columns = np.sort(requests, axis=1)
        redundant = np.zeros(columns.shape, dtype=np.bool_)
        np.equal(columns[:, 1:], columns[:, :-1], out=redundant[:, 1:])
        if (columns >= self.n_items).any():
            is_item = (columns >= 0) & (columns < self.n_items)
            asked_at = np.where(is_item, self.n_items + self.question[np.where(is_item, columns, 0)], BLANK)
            # Work column by column, which is faster than reducing many short rows.
            for asked_column in asked_at.T:
                redundant |= columns == asked_column[:, None]
        if redundant.any():
            columns[redundant] = BLANK
            columns.sort(axis=1)
        return columns

    def decoy(self, block: int, items: Iterable[int]) -> float:
        """Return the probability q that a decoy of a block has all of the items."""
        return float(self.answering[block] * self.unrelated[list(items)].prod())


def _flags(values: Iterable[bool]) -> Flags:
    return np.fromiter(values, dtype=np.bool_)


def _reaches(design: Design, of: Flags) -> list[Reach | None]:
    """Return the rows that could draw each flagged block, all rows for others; None for too many sets.

    Every device draws before any answer. So among the rows whose open answers meet a block's condition, the
    rows that were asked the block are a random sample, whatever is skipped and whichever blocks rotate.
    """
    reaches = [reach_of(design, number) if is_needed else EVERYBODY for number, is_needed in enumerate(of)]
    lengths = {number: len(reach) for number, reach in enumerate(reaches) if reach}
    sets = 1
    for number in sorted(lengths, key=lengths.__getitem__):
        # An itemset can involve all of these blocks, which multiplies their numbers of sets.
        sets *= lengths[number]
        if sets > MOST_CROSSED:
            reaches[number] = None
    return reaches


def _column(reach: Reach | None) -> int:
    """Return the column that determines a reach; `BLANK` if there is none, or more than one."""
    if reach is None or len(reach) > 1 or len(reach[0][1]) != 1:
        return BLANK
    return reach[0][1][0]


def _is_undisguised(block: Block, *, direct: bool) -> bool:
    strength = block.in_group(direct=direct)
    return strength is None or strength.truth == 1


@lru_cache(maxsize=4)
def index_of(design: Design) -> DesignIndex:
    """Return the cached index of a design.

    Parameters
    ----------
    design : Design
        Compared by value.
    """
    return DesignIndex(design)


def asked_columns(itemset: Columns, design: Design) -> Columns:
    """Return the columns that select the rows that were asked everything in an itemset.

    These are the "asked" columns of its questions, except questions that every row answers.

    Parameters
    ----------
    itemset : tuple of int
        Items of the design.
    design : Design
        Design of the survey.
    """
    index = index_of(design)
    return index.asked_of(index.itemset(itemset))
