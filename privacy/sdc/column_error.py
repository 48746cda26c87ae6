"""Information and error of a published column: mutual bits, and labels read as their middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privacy.errors import PrivacyError
from privacy.sdc.labels import Domain, Interval
from privacy.sdc.table import Column

__all__ = ["ColumnError", "column_error"]

Real = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ColumnError:
    """One column X and its published labels X^.

    Parameters
    ----------
    name : str
        The column.
    entropy : float
        H(X), in bits.
    information : float
        I(X; X^) in bits, from 0 to `entropy`: leakage in the sense of source 001 eq. 3, utility in that of
        the researcher, the same number.
    root_mean_square : float or None
        Root of the mean of (x - x^)^2, x^ the middle of what the label can mean; in the column's own unit.
        None for categories.
    deviation : float or None
        Standard deviation of X: the same error where every record is published as the mean.
    """

    name: str
    entropy: float
    information: float
    root_mean_square: float | None = None
    deviation: float | None = None

    @property
    def mean_square(self) -> float | None:
        """D of source 001 eq. 1 as a mean square, in the square of the column's unit; None for categories."""
        return None if self.root_mean_square is None else self.root_mean_square**2


def column_error(source: Column, released: Column, domain: Domain) -> ColumnError:
    """Measure the error of a published column.

    Parameters
    ----------
    source, released : Column
        True values and published labels of the same records, in the same order.
    domain : Domain
        What the labels can mean.

    Raises
    ------
    PrivacyError
        ``column``: one of them has more records.

    Examples
    --------
    >>> age = Column(name="age", role="quasi_identifier", kind="numeric", values=("20", "30"),
    ...              codes=np.array([0, 1], dtype=np.int32), numbers=np.array([20.0, 30.0]))
    >>> label = Column(name="age", role="quasi_identifier", kind="categorical", values=("[20,30]",),
    ...                codes=np.array([0, 0], dtype=np.int32))
    >>> column_error(age, label, Domain(name="age", numeric=True)).root_mean_square
    5.0
    """
    if len(source.codes) != len(released.codes):
        raise PrivacyError("column.lengths", len(released.codes), records=len(source.codes))
    before = _entropy(np.bincount(source.codes))
    _, joint = np.unique(
        released.codes.astype(np.int64) * len(source.values) + source.codes, return_counts=True
    )
    information = before + _entropy(np.bincount(released.codes)) - _entropy(joint)
    if source.numbers is None:
        return ColumnError(name=source.name, entropy=before, information=information)
    true = source.numbers[source.codes]
    read = np.array([_middle(domain, label, true) for label in released.values])[released.codes]
    return ColumnError(
        name=source.name,
        entropy=before,
        information=information,
        root_mean_square=float(np.sqrt(((true - read) ** 2).mean())),
        deviation=float(true.std()),
    )


def _middle(domain: Domain, label: str, true: Real) -> float:
    """Return the middle of a label; one that is open at an end reaches as far as the column does."""
    if leaves := domain.leaves.get(label):
        return float(np.mean([float(leaf) for leaf in leaves]))
    meaning = domain.meaning(label)
    low, high = float(true.min()), float(true.max())
    if isinstance(meaning, Interval):
        low = meaning.low if np.isfinite(meaning.low) else low
        high = meaning.high if np.isfinite(meaning.high) else high
    return (low + high) / 2


def _entropy(counts: npt.NDArray[np.integer]) -> float:
    share = counts[counts > 0] / counts.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0
