"""Index of a design by item and by block, and itemsets split by block."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import EVERYBODY, Columns, Drawing, Reach, both, reach_of
from privacy.survey.block import Block
from privacy.survey.design import Design

BLANK: Final = -1
"""Pads requests that name fewer columns than the widest one."""

MOST_CROSSED: Final = 512
"""Limit on sets of open answers that determine who could be asked several parts."""


class DesignIndex:
    """Lookup tables of a design for estimation, by item, by question and by block.

    Parameters
    ----------
    design : Design

    Attributes
    ----------
    question, block : int array, by item
    is_open : bool array, by item
        Whether the item is reported undisguised: in an open block, or one with p = 1.
    unrelated : float array, by item
        Probability of the item under its question's unrelated distribution.
    asked_column : int array, by item
        Asked column of the item's question; `BLANK` if every row has an answer to it.
    is_drawn : bool array, by item
        Whether only some devices draw the item's question or its block.
    unit : int array, by item
        The same for items of one block that a device is always asked together.
    base : int array, by item
        Column of the rows that could draw the item's question; `BLANK` for all rows.
    led : int array, by item
        Block whose reachable rows are given by several sets of columns, see `reach`; `BLANK` otherwise.
    has_base : bool array, by item
        False if there would be too many such sets: see `privacy.estimation.counts.reach_of`.
    truth : float array, shape (2, blocks)
        p of the direct and of the protected group.
    without_disguise : (bool, bool)
        Whether the direct group, and the protected group, sends every answer undisguised.
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
        self._lay_out_drawing(rotating)
        self.truth = np.array(
            [[float(block.truth_in(direct=direct)) for block in blocks] for direct in (True, False)]
        )
        self.without_disguise = tuple(
            all(_is_sent_as_is(block, direct=direct) for block in blocks) for direct in (True, False)
        )
        self.answering = np.array([1 - (block.refusal or 0) / SCALE for block in blocks])

    def _lay_out_drawing(self, rotating: Flags) -> None:
        """Index the questions that devices draw, and which rows could draw them; `rotating` is by block."""
        design = self.design
        in_turn = {key for rotation in design.rotations for key in rotation.blocks}
        has_draw = rotating | _flags(block.key in in_turn for block in design.blocks)
        # In a rotating block without skips, outside rotations of blocks, the row itself shows what it drew.
        tells = _flags(
            block.is_rotating and block.refusal is None and block.key not in in_turn
            for block in design.blocks
        )
        self._reach = _reaches(design, has_draw & ~tells)
        asked_columns = [
            design.asked_column(item.question) if design.can_be_missing(item.question) else BLANK
            for item in design.items
        ]
        leads = [
            design.answered_column(number) if block.asked_if is not None and tells[number] else _alone(reach)
            for number, (block, reach) in enumerate(zip(design.blocks, self._reach, strict=True))
        ]
        led = [
            BLANK if reach in (None, EVERYBODY) or _alone(reach) != BLANK else number
            for number, reach in enumerate(self._reach)
        ]
        self.asked_column: Whole = np.array(asked_columns, dtype=np.int64)
        self.is_drawn: Flags = has_draw[self.block]
        self.has_base: Flags = _flags(reach is not None for reach in self._reach)[self.block]
        self.led: Whole = np.array(led, dtype=np.int64)[self.block]
        self.base: Whole = np.where(
            self.is_drawn, np.array(leads, dtype=np.int64)[self.block], self.asked_column
        )

    def reach(self, items: Iterable[int]) -> Reach:
        """Return the rows that could draw all of some items, if several sets of columns determine them.

        No one has two options of one single choice: parts reached by different options share no rows.
        """
        blocks = {int(self.led[item]) for item in items} - {BLANK}
        signs: dict[Columns, int] = {}
        for sign, columns in both([self._reach[block] or EVERYBODY for block in sorted(blocks)]):
            if self.excluded_pair(column for column in columns if column < self.n_items) is None:
                key = self.key([columns])
                signs[key] = signs.get(key, 0) + sign
        return tuple((sign, columns) for columns, sign in signs.items() if sign)

    @cached_property
    def _asked_with(self) -> dict[int, range]:
        """Asked columns that an answered column implies: all of its part if the part does not rotate."""
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
        """Which questions one device can be asked together."""
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
        """Refuse items of questions that no device is asked together."""
        self.refuse_unreachable_questions({int(self.question[item]) for item in items})

    def refuse_unreachable_questions(self, questions: Collection[int]) -> None:
        """Refuse questions that no device draws together."""
        numbers = sorted(questions)
        if not self.drawing.together(np.array([numbers], dtype=np.int64))[0]:
            keys = ", ".join(repr(self.design.questions[number].key) for number in numbers)
            raise PrivacyError("never_together", tuple(numbers), keys=keys)

    def reachable(self, itemsets: Whole) -> Flags:
        """Flag itemsets, shape (R, size), of which one device can be asked everything."""
        return self.drawing.together(self.question[itemsets])

    def excluded_pair(self, items: Iterable[int]) -> tuple[int, int] | None:
        """Return two options of one single-choice question, if the items contain such a pair."""
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
            ``within``: it lacks an asked column, or contains a disguised column.
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
        """Return the union of columns, without "asked" where an item or "answered" implies it."""
        columns = set().union(*parts)
        redundant = {self.n_items + int(self.question[column]) for column in columns if column < self.n_items}
        for column in columns:
            redundant.update(self._asked_with.get(column, ()))
        return tuple(sorted(columns - redundant))

    def keys(self, requests: Whole) -> Whole:
        """Normalise many requests as `key` does: each column once, ascending, blanks first; no answered
        column."""
        columns = np.sort(requests, axis=1)
        redundant = np.zeros(columns.shape, dtype=np.bool_)
        np.equal(columns[:, 1:], columns[:, :-1], out=redundant[:, 1:])
        if (columns >= self.n_items).any():
            is_item = (columns >= 0) & (columns < self.n_items)
            asked_at = np.where(is_item, self.n_items + self.question[np.where(is_item, columns, 0)], BLANK)
            # Column by column: reducing rows of three cells one by one is slower.
            for own in asked_at.T:
                redundant |= columns == own[:, None]
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
    """Return the rows that could draw each of some blocks, all rows for other blocks; None for too many sets.

    Draws are made before any answer, for every device. Among the rows whose open answers lead to a block,
    those that were asked it are therefore a random sample, whatever is skipped and whichever blocks rotate.
    """
    reaches = [reach_of(design, number) if own else EVERYBODY for number, own in enumerate(of)]
    several = {number: len(reach) for number, reach in enumerate(reaches) if reach and len(reach) > 1}
    sets = 1
    for number in sorted(several, key=several.__getitem__):
        # An itemset can involve all of them, which multiplies their numbers of sets.
        sets *= several[number]
        if sets > MOST_CROSSED:
            reaches[number] = None
    return reaches


