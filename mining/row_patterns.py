"""Distinct rows of bit columns, counted: what the audit after launch looks at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.bitmatrix import FULL, BitMatrix, Group
from privacy.audit.observed import Observed, ObservedBlock, OpenCells
from privacy.disguise.design import Design

__all__ = ["observe"]

Bits: TypeAlias = NDArray[np.uint8]
Whole: TypeAlias = NDArray[np.int64]

_BITS_AT_A_TIME: Final = 20
"""So many columns are numbered by a table of all their patterns, without sorting."""


def observe(matrix: BitMatrix) -> Observed:
    """Count the distinct rows of a matrix: open answers, and each protected block within them.

    Parameters
    ----------
    matrix : BitMatrix

    Returns
    -------
    Observed

    Examples
    --------
    >>> from privacy.disguise.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = np.array([[True], [False], [True]])
    >>> found = observe(BitMatrix.from_booleans(design, rows, np.zeros(3, bool))).blocks["marriage"]
    >>> found.rows.tolist(), found.counts().tolist()
    ([[0], [1]], [1, 2, 0])
    """
    design = matrix.design
    items, asked = _open_columns(design)
    columns = [*items, *asked]
    numbers, cells = _numbered_together(matrix, columns)
    counts = np.stack([np.bincount(number, minlength=len(cells)) for number in numbers], axis=1)
    return Observed(
        n_direct=matrix.n_direct,
        n_protected=matrix.n_protected,
        open=OpenCells(items=cells[:, : len(items)], answered=cells[:, len(items) :], counts=counts),
        blocks={
            block.key: _block(matrix, place, numbers[1])
            for place, block in enumerate(design.blocks)
            if block.protected and not block.is_lone
        },
    )


def _open_columns(design: Design) -> tuple[list[int], list[int]]:
    items = [item.index for item in design.items if not design.blocks[item.block].protected]
    questions = range(len(design.questions))
    asked = [
        design.asked_column(number)
        for number in questions
        if not design.blocks[design.block_of(number)].protected
    ]
    return items, asked


def _block(matrix: BitMatrix, block: int, cell: Whole) -> ObservedBlock:
    design, group = matrix.design, matrix.protected
    items = [item.index for item in design.items if item.block == block]
    first = design.first_questions[block]
    asked = _column(group, matrix, design.asked_column(first)).astype(bool)
    answered = _column(group, matrix, design.answered_column(block)).astype(bool)
    number, rows = _numbered([_column(group, matrix, column) for column in items], group.n)
    # Rows without an answer have no item: their number may be one that nobody answered with.
    taken = np.bincount(number[answered], minlength=len(rows)) > 0
    place = np.cumsum(taken) - 1
    skipped = int(taken.sum())
    row = np.where(answered, place[number], skipped)[asked]
    key, count = np.unique(cell[asked] * (skipped + 1) + row, return_counts=True)
    return ObservedBlock(
        rows=rows[taken],
        cell=(key // (skipped + 1)).astype(np.int64),
        row=(key % (skipped + 1)).astype(np.int64),
        count=count.astype(np.int64),
    )


def _column(group: Group, matrix: BitMatrix, column: int) -> Bits:
    place = int(matrix.stored_at[column])
    if place == FULL:
        return np.ones(group.n, dtype=np.uint8)
    octets = group.words[place].astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, count=group.n, bitorder="little")


def _numbered_together(matrix: BitMatrix, columns: Sequence[int]) -> tuple[list[Whole], Bits]:
    """Number the patterns of some columns over both groups; return each group's numbers, and the patterns."""
    groups = (matrix.direct, matrix.protected)
    parts = [np.concatenate([_column(group, matrix, column) for group in groups]) for column in columns]
    number, patterns = _numbered(parts, matrix.n)
    return [number[: matrix.n_direct], number[matrix.n_direct :]], patterns


def _numbered(columns: Sequence[Bits], n: int) -> tuple[Whole, Bits]:
    """Return for each row the number of its pattern, and the patterns, shape (distinct, columns)."""
    number = np.zeros(n, dtype=np.int64)
    patterns = np.zeros((min(n, 1), 0), dtype=np.uint8)
    for start in range(0, len(columns), _BITS_AT_A_TIME):
        some = columns[start : start + _BITS_AT_A_TIME]
        code = np.zeros(n, dtype=np.int64)
        for place, column in enumerate(some):
            code |= column.astype(np.int64) << place
        both = number << len(some) | code
        if len(patterns) << len(some) <= 1 << (_BITS_AT_A_TIME + 2):
            seen = np.flatnonzero(np.bincount(both, minlength=1))
            table = np.zeros(int(both.max(initial=0)) + 1, dtype=np.int64)
            table[seen] = np.arange(len(seen))
            number = table[both]
        else:
            seen, number = np.unique(both, return_inverse=True)
        bits = (seen[:, None] >> np.arange(len(some)) & 1).astype(np.uint8)
        patterns = np.concatenate([patterns[seen >> len(some)], bits], axis=1)
    return number, patterns
