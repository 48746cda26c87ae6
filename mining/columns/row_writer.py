"""Pack a table of answers into rows as devices send them.

`words` yields the random words of simulated devices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import sent_values
from privacy.arrays import Flags, Whole
from privacy.coins import WORDS
from privacy.errors import PrivacyError
from privacy.scales.row_coins import RowCoins, Words, whole_numbers
from privacy.scales.sent_rows import SKIP, rows_sent
from privacy.survey.design import Block, Design, Question
from privacy.survey.layout import Layout


@dataclass(frozen=True, kw_only=True)
class ImpossibleRows:
    """Rows that no device can send.

    Attributes
    ----------
    positions : ndarray of int64
        Positions of the rows, ascending.
    error : PrivacyError
        The layout's error for the first of these rows.
    """

    positions: Whole
    error: PrivacyError

    @property
    def n(self) -> int:
        """Number of impossible rows."""
        return len(self.positions)

    @property
    def first(self) -> int:
        """Position of the first impossible row."""
        return int(self.positions[0])


def impossible_rows(design: Design, body: bytes) -> ImpossibleRows | None:
    """Return the rows that the layout refuses; None if a device could have sent all of them.

    Parameters
    ----------
    design : Design
    body : bytes
        Consecutive rows of ``Layout(design).n_bytes`` bytes.

    Raises
    ------
    PrivacyError
        ``row_length``: the bytes do not contain whole rows.

    Notes
    -----
    Rows are read by `privacy.survey.layout.Layout.unpack`, like a device's body. Rows that differ only in
    valid answers, none of which leads to another part, are all accepted or all refused, so only one of them
    is read. A million rows of sixty questions thus need only a few reads.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> impossible = impossible_rows(design, bytes([0b01100000, 0b01000000, 0b00100000]))
    >>> impossible.n, impossible.first, impossible.error.code
    (1, 2, 'absent_with_value')
    """
    layout = Layout(design)
    if len(body) % layout.n_bytes:
        raise PrivacyError("row_length", len(body), n_bytes=layout.n_bytes)
    rows = np.frombuffer(body, dtype=np.uint8).reshape(-1, layout.n_bytes)
    alike = np.packbits(_without_answers(design, layout, np.unpackbits(rows, axis=1)), axis=1)
    words = np.ascontiguousarray(alike).view(f"V{layout.n_bytes}").reshape(-1)
    _, first, kind = np.unique(words, return_index=True, return_inverse=True)
    errors: dict[int, PrivacyError] = {}
    for number, position in enumerate(first.tolist()):
        try:
            layout.unpack(rows[position].tobytes())
        except PrivacyError as error:
            errors[number] = error
    if not errors:
        return None
    positions = np.flatnonzero(np.isin(kind, list(errors)))
    return ImpossibleRows(positions=positions, error=errors[int(kind[positions[0]])])


def _without_answers(design: Design, layout: Layout, bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return rows without their valid answers, except those that lead to other parts."""
    leading = {
        design.first_questions[step.block] + step.question
        for route in design.routes
        if route is not None
        for step in route.steps
    }
    direct = bits[:, 0] == 1
    for number, block in enumerate(design.blocks):
        refusal_bit = layout.refusal_bit(number)
        for position, question in enumerate(block.questions, design.first_questions[number]):
            if position in leading:
                continue
            start, width = layout.value_bits(position)
            answer_bits = bits[:, start : start + width]
            valid = bits[:, layout.presence_bit(position)] == 1
            if refusal_bit is not None:
                valid &= bits[:, refusal_bit] == 0
            if block.is_scale or question.is_exhaustive:
                value = answer_bits.astype(np.int64) @ (1 << np.arange(width, dtype=np.int64)[::-1])
                outputs = [
                    block.scale_outputs(direct=group) if block.is_scale else question.patterns
                    for group in (False, True)
                ]
                valid &= value < np.where(direct, outputs[1], outputs[0])
            answer_bits[valid] = 0
    return bits


DIRECT: Final = "direct"
"""Name of the column that marks direct rows."""