def _alone(reach: Reach | None) -> int:
    """Return the one column that determines a reach; `BLANK` if none does, or several do."""
    if reach is None or len(reach) > 1 or len(reach[0][1]) != 1:
        return BLANK
    return reach[0][1][0]


def _is_sent_as_is(block: Block, *, direct: bool) -> bool:
    mine = block.in_group(direct=direct)
    return mine is None or mine.truth == 1


@lru_cache(maxsize=4)
def index_of(design: Design) -> DesignIndex:
    """Return the cached index of a design.

    Parameters
    ----------
    design : Design
        Compared by its contents.
    """
    return DesignIndex(design)


MOST_DRAWN: Final = 6
"""Limit on separately drawn parts of an itemset (3 to this power cells). Beyond it, only complete rows
count."""


def off_centres(scores: Mapping[int, Array], centres: Array) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return c_A and the weight of each set A of axes, the product of the centres of all axes not in it.

    Parameters
    ----------
    scores : dict of int to float array
        For every set of axes, the set as bits; arrays of a smaller set broadcast to a larger one.
    centres : float array, shape (axes, ...)

    Examples
    --------
    >>> off, weights = off_centres({0: np.ones(2), 1: np.array([-0.5, 1.5])}, np.array([0.4]))
    >>> off[1].round(9).tolist(), float(weights[0]), float(weights[1])
    ([-0.9, 1.1], 0.4, 1.0)
    """
    off = dict(scores)
    weights = {subset: np.ones(centres.shape[1:]) for subset in off}
    for axis, mu in enumerate(centres):
        bit = 1 << axis
        for subset in off:
            if subset & bit:
                off[subset] = off[subset] - mu * off[subset ^ bit]
            else:
                weights[subset] = weights[subset] * mu
    return off, weights


def contribution(off: Array, rows: Array | Whole, weight: Array, n: Whole) -> tuple[Array, Array]:
    """Return the contribution of one set of axes to the support, and to h of the rows that were asked it.

    Parameters
    ----------
    off : float array, shape (..., R)
        c_A of `R` events by the rows' reports.
    rows : array, shape (..., R)
        Rows that were asked the set, by their reports.
    weight : float array, shape (R,)
    n : array, shape (R,)
        Number of all rows, regardless of the questions asked.

    Examples
    --------
    Two of four rows were asked, and one of them says yes:

    >>> off, rows = np.array([[-0.9], [1.1]]), np.array([[1], [1]])
    >>> support, more = contribution(off, rows, weight=np.ones(1), n=np.array([4]))
    >>> support.round(9).tolist(), more.round(9).tolist()
    ([0.1], [[-2.0], [2.0]])
    """
    own = tuple(range(off.ndim - 1))
    n_asked = rows.sum(axis=own)
    mean = (rows * off).sum(axis=own) / n_asked
    return weight * mean, (off - mean) * (weight * n / n_asked)
