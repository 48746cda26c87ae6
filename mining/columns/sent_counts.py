"""Count the values that rows sent for a number or a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mining.columns.bitmatrix import Buffer
from mining.columns.sent_values import disguise_of, read_sent_values, rows_in
from privacy.arrays import Whole
from privacy.scales.scale_groups import ScaleGroups, scale_groups
from privacy.scales.skips import Disguise, Skipping
from privacy.survey.design import Design


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
