"""Distribution of the questions that a device draws, from rotating parts and rotations of parts.

Reach of a part: the rows that could be asked it, as signed sets of columns of open answers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.counts import Columns
from privacy.survey.booklets import Booklets
from privacy.survey.design import Design
from privacy.survey.routing import Step

__all__ = ["EVERYBODY", "MOST_SETS", "Drawing", "Reach", "both", "reach_of"]

Bits: TypeAlias = NDArray[np.uint64]


class Drawing:
    """The sets of questions that rotating parts, rotations of parts and rows near the truth leave together.

    Parameters
    ----------
    design : Design

    Examples
    --------
    Two of three questions each: any pair, never all three.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...     questions_per_person=2, questions=tuple(
    ...         Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc"))
    >>> drawing = Drawing(Design(blocks=(block,), group=GroupPolicy(), use="live"))
    >>> drawing.together(np.array([[0, 1, 1], [0, 1, 2]])).tolist()
    [True, False]
    >>> drawing.chance(np.array([[0, 0], [0, 1]])).round(4).tolist()
    [0.6667, 0.3333]
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self._block = np.array(
            [design.block_of(number) for number in range(len(design.questions))], dtype=np.int64
        )

    def together(self, questions: Whole) -> Flags:
        """Return, for sets of questions of shape (R, width), whether one device can be asked all of them."""
        if not self.design.rotates:
            return np.ones(len(questions), dtype=np.bool_)
        possible: Flags = self.chance(questions) > 0
        return possible

    def chance(self, questions: Whole) -> Array:
        """Return f of sets of questions, shape (R, width): the probability that a device asks all of them.

        Conditions are ignored: draws are made for every device.
        """
        chance = np.ones(len(questions))
        blocks = self._block[questions]
        for number in self._rotating:
            inside = blocks == number
            masks = self._booklets_with[number]
            if masks is None:
                chance *= _shares(self.design.blocks[number].sets)[_distinct(questions, inside)]
                continue
            common = np.tile(np.bitwise_or.reduce(masks), (len(questions), 1))
            for column, own in zip(questions.T, inside.T, strict=True):
                common[own] &= masks[column[own] - self.design.first_questions[number]]
            chance *= np.bitwise_count(common).sum(axis=1) / self.design.blocks[number].n_booklets
        for numbers, sets in self._rotations:
            chance *= _shares(sets)[_distinct(blocks, np.isin(blocks, numbers))]
        return chance

    @cached_property
    def _rotating(self) -> tuple[int, ...]:
        return tuple(number for number, block in enumerate(self.design.blocks) if block.is_rotating)

    @cached_property
    def _booklets_with(self) -> dict[int, Bits | None]:
        """For each question of a rotating block, the booklets that contain it, as bits; None for all sets."""
        booklets: dict[int, Bits | None] = {}
        for number in self._rotating:
            block = self.design.blocks[number]
            if block.booklets is None:
                booklets[number] = None
                continue
            membership = np.zeros((len(block.questions), -(-len(block.booklets) // 64) * 64), dtype=np.uint8)
            for position, booklet in enumerate(block.booklets):
                membership[list(booklet), position] = 1
            booklets[number] = np.packbits(membership, axis=1, bitorder="little").view(np.uint64)
        return booklets

    @cached_property
    def _rotations(self) -> tuple[tuple[Whole, Booklets], ...]:
        """Blocks of each rotation, and the sets of them of which a device draws one."""
        numbers = {block.key: number for number, block in enumerate(self.design.blocks)}
        return tuple(
            (np.array([numbers[key] for key in rotation.blocks], dtype=np.int64), rotation.sets)
            for rotation in self.design.rotations
        )


@lru_cache(maxsize=256)
def _shares(sets: Booklets) -> Array:
    """Share of all sets of one size that hold 0, 1, 2, ... positions."""
    return np.array([float(sets.share_asked(range(number))) for number in range(sets.total + 1)])


def _distinct(values: Whole, chosen: Flags) -> Whole:
    """Count the different chosen values of each row."""
    number = np.zeros(len(values), dtype=np.int64)
    # Column by column: reducing rows of three cells one by one is slower.
    for position, (column, own) in enumerate(zip(values.T, chosen.T, strict=True)):
        new = own.copy()
        for before in values.T[:position]:
            new &= before != column
        number += new
    return number


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
        None if more than `MOST_SETS` sets would be needed.

    Notes
    -----
    Each step of a route is a sum over the options that lead on or, if fewer options do not, everyone who
    answered minus those. "All of them" is the product of the steps, "any of them" 1 minus the product of the
    complements: 1 - (1 - a)(1 - b) = a + b - ab.

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
    """Return the rows that are in all of several sums of sets.

    Parameters
    ----------
    parts : sequence of Reach
        Each a sum of sets of columns with their signs.
    """
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
