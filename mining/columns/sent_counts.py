"""Count the values that rows sent for a number or a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining.columns.bitmatrix import (
    Buffer,
    sent_values,
)
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.scales.scale_groups import ScaleGroups, scale_groups
from privacy.scales.skips import Disguise, Skipping
from privacy.survey.design import Design
from privacy.survey.layout import Layout

Rows: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False)
class SentCounts:
    """Counts of one question's values, by group; rows that were not asked are left out.

    Parameters
    ----------
    direct : ndarray of int64, shape (inputs,), or one longer
        Rows of the direct group by true bin or cell, or by its disguise under `light`. If the question may be
        skipped, one more entry at the end counts skips.
    protected : ndarray of int64, shape (outputs,), or one longer
        Rows of the protected group by sent value, with the same extra entry for skips.
    skipping : Skipping or None
        How the question may be skipped, in the protected group.
    light : WindowChannel or PlanarWindowChannel or None
        Disguise of the direct group; None if it sends answers undisguised.
    """

    direct: Whole
    protected: Whole
    skipping: Skipping | None = None
    light: Disguise | None = None

    def groups(self, disguise: Disguise) -> ScaleGroups:
        """Return both groups in the form that the estimators in `privacy.scales` expect."""
        return scale_groups(
            disguise, self.protected, direct=self.direct, light=self.light, skipping=self.skipping
        )

    @property
    def n(self) -> int:
        """Number of rows that were asked."""
        return int(self.direct.sum() + self.protected.sum())

    @property
    def people(self) -> float:
        """Number of people who were asked and answered; an estimate if the question may be skipped."""
        if self.skipping is None:
            return float(self.n)
        groups = self.groups(self.skipping.disguise)
        return sum(float(group.people[0]) for group in groups if group.counts.any())


def sent_counts(design: Design, question: int, buffers: Buffer | Iterable[Buffer]) -> SentCounts:
    """Count the values of a number or a place in packed rows.

    Parameters
    ----------
    design : Design
    question : int
        Number of a question of kind number or place.
    buffers : bytes-like, or iterable of bytes-like
        Rows of ``Layout(design).n_bytes`` bytes, as for `mining.columns.bitmatrix.BitMatrix.from_rows`.

    Raises
    ------
    PrivacyError
        ``lone``: the question is of another kind.
    """
    disguise_of(design, question)
    block = design.blocks[design.block_of(question)]
    more, lightly = block.refusal is not None, block.in_group(direct=True)
    direct, protected = (
        np.zeros(block.scale_outputs(direct=group) + more, dtype=np.int64) for group in (True, False)
    )
    for rows in rows_in(design, buffers):
        values, is_direct = read_sent_values(design, question, rows)
        is_asked = values >= 0
        direct += np.bincount(values[is_asked & is_direct], minlength=len(direct))
        protected += np.bincount(values[is_asked & ~is_direct], minlength=len(protected))
    return SentCounts(
        direct=direct,
        protected=protected,
        skipping=block.skipping,
        light=None if lightly is None else lightly.disguise,
    )


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
