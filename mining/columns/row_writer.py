"""Pack a table of answers into rows as devices send them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.impossible_rows import impossible_rows
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Block, Design, Question
from privacy.survey.layout import Layout

DIRECT: Final = "direct"
"""Name of the column that marks direct rows."""

SKIPPED_PREFIX: Final = "skipped:"
"""Prefix of the column that marks a skipped block."""

DREW: Final = "asked:"
"""Prefix of the column with the drawn questions of a rotating block."""

EMPTY_CELL: Final = -1
"""Represents an empty cell."""

UNSAID: Final = -2
"""Represents a cell of a `RowWriter.optional` column that is missing from a file."""

AnswerTable: TypeAlias = NDArray[np.int8] | NDArray[np.int32] | Whole
"""A table of answers: whole numbers, wide enough for `RowWriter.highest`."""


@dataclass(frozen=True)
class _Block:
    """Positions of the columns of a block's questions, and of "skipped" and "asked"."""

    questions: tuple[tuple[int, Question, slice], ...]
    skips: int | None
    draws: int | None


class RowWriter:
    """Packs tables of disguised answers of one design.

    Parameters
    ----------
    design : Design

    Attributes
    ----------
    columns : tuple of str
        Names of a table's columns: "direct" (unless all rows are protected), the keys of the items, the
        key of each question that asks for a number or a place, "skipped:" with the key of each block that
        may be skipped, and "asked:" with the key of each rotating block.
    highest : ndarray of int64
        The largest value of each column: 1 for most; for a number or a place, its last output (or bin or
        cell, if that is larger); for "asked:" columns, the number of the last booklet.
    rotating : dict of str to Block
        The rotating block of each "asked:" column.
    optional : frozenset of str
        Columns that follow from other cells: the asked questions of a rotating block that cannot be skipped.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> writer = RowWriter(Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(policy="choice"), use="live"))
    >>> writer.columns
    ('direct', 'affair')
    >>> [bin(byte) for byte in writer.pack(np.array([[1, 0], [0, 1]], dtype=np.int8))]
    ['0b11000000', '0b1100000']
    """

    def __init__(self, design: Design) -> None:
        self.design, self.layout = design, Layout(design)
        names = [] if design.group.policy == "protected" else [DIRECT]
        self._has_direct = bool(names)
        first = [len(names)]
        for number, question in enumerate(design.questions):
            question_items = [item.key for item in design.items if item.question == number]
            names += [question.key] if question.is_scale else question_items
            first.append(len(names))
        columns = [slice(start, end) for start, end in pairwise(first)]
        blocks = []
        self.rotating = {DREW + block.key: block for block in design.blocks if block.is_rotating}
        self.optional = frozenset(name for name, block in self.rotating.items() if block.refusal is None)
        highest = {
            columns[first].start: max(block.scale_outputs(direct=direct) for direct in (True, False)) - 1
            for first, block in zip(design.first_questions, design.blocks, strict=True)
            if block.is_scale
        }
        for number, block in enumerate(design.blocks):
            questions = [
                (position, question, columns[position])
                for position, question in enumerate(block.questions, start=design.first_questions[number])
            ]
            skipped = None
            if block.refusal is not None:
                skipped = len(names)
                names.append(SKIPPED_PREFIX + block.key)
            draw_at = None
            if block.is_rotating:
                draw_at = len(names)
                highest[draw_at] = block.n_booklets - 1
                names.append(DREW + block.key)
            blocks.append(_Block(tuple(questions), skipped, draw_at))
        self.columns = tuple(names)
        self.highest = np.array([highest.get(position, 1) for position in range(len(names))], dtype=np.int64)
        self._blocks = tuple(blocks)

    def pack(self, cells: AnswerTable) -> bytes:
        """Pack rows.

        Parameters
        ----------
        cells : ndarray of int8, int32 or int64, shape (n, number of columns)
            1, 0, or `EMPTY_CELL`. For a number or a place: the sent value, from 0 to its `highest`. For
            "asked:": the number of the drawn booklet, `EMPTY_CELL` if the block was not asked, or `UNSAID`.

        Raises
        ------
        PrivacyError
            ``cell``, for the first row that the design does not allow. Its fields name the ``row``, from 0;
            the ``column``, None if several cells contradict each other; and ``what`` is wrong.

        Notes
        -----
        The layout has read every returned row, so a device could have sent it.
        """
        bits = np.zeros((len(cells), 8 * self.layout.n_bytes), dtype=np.uint8)
        unsaid = (cells == UNSAID) & np.isin(self.columns, list(self.optional))
        out = ((cells < EMPTY_CELL) & ~unsaid) | (cells > self.highest)
        self._refuse(cells, out & (self.highest == 1), "is neither 0 nor 1", "write 0, 1 or nothing")
        self._refuse(cells, out, "is nothing that a device sends", "write the number of what was sent")
        if self._has_direct:
            self._need(cells, 0, np.ones(len(cells), dtype=bool))
            bits[:, 0] = cells[:, 0]
        for number, block in enumerate(self._blocks):
            self._pack_block(cells, bits, number, block)
        body = np.packbits(bits, axis=1).tobytes()
        if (impossible := impossible_rows(self.design, body)) is not None:
            error = impossible.error
            raise PrivacyError(
                "cell.row", "", row=impossible.first, column=None, what=error.message, remedy=error.remedy
            ) from error
        return body

    def _pack_block(self, cells: AnswerTable, bits: NDArray[np.uint8], number: int, block: _Block) -> None:
        skipped = np.zeros(len(cells), dtype=bool)
        refusal_bit = self.layout.refusal_bit(number)
        if block.skips is not None and refusal_bit is not None:
            self._need(cells, block.skips, np.ones(len(cells), dtype=bool))
            skipped = cells[:, block.skips] == 1
            bits[:, refusal_bit] = skipped
        in_booklet = None if block.draws is None else self._read_draws(cells, block.draws, skipped)
        for offset, (position, question, where) in enumerate(block.questions):
            values = cells[:, where]
            is_answered = values[:, 0] != EMPTY_CELL
            self._refuse(
                cells, _at(cells, where, (values != EMPTY_CELL) & skipped[:, None]),
                "answers a block that was skipped", "leave it empty",
            )  # fmt: skip
            for column in range(where.start, where.stop):
                # A question may be empty if a device can leave it out; otherwise it needs all its items.
                self._need(cells, column, is_answered if self.design.can_be_missing(position) else ~skipped)
                surplus = (cells[:, column] != EMPTY_CELL) & ~is_answered & ~skipped
                self._refuse(
                    cells, _at(cells, slice(column, column + 1), surplus[:, None]),
                    "answers a question that the row's other cells leave empty", "fill all or none",
                )  # fmt: skip
            start, width = self.layout.value_bits(position)
            if question.disguise is not None:
                self._pack_scale(cells, bits, self.design.blocks[number], where, (start, width))
            elif question.is_exhaustive:
                several = is_answered & ((values == 1).sum(axis=1) != 1)
                self._refuse(
                    cells, _at(cells, where, several[:, None] & (np.arange(values.shape[1]) == 0)),
                    "belongs to a single choice of not exactly one option", "set one option to 1",
                )  # fmt: skip
                option = values.argmax(axis=1) * is_answered
                for bit in range(width):
                    bits[:, start + bit] = option >> (width - 1 - bit) & 1
            else:
                bits[:, start : start + width] = values == 1
            present = is_answered | skipped
            if in_booklet is not None and block.draws is not None:
                is_stated = cells[:, block.draws] != UNSAID
                is_drawn = in_booklet[:, offset]
                surplus = is_stated & is_answered & ~is_drawn
                self._refuse(
                    cells, _at(cells, where, surplus[:, None] & (values != EMPTY_CELL)),
                    f"answers a question that {self.columns[block.draws]} does not name",
                    "name there what the device drew",
                )  # fmt: skip
                self._refuse(
                    cells,
                    _at(cells, where, (is_drawn & ~is_answered & ~skipped)[:, None] & (values == EMPTY_CELL)),
                    f"is empty, though {self.columns[block.draws]} names its question",
                    "name there what the device drew",
                )  # fmt: skip
                present = np.where(is_stated, is_drawn, is_answered)
            bits[:, self.layout.presence_bit(position)] = present

    def _read_draws(self, cells: AnswerTable, column: int, skips: Flags) -> Flags:
        """Return which questions of a rotating block each row's device drew, shape (n, questions)."""
        self._refuse(
            cells, _at(cells, slice(column, column + 1), ((cells[:, column] == EMPTY_CELL) & skips)[:, None]),
            "is empty", "name the questions that the device drew",
        )  # fmt: skip
        block = self.rotating[self.columns[column]]
        numbers, row = np.unique(cells[:, column], return_inverse=True)
        booklets = np.zeros((len(numbers), len(block.questions)), dtype=bool)
        for position, number in enumerate(numbers.tolist()):
            if number >= 0:
                booklets[position, list(block.booklet(number))] = True
        return booklets[row.reshape(-1)]

    def _pack_scale(
        self, cells: AnswerTable, bits: NDArray[np.uint8], block: Block, where: slice, into: tuple[int, int]
    ) -> None:
        """Write the sent value of a number or a place, within the range of its group."""
        rows = cells[:, where.start].astype(np.int64)
        direct = bits[:, 0] == 1 if self._has_direct else np.zeros(len(cells), dtype=bool)
        beyond = rows >= np.where(direct, block.scale_outputs(direct=True), block.scale_outputs(direct=False))
        self._refuse(
            cells, _at(cells, where, beyond[:, None]),
            "is nothing that a device sends", "write the number of what was sent",
        )  # fmt: skip
        start, width = into
        for bit in range(width):
            bits[:, start + bit] = (rows != EMPTY_CELL) & (rows >> (width - 1 - bit) & 1 == 1)

    def _need(self, cells: AnswerTable, column: int, rows: Flags) -> None:
        empty = (cells[:, column] == EMPTY_CELL) & rows
        remedy = "write 0 or 1" if self.highest[column] == 1 else "write the number of what was sent"
        self._refuse(cells, _at(cells, slice(column, column + 1), empty[:, None]), "is empty", remedy)

    def _refuse(self, cells: AnswerTable, wrong: Flags, what: str, remedy: str) -> None:
        if wrong.any():
            row, column = divmod(int(wrong.argmax()), cells.shape[1])
            value = int(cells[row, column])
            cell = "" if value == EMPTY_CELL else value
            raise PrivacyError("cell", cell, row=row, column=self.columns[column], what=what, remedy=remedy)


def _at(cells: AnswerTable, where: slice, wrong: Flags) -> Flags:
    table = np.zeros(cells.shape, dtype=bool)
    table[:, where] = wrong
    return table
