"""Classes of rows with about the same likelihood as truth and as decoy, joined part by part of a block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole

MOST_CLASSES: Final = 1 << 14
MOST_PRODUCTS: Final = 1 << 22
"""Largest number of classes after combining with one more part; larger parts are coarsened first."""
DIGITS: Final = 8
"""Decimals to which logarithms are compared."""

_LEAST_WIDTH: Final = 1e-15


@dataclass(frozen=True, kw_only=True, eq=False)
class DecoyPart:
    """An independently drawn part of a decoy: a yes/no or single-choice question, or one multi-select option.

    Parameters
    ----------
    key : str
        The question's key, or ``question=option``.
    prior, decoy : float array, shape (answers,)
        Probabilities of each answer.
    rows : float array, shape (answers,), or None
        Number of answers that each entry represents; one by default.
    """

    key: str
    prior: Array
    decoy: Array
    rows: Array | None = None


class Gathering:
    """Classes of the rows of the parts added so far.

    Parameters
    ----------
    log_answered : float
        ln of the probability that a decoy answers the block. P(y) is given an answer.

    Attributes
    ----------
    classes : tuple of float array
        For each class: ln P(y) and ln q(y) of a row y in it, and ln of its number of rows.
    slack : float
        As in `privacy.risk.row_distribution.RowDistribution`.
    """

    def __init__(self, log_answered: float = 0.0) -> None:
        self.classes = (np.zeros(1), np.array([log_answered]), np.zeros(1))
        self.slack = 0.0

    def add(self, part: DecoyPart) -> None:
        """Combine each class with each answer of one more part."""
        with np.errstate(divide="ignore"):
            rows = np.zeros(len(part.prior)) if part.rows is None else np.log(part.rows)
            parts = np.log(part.prior), np.log(part.decoy), rows
        room = max(2, MOST_PRODUCTS // len(self.classes[0]))
        if len(rows) > room:
            parts = _merge_classes(self._coarse(parts[0] - parts[1], room), *parts)
        joint = [np.add.outer(so_far, part).ravel() for so_far, part in zip(self.classes, parts, strict=True)]
        self.classes = _merge_classes(self._class_of(joint[0], joint[1]), *joint)

    def with_parts(self, parts: Sequence[DecoyPart]) -> Gathering:
        """Return a copy with more parts added."""
        gathering = Gathering()
        gathering.classes, gathering.slack = self.classes, self.slack
        for part in parts:
            gathering.add(part)
        return gathering

    @classmethod
    def of_all(cls, ways: Sequence[Gathering]) -> Gathering:
        """Return the classes of several alternatives together; a row counts once for each alternative."""
        gathering = cls()
        gathering.slack = max(way.slack for way in ways)
        joint = [np.concatenate(kinds) for kinds in zip(*(way.classes for way in ways), strict=True)]
        gathering.classes = _merge_classes(gathering._class_of(joint[0], joint[1]), *joint)
        return gathering

    def _class_of(self, log_prior: Array, log_decoy: Array) -> Whole:
        """Return the number of each row's class."""
        if self.slack == 0 or len(log_prior) <= MOST_CLASSES:
            key = np.empty(len(log_prior), dtype=np.complex128)
            key.real, key.imag = log_prior.round(DIGITS), log_decoy.round(DIGITS)
            distinct, class_of = np.unique(key, return_inverse=True)
            if len(distinct) <= MOST_CLASSES:
                return class_of
        return self._coarse(log_prior - log_decoy, MOST_CLASSES // 2)

    def _coarse(self, log_ratio: Array, most: int) -> Whole:
        """Bin rows by likelihood ratio alone, so that ratios in a class differ by at most one bin width."""
        finite = np.isfinite(log_ratio)
        ratios = log_ratio[finite] if finite.any() else np.zeros(1)
        low = float(ratios.min())
        # Keep the width above 0, as all ratios can be equal.
        width = max((float(ratios.max()) - low) / most, _LEAST_WIDTH)
        self.slack += width
        bins = np.zeros(len(log_ratio), dtype=np.int64)
        bins[finite] = 1 + ((log_ratio[finite] - low) / width).astype(np.int64)
        # Renumber without the empty bins.
        return (np.cumsum(np.bincount(bins) > 0) - 1)[bins]


def _merge_classes(
    class_of: Whole, log_prior: Array, log_decoy: Array, log_rows: Array
) -> tuple[Array, Array, Array]:
    """Merge the rows of each class, keeping their total masses, so the ratio lies between theirs."""
    rows = _log_sums(log_rows, class_of)
    return (
        _log_sums(log_prior + log_rows, class_of) - rows,
        _log_sums(log_decoy + log_rows, class_of) - rows,
        rows,
    )


def _log_sums(logs: Array, class_of: Whole) -> Array:
    highest = np.full(int(class_of.max()) + 1, -np.inf)
    np.maximum.at(highest, class_of, logs)
    shift = np.where(np.isfinite(highest), highest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(np.bincount(class_of, weights=np.exp(logs - shift[class_of]))))
