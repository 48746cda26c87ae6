"""The sealed body: a record packed into the design's constant number of bytes, and read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from privacy.errors import PayloadError
from privacy.survey.design import Design
from privacy.survey.question import Question, Value
from privacy.survey.routing import is_asked

__all__ = ["Layout", "Record"]


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a device sends, unpacked.

    Parameters
    ----------
    direct : bool
        Whether the row was answered directly (Q = 0).
    answers : tuple of tuple
        Per block, per question its value; None where nothing was asked, answered or told.
    refused : tuple of bool
        Per block, whether it says "skipped".
    """

    direct: bool
    answers: tuple[tuple[Value | None, ...], ...]
    refused: tuple[bool, ...]


class Layout:
    """Positions of the bits of a body, and the translation of records into bodies and back.

    Parameters
    ----------
    design : Design

    Notes
    -----
    Bit 0 is the highest bit of the first byte. Bit 0 is 1 for the direct group. Then per block: per
    question its presence bit and its value bits (yes/no 1 bit; single choice of c options
    ceil(log2 c) bits, highest first; multi-select 1 bit per option; number and place ceil(log2 c) bits
    for c outputs, or inputs where those are more: a direct row holds the bin or cell itself); then, where
    the block offers a skip, its refusal bit. Zeros fill the last byte. "Skipped" has all presence bits 1,
    all value bits 0 and the refusal bit 1; a block that was not asked is all 0.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> age = Question(key="age", kind="single", options=("22", "27", "32"), unrelated=())
    >>> you = Block(key="you", protected=False, truth_probability=10_000, refusal=None,
    ...             asked_if=None, questions=(age,))
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
                width = _width(question)
                presence.append(bit)
                values.append((bit + 1, width))
                bit += 1 + width
            refusals.append(bit if block.refusal is not None else None)
            bit += block.refusal is not None
        self._presence = tuple(presence)
        self._values = tuple(values)
        self._refusals = tuple(refusals)
        self.n_bits = bit
        """Number of bits that mean something."""
        self.n_bytes = -(-bit // 8)
        """Length of every body of the design."""

    def presence_bit(self, question: int) -> int:
        """Return the position of the presence bit of a question (numbered over the design)."""
        return self._presence[question]

    def value_bits(self, question: int) -> tuple[int, int]:
        """Return position of the first value bit of a question, and the number of value bits."""
        return self._values[question]

    def refusal_bit(self, block: int) -> int | None:
        """Return the position of a block's refusal bit; None where skipping is not offered."""
        return self._refusals[block]

    def pack(self, record: Record) -> bytes:
        """Return the body of a record, `n_bytes` long.

        Raises
        ------
        PayloadError
            The design cannot produce the record; codes as in `unpack`.
        """
        self._check_shape(record)
        self._check(record)
        bits = 0

        def put(position: int, width: int, value: int) -> int:
            return value << (8 * self.n_bytes - position - width)

        bits |= put(0, 1, record.direct)
        for block, first in enumerate(self.design.first_questions):
            refusal = self._refusals[block]
            if refusal is not None:
                bits |= put(refusal, 1, record.refused[block])
            for offset, value in enumerate(record.answers[block]):
                if record.refused[block] or value is not None:
                    bits |= put(self._presence[first + offset], 1, 1)
                if value is not None:
                    bits |= put(*self._values[first + offset], _to_bits(value))
        return bits.to_bytes(self.n_bytes, "big")

    def unpack(self, body: bytes) -> Record:
        """Return the record of a body.

        Raises
        ------
        PayloadError
            No device that follows the design sends this: ``length``, ``padding``, ``group``,
            ``option`` (position out of range), ``absent_with_value``, ``refused_with_value``,
            ``partly_answered``, ``routing`` (asked against its asked_if, or not asked in spite of it).
        """
        if not isinstance(body, bytes) or len(body) != self.n_bytes:
            size = len(body) if isinstance(body, bytes) else type(body).__name__
            _refuse("length", f"the body has length {size}", size, f"send exactly {self.n_bytes} bytes")
        word = int.from_bytes(body, "big")
        total = 8 * self.n_bytes

        def take(position: int, width: int) -> int:
            return word >> (total - position - width) & ((1 << width) - 1)

        padding = take(self.n_bits, total - self.n_bits)
        if padding:
            _refuse("padding", f"the padding is {padding}", padding, "fill the last byte with zeros")
        direct = take(0, 1) == 1
        answers: list[tuple[Value | None, ...]] = []
        refused: list[bool] = []
        for block, first in zip(self.design.blocks, self.design.first_questions, strict=True):
            refusal = self._refusals[len(refused)]
            refused.append(refusal is not None and take(refusal, 1) == 1)
            row: list[Value | None] = []
            for number, question in enumerate(block.questions, first):
                present, bits = take(self._presence[number], 1), take(*self._values[number])
                if bits and refused[-1]:
                    _refuse(
                        "refused_with_value",
                        f"block {block.key} is skipped, yet {question.key} has value bits {bits}",
                        bits,
                        "send zeros for the values of a skipped block",
                    )
                if bits and not present:
                    _refuse(
                        "absent_with_value",
                        f"{question.key} is absent, yet has value bits {bits}",
                        bits,
                        "send zeros for a question that is absent",
                    )
                if refused[-1] and not present:
                    _refuse(
                        "partly_answered",
                        f"block {block.key} is skipped, yet {question.key} is absent",
                        question.key,
                        "send presence bits for all questions of a skipped block",
                    )
                row.append(_from_bits(question, bits, direct=direct) if present and not refused[-1] else None)
            answers.append(tuple(row))
        record = Record(direct=direct, answers=tuple(answers), refused=tuple(refused))
        self._check(record)
        return record

    def _check(self, record: Record) -> None:
        """Refuse what no combination of answers and coins leads to; values are in range already."""
        if not self.design.group.allows(direct=record.direct):
            _refuse(
                "group",
                f"direct = {record.direct} cannot occur under group policy {self.design.group.policy!r}",
                record.direct,
                "follow the group policy",
            )
        for block, route, row, refused in zip(
            self.design.blocks, self.design.routes, record.answers, record.refused, strict=True
        ):
            asked = is_asked(route, record.answers)
            present = sum(value is not None for value in row)
            if not asked and (present or refused):
                _refuse(
                    "routing",
                    f"block {block.key} is present though its asked_if does not hold",
                    block.key,
                    "leave the block out",
                )
            if not asked or refused or not block.protected or present == len(row):
                continue
            _refuse(
                "partly_answered" if present else "routing",
                f"protected block {block.key} has {present} of {len(row)} answers",
                block.key,
                "send a protected block whole",
            )

    def _check_shape(self, record: Record) -> None:
        blocks = self.design.blocks
        if len(record.answers) != len(blocks) or len(record.refused) != len(blocks):
            _refuse("shape", f"the record has {len(record.answers)} blocks", record, f"give {len(blocks)}")
        for block, row, refused in zip(blocks, record.answers, record.refused, strict=True):
            if len(row) != len(block.questions):
                _refuse(
                    "shape",
                    f"block {block.key} has {len(row)} answers",
                    len(row),
                    f"give {len(block.questions)}, None for a question without answer",
                )
            if refused and (block.refusal is None or any(value is not None for value in row)):
                _refuse(
                    "refused_with_value",
                    f"block {block.key} is skipped, yet offers no skip or has answers",
                    block.key,
                    "skip only where it is offered, and then without answers",
                )
            for question, value in zip(block.questions, row, strict=True):
                if value is not None and not _fits(question, value, direct=record.direct):
                    _refuse(
                        "option",
                        f"{question.key} = {value!r} is no answer to it",
                        value,
                        "give 0 or 1, an option's position, or a 0 or 1 per option",
                    )


