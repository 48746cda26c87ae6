"""The sealed body: pack records into a fixed number of bytes per design, and read them strictly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.booklets import Drawn
from privacy.survey.design import Design
from privacy.survey.question import Question, Value
from privacy.survey.routing import is_asked


@dataclass(frozen=True, kw_only=True)
class Record:
    """An unpacked device report.

    Parameters
    ----------
    direct : bool
        Whether the respondent is in the direct group (Q = 0).
    answers : tuple of tuple
        Values by block and question; None for a question that was not asked, was skipped or has no answer.
    refused : tuple of bool
        For each block, whether it says "skipped".
    drawn : Drawn, optional
        For a design that rotates, the positions of each block's questions that were asked, () for a block
        that was not; None for all other designs.
    """

    direct: bool
    answers: tuple[tuple[Value | None, ...], ...]
    refused: tuple[bool, ...]
    drawn: Drawn | None = None


class Layout:
    """Bit positions in a body, and conversion of records to bodies and back.

    Parameters
    ----------
    design : Design

    Notes
    -----
    Bit 0 is the highest bit of the first byte, and is 1 for the direct group. Then each block has, for each
    question, a presence bit and value bits; if the block offers a skip, a refusal bit follows. Zeros fill the
    last byte. Values have 1 bit for yes/no, ceil(log2 c) bits, highest first, for a single choice of c
    options, and 1 bit per option for multi-select. A number or a place has ceil(log2 c) bits for the c
    outputs of the group that has more of them; an undisguised value is the bin or cell itself.

    "Skipped" has all presence bits 1, all value bits 0 and the refusal bit 1; a block that was not asked is
    all 0. The presence bits of a rotating block mark its booklet, skipped or not.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    >>> you = Block(key="you", protected=False, truth_probability=10_000,
    ...             questions=(age,))
    >>> layout = Layout(Design(blocks=(you,), group=GroupPolicy(), use="live"))
    >>> layout.presence_bit(0), layout.value_bits(0), layout.n_bits, layout.n_bytes
    (1, (2, 2), 4, 1)
    >>> body = layout.pack(Record(direct=False, answers=((2,),), refused=(False,)))
    >>> body.hex()  # 0 1 10 0000
    '60'
    >>> layout.unpack(body).answers
    ((2,),)
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        presence: list[int] = []
        values: list[tuple[int, int]] = []
        refusals: list[int | None] = []
        bit = 1
        for block in design.blocks:
            for question in block.questions:
                width = _width(block, question)
                presence.append(bit)
                values.append((bit + 1, width))
                bit += 1 + width
            refusals.append(bit if block.refusal is not None else None)
            bit += block.refusal is not None
        self._presence = tuple(presence)
        self._values = tuple(values)
        self._refusals = tuple(refusals)
        self.n_bits = bit
        """Number of bits before the padding."""
        self.n_bytes = -(-bit // 8)
        """Length of every body of the design."""
        last = 8 * self.n_bytes - 1
        self._top = 1 << last
        # Masks for a body read as one integer: skip flag; presence bit, value shift and value mask.
        self._flags = tuple(0 if flag is None else 1 << last - flag for flag in refusals)
        self._places = tuple(
            (1 << last - presence_bit, last + 1 - first - width, (1 << width) - 1)
            for presence_bit, (first, width) in zip(presence, values, strict=True)
        )

    def presence_bit(self, question: int) -> int:
        """Return the position of the presence bit of a question (by its number in the design)."""
        return self._presence[question]

    def value_bits(self, question: int) -> tuple[int, int]:
        """Return the position of a question's first value bit, and the number of value bits."""
        return self._values[question]

    def refusal_bit(self, block: int) -> int | None:
        """Return the position of a block's refusal bit; None if it cannot be skipped."""
        return self._refusals[block]

    def pack(self, record: Record) -> bytes:
        """Return the body of a record, `n_bytes` long.

        Raises
        ------
        PrivacyError
            The design cannot produce the record: ``shape``, ``record`` (unpacking would return a different
            record), and the codes of `unpack`.
        """
        counts = [len(block.questions) for block in self.design.blocks]
        drawn_of = (None,) * len(counts) if record.drawn is None else record.drawn
        is_whole = len(record.refused) == len(drawn_of) == len(counts)
        if not is_whole or [len(row) for row in record.answers] != counts:
            raise PrivacyError("shape.record", record, counts=", ".join(map(str, counts)))
        bits = self._top if record.direct else 0
        for block, first in enumerate(self.design.first_questions):
            if record.refused[block]:
                bits |= self._flags[block]
            booklet = drawn_of[block]
            for offset, value in enumerate(record.answers[block]):
                presence, shift, mask = self._places[first + offset]
                skipped = record.refused[block] and (booklet is None or offset in booklet)
                if skipped or value is not None:
                    bits |= presence
                if value is not None:
                    bits |= (_to_bits(value) & mask) << shift
        body = bits.to_bytes(self.n_bytes, "big")
        if self.unpack(body) != record:
            raise PrivacyError("record", record)
        return body

    def unpack(self, body: bytes) -> Record:
        """Return the record of a body.

        Raises
        ------
        PrivacyError
            No device with this design sends such a body: ``length``, ``padding``, ``group``, ``option``
            (position out of range), ``absent_with_value``, ``refused_with_value``, ``partly_answered``,
            ``routing`` (asked although its asked_if fails, or not asked although it holds), ``booklet`` (not
            a set of questions that devices draw), ``rotation`` (more or fewer blocks than devices draw),
            ``arms`` (missing; devices always draw one).
        """
        if not isinstance(body, bytes) or len(body) != self.n_bytes:
            size = len(body) if isinstance(body, bytes) else type(body).__name__
            raise PrivacyError("length", size, n_bytes=self.n_bytes)
        word = int.from_bytes(body, "big")
        padding = word & ((1 << 8 * self.n_bytes - self.n_bits) - 1)
        if padding:
            raise PrivacyError("padding", padding)
        direct = word >= self._top
        answers: list[tuple[Value | None, ...]] = []
        skips: list[bool] = []
        sent: list[tuple[int, ...]] = []
        asked: list[tuple[int, ...]] = []
        for block, first, route, flag in zip(
            self.design.blocks, self.design.first_questions, self.design.routes, self._flags, strict=True
        ):
            skips.append(word & flag != 0)
            row: list[Value | None] = []
            sent_here: list[int] = []
            for number, question in enumerate(block.questions, first):
                presence, shift, mask = self._places[number]
                present, bits = word & presence != 0, word >> shift & mask
                if bits and skips[-1]:
                    raise PrivacyError("refused_with_value", bits, block=block.key, question=question.key)
                if bits and not present:
                    raise PrivacyError("absent_with_value", bits, question=question.key)
                if skips[-1] and not present and not block.is_rotating:
                    raise PrivacyError("partly_answered", question.key, block=block.key)
                if present:
                    sent_here.append(number - first)
                row.append(
                    _from_bits(block, question, bits, direct=direct) if present and not skips[-1] else None
                )
            sent.append(tuple(sent_here))
            # In an open block, unanswered questions were asked too.
            is_open = not block.protected and is_asked(route, answers)
            asked.append(tuple(range(len(row))) if is_open else sent[-1])
            answers.append(tuple(row))
        booklets = tuple(asked) if self.design.rotates else None
        record = Record(direct=direct, answers=tuple(answers), refused=tuple(skips), drawn=booklets)
        self._check(record, sent)
        return record

    def _check(self, record: Record, sent: Sequence[tuple[int, ...]]) -> None:
        """Refuse records that no answers and coins produce; the caller has checked the range of values.

        `sent` holds the positions of each block's questions whose presence bits are set.
        """
        if not self.design.group.allows(direct=record.direct):
            raise PrivacyError("group", record.direct, policy=self.design.group.policy)
        was_sent: dict[str, bool] = {}
        off_route: set[str] = set()
        for block, route, positions, is_refused in zip(
            self.design.blocks, self.design.routes, sent, record.refused, strict=True
        ):
            was_sent[block.key] = bool(positions) or is_refused
            if not is_asked(route, record.answers):
                off_route.add(block.key)
                if was_sent[block.key]:
                    raise PrivacyError("routing", block.key)
            elif block.questions[0].is_arm and not positions:
                raise PrivacyError("arms.missing", block.questions[0].key)
            elif block.protected and (was_sent[block.key] or not self.design.in_rotation(block.key)):
                _check_booklet(block, positions)
        for rotation in self.design.rotations:
            count, n_parts = sum(was_sent[key] for key in rotation.blocks), rotation.parts_per_person
            least = rotation.least_asked - len(off_route.intersection(rotation.blocks))
            if not least <= count <= n_parts:
                raise PrivacyError("rotation.sent", count, wanted=n_parts, keys=", ".join(rotation.blocks))


def _check_booklet(block: Block, positions: tuple[int, ...]) -> None:
    """Refuse a protected block whose present questions are not a booklet."""
    if block.booklet_number(positions) is not None:
        return
    if block.is_rotating:
        raise PrivacyError("booklet", positions, block=block.key, size=block.most_asked)
    raise PrivacyError(
        "partly_answered.protected",
        block.key,
        code="partly_answered" if positions else "routing",
        present=len(positions),
        count=len(block.questions),
    )


def _width(block: Block, question: Question) -> int:
    if block.is_scale:
        return (max(block.scale_outputs(direct=direct) for direct in (False, True)) - 1).bit_length()
    return question.width


def _to_bits(value: Value) -> int:
    if isinstance(value, int):
        return value
    bits = 0
    for bit in value:
        bits = bits << 1 | bit
    return bits


def _from_bits(block: Block, question: Question, bits: int, *, direct: bool) -> Value:
    most = block.scale_outputs(direct=direct) if block.is_scale else question.patterns
    if bits >= most:
        raise PrivacyError("option", bits, question=question.key, most=most, last=most - 1)
    return question.unpack(bits)
