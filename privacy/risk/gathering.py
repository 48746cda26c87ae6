"""Classes of rows that are equally likely in every way, made of the answers of one part after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole

__all__ = ["DIGITS", "MOST_CLASSES", "MOST_PRODUCTS", "Gathering", "Part"]

MOST_CLASSES: Final = 1 << 14
MOST_PRODUCTS: Final = 1 << 22
"""Of classes with answers of one more part; a part with more is made coarser first."""

DIGITS: Final = 8
"""Of logarithms that are told apart."""

_LEAST_WIDTH: Final = 1e-15


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """What a decoy draws by itself: a yes/no or single-choice question, or one option of a multi-select.

    Parameters
    ----------
    key : str
        The question's key, or ``question=option``.
    prior, decoy : float array, shape (answers,)
        Chances of each answer.
    rows : float array, shape (answers,), or None
        How many answers each of these stands for; one each without it.
    """

    key: str
    prior: Array
    decoy: Array
    rows: Array | None = None


class Gathering:
    """Classes of the rows of the parts added so far.

    Parameters
    ----------
    log_prior, log_decoy : float
        ln of the chances that there is an answer at all.

    Attributes
    ----------
    classes : tuple of float array
        ln P(y) and ln q(y) of a row y of each class, ln of its number of rows.
    slack : float
        As of `privacy.risk.row_distribution.RowDistribution`.
    """

    def __init__(self, log_prior: float, log_decoy: float) -> None:
        self.classes = (np.array([log_prior]), np.array([log_decoy]), np.zeros(1))
        self.slack = 0.0

    def add(self, part: Part) -> None:
        """Put each answer of one more part beside each class."""
        with np.errstate(divide="ignore"):
            rows = np.zeros(len(part.prior)) if part.rows is None else np.log(part.rows)
            parts = np.log(part.prior), np.log(part.decoy), rows
        room = max(2, MOST_PRODUCTS // len(self.classes[0]))
        if len(rows) > room:
            parts = _merged(self._coarse(parts[0] - parts[1], room), *parts)
        joint = [np.add.outer(so_far, part).ravel() for so_far, part in zip(self.classes, parts, strict=True)]
        self.classes = _merged(self._class_of(joint[0], joint[1]), *joint)

    def with_parts(self, parts: Sequence[Part]) -> Gathering:
        """Return the classes with answers of more parts, and leave these as they are."""
        gathering = Gathering(0.0, 0.0)
        gathering.classes, gathering.slack = self.classes, self.slack
        for part in parts:
            gathering.add(part)
        return gathering

    @classmethod
    def of_all(cls, ways: Sequence[Gathering]) -> Gathering:
        """Return the classes of rows that come about in one of several ways, each row once for each way."""
        gathering = cls(0.0, 0.0)
        gathering.slack = max(way.slack for way in ways)
        joint = [np.concatenate(kinds) for kinds in zip(*(way.classes for way in ways), strict=True)]
        gathering.classes = _merged(gathering._class_of(joint[0], joint[1]), *joint)
        return gathering

    def _class_of(self, log_prior: Array, log_decoy: Array) -> Whole:
        """Number the classes that rows belong to."""
        if self.slack == 0 or len(log_prior) <= MOST_CLASSES:
            key = np.empty(len(log_prior), dtype=np.complex128)
            key.real, key.imag = log_prior.round(DIGITS), log_decoy.round(DIGITS)
            distinct, class_of = np.unique(key, return_inverse=True)
            if len(distinct) <= MOST_CLASSES:
                return class_of
        return self._coarse(log_prior - log_decoy, MOST_CLASSES // 2)

    def _coarse(self, log_ratio: Array, most: int) -> Whole:
        """Number the bins of the ratio alone: a class has rows whose ratios differ by a bin at most."""
        finite = np.isfinite(log_ratio)
        ratios = log_ratio[finite] if finite.any() else np.zeros(1)
        low = float(ratios.min())
        # Never 0: rows whose ratios are all the same still have chances of their own.
        width = max((float(ratios.max()) - low) / most, _LEAST_WIDTH)
        self.slack += width
        bins = np.zeros(len(log_ratio), dtype=np.int64)
        bins[finite] = 1 + ((log_ratio[finite] - low) / width).astype(np.int64)
        # Bins without a row are left out.
        return (np.cumsum(np.bincount(bins) > 0) - 1)[bins]


def _merged(
    class_of: Whole, log_prior: Array, log_decoy: Array, log_rows: Array
) -> tuple[Array, Array, Array]:
    """Join rows of one class; it keeps their masses, hence a ratio between theirs."""
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
