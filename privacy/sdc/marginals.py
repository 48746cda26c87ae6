"""Marginal distributions before and after a release, read from the published labels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from privacy.sdc.labels import Domain, Interval, Prefix
from privacy.sdc.table import Column, number_text

__all__ = ["Marginal", "marginal"]


@dataclass(frozen=True, kw_only=True)
class Marginal:
    """One column before and after.

    Parameters
    ----------
    name : str
        The column.
    cells : tuple of str
        Values, or ten equal intervals of a numeric column.
    before, after : tuple of float
        Share of the records in each cell; after from labels spread evenly over what they can mean.
    """

    name: str
    cells: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def distance(self) -> float:
        """Total variation sum|before - after| / 2, in [0, 1]."""
        return sum(abs(first - two) for first, two in zip(self.before, self.after, strict=True)) / 2


def marginal(source: Column, released: Column, domain: Domain, *, bins: int = 10) -> Marginal:
    """Compare a column with its published labels.

    Examples
    --------
    >>> age = Column(name="age", role="quasi_identifier", kind="categorical", values=("a", "b"),
    ...              codes=np.array([0, 1], dtype=np.int32))
    >>> star = Column(name="age", role="quasi_identifier", kind="categorical", values=("*",),
    ...               codes=np.array([0, 0], dtype=np.int32))
    >>> marginal(age, star, Domain(name="age", numeric=False)).after
    (0.5, 0.5)
    """
    counts = np.bincount(released.codes, minlength=len(released.values)) / len(released.codes)
    own = np.bincount(source.codes, minlength=len(source.values)) / len(source.codes)
    if source.numbers is None:
        cells = source.values
        before = own
        after = np.zeros(len(cells))
        for label, share in zip(released.values, counts.tolist(), strict=True):
            meaning = domain.meaning(label)
            inside = [
                position
                for position, value in enumerate(cells)
                if (meaning.holds(value) if isinstance(meaning, Prefix) else _member(meaning, value))
            ]
            after[inside] += share / max(1, len(inside))
    else:
        edges = np.linspace(source.numbers[0], source.numbers[-1], bins + 1)
        cells = tuple(
            f"{number_text(round(low, 6))} to {number_text(round(high, 6))}"
            for low, high in pairwise(edges.tolist())
        )
        before = np.histogram(source.numbers, bins=edges, weights=own)[0]
        after = np.zeros(bins)
        for label, share in zip(released.values, counts.tolist(), strict=True):
            leaves = domain.leaves.get(label)
            meaning = domain.meaning(label)
            if leaves:
                within = np.isin(source.numbers, [float(leaf) for leaf in leaves])
            elif isinstance(meaning, Interval):
                within = (source.numbers >= meaning.low) & (source.numbers <= meaning.high)
            else:
                within = np.ones(len(source.numbers), dtype=bool)
            spread = np.histogram(source.numbers[within], bins=edges)[0]
            after += share * spread / max(1, spread.sum())
    return Marginal(name=source.name, cells=cells, before=tuple(before.tolist()), after=tuple(after.tolist()))


def _member(meaning: Interval | Prefix | frozenset[str], value: str) -> bool:
    return isinstance(meaning, frozenset) and value in meaning
