"""Count the distinct rows of bit columns, for the audit of sent rows.

Rows are read in chunks, and only distinct rows are kept, with their counts. So memory grows with the number
of distinct rows, not with the number of all rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining import Progress, ProgressListener, ignore_progress
from mining.columns.bitmatrix import (
    WORD,
    BitMatrix,
    Buffer,
    RowReader,
    columns_at,
    unpacked_columns,
    words_for,
)
from mining.columns.sent_values import read_sent_values, rows_in
from privacy.arrays import Flags, Whole, Words
from privacy.errors import PrivacyError
from privacy.risk.data_audit import Observed, ObservedBlock
from privacy.survey.design import Design

_MERGED_FROM: Final = 1 << 18
_OCTETS: Final = 8


class PatternCounts:
    """Distinct patterns of some columns and their counts, accumulated over chunks.

    Parameters
    ----------
    width : int
        Columns.
    counts : int
        Number of counts per pattern.

    Examples
    --------
    >>> seen = PatternCounts(2, counts=1)
    >>> for chunk in ([[1, 0], [0, 1]], [[1, 0], [0, 0]]):
    ...     seen.add(np.array(chunk, dtype=np.uint8), np.array([[5], [7]]))
    >>> patterns, counts = seen.finish()
    >>> patterns.tolist(), counts.tolist()
    ([[0, 0], [0, 1], [1, 0]], [[7], [7], [10]])
    """

    def __init__(self, width: int, *, counts: int) -> None:
        self._width = width
        self._words = _pack_patterns(np.zeros((0, width), dtype=np.uint8))
        self._counts: Whole = np.zeros((0, counts), dtype=np.int64)
        self._waiting: list[tuple[Words, Whole]] = []
        self._n_waiting = 0

    def add(self, patterns: Bits, counts: Whole) -> None:
        """Add patterns, shape (patterns, width), with their counts, shape (patterns, counts)."""
        self._waiting.append((_pack_patterns(patterns), counts))
        self._n_waiting += len(patterns)
        # Merge once there are as many new patterns as old ones, so each pattern is merged only a few times.
        if self._n_waiting > max(_MERGED_FROM, len(self._words)):
            self._merge()

    def more_than(self, most: int) -> bool:
        """Return whether there are already more distinct patterns than this."""
        if len(self._words) + self._n_waiting > most:
            self._merge()
        return len(self._words) > most

    def finish(self) -> tuple[Bits, Whole]:
        """Return the distinct patterns in ascending order (by the first column first), and their counts."""
        self._merge()
        return _unpack_words(self._words, self._width), self._counts

    def _merge(self) -> None:
        words = np.concatenate([self._words, *(words for words, _ in self._waiting)])
        counts = np.concatenate([self._counts, *(counts for _, counts in self._waiting)])
        self._waiting, self._n_waiting = [], 0
        order, new = _sort_patterns(words)
        if len(words):
            words, counts = words[order][new], np.add.reduceat(counts[order], np.flatnonzero(new), axis=0)
        self._words, self._counts = words, counts


def _sort_patterns(words: Words) -> tuple[Whole, Flags]:
    """Return the order of patterns, and the positions where a pattern differs from the previous one."""
    order = np.lexsort(words.T[::-1])
    ascending = words[order]
    new = np.ones(len(words), dtype=np.bool_)
    new[1:] = (ascending[1:] != ascending[:-1]).any(axis=1)
    return order, new


def _pack_patterns(patterns: Bits) -> Words:
    """Write each pattern as whole words that sort like its bits."""
    octets = np.zeros((len(patterns), _OCTETS * max(1, -(-patterns.shape[1] // 64))), dtype=np.uint8)
    as_bytes = np.packbits(patterns, axis=1)
    octets[:, : as_bytes.shape[1]] = as_bytes
    return octets.view(">u8").astype(np.uint64)


def _unpack_words(words: Words, width: int) -> Bits:
    return np.unpackbits(words.astype(">u8").view(np.uint8), axis=1, count=width)


Bits: TypeAlias = NDArray[np.uint8]

ROWS_AT_A_TIME: Final = 1 << 18
"""Rows per chunk, a multiple of the word size; a chunk needs tens of megabytes."""

_BYTES_OF_A_ROW: Final = 200
_BYTES_OF_A_COLUMN: Final = 4
"""Measured at the peak of an audit in which all rows were distinct: 570 bytes per row of 121 columns."""


def distinct_rows_in(megabytes: int, design: Design) -> int:
    """Return how many distinct rows of a block an audit can judge within a memory limit.

    In addition to counts, some arrays have a byte for each column of each distinct row.

    Parameters
    ----------
    megabytes : int
        In units of 10^6 bytes.
    design : Design
        Its largest block determines the limit.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> distinct_rows_in(212, design)
    1000000
    """
    return megabytes * 1_000_000 // (_BYTES_OF_A_ROW + _BYTES_OF_A_COLUMN * design.n_columns)


def observe(
    matrix: BitMatrix, progress: ProgressListener = ignore_progress, *, most: int | None = None
) -> Observed:
    """Count the distinct open answers of a matrix, and the distinct rows of each protected block within them.

    Parameters
    ----------
    matrix : BitMatrix
    progress : callable
        Called after each chunk of rows.
    most : int, optional
        Largest number of distinct rows of a block, or of open answers.

    Raises
    ------
    PrivacyError
        ``distinct_rows``: the limit is exceeded.

    Returns
    -------
    Observed

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = np.array([[True], [False], [True]])
    >>> block = observe(BitMatrix.from_booleans(design, rows, np.zeros(3, bool))).blocks["marriage"]
    >>> block.rows.tolist(), block.counts.tolist()
    ([[0], [1]], [1, 2, 0])
    """
    design = matrix.design
    coin_blocks = [position for position, block in enumerate(design.blocks) if block.has_coin]
    open_columns, draws = _open_columns(design), _drawn_columns(design)
    cells = PatternCounts(len(open_columns), counts=2)
    # Undisguised answers of the direct group are not audited.
    groups = (False, True) if design.has_two_strengths else (True,)
    blocks = {
        (is_protected, block): PatternCounts(1 + len(_columns_of(design, block)), counts=1)
        for is_protected in groups
        for block in coin_blocks
    }
    open_cells = PatternCounts(len(open_columns) + len(draws), counts=1)
    done = 0
    for part in _parts(matrix):
        ones = np.ones((part.n, 1), dtype=np.int64)
        cells.add(part.bits(open_columns), ones * [not part.protected, part.protected])
        if draws:
            open_cells.add(part.bits([*open_columns, *draws]), ones)
        for block in coin_blocks if part.protected in groups else ():
            entries = _entries(part, block)
            blocks[part.protected, block].add(entries, ones[: len(entries)])
        done += part.n
        if most is not None and any(seen.more_than(most) for seen in (cells, open_cells, *blocks.values())):
            raise PrivacyError("distinct_rows", most, rows=done)
        progress(Progress(stage="patterns", done=done, total=matrix.n))
    by_group: dict[bool, dict[str, ObservedBlock]] = {False: {}, True: {}}
    for (is_protected, block), patterns in blocks.items():
        n_asked = len(_asked_columns(design, block))
        by_group[is_protected][design.blocks[block].key] = _block(patterns, n_asked)
    return Observed(
        n_direct=matrix.n_direct,
        n_protected=matrix.n_protected,
        open=cells.finish()[1],
        blocks=by_group[True],
        light=by_group[False],
        own=int((open_cells.finish()[1] == 1).sum()) if draws else None,
    )


def with_open_numbers(
    observations: Observed, design: Design, buffers: Buffer | Iterable[Buffer], *, most: int | None = None
) -> Observed:
    """Return the observed rows with open answers distinguished by their exact numbers.

    Columns only show the range of a number, but an attacker may know the number itself.

    Parameters
    ----------
    observations : Observed
        Patterns of the same rows.
    design : Design
        Design of the rows.
    buffers : bytes-like, or iterable of bytes-like
        Packed rows; read only if the design has an open number.
    most : int, optional
        Largest number of distinct rows.

    Raises
    ------
    PrivacyError
        ``distinct_rows``: the limit is exceeded.
    """
    numbers = [
        design.first_questions[block]
        for block, open_block in enumerate(design.blocks)
        if open_block.is_scale and not open_block.protected
    ]
    if not numbers:
        return observations
    draws, reader = _drawn_columns(design), RowReader(design)
    columns = [*_open_columns(design), *draws]
    bits = [(design.questions[number].patterns).bit_length() for number in numbers]
    width = len(columns) + sum(bits)
    cells, own_rows = PatternCounts(width - len(draws), counts=2), PatternCounts(width, counts=1)
    for rows in rows_in(design, buffers):
        for start in range(0, len(rows), ROWS_AT_A_TIME):
            part = rows[start : start + ROWS_AT_A_TIME]
            table = unpacked_columns(reader.columns(part)[columns], len(part)).view(np.uint8)
            # 0 for an empty answer, otherwise the bin plus 1, in as many bits as the highest needs.
            values = [read_sent_values(design, number, part)[0] + 1 for number in numbers]
            number_bits = [
                (value >> bit & 1).astype(np.uint8)
                for value, size in zip(values, bits, strict=True)
                for bit in range(size - 1, -1, -1)
            ]
            attributes = np.stack([*table[: len(columns) - len(draws)], *number_bits], axis=1)
            direct = (part[:, 0] & 0x80) != 0
            cells.add(attributes, np.stack([direct, ~direct], axis=1).astype(np.int64))
            if draws:
                whole = np.concatenate([attributes, table[len(columns) - len(draws) :].T], axis=1)
                own_rows.add(whole, np.ones((len(part), 1), dtype=np.int64))
            if most is not None and (cells.more_than(most) or own_rows.more_than(most)):
                raise PrivacyError("distinct_rows", most, rows=start + len(part))
    return replace(
        observations, own=int((own_rows.finish()[1] == 1).sum()) if draws else None, open=cells.finish()[1]
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Part:
    """Consecutive rows of one group, starting at a word boundary."""

    matrix: BitMatrix
    protected: bool
    start: int
    n: int

    def bits(self, columns: Sequence[int]) -> Bits:
        """Return the bits of some columns of the design, shape (n, columns)."""
        group = self.matrix.protected if self.protected else self.matrix.direct
        first = self.start // WORD
        words = group.words[:, first : first + words_for(self.n)]
        positions = self.matrix.stored_at[list(columns)]
        return unpacked_columns(columns_at(words, self.n, positions), self.n).view(np.uint8).T


def _parts(matrix: BitMatrix) -> Iterator[_Part]:
    for is_protected, group in ((False, matrix.direct), (True, matrix.protected)):
        for start in range(0, group.n, ROWS_AT_A_TIME):
            n = min(ROWS_AT_A_TIME, group.n - start)
            yield _Part(matrix=matrix, protected=is_protected, start=start, n=n)


def _open_columns(design: Design) -> list[int]:
    """Return the columns of open answers: their items, and which questions were answered."""
    items = [item.index for item in design.items if not design.blocks[item.block].protected]
    questions = range(len(design.questions))
    asked_columns = [
        design.asked_column(number)
        for number in questions
        if not design.blocks[design.block_of(number)].protected
    ]
    return [*items, *asked_columns]


def _drawn_columns(design: Design) -> list[int]:
    """Return the columns that say which questions of a design that rotates were asked."""
    if not design.rotates:
        return []
    return [
        design.asked_column(number)
        for number in range(len(design.questions))
        if design.blocks[design.block_of(number)].protected and design.can_be_missing(number)
    ]


def _asked_columns(design: Design, block: int) -> list[int]:
    """Return the columns that say which questions of a rotating block were asked."""
    if not design.blocks[block].is_rotating:
        return []
    first = design.first_questions[block]
    return [design.asked_column(first + position) for position in range(len(design.blocks[block].questions))]


def _columns_of(design: Design, block: int) -> list[int]:
    """Return the columns that distinguish the rows of a protected block: asked questions and items."""
    items = [item.index for item in design.items if item.block == block]
    return [*_asked_columns(design, block), *items]


def _entries(part: _Part, block: int) -> Bits:
    """For each row that was asked a block, return whether it was answered, followed by its columns.

    The columns are 0 if the block was not answered.
    """
    design = part.matrix.design
    which = _asked_columns(design, block) or [design.asked_column(design.first_questions[block])]
    is_asked = part.bits(which).any(axis=1)
    entries = part.bits([design.answered_column(block), *_columns_of(design, block)])[is_asked]
    return entries & entries[:, :1]


def _block(row_counts: PatternCounts, n_asked: int) -> ObservedBlock:
    """Split the distinct rows of a block into asked questions and answers."""
    patterns, counts = row_counts.finish()
    has_answer = patterns[:, 0].astype(bool)
    rows = patterns[has_answer, 1:]
    return ObservedBlock(
        rows=rows[:, n_asked:],
        counts=np.append(counts[has_answer, 0], counts[~has_answer, 0].sum()),
        is_asked=rows[:, :n_asked] if n_asked else None,
    )
