"""Read the values that rows sent for a number or a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import Buffer, sent_values
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.scales.skips import Disguise
from privacy.survey.design import Design
from privacy.survey.layout import Layout

Rows: TypeAlias = NDArray[np.uint8]


def disguise_of(design: Design, question: int) -> Disguise:
    """Return the disguise of a number or a place; refuse other kinds of questions.

    Parameters
    ----------
    design : Design
        Design of a survey.
    question : int
        Position of the question in the design.
    """
    asked_question = design.questions[question]
    if asked_question.disguise is None:
        raise PrivacyError("lone.kind", asked_question.key, kind=asked_question.kind)
    return asked_question.disguise


def rows_in(design: Design, buffers: Buffer | Iterable[Buffer]) -> Iterator[Rows]:
    """Yield the rows of each buffer as an array of shape (rows, bytes).

    Parameters
    ----------
    design : Design
        Design of the packed rows.
    buffers : buffer, or iterable of buffers
        Each contains whole packed rows.
    """
    width = Layout(design).n_bytes
    several = [buffers] if isinstance(buffers, bytes | bytearray | memoryview) else buffers
    for buffer in several:
        yield np.frombuffer(buffer, dtype=np.uint8).reshape(-1, width)


def read_sent_values(design: Design, question: int, rows: Rows) -> tuple[Whole, Flags]:
    """Return the value that each row sent (-1 if it was not asked), and whether the row is direct.

    Parameters
    ----------
    design : Design
        Design of the packed rows.
    question : int
        Position of a number or a place in the design.
    rows : Rows
        Rows from `rows_in`.
    """
    layout = Layout(design)
    presence = layout.presence_bit(question)
    is_asked = (rows[:, presence // 8] >> (7 - presence % 8) & 1) == 1
    values = np.where(is_asked, sent_values(rows, *layout.value_bits(question)), -1)
    is_direct = (rows[:, 0] & 0x80) != 0
    refusal_bit = layout.refusal_bit(design.block_of(question))
    if refusal_bit is not None:
        block = design.blocks[design.block_of(question)]
        skipped = (rows[:, refusal_bit // 8] >> (7 - refusal_bit % 8) & 1) == 1
        behind = np.where(is_direct, block.scale_outputs(direct=True), block.scale_outputs(direct=False))
        values = np.where(is_asked & skipped, behind, values)
    return values, is_direct
