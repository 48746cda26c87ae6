"""How far the columns of a release differ from those of its table."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt
import scipy

from privacy.sdc.published_labels import Domain, middle
from privacy.sdc.table import Column


@dataclass(frozen=True, kw_only=True)
class ColumnError:
    """Information that published labels X^ keep about a column X, and their error.

    Parameters
    ----------
    name : str
        The column.
    entropy : float
        H(X), in bits.
    information : float
        I(X; X^) in bits, from 0 to `entropy`. It is leakage in the sense of Yu 2016, and utility for the
        researcher.
    root_mean_square : float or None
        Root of the mean of (x - x^)^2 in the column's own unit, where x^ is the middle of what the label can
        mean. None for categories.
    deviation : float or None
        Standard deviation of X: the error if every record were published as the mean.
    """

    name: str
    entropy: float
    information: float
    root_mean_square: float | None = None
    deviation: float | None = None

    @property
    def mean_square(self) -> float | None:
        """D of Yu 2016 as a mean square, in the square of the column's unit; None for categories."""
        return None if self.root_mean_square is None else self.root_mean_square**2


def column_error(source: Column, released: Column, domain: Domain) -> ColumnError:
    """Measure the error of a published column.

    Parameters
    ----------
    source, released : Column
        True values and published labels of the same records, in the same order.
    domain : Domain
        What the labels can mean.

    Examples
    --------
    >>> age = Column(name="age", role="quasi_identifier", kind="numeric", values=("20", "30"),
    ...              codes=np.array([0, 1], dtype=np.int32), numbers=np.array([20.0, 30.0]))
    >>> label = Column(name="age", role="quasi_identifier", kind="categorical", values=("[20,30]",),
    ...                codes=np.array([0, 0], dtype=np.int32))
    >>> column_error(age, label, Domain(name="age", numeric=True)).root_mean_square
    5.0
    """
    before = _entropy(np.bincount(source.codes))
    _, joint = np.unique(
        released.codes.astype(np.int64) * len(source.values) + source.codes, return_counts=True
    )
    information = before + _entropy(np.bincount(released.codes)) - _entropy(joint)
    if source.numbers is None:
        return ColumnError(name=source.name, entropy=before, information=information)
    true = source.numbers[source.codes]
    read = np.array([middle(domain, label, true) for label in released.values])[released.codes]
    return ColumnError(
        name=source.name,
        entropy=before,
        information=information,
        root_mean_square=float(np.sqrt(((true - read) ** 2).mean())),
        deviation=float(true.std()),
    )


def _entropy(counts: npt.NDArray[np.integer]) -> float:
    """Return the entropy of shares that are in proportion to counts, in bits (Shannon 1948)."""
    return float(scipy.special.entr(counts / counts.sum()).sum()) / log(2)
