"""Itemsets cut along the coins: the open part, and one part per protected block."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.survey.design import Design

__all__ = ["MOST_REMEMBERED", "Cut", "Cutter", "cutter_of", "remember"]

MOST_REMEMBERED: Final = 50_000
"""Itemsets, and pairs of them, that a cutter remembers before it forgets them all."""


@dataclass(frozen=True, kw_only=True)
class Cut:
    """An itemset, taken apart.

    Parameters
    ----------
    open : Columns
        Items that are reported as they are: of open blocks, and of study blocks with p = 1.
    blocks : tuple of int
        The touched blocks that are disguised, ascending.
    items : tuple of Columns
        The itemset's items in each of them.
    asked : Columns
        Asked columns of its questions that a row may lack.
    """

    open: Columns
    blocks: tuple[int, ...]
    items: tuple[Columns, ...]
    asked: Columns


class Cutter:
    """What reconstruction needs to know of a design, laid out by item.

    Parameters
    ----------
    design : Design
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self.n_items = len(design.items)
        self.questions = tuple(item.question for item in design.items)
        self.blocks = tuple(item.block for item in design.items)
        self.truth = tuple(float(block.truth) for block in design.blocks)
        self.open = tuple(not block.protected or block.truth_probability == SCALE for block in design.blocks)
        self._single = tuple(question.is_exclusive for question in design.questions)
        self._asked = tuple(
            design.asked_column(number) if design.can_be_missing(number) else None
            for number in range(len(design.questions))
        )
        self._asked_with = {
            design.answered_column(number): range(
                design.asked_column(first), design.asked_column(first) + len(block.questions)
            )
            for number, (block, first) in enumerate(zip(design.blocks, design.first_questions, strict=True))
            if block.protected
        }
        self._answering = tuple(1 - (block.refusal or 0) / SCALE for block in design.blocks)
        self._shares = tuple(
            float(share)
            for question in design.questions
            for share in question.decoy_shares or (1,) * question.n_items
        )
        self._cuts: dict[Columns, Cut] = {}
        # What `cells` works out of pairs: the same pairs are measured, tested and selected.
        self.laid: dict[Any, Any] = {}
        # And the parts of itemsets in their blocks.
        self.axes: dict[Columns, Any] = {}

    def cut(self, itemset: Iterable[int]) -> Cut:
        """Take an itemset apart; refuse what is no itemset.

        Raises
        ------
        PrivacyError
            ``item`` (no such item), ``itemset`` (an item twice), ``excluded_options`` (two options of
            one single-choice question).
        """
        items = tuple(itemset)
        known = self._cuts.get(items)
        if known is None:
            known = self._cut(items)
            remember(self._cuts, items, known)
        return known

    def _cut(self, items: Columns) -> Cut:
        ordered = self.check(items)
        clash = self.excluded(ordered)
        if clash is not None:
            keys = " and ".join(repr(self.design.items[item].key) for item in clash)
            raise PrivacyError("excluded_options", ordered, keys=keys)
        touched: dict[int, list[int]] = {}
        kept: list[int] = []
        for item in ordered:
            block = self.blocks[item]
            (kept if self.open[block] else touched.setdefault(block, [])).append(item)
        return Cut(
            open=tuple(kept),
            blocks=tuple(touched),
            items=tuple(tuple(part) for part in touched.values()),
            asked=self.asked(ordered),
        )

    def check(self, items: Iterable[int]) -> Columns:
        """Return the items in ascending order; refuse unknown ones and doubles."""
        given = tuple(
            validation.whole_number(item, "item", low=0, high=self.n_items - 1, code="item") for item in items
        )
        ordered = tuple(sorted(given))
        if len(set(ordered)) < len(ordered):
            raise PrivacyError("itemset.twice", given)
        return ordered

    def excluded(self, items: Iterable[int]) -> tuple[int, int] | None:
        """Return two options of one single-choice question, if the items hold such a pair."""
        first: dict[int, int] = {}
        for item in items:
            question = self.questions[item]
            if self._single[question] and first.setdefault(question, item) != item:
                return first[question], item
        return None

    def asked(self, items: Iterable[int]) -> Columns:
        """Return the asked columns of the items' questions that a row may lack."""
        columns = {self._asked[self.questions[item]] for item in items}
        return tuple(sorted(column for column in columns if column is not None))

    def within(self, given: Columns | None, asked: Columns) -> Columns:
        """Return the columns that name the rows to use: `given`, which must hold `asked`, or `asked`.

        Raises
        ------
        PrivacyError
            ``within``: it leaves out an asked column, or holds a column that is disguised.
        """
        if given is None:
            return asked
        missing = set(asked) - set(given)
        if missing:
            raise PrivacyError("within.questions", given, missing=tuple(sorted(missing)))
        for column in given:
            open_item = 0 <= column < self.n_items and self.open[self.blocks[column]]
            question = column - self.n_items
            if not open_item and not 0 <= question < len(self.design.questions):
                raise PrivacyError("within.column", column)
        return tuple(sorted(set(given)))

    def key(self, parts: Iterable[Columns]) -> Columns:
        """Return the union of columns, without "asked" where an item or "answered" implies it."""
        columns = set().union(*parts)
        implied = {self.n_items + self.questions[column] for column in columns if column < self.n_items}
        for column in columns:
            if column in self._asked_with:
                implied.update(self._asked_with[column])
        return tuple(sorted(columns - implied))

    def decoy(self, block: int, items: Iterable[int]) -> float:
        """Return the chance q that a decoy of a block has all of the items."""
        return self._answering[block] * math.prod(self._shares[item] for item in items)


def remember(known: dict[Any, Any], key: Any, value: Any) -> None:
    """Keep a value, in place of everything known where that has become too much."""
    if len(known) >= MOST_REMEMBERED:
        known.clear()
    known[key] = value


@lru_cache(maxsize=4)
def cutter_of(design: Design) -> Cutter:
    """Return the cutter of a design; it remembers what it cut."""
    return Cutter(design)
