"""Open answers as marks that people are recognised by: how many rows they make unique."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from privacy import validation
from privacy.disguise.design import Design

__all__ = ["OpenAudit", "Uniqueness", "combinations_of", "expected_unique", "open_before"]

MOST_ROWS: Final = 10**12


@dataclass(frozen=True, kw_only=True)
class Uniqueness:
    """How often a few open answers single out a row.

    Parameters
    ----------
    questions : int
        How many open answers somebody knows.
    mean, highest : float
        Share of rows that are alone with theirs, over all choices of that many questions: mean and largest.
    """

    questions: int
    mean: float
    highest: float


@dataclass(frozen=True, kw_only=True)
class OpenAudit:
    """The open questions of a survey.

    Parameters
    ----------
    questions : tuple of str
        Keys.
    combinations : int
        Different whole answers to all of them.
    expected_unique, expected_unique_direct : float or None
        Rows expected to be alone with their open answers if all combinations were equally frequent, of n and
        of the direct ones among them; None without n, or without a drawn direct share.
    unique, unique_direct : int or None
        Rows that are, counted after launch. A direct row that is alone discloses its owner's truth.
    unicity : tuple of Uniqueness
        After launch, for somebody who knows one, two, ... open answers.
    """

    questions: tuple[str, ...]
    combinations: int
    expected_unique: float | None = None
    expected_unique_direct: float | None = None
    unique: int | None = None
    unique_direct: int | None = None
    unicity: tuple[Uniqueness, ...] = ()


def combinations_of(design: Design) -> int:
    """Return the number of different whole answers to all open questions; 1 where there are none.

    Examples
    --------
    >>> from privacy.disguise import Block, GroupPolicy, Question
    >>> age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    >>> pets = Question(key="pets", kind="multi", options=("cat", "dog"), unrelated=())
    >>> combinations_of(Design(blocks=(Block(key="you", protected=False, truth_probability=10_000,
    ...     refusal=None, asked_if=None, questions=(age, pets)),), group=GroupPolicy(), use="live"))
    12
    """
    return math.prod(block.patterns for block in design.blocks if not block.protected)


def expected_unique(n: int, combinations: int) -> float:
    """Return how many of n rows are expected to be alone with their combination, if all are equally frequent.

    Notes
    -----
    n (1 - 1/C)^(n - 1). Real combinations are uneven: among many rows the rare ones make more rows unique.

    Examples
    --------
    >>> expected_unique(2, 4), expected_unique(1, 1)
    (1.5, 1.0)
    """
    rows = validation.whole_number(n, "n", low=1, high=MOST_ROWS, code="n")
    # 1/C may be below the smallest difference from 1 that a float knows.
    return (
        rows * math.exp((rows - 1) * math.log1p(-1 / combinations)) if combinations > 1 else float(rows == 1)
    )


def open_before(design: Design, *, n: int | None) -> OpenAudit:
    """Return what can be said of the open questions before launch."""
    asked = tuple(
        question.key for block in design.blocks if not block.protected for question in block.questions
    )
    combinations = combinations_of(design)
    alone = None if n is None else expected_unique(n, combinations)
    share = None
    if not design.group.allows(direct=True):
        share = 0.0
    elif design.group.direct_share is not None:
        share = design.group.direct_share / 10_000
    return OpenAudit(
        questions=asked,
        combinations=combinations,
        expected_unique=alone,
        expected_unique_direct=None if alone is None or share is None else alone * share,
    )
