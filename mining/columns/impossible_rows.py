"""Rows that no device can send."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.survey.design import Design
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