def _width(question: Question) -> int:
    if question.disguise is not None:
        return (max(question.disguise.inputs, question.disguise.outputs) - 1).bit_length()
    if question.kind == "single":
        return (len(question.options) - 1).bit_length()
    return question.n_items


def _to_bits(value: Value) -> int:
    if isinstance(value, int):
        return value
    bits = 0
    for ticked in value:
        bits = bits << 1 | ticked
    return bits


def _from_bits(question: Question, bits: int, *, direct: bool) -> Value:
    if question.kind == "multi":
        return tuple(bits >> shift & 1 for shift in range(len(question.options) - 1, -1, -1))
    most = question.patterns
    if question.disguise is not None and not direct:
        most = question.disguise.outputs
    if bits >= most:
        _refuse(
            "option",
            f"{question.key} names option {bits} of {most}",
            bits,
            f"name one from 0 to {most - 1}",
        )
    return bits


def _fits(question: Question, value: Value, *, direct: bool) -> bool:
    if question.kind == "multi":
        return (
            isinstance(value, tuple)
            and len(value) == len(question.options)
            and all(ticked in (0, 1) for ticked in value)
        )
    most = question.patterns
    if question.disguise is not None and not direct:
        most = question.disguise.outputs
    return isinstance(value, int) and 0 <= value < most


def _refuse(code: str, message: str, value: object, remedy: str) -> NoReturn:
    raise PayloadError(code, message, value, remedy)