SKIPPED: Final = "skipped:"
"""Prefix of the column that marks a skipped block."""

DREW: Final = "asked:"
"""Prefix of the column with the drawn questions of a rotating block."""

MISSING: Final = -1
"""Represents an empty cell."""

UNSAID: Final = -2
"""Represents a cell of a `RowWriter.optional` column that is missing from a file."""

Cells: TypeAlias = NDArray[np.int8] | NDArray[np.int32] | Whole
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
                names.append(SKIPPED + block.key)
            draw_at = None
            if block.is_rotating:
                draw_at = len(names)
                highest[draw_at] = block.n_booklets - 1
                names.append(DREW + block.key)
            blocks.append(_Block(tuple(questions), skipped, draw_at))
        self.columns = tuple(names)
        self.highest = np.array([highest.get(position, 1) for position in range(len(names))], dtype=np.int64)
        self._blocks = tuple(blocks)

    def pack(self, cells: Cells) -> bytes:
        """Pack rows.

        Parameters
        ----------
        cells : ndarray of int8, int32 or int64, shape (n, number of columns)
            1, 0, or `MISSING`. For a number or a place: the sent value, from 0 to its `highest`. For
            "asked:": the number of the drawn booklet, `MISSING` if the block was not asked, or `UNSAID`.

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
        out = ((cells < MISSING) & ~unsaid) | (cells > self.highest)
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

    def _pack_block(self, cells: Cells, bits: NDArray[np.uint8], number: int, block: _Block) -> None:
        skipped = np.zeros(len(cells), dtype=bool)
        refusal_bit = self.layout.refusal_bit(number)
        if block.skips is not None and refusal_bit is not None:
            self._need(cells, block.skips, np.ones(len(cells), dtype=bool))
            skipped = cells[:, block.skips] == 1
            bits[:, refusal_bit] = skipped
        in_booklet = None if block.draws is None else self._read_draws(cells, block.draws, skipped)
        for offset, (position, question, where) in enumerate(block.questions):
            values = cells[:, where]
            is_answered = values[:, 0] != MISSING
            self._refuse(
                cells, _at(cells, where, (values != MISSING) & skipped[:, None]),
                "answers a block that was skipped", "leave it empty",
            )  # fmt: skip
            for column in range(where.start, where.stop):
                # A question may be empty if a device can leave it out; otherwise it needs all its items.
                self._need(cells, column, is_answered if self.design.can_be_missing(position) else ~skipped)
                surplus = (cells[:, column] != MISSING) & ~is_answered & ~skipped
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
                    cells, _at(cells, where, surplus[:, None] & (values != MISSING)),
                    f"answers a question that {self.columns[block.draws]} does not name",
                    "name there what the device drew",
                )  # fmt: skip
                self._refuse(
                    cells,
                    _at(cells, where, (is_drawn & ~is_answered & ~skipped)[:, None] & (values == MISSING)),
                    f"is empty, though {self.columns[block.draws]} names its question",
                    "name there what the device drew",
                )  # fmt: skip
                present = np.where(is_stated, is_drawn, is_answered)
            bits[:, self.layout.presence_bit(position)] = present

    def _read_draws(self, cells: Cells, column: int, skips: Flags) -> Flags:
        """Return which questions of a rotating block each row's device drew, shape (n, questions)."""
        self._refuse(
            cells, _at(cells, slice(column, column + 1), ((cells[:, column] == MISSING) & skips)[:, None]),
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
        self, cells: Cells, bits: NDArray[np.uint8], block: Block, where: slice, into: tuple[int, int]
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
            bits[:, start + bit] = (rows != MISSING) & (rows >> (width - 1 - bit) & 1 == 1)

    def _need(self, cells: Cells, column: int, rows: Flags) -> None:
        empty = (cells[:, column] == MISSING) & rows
        remedy = "write 0 or 1" if self.highest[column] == 1 else "write the number of what was sent"
        self._refuse(cells, _at(cells, slice(column, column + 1), empty[:, None]), "is empty", remedy)

    def _refuse(self, cells: Cells, wrong: Flags, what: str, remedy: str) -> None:
        if wrong.any():
            row, column = divmod(int(wrong.argmax()), cells.shape[1])
            value = int(cells[row, column])
            cell = "" if value == MISSING else value
            raise PrivacyError("cell", cell, row=row, column=self.columns[column], what=what, remedy=remedy)


def _at(cells: Cells, where: slice, wrong: Flags) -> Flags:
    table = np.zeros(cells.shape, dtype=bool)
    table[:, where] = wrong
    return table


Bodies: TypeAlias = NDArray[np.uint8]
"""Packed rows, shape (n, bytes)."""


def disguise_bodies(
    bodies: Bodies, *, sent_under: Design, target: Design, direct: bool, words: Words
) -> Bodies:
    """Disguise rows of true answers.

    Parameters
    ----------
    bodies : ndarray of uint8, shape (n, bytes of `sent_under`)
        Rows of the undisguised direct group of a design, valid under ``Layout.unpack``.
    sent_under : Design
        Design under which they were sent.
    target : Design
        The same questions with the disguises to apply.
    direct : bool
        Whether rows are disguised as strongly as the direct group of `target`, and then belong to it; if
        False, the protected group.
    words : callable
        As for `privacy.scales.row_coins.RowCoins`.

    Returns
    -------
    ndarray of uint8, shape (n, bytes of `target`)

    Notes
    -----
    Each body equals the output of `privacy.survey.grouping.disguise` for the row's answers and words.
    Presence bits are neither drawn nor changed, so each row keeps its asked questions.

    Examples
    --------
    One question, p = .6, theta = .5; both people say yes. A draw of 5999 sends the truth, 6000 the decoy.

    >>> from dataclasses import replace
    >>> from privacy.survey.design import Block, GroupPolicy
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> choice = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     questions=(ask,)),), group=GroupPolicy(policy="choice"), use="live")
    >>> draws = iter([[5999, 6000], [5000, 5000]])
    >>> sent = disguise_bodies(np.array([[0b1110_0000]] * 2, dtype=np.uint8), sent_under=choice,
    ...     target=replace(choice, group=GroupPolicy()), direct=False,
    ...     words=lambda rows: np.array(next(draws), dtype=np.uint32))
    >>> [bin(byte) for byte in sent[:, 0]]
    ['0b1100000', '0b1000000']
    """
    sent_layout, layout = Layout(sent_under), Layout(target)
    planes = _planes(lay_out(bodies, sent_layout, layout))
    planes[0] = direct
    coins = RowCoins(len(bodies), words)
    for number, block in enumerate(target.blocks):
        strength = block.in_group(direct=direct)
        if strength is None:
            continue
        questions = range(
            target.first_questions[number], target.first_questions[number] + len(block.questions)
        )
        is_asked = np.logical_or.reduce([planes[layout.presence_bit(question)] for question in questions])
        if block.is_scale:
            truth = sent_values(bodies, *sent_layout.value_bits(questions[0]))
            _disguise_scale(planes, layout, number, is_asked, truth, coins, mine=strength)
        else:
            _disguise_block(planes, layout, number, is_asked, coins, mine=strength)
    return _bodies(planes)


def _disguise_block(
    planes: Flags, layout: Layout, number: int, is_asked: Flags, coins: RowCoins, *, mine: Block
) -> None:
    block = layout.design.blocks[number]
    is_decoy = (coins.draw() >= mine.truth_probability) & is_asked
    refusal_bit = layout.refusal_bit(number)
    has_answer = np.ones_like(is_asked)
    if refusal_bit is not None:
        # Draw for every row, in the order that devices draw; rows that send the truth ignore the result.
        planes[refusal_bit] = np.where(is_decoy, coins.draw() < (block.refusal or 0), planes[refusal_bit])
        has_answer = ~planes[refusal_bit]
    for question_number, question in enumerate(block.questions, start=layout.design.first_questions[number]):
        start, width = layout.value_bits(question_number)
        is_shown = planes[layout.presence_bit(question_number)] & has_answer
        values = planes[start : start + width]
        values[:] = np.where(is_decoy, _decoys(question, width, coins), values) & is_shown


def _decoys(question: Question, width: int, coins: RowCoins) -> Flags:
    """Draw one decoy for each row, as the value bits of a question."""
    if not question.is_exhaustive:
        return np.stack([coins.draw() < share for share in question.unrelated])
    option = np.searchsorted(question.cumulative, coins.draw(), side="right")
    return (option >> np.arange(width - 1, -1, -1)[:, None] & 1).astype(bool)


def _disguise_scale(
    planes: Flags, layout: Layout, number: int, is_asked: Flags, truth: Whole, coins: RowCoins, *, mine: Block
) -> None:
    block = layout.design.blocks[number]
    start, width = layout.value_bits(layout.design.first_questions[number])
    refusal_bit = layout.refusal_bit(number)
    answers = truth if refusal_bit is None else np.where(planes[refusal_bit], SKIP, truth)
    outputs = _sent_scale_values(mine, answers, coins, total=block.scale_total)
    if refusal_bit is not None:
        planes[refusal_bit] = is_asked & (outputs == SKIP)
    shifts = np.arange(width - 1, -1, -1)[:, None]
    planes[start : start + width] = (np.maximum(outputs, 0) >> shifts & 1).astype(bool) & is_asked


def _sent_scale_values(strength: Block, answers: Whole, coins: RowCoins, *, total: int) -> Whole:
    """Return the sent values of a number or a place, as `Block.scale_sent` does, from draws below `total`."""
    draws = coins.below(total) // (total // strength.scale_total)
    disguise = strength.disguise if strength.skipping is None else strength.skipping
    return rows_sent(disguise, answers, whole_numbers(draws, below=strength.scale_total))


def lay_out(bodies: Bodies, source: Layout, other: Layout) -> Bodies:
    """Convert rows to the layout of the same questions under another strength.

    Numbers keep their low bits, because their width depends on the values that other groups can send.

    Parameters
    ----------
    bodies : ndarray of uint8
        Packed rows.
    source, other : Layout
        Old and new layout.
    """
    source_of = {0: 0}
    for question in range(len(source.design.questions)):
        source_of[other.presence_bit(question)] = source.presence_bit(question)
        (start, width), (first, room) = source.value_bits(question), other.value_bits(question)
        source_of |= {first + room - bit: start + width - bit for bit in range(1, min(width, room) + 1)}
    for block in range(len(source.design.blocks)):
        before, after = source.refusal_bit(block), other.refusal_bit(block)
        if before is not None and after is not None:
            source_of[after] = before
    if source.n_bytes == other.n_bytes and all(index == bit for index, bit in source_of.items()):
        return bodies
    planes = np.zeros((8 * other.n_bytes, len(bodies)), dtype=bool)
    planes[list(source_of)] = _planes(bodies)[list(source_of.values())]
    return _bodies(planes)


def _planes(bodies: Bodies) -> Flags:
    """Return one row per bit of the bodies, shape (8 bytes, n)."""
    octets = np.ascontiguousarray(bodies.T)
    planes = np.empty((len(octets), 8, len(bodies)), dtype=np.uint8)
    for bit in range(8):
        np.bitwise_and(octets >> np.uint8(7 - bit), 1, out=planes[:, bit])
    return planes.reshape(8 * len(octets), len(bodies)).view(np.bool_)


def _bodies(planes: Flags) -> Bodies:
    bits = planes.view(np.uint8).reshape(len(planes) // 8, 8, -1)
    octets = np.zeros((len(bits), bits.shape[2]), dtype=np.uint8)
    for bit in range(8):
        octets |= bits[:, bit] << np.uint8(7 - bit)
    return np.ascontiguousarray(octets.T)


_WORDS_AT_A_TIME: Final = 4096


def words(rng: np.random.Generator) -> Iterator[int]:
    """Yield an endless stream of unsigned 32-bit words.

    Parameters
    ----------
    rng : numpy.random.Generator
        For simulations only. Respondents are protected by the generator of their platform.
    """
    while True:
        yield from rng.integers(WORDS, size=_WORDS_AT_A_TIME, dtype=np.uint32).tolist()
