"""Shares of the values of a column, before and after a release."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.numeric_text import number_text
from privacy.sdc.classes import Classes
from privacy.sdc.published_labels import Domain, Interval
from privacy.sdc.table import Column


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
