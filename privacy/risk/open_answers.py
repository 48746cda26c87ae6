"""Rows that are unique by their open answers, which act as quasi-identifiers.

With rotation, the questions that a row was asked also distinguish it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from privacy.arrays import Whole
from privacy.risk.unique_records import expected_unique
from privacy.survey.design import Design, Question


@dataclass(frozen=True, kw_only=True)
class OpenAudit:
    """Audit of the open questions of a survey.

    Parameters
    ----------
    questions : tuple of str
        Keys of the open questions.
    combinations : int
        Number of distinct complete answers to all of them.
    expected_unique : float or None
        Expected number of rows, out of n, with unique open answers if all combinations are equally frequent;
        None without n.
    unique, unique_direct : int or None
        Number of unique rows after launch, and of unique direct rows. A unique direct row discloses its
        respondent's true answers; `unique_direct` is 0 if no answers are sent undisguised.
    """

    questions: tuple[str, ...]
    combinations: int
    expected_unique: float | None = None
    unique: int | None = None
    unique_direct: int | None = None


def combinations_of(design: Design) -> int:
    """Return the number of distinct complete answers to all open questions; 1 without open questions.

    Parameters
    ----------
    design : Design
        Design of a survey.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    >>> pets = Question(key="pets", kind="multi", options=("cat", "dog"), unrelated=())
    >>> combinations_of(Design(blocks=(Block(key="you", protected=False, truth_probability=10_000,
    ...     questions=(age, pets)),), group=GroupPolicy(), use="live"))
    12
    """
    return math.prod(block.patterns for block in design.blocks if not block.protected)


def open_questions(design: Design) -> list[Question]:
    """Return the questions that are not disguised, in design order.

    Parameters
    ----------
    design : Design
        Design of a survey.
    """
    return [question for block in design.blocks if not block.protected for question in block.questions]


def open_before(design: Design, *, n: int | None) -> OpenAudit:
    """Describe the open questions before launch.

    Parameters
    ----------
    design : Design
        Design of a survey.
    n : int or None
        Number of expected respondents.
    """
    keys = tuple(question.key for question in open_questions(design))
    combinations = combinations_of(design)
    return OpenAudit(
        questions=keys,
        combinations=combinations,
        expected_unique=None if n is None else expected_unique(n, combinations),
    )


def open_after(design: Design, cells: Whole) -> OpenAudit:
    """Count the rows whose open answers are unique.

    Parameters
    ----------
    design : Design
        Design of a survey.
    cells : int64 array, shape (cells, 2)
        As in `privacy.risk.data_audit.Observed.open`.
    """
    before = open_before(design, n=None)
    if not before.questions:
        return before
    alone = cells.sum(axis=1) == 1
    return replace(
        before,
        unique=int(alone.sum()),
        unique_direct=int(cells[alone, 0].sum()) if design.sends_undisguised else 0,
    )
