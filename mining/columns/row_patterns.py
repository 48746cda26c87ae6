"""Distinct rows of bit columns, counted, for the audit of sent rows.

Rows are taken in chunks, and what is kept of a chunk is its distinct rows with their counts: memory grows
with how many different rows there are and not with how many rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import FULL, BitMatrix
from mining.columns.distinct_patterns import PatternCounts, numbered, ranked
from mining.progress import Progress, ProgressListener, ignore_progress
from privacy.errors import PrivacyError
from privacy.risk.observed import Observed, ObservedBlock, OpenCells
from privacy.survey.design import Design

__all__ = ["distinct_rows_in", "observe"]

Bits: TypeAlias = NDArray[np.uint8]
Whole: TypeAlias = NDArray[np.int64]

ROWS_AT_A_TIME: Final = 1 << 18
"""Whole words of every column; beside them a chunk needs some tens of megabytes."""

_WORD: Final = 64
_LARGEST_TABLE: Final = 1 << 20
_BYTES_OF_A_ROW: Final = 200
_BYTES_OF_A_COLUMN: Final = 4
"""Measured where every row is different: 570 bytes a row of 121 columns, at the peak of the audit."""


def distinct_rows_in(megabytes: int, design: Design) -> int:
    """Return how many distinct rows of a block an audit can judge in so much memory.

    Beside the counts of each distinct row some arrays hold a byte for each of its columns.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> distinct_rows_in(212, design)
    1000000
    """
    return megabytes * 1_000_000 // (_BYTES_OF_A_ROW + _BYTES_OF_A_COLUMN * design.n_columns)


def observe(
    matrix: BitMatrix, progress: ProgressListener = ignore_progress, *, most: int | None = None
) -> Observed:
    """Count the distinct rows of a matrix: open answers, and each protected block within them.

    Parameters
    ----------
    matrix : BitMatrix
    progress : callable
        Called after each chunk of rows.
    most : int, optional
        Distinct rows of a block, or of open answers, at most.

    Raises
    ------
    PrivacyError
        ``distinct_rows``: there are more of them.

    Returns
    -------
    Observed

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = np.array([[True], [False], [True]])
    >>> block = observe(BitMatrix.from_booleans(design, rows, np.zeros(3, bool))).blocks["marriage"]
    >>> block.rows.tolist(), block.counts().tolist()
    ([[0], [1]], [1, 2, 0])
    """
    design = matrix.design
    items, asked_columns = _open_columns(design)
    hidden = [
        position for position, block in enumerate(design.blocks) if block.protected and not block.is_scale
    ]
    width = len(items) + len(asked_columns)
    cells = PatternCounts(width, counts=2)
    sizes = {block: len(_columns_of(design, block)) for block in hidden}
    # True answers, those of a direct group of designs with one strength, are not looked at.
    groups = (False, True) if design.has_two_strengths else (True,)
    blocks = {
        (protected, block): PatternCounts(width + 1 + size, counts=1)
        for protected in groups
        for block, size in sizes.items()
    }
    drawn = _drawn_columns(design)
    own = PatternCounts(width + len(drawn), counts=1)
    done = 0
    for part in _parts(matrix):
        cell, patterns = numbered([part.column(column) for column in (*items, *asked_columns)], part.n)
        counts = np.zeros((len(patterns), 2), dtype=np.int64)
        counts[:, int(part.protected)] = np.bincount(cell, minlength=len(patterns))
        cells.add(patterns, counts)
        if drawn:
            own.add(*_counted(part, (*items, *asked_columns, *drawn)))
        for block in hidden if part.protected in groups else ():
            blocks[part.protected, block].add(*_entries(part, block, cell, patterns))
        done += part.n
        if most is not None and any(seen.more_than(most) for seen in (cells, own, *blocks.values())):
            raise PrivacyError("distinct_rows", most, rows=done)
        progress(Progress(stage="patterns", done=done, total=matrix.n))
    cells_found, counts = cells.finish()
    sent: dict[bool, dict[str, ObservedBlock]] = {False: {}, True: {}}
    for (protected, block), counted in blocks.items():
        n_asked = len(_asked_columns(design, block))
        sent[protected][design.blocks[block].key] = _block(cells_found, counted, n_asked)
    return Observed(
        n_direct=matrix.n_direct,
        n_protected=matrix.n_protected,
        open=OpenCells(
            items=cells_found[:, : len(items)], answered=cells_found[:, len(items) :], counts=counts
        ),
        blocks=sent[True],
        light=sent[False],
        own=int((own.finish()[1] == 1).sum()) if drawn else None,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Part:
    """Some rows of one group, from the beginning of a word on."""

    matrix: BitMatrix
    protected: bool
    start: int
    n: int

    def column(self, column: int) -> Bits:
        """Bits of a column of the design."""
        position = int(self.matrix.stored_at[column])
        if position == FULL:
            return np.ones(self.n, dtype=np.uint8)
        group = self.matrix.protected if self.protected else self.matrix.direct
        first = self.start // _WORD
        words = group.words[position, first : first + -(-self.n // _WORD)]
        octets = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
        return np.unpackbits(octets, count=self.n, bitorder="little")


def _parts(matrix: BitMatrix) -> Iterator[_Part]:
    for protected, group in ((False, matrix.direct), (True, matrix.protected)):
        for start in range(0, group.n, ROWS_AT_A_TIME):
            n = min(ROWS_AT_A_TIME, group.n - start)
            yield _Part(matrix=matrix, protected=protected, start=start, n=n)


def _open_columns(design: Design) -> tuple[list[int], list[int]]:
    items = [item.index for item in design.items if not design.blocks[item.block].protected]
    questions = range(len(design.questions))
    asked_columns = [
        design.asked_column(number)
        for number in questions
        if not design.blocks[design.block_of(number)].protected
    ]
    return items, asked_columns


def _drawn_columns(design: Design) -> list[int]:
    """Return the columns that say which questions of a design that rotates were asked."""
    if not design.rotates:
        return []
    return [
        design.asked_column(number)
        for number in range(len(design.questions))
        if design.blocks[design.block_of(number)].protected and design.can_be_missing(number)
    ]


def _counted(part: _Part, columns: Sequence[int]) -> tuple[Bits, Whole]:
    number, patterns = numbered([part.column(column) for column in columns], part.n)
    return patterns, np.bincount(number, minlength=len(patterns))[:, None]


def _asked_columns(design: Design, block: int) -> list[int]:
    """Return the columns that say which questions of a rotating block were asked."""
    if not design.blocks[block].is_rotating:
        return []
    first = design.first_questions[block]
    return [design.asked_column(first + position) for position in range(len(design.blocks[block].questions))]


def _columns_of(design: Design, block: int) -> list[int]:
    """Return the columns that tell rows of a protected block apart: what was asked, and the items."""
    items = [item.index for item in design.items if item.block == block]
    return [*_asked_columns(design, block), *items]


def _entries(part: _Part, block: int, cell: Whole, patterns: Bits) -> tuple[Bits, Whole]:
    """Distinct rows of those who were asked a block, and their counts.

    A row is a cell of open answers, whether the block was answered, and its items; no items where it was not.
    """
    design = part.matrix.design
    columns = _columns_of(design, block)
    which = _asked_columns(design, block) or [design.asked_column(design.first_questions[block])]
    is_asked = np.any([part.column(column) for column in which], axis=0)
    answered = part.column(design.answered_column(block)).astype(bool)
    number, rows = numbered([part.column(column) for column in columns], part.n)
    skipped = len(rows)
    key = (cell * (skipped + 1) + np.where(answered, number, skipped))[is_asked]
    if len(patterns) * (skipped + 1) <= _LARGEST_TABLE:
        table = np.bincount(key)
        keys = np.flatnonzero(table)
        counts = table[keys]
    else:
        keys, counts = np.unique(key, return_counts=True)
    cells, places = keys // (skipped + 1), keys % (skipped + 1)
    shown = np.concatenate([rows, np.zeros((1, len(columns)), dtype=np.uint8)])
    filled = (places < skipped).astype(np.uint8)
    return np.concatenate([patterns[cells], filled[:, None], shown[places]], axis=1), counts[:, None]


def _block(cells: Bits, counted: PatternCounts, n_asked: int) -> ObservedBlock:
    """Take the distinct rows of a block apart into cells of open answers, what was asked, and answers."""
    entries, counts = counted.finish()
    width = cells.shape[1]
    answered = entries[:, width].astype(bool)
    # Every open part of an entry is a cell, so ranks among both are the numbers of the cells.
    _, rank = ranked(np.concatenate([cells, entries[:, :width]]))
    rows, row = ranked(entries[answered, width + 1 :])
    row_of = np.full(len(entries), len(rows), dtype=np.int64)
    row_of[answered] = row
    return ObservedBlock(
        rows=rows[:, n_asked:],
        cell=rank[len(cells) :],
        row=row_of,
        count=counts[:, 0],
        is_asked=rows[:, :n_asked] if n_asked else None,
    )
