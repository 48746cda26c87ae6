"""Counted rows of a survey, as the audit after launch takes them: distinct rows, never one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.survey.question import Question

__all__ = ["Observed", "ObservedBlock", "OpenCells", "by_question"]

Bits: TypeAlias = NDArray[np.uint8]


def by_question(columns: NDArray[Any], questions: Sequence[Question]) -> list[NDArray[Any]]:
    """Divide columns of items among their questions.

    Parameters
    ----------
    columns : ndarray, shape (..., items)
        One column an item, in the order of the questions.
    questions : sequence of Question
        At least one.
    """
    ends = np.cumsum([question.n_items for question in questions])
    return np.split(columns, ends[:-1], axis=-1)


@dataclass(frozen=True, kw_only=True, eq=False)
class OpenCells:
    """Distinct combinations of open answers.

    Parameters
    ----------
    items : uint8 array, shape (cells, open items)
        Which open items a cell has, in design order.
    answered : uint8 array, shape (cells, open questions)
        Which open questions were answered.
    counts : int64 array, shape (cells, 2)
        Rows of the direct group, and of the protected one.
    numbers : int64 array, shape (cells, open numbers), or None
        Bin of each open number, -1 where it was left empty; None where cells are told apart by items alone.
    """

    items: Bits
    answered: Bits
    counts: Whole
    numbers: Whole | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class ObservedBlock:
    """What one group sent in one protected block, under its strength.

    Parameters
    ----------
    rows : uint8 array, shape (distinct, items of the block)
        Distinct whole answers.
    cell, row, count : int64 array, shape (entries,)
        How many of its rows of each cell of open answers show each row; ``row == len(rows)`` stands for
        "skipped". A respondent who was not asked is in no entry.
    is_asked : uint8 array, shape (distinct, questions of the block), or None
        Of a rotating block, which questions each row was asked; rows differ if their questions do.
    """

    rows: Bits
    cell: Whole
    row: Whole
    count: Whole
    is_asked: Bits | None = None

    def __post_init__(self) -> None:
        if not len(self.cell) == len(self.row) == len(self.count):
            raise PrivacyError("shape.observed", len(self.cell), rows=len(self.row), counts=len(self.count))

    def counts(self, cell: int | None = None) -> Whole:
        """Return how often each distinct row was sent, "skipped" last; in one cell, or altogether."""
        here = slice(None) if cell is None else self.cell == cell
        return np.bincount(self.row[here], weights=self.count[here], minlength=len(self.rows) + 1).astype(
            np.int64
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Observed:
    """All rows of one design, counted.

    Parameters
    ----------
    n_direct, n_protected : int
    open : OpenCells
    blocks : dict of str to ObservedBlock
        What the protected group sent, by key, one for every protected block but numbers and places.
    light : dict of str to ObservedBlock
        What the direct group sent, likewise, where it is disguised too; empty else.
    own : int or None
        Of a design that rotates, rows with a combination of their own: of the questions that were asked and
        the open answers, which no other row has.
    by_number : OpenCells or None
        Of a design with open numbers, the cells of `open` told apart by these numbers too.
    """

    n_direct: int
    n_protected: int
    open: OpenCells
    blocks: dict[str, ObservedBlock]
    light: dict[str, ObservedBlock] = field(default_factory=dict)
    own: int | None = None
    by_number: OpenCells | None = None
