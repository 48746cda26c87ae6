"""Reach of a part: the rows that could be asked it, as signed sets of columns of open answers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from privacy.estimation.counts import Columns
from privacy.survey.design import Design
from privacy.survey.routing import Step

__all__ = ["EVERYBODY", "MOST_SETS", "Reach", "both", "reach_of"]

Reach: TypeAlias = tuple[tuple[int, Columns], ...]
"""Rows with the columns of each set, added and subtracted by the signs."""

EVERYBODY: Final[Reach] = ((1, ()),)

MOST_SETS: Final = 64
"""Sets of columns that tell who could be asked a part; each of them is counted beside whatever is counted."""


def reach_of(design: Design, block: int) -> Reach | None:
    """Return the rows whose open answers lead to a block.

    Parameters
    ----------
    design : Design
    block : int

    Returns
    -------
    Reach or None
        None where that takes more than `MOST_SETS` sets.

    Notes
    -----
    Each step of a route is a sum: of the options that lead on, or, where those that do not are fewer, of all
    who answered less these. "All of them" is the product of the steps, "any of them" 1 less the product of
    what is not: 1 - (1 - a)(1 - b) = a + b - ab.

    Examples
    --------
    >>> from privacy.survey import Block, Condition, GroupPolicy, Question
    >>> works = Question(key="works", kind="yes_no", options=(), unrelated=())
    >>> ill = Question(key="ill", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000, refusal=None, asked_if=None,
    ...           questions=(works,)),
    ...     Block(key="health", protected=True, truth_probability=5000, refusal=None, questions=(ill,),
    ...           asked_if=Condition(question="works", options=("no",)))))
    >>> reach_of(design, 1)  # all who answered, less those who work
    ((1, (2,)), (-1, (0,)))
    """
    route = design.routes[block]
    if route is None:
        return EVERYBODY
    steps = [_held(design, step) for step in route.steps]
    if route.joined == "all":
        return both(steps) if math.prod(map(len, steps)) <= MOST_SETS else None
    if math.prod(1 + len(step) for step in steps) > MOST_SETS + 1:
        return None
    neither = both([(*EVERYBODY, *((-sign, columns) for sign, columns in step)) for step in steps])
    return tuple((-sign, columns) for sign, columns in neither if columns)


def both(parts: Sequence[Reach]) -> Reach:
    """Return the rows that are in all of several sums of sets."""
    return tuple(
        (
            math.prod(sign for sign, _ in sets),
            tuple(sorted({column for _, columns in sets for column in columns})),
        )
        for sets in itertools.product(*parts)
    )


def _held(design: Design, step: Step) -> Reach:
    """The rows that gave one of the answers of a step."""
    number = design.first_questions[step.block] + step.question
    question = design.questions[number]
    own = [item.index for item in design.items if item.question == number]
    items = {1: own[0]} if question.kind == "yes_no" else dict(enumerate(own))
    total = len(question.options) or 2
    if items.keys() >= step.values and 2 * len(step.values) <= total + 1:
        return tuple((1, (items[value],)) for value in sorted(step.values))
    rest = [item for value, item in items.items() if value not in step.values]
    return ((1, (design.asked_column(number),)), *((-1, (item,)) for item in rest))
