"""From a table of answers to packed rows, as devices send them: the way back of `row_reader`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.strict_rows import impossible_rows
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Block, Design, Question
from privacy.survey.layout import Layout

__all__ = ["DIRECT", "DREW", "MISSING", "SKIPPED", "UNSAID", "Cells", "RowWriter"]

DIRECT: Final = "direct"
"""Name of the column that says whether a row was answered directly."""

SKIPPED: Final = "skipped:"
"""Begins the name of the column that says whether a block was skipped."""

DREW: Final = "asked:"
"""Begins the name of the column that says which questions of a rotating block a device drew."""

MISSING: Final = -1
"""Stands for an empty cell."""

UNSAID: Final = -2
"""Stands for a cell of a column of `RowWriter.optional` that a file does not have."""

Cells: TypeAlias = NDArray[np.int8] | NDArray[np.int32] | Whole
"""A table of answers: of whole numbers, wide enough for `RowWriter.highest`."""


@dataclass(frozen=True)
class _Block:
    """Where the columns of a block's questions are, and those of "skipped" and "asked"."""

    questions: tuple[tuple[int, Question, slice], ...]
    skipped: int | None
    drawn: int | None


class RowWriter:
    """Packs tables of disguised answers of one design.

    Parameters
    ----------
    design : Design

    Attributes
    ----------
    columns : tuple of str
        Names of a table's columns: "direct" (but where all rows are protected), the keys of the items, the
        key of each question that asks for a number or a place, "skipped:" with the key of each block that
        offers skipping, and "asked:" with the key of each rotating block.
    highest : ndarray of int64
        The largest value of each column: 1, or the last output that a number or a place can be; of rows that
        are sent as they are the last bin or cell. Of "asked:" the number of the last booklet.
    rotating : dict of str to Block
        The rotating block of each "asked:" column.
    optional : frozenset of str
        Columns that say what other cells tell already: which questions were asked in a rotating block that
        may not be skipped.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> writer = RowWriter(Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(policy="choice"), use="live"))
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
            own = [item.key for item in design.items if item.question == number]
            names += [question.key] if question.is_scale else own
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
                names.append(SKIPPED + block.key)
            drawn = None
            if block.is_rotating:
                drawn = len(names)
                highest[drawn] = block.n_booklets - 1
                names.append(DREW + block.key)
            blocks.append(_Block(tuple(questions), skipped, drawn))
        self.columns = tuple(names)
        self.highest = np.array([highest.get(position, 1) for position in range(len(names))], dtype=np.int64)
        self._blocks = tuple(blocks)

    def pack(self, cells: Cells) -> bytes:
        """Pack rows.

        Parameters
        ----------
        cells : ndarray of int8, int32 or int64, shape (n, number of columns)
            1, 0, or `MISSING`; for a number or a place what was sent, from 0 to its `highest`; for "asked:"
            the number of the booklet that was drawn, `MISSING` where the block was not asked, or `UNSAID`.

        Raises
        ------
        PrivacyError
            ``cell``, for the first row with something that the design does not allow; its fields name the
            ``row``, from 0, the ``column``, None where several cells contradict each other, and ``what`` is
            wrong.

        Notes
        -----
        Every row that is returned has passed the layout's own reading: a device could have sent it.
        """
        bits = np.zeros((len(cells), 8 * self.layout.n_bytes), dtype=np.uint8)
        unsaid = (cells == UNSAID) & np.isin(self.columns, list(self.optional))
        out = ((cells < MISSING) & ~unsaid) | (cells > self.highest)
        self._refuse(cells, out & (self.highest == 1), "is neither 0 nor 1", "write 0, 1 or nothing")
        self._refuse(cells, out, "is nothing that a device sends", "write the number of what was sent")
        if self._has_direct:
            self._needed(cells, 0, np.ones(len(cells), dtype=bool))
            bits[:, 0] = cells[:, 0]
        for number, block in enumerate(self._blocks):
            self._pack_block(cells, bits, number, block)
        packed = np.packbits(bits, axis=1).tobytes()
        if (impossible := impossible_rows(self.design, packed)) is not None:
            error = impossible.error
            raise PrivacyError(
                "cell.row", "", row=impossible.first, column=None, what=error.message, remedy=error.remedy
            ) from error
        return packed

    def _pack_block(self, cells: Cells, bits: NDArray[np.uint8], number: int, block: _Block) -> None:
        skipped = np.zeros(len(cells), dtype=bool)
        refusal_bit = self.layout.refusal_bit(number)
        if block.skipped is not None and refusal_bit is not None:
            self._needed(cells, block.skipped, np.ones(len(cells), dtype=bool))
            skipped = cells[:, block.skipped] == 1
            bits[:, refusal_bit] = skipped
        drawn = None if block.drawn is None else self._drawn(cells, block.drawn, skipped)
        for offset, (position, question, where) in enumerate(block.questions):
            values = cells[:, where]
            is_answered = values[:, 0] != MISSING
            self._refuse(
                cells, _at(cells, where, (values != MISSING) & skipped[:, None]),
                "answers a block that was skipped", "leave it empty",
            )  # fmt: skip
            for column in range(where.start, where.stop):
                # All items of a question, or none of them where it may be left out.
                self._needed(cells, column, is_answered if self.design.can_be_missing(position) else ~skipped)
                unasked = (cells[:, column] != MISSING) & ~is_answered & ~skipped
                self._refuse(
                    cells, _at(cells, slice(column, column + 1), unasked[:, None]),
                    "answers a question that the row's other cells leave empty", "fill all or none",
                )  # fmt: skip
            start, width = self.layout.value_bits(position)
            if question.disguise is not None:
                self._pack_sent(cells, bits, self.design.blocks[number], where, (start, width))
            elif question.kind == "single":
                several = is_answered & ((values == 1).sum(axis=1) != 1)
                self._refuse(
                    cells, _at(cells, where, several[:, None] & (np.arange(values.shape[1]) == 0)),
                    "belongs to a single choice of not exactly one option", "set one option to 1",
                )  # fmt: skip
                chosen = values.argmax(axis=1) * is_answered
                for bit in range(width):
                    bits[:, start + bit] = chosen >> (width - 1 - bit) & 1
            else:
                bits[:, start : start + width] = values == 1
            present = is_answered | skipped
            if drawn is not None and block.drawn is not None:
                is_stated = cells[:, block.drawn] != UNSAID
                here = drawn[:, offset]
                unasked = is_stated & is_answered & ~here
                self._refuse(
                    cells, _at(cells, where, unasked[:, None] & (values != MISSING)),
                    f"answers a question that {self.columns[block.drawn]} does not name",
                    "name there what the device drew",
                )  # fmt: skip
                self._refuse(
                    cells, _at(cells, where, (here & ~is_answered & ~skipped)[:, None] & (values == MISSING)),
                    f"is empty, though {self.columns[block.drawn]} names its question",
                    "name there what the device drew",
                )  # fmt: skip
                present = np.where(is_stated, here, is_answered)
            bits[:, self.layout.presence_bit(position)] = present

    def _drawn(self, cells: Cells, column: int, skipped: Flags) -> Flags:
        """Return which questions of a rotating block each row's device drew, shape (n, questions)."""
        self._refuse(
            cells, _at(cells, slice(column, column + 1), ((cells[:, column] == MISSING) & skipped)[:, None]),
            "is empty", "name the questions that the device drew",
        )  # fmt: skip
        block = self.rotating[self.columns[column]]
        numbers, row = np.unique(cells[:, column], return_inverse=True)
        booklets = np.zeros((len(numbers), len(block.questions)), dtype=bool)
        for at, number in enumerate(numbers.tolist()):
            if number >= 0:
                booklets[at, list(block.booklet(number))] = True
        return booklets[row.reshape(-1)]

    def _pack_sent(
        self, cells: Cells, bits: NDArray[np.uint8], block: Block, where: slice, into: tuple[int, int]
    ) -> None:
        """Write the number that a number or a place was sent as, by what its group can send."""
        sent = cells[:, where.start].astype(np.int64)
        direct = bits[:, 0] == 1 if self._has_direct else np.zeros(len(cells), dtype=bool)
        beyond = sent >= np.where(direct, block.scale_outputs(direct=True), block.scale_outputs(direct=False))
        self._refuse(
            cells, _at(cells, where, beyond[:, None]),
            "is nothing that a device sends", "write the number of what was sent",
        )  # fmt: skip
        start, width = into
        for bit in range(width):
            bits[:, start + bit] = (sent != MISSING) & (sent >> (width - 1 - bit) & 1 == 1)

    def _needed(self, cells: Cells, column: int, rows: Flags) -> None:
        empty = (cells[:, column] == MISSING) & rows
        remedy = "write 0 or 1" if self.highest[column] == 1 else "write the number of what was sent"
        self._refuse(cells, _at(cells, slice(column, column + 1), empty[:, None]), "is empty", remedy)

    def _refuse(self, cells: Cells, wrong: Flags, what: str, remedy: str) -> None:
        if wrong.any():
            row, column = divmod(int(wrong.argmax()), cells.shape[1])
            value = int(cells[row, column])
            shown = "" if value == MISSING else value
            raise PrivacyError("cell", shown, row=row, column=self.columns[column], what=what, remedy=remedy)


def _at(cells: Cells, where: slice, wrong: Flags) -> Flags:
    table = np.zeros(cells.shape, dtype=bool)
    table[:, where] = wrong
    return table
