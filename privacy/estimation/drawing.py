"""Which questions one device can be asked together, where it draws some of a part or some of the parts."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.survey.design import Design

__all__ = ["Drawing"]

Whole: TypeAlias = NDArray[np.int64]
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
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self._block = np.array(
            [design.block_of(number) for number in range(len(design.questions))], dtype=np.int64
        )

    def together(self, questions: Whole) -> NDArray[np.bool_]:
        """Say of sets of questions, shape (R, width), whether one device can tell of all of them."""
        found = np.ones(len(questions), dtype=np.bool_)
        if not self.design.rotates and not self.lossy:
            return found
        blocks = self._block[questions]
        for number, most in self.lossy:
            found = np.logical_and(found, _distinct(questions, blocks == number) <= most)
        for number in self._rotating:
            inside = blocks == number
            touched = np.flatnonzero(inside.sum(axis=1) > 1)
            found[touched] &= self._in_one_booklet(number, questions[touched], inside[touched])
        for numbers, most in self._rotations:
            found = np.logical_and(found, _distinct(blocks, np.isin(blocks, numbers)) <= most)
        return found

    def _in_one_booklet(self, number: int, questions: Whole, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
        block = self.design.blocks[number]
        masks = self._booklets_with[number]
        if masks is None:
            return _distinct(questions, inside) <= block.most_asked
        first = self.design.first_questions[number]
        common = np.full((len(questions), masks.shape[1]), ~np.uint64(0))
        for column, own in zip(questions.T, inside.T, strict=True):
            common[own] &= masks[column[own] - first]
        found: NDArray[np.bool_] = np.asarray(common.any(axis=1))
        return found

    @cached_property
    def lossy(self) -> tuple[tuple[int, int], ...]:
        """Blocks of which rows near the true one are sent, and how many answers can be counted together."""
        return tuple(
            (number, block.most_together)
            for number, block in enumerate(self.design.blocks)
            if block.radius is not None
        )

    @cached_property
    def _rotating(self) -> tuple[int, ...]:
        return tuple(number for number, block in enumerate(self.design.blocks) if block.is_rotating)

    @cached_property
    def _booklets_with(self) -> dict[int, Bits | None]:
        """Of each question of a rotating part the booklets that hold it, as bits; None where all sets are."""
        found: dict[int, Bits | None] = {}
        for number in self._rotating:
            block = self.design.blocks[number]
            if block.booklets is None:
                found[number] = None
                continue
            held = np.zeros((len(block.questions), -(-len(block.booklets) // 64) * 64), dtype=np.uint8)
            for place, booklet in enumerate(block.booklets):
                held[list(booklet), place] = 1
            found[number] = np.packbits(held, axis=1, bitorder="little").view(np.uint64)
        return found

    @cached_property
    def _rotations(self) -> tuple[tuple[Whole, int], ...]:
        """Blocks of each rotation, and how many of them one device is asked."""
        numbers = {block.key: number for number, block in enumerate(self.design.blocks)}
        return tuple(
            (np.array([numbers[key] for key in rotation.blocks], dtype=np.int64), rotation.parts_per_person)
            for rotation in self.design.rotations
        )


def _distinct(values: Whole, chosen: NDArray[np.bool_]) -> Whole:
    """Count the different chosen values of each row."""
    ordered = np.sort(np.where(chosen, values, -1), axis=1)
    steps = (ordered[:, 1:] != ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    number: Whole = steps.sum(axis=1) + (ordered[:, :1] >= 0).sum(axis=1)
    return number
