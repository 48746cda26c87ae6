"""Reach of a set of questions: which rows were asked all of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from privacy.estimation.counts import Columns
from privacy.survey.design import Design
from privacy.survey.routing import Step

Reach: TypeAlias = tuple[tuple[int, Columns], ...]
"""Signs and sets of columns: a set of rows as a sum and difference of the rows with these columns."""

EVERYBODY: Final[Reach] = ((1, ()),)

MOST_COLUMN_SETS: Final = 64
"""Largest number of sets of columns that determine who could be asked a block. Each multiplies the counts."""


def reach_of(design: Design, block: int) -> Reach | None:
    """Return the rows whose open answers meet the condition of a block.

    Parameters
    ----------
    design : Design
    block : int

    Returns
    -------
    Reach or None
        None if more than `MOST_COLUMN_SETS` sets would be needed.

    Notes
    -----
    Each step of a route is the sum over options that meet the condition or, if that needs fewer terms,
    everyone who answered minus the other options. "All" is the product of the steps; "any" is 1 minus the
    product of the complements: 1 - (1 - a)(1 - b) = a + b - ab.

    Examples
    --------
    >>> from privacy.survey.design import Block, Condition, GroupPolicy, Question
    >>> works = Question(key="works", kind="yes_no", options=(), unrelated=())
    >>> ill = Question(key="ill", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=(works,)),
    ...     Block(key="health", protected=True, truth_probability=5000, questions=(ill,),
    ...           asked_if=Condition(question="works", options=("no",)))))
    >>> reach_of(design, 1)  # everyone who answered, minus those who work
    ((1, (2,)), (-1, (0,)))
    """
    route = design.routes[block]
    if route is None:
        return EVERYBODY
    steps = [_answer_reach(design, step) for step in route.steps]
    if route.joined == "all":
        return both(steps) if math.prod(map(len, steps)) <= MOST_COLUMN_SETS else None
    if math.prod(1 + len(step) for step in steps) > MOST_COLUMN_SETS + 1:
        return None
    neither = both([(*EVERYBODY, *((-sign, columns) for sign, columns in step)) for step in steps])
    return tuple((-sign, columns) for sign, columns in neither if columns)


def both(parts: Sequence[Reach]) -> Reach:
    """Return the intersection of several reaches, by multiplying their sums.

    Parameters
    ----------
    parts : sequence of Reach
        The reaches to intersect.
    """
    return tuple(
        (
            math.prod(sign for sign, _ in sets),
            tuple(sorted({column for _, columns in sets for column in columns})),
        )
        for sets in itertools.product(*parts)
    )


def _answer_reach(design: Design, step: Step) -> Reach:
    """Return the rows that gave one of a step's answers."""
    number = design.first_questions[step.block] + step.question
    question = design.questions[number]
    question_items = [item.index for item in design.items if item.question == number]
    items = dict(enumerate(question_items)) if question.options else {1: question_items[0]}
    total = len(question.options) or 2
    if items.keys() >= step.values and 2 * len(step.values) <= total + 1:
        return tuple((1, (items[value],)) for value in sorted(step.values))
    rest = [item for value, item in items.items() if value not in step.values]
    return ((1, (design.asked_column(number),)), *((-1, (item,)) for item in rest))
