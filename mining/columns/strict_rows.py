"""Strict reading of many packed rows: which of them no device sends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Design
from privacy.survey.layout import Layout

__all__ = ["ImpossibleRows", "impossible_rows"]


@dataclass(frozen=True, kw_only=True)
class ImpossibleRows:
    """Rows that no device sends.

    Attributes
    ----------
    positions : ndarray of int64
        In ascending order.
    error : PrivacyError
        Why the layout refuses the first of them.
    """

    positions: Whole
    error: PrivacyError

    @property
    def n(self) -> int:
        """How many they are."""
        return len(self.positions)

    @property
    def first(self) -> int:
        """Position of the first of them."""
        return int(self.positions[0])


def impossible_rows(design: Design, packed: bytes) -> ImpossibleRows | None:
    """Return the rows that the layout refuses; None where a device could have sent each of them.

    Parameters
    ----------
    design : Design
    packed : bytes
        Rows of ``Layout(design).n_bytes`` bytes without anything between them.

    Raises
    ------
    PrivacyError
        ``row_length``: the bytes do not hold whole rows.

    Notes
    -----
    Each row is read by `privacy.survey.layout.Layout.unpack`, as a device's body is. Rows that differ in
    nothing but valid answers, which lead no one to another part, are accepted or refused alike: one of them
    is read for all. A million rows of sixty questions are so a few readings.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> impossible = impossible_rows(design, bytes([0b01100000, 0b01000000, 0b00100000]))
    >>> impossible.n, impossible.first, impossible.error.code
    (1, 2, 'absent_with_value')
    """
    layout = Layout(design)
    if len(packed) % layout.n_bytes:
        raise PrivacyError("row_length", len(packed), n_bytes=layout.n_bytes)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(-1, layout.n_bytes)
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
    """Return rows without their valid answers, but for those that lead to other parts."""
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
            own = bits[:, start : start + width]
            valid = bits[:, layout.presence_bit(position)] == 1
            if refusal_bit is not None:
                valid &= bits[:, refusal_bit] == 0
            if block.is_scale or question.kind == "single":
                value = own.astype(np.int64) @ (1 << np.arange(width, dtype=np.int64)[::-1])
                outputs = [
                    block.scale_outputs(direct=group) if block.is_scale else question.patterns
                    for group in (False, True)
                ]
                valid &= value < np.where(direct, outputs[1], outputs[0])
            own[valid] = 0
    return bits
