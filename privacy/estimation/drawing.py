"""Sets of questions that one device can be asked."""

from __future__ import annotations

import itertools
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.survey.booklets import Booklets
from privacy.survey.design import Design

ColumnWords: TypeAlias = NDArray[np.uint64]


class Drawing:
    """The sets of questions that one device can ask, given rotating blocks and rotations of blocks.

    Parameters
    ----------
    design : Design

    Examples
    --------
    A device asks two of three questions: any pair, but never all three.

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...     questions_per_person=2, questions=tuple(
    ...         Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc"))
    >>> drawing = Drawing(Design(blocks=(block,), group=GroupPolicy(), use="live"))
    >>> drawing.together(np.array([[0, 1, 1], [0, 1, 2]])).tolist()
    [True, False]
    >>> drawing.probability(np.array([[0, 0], [0, 1]])).round(4).tolist()
    [0.6667, 0.3333]
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self._block = np.array(
            [design.block_of(number) for number in range(len(design.questions))], dtype=np.int64
        )

    def together(self, questions: Whole) -> Flags:
        """Return, for sets of questions of shape (R, width), whether one device can ask them all."""
        if not self.design.rotates:
            return np.ones(len(questions), dtype=np.bool_)
        possible: Flags = self.probability(questions) > 0
        return possible

    def probability(self, questions: Whole) -> Array:
        """Return the probability that a device draws all of each set of questions, shape (R, width).

        Conditions are ignored, because every device draws.
        """
        probability = np.ones(len(questions))
        blocks = self._block[questions]
        for number in self._rotating:
            in_block = blocks == number
            masks = self._booklets_with[number]
            if masks is None:
                probability *= _shares(self.design.blocks[number].sets)[_distinct(questions, in_block)]
                continue
            common = np.tile(np.bitwise_or.reduce(masks), (len(questions), 1))
            for column, in_column in zip(questions.T, in_block.T, strict=True):
                common[in_column] &= masks[column[in_column] - self.design.first_questions[number]]
            probability *= np.bitwise_count(common).sum(axis=1) / self.design.blocks[number].n_booklets
        for numbers, sets in self._rotations:
            probability *= _shares(sets)[_distinct(blocks, np.isin(blocks, numbers))]
        return probability

    @cached_property
    def _rotating(self) -> tuple[int, ...]:
        return tuple(number for number, block in enumerate(self.design.blocks) if block.is_rotating)

    @cached_property
    def _booklets_with(self) -> dict[int, ColumnWords | None]:
        """For each question of a rotating block, bits of the booklets that contain it; None for all sets."""
        booklets: dict[int, ColumnWords | None] = {}
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
        """Blocks of each rotation, and the sets of blocks from which a device draws one."""
        numbers = {block.key: number for number, block in enumerate(self.design.blocks)}
        return tuple(
            (np.array([numbers[key] for key in rotation.blocks], dtype=np.int64), rotation.sets)
            for rotation in self.design.rotations
        )


@lru_cache(maxsize=256)
def _shares(sets: Booklets) -> Array:
    """Return the share of all sets that contain 0, 1, 2, ... given positions."""
    first_ones = itertools.accumulate(zip(range(sets.total), strict=True), initial=())
    return np.array([float(sets.share_asked(some)) for some in first_ones])


def _distinct(values: Whole, is_chosen: Flags) -> Whole:
    """Count the distinct chosen values in each row."""
    number = np.zeros(len(values), dtype=np.int64)
    # Work column by column, which is faster than reducing many short rows.
    for position, (column, column_chosen) in enumerate(zip(values.T, is_chosen.T, strict=True)):
        new = column_chosen.copy()
        for before in values.T[:position]:
            new &= before != column
        number += new
    return number
