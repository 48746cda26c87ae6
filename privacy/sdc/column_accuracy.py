"""How far the columns of a release differ from those of its table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np
import numpy.typing as npt
import scipy

from privacy.arrays import Flags, Whole
from privacy.numeric_text import number_text
from privacy.sdc.classes import Classes
from privacy.sdc.published_labels import Domain, Interval
from privacy.sdc.queries import middle
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


@dataclass(frozen=True, kw_only=True)
class Marginal:
    """Distribution of one column before and after a release.

    Parameters
    ----------
    name : str
        The column.
    cells : tuple of str
        Values, or ten equal intervals of a numeric column.
    before, after : tuple of float
        Share of the records in each cell. `after` spreads each label evenly over what it can mean.
    crowd : tuple of int
        Number of people, or of records if each is of a different person, in each cell before.
    """

    name: str
    cells: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    crowd: tuple[int, ...]

    @property
    def distance(self) -> float:
        """Total variation sum|before - after| / 2, in [0, 1]."""
        return sum(abs(first - two) for first, two in zip(self.before, self.after, strict=True)) / 2


def marginal(
    source: Column, released: Column, domain: Domain, *, bins: int = 10, people: Whole | None = None
) -> Marginal:
    """Compare a column with its published labels.

    Parameters
    ----------
    source, released : Column
        The column before and after the release.
    domain : Domain
        What the published labels can mean.
    bins : int, optional
        Number of intervals of a numeric column.
    people : int64 array, shape (n,), or None
        Person of each record of `source`, if a person can have several.

    Examples
    --------
    >>> age = Column(name="age", role="quasi_identifier", kind="categorical", values=("a", "b"),
    ...              codes=np.array([0, 1], dtype=np.int32))
    >>> star = Column(name="age", role="quasi_identifier", kind="categorical", values=("*",),
    ...               codes=np.array([0, 0], dtype=np.int32))
    >>> marginal(age, star, Domain(name="age", numeric=False)).after
    (0.5, 0.5)
    """
    shares = np.bincount(released.codes, minlength=len(released.values)) / len(released.codes)
    own = np.bincount(source.codes, minlength=len(source.values)) / len(source.codes)
    cells, cell = source.values, np.arange(len(source.values))
    if source.numbers is not None:
        edges = np.linspace(source.numbers[0], source.numbers[-1], bins + 1)
        cells = tuple(
            f"{number_text(round(low, 6))} to {number_text(round(high, 6))}"
            for low, high in pairwise(edges.tolist())
        )
        cell = np.clip(np.searchsorted(edges, source.numbers, side="right") - 1, 0, bins - 1)
    before, after = np.bincount(cell, own, len(cells)), np.zeros(len(cells))
    for label, share in zip(released.values, shares.tolist(), strict=True):
        matches = _label_values(source, domain, label)
        after += share * np.bincount(cell[matches], minlength=len(cells)) / max(1, matches.sum())
    crowd = Classes(number=cell[source.codes].astype(np.int64), count=len(cells)).crowds(people)
    return Marginal(
        name=source.name,
        cells=cells,
        before=tuple(before.tolist()),
        after=tuple(after.tolist()),
        crowd=tuple(crowd.tolist()),
    )


def _label_values(source: Column, domain: Domain, label: str) -> Flags:
    """Return the possible values of a label in a column."""
    if source.numbers is None:
        return np.array([domain.allows(label, value) for value in source.values], dtype=np.bool_)
    if leaves := domain.leaves.get(label):
        return np.isin(source.numbers, [float(leaf) for leaf in leaves])
    meaning = domain.meaning(label)
    if isinstance(meaning, Interval):
        return (source.numbers >= meaning.low) & (source.numbers <= meaning.high)
    return np.ones(len(source.numbers), dtype=np.bool_)
