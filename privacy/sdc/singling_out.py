"""Singling out: unicity of known points, and the smallest sets of columns that single a record out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.sdc.classes import Classes
from privacy.sdc.table import Column


@dataclass(frozen=True, kw_only=True)
class Unicity:
    """Share of records, or people, that are unique by some columns, over subsets of a given size."""

    mean: float
    highest: float


def _owned_alone(columns: Sequence[Column], people: Whole | None) -> Flags:
    """Return which records have values in some columns that no record of another person has."""
    classes = Classes.of_columns(columns)
    alone: Flags = classes.crowds(people) == 1
    return alone[classes.number]


def _count_people(mask: Flags, people: Whole | None) -> int:
    """Return the number of people, or records if each is of a different person, with a record in a mask."""
    return int(mask.sum()) if people is None else len(np.unique(people[mask]))


def unicity(
    columns: Sequence[Column],
    points: int,
    *,
    rng: np.random.Generator,
    most_subsets: int = 2000,
    people: Whole | None = None,
) -> Unicity:
    """Measure unicity over all subsets of columns, or over a sample when there are too many.

    Parameters
    ----------
    columns : sequence of Column
        Columns of the quasi-identifiers.
    points : int
        Number of columns that an attacker knows, 1 or more.
    rng : numpy.random.Generator
        Draws the sample.
    most_subsets : int, optional
        Number of subsets to sample if there are more than this.
    people : int64 array, shape (n,), or None
        Person of each record, if a person can have several; the shares are then of people.
    """
    total = comb(len(columns), points)
    if total <= most_subsets:
        subsets = list(combinations(range(len(columns)), points))
    else:
        sample: set[tuple[int, ...]] = set()
        while len(sample) < most_subsets:
            sample.add(tuple(sorted(rng.choice(len(columns), size=points, replace=False).tolist())))
        subsets = sorted(sample)
    shares, n = [], _count_people(np.ones(len(columns[0].codes), dtype=np.bool_), people)
    for subset in subsets:
        alone = _owned_alone([columns[position] for position in subset], people)
        shares.append(_count_people(alone, people) / n)
    return Unicity(mean=float(np.mean(shares)), highest=max(shares))


MOST_SINGLING_SETS: Final = 20_000
"""Largest number of column sets to try in the search for sets that single out a record."""


@dataclass(frozen=True, kw_only=True)
class SinglingSet:
    """A minimal set of columns that singles out a record.

    Parameters
    ----------
    columns : tuple of str
        The set.
    people : int
        Number of records, or people, that this set singles out but none of its subsets does.
    """

    columns: tuple[str, ...]
    people: int


def singling_sets(
    columns: Sequence[Column], *, longest: int | None = None, people: Whole | None = None
) -> tuple[SinglingSet, ...]:
    """Find all column sets Q that are minimal for some person p with f_g(f_c(p)[Q]) = p.

    Parameters
    ----------
    columns : sequence of Column
        Columns of the table. f_c maps a person to a record; f_g looks up a projection in the same table. This
        is the worst case, an attacker who knows everyone in the table.
    longest : int or None
        Largest size of a set. The search stops earlier if it would exceed `MOST_SINGLING_SETS` sets.
    people : int64 array, shape (n,), or None
        Person of each record, if a person can have several. A set then singles out a person.

    Returns
    -------
    tuple of SinglingSet
        The sets by size, then in the order of the columns.

    Examples
    --------
    >>> sex = Column(name="sex", role="quasi_identifier", kind="categorical", values=("F", "M"),
    ...              codes=np.array([0, 0, 1, 1], dtype=np.int32))
    >>> age = Column(name="age", role="quasi_identifier", kind="categorical", values=("25", "30"),
    ...              codes=np.array([0, 1, 0, 0], dtype=np.int32))
    >>> [(single.columns, single.people) for single in singling_sets([sex, age])]
    [(('age',), 1), (('sex', 'age'), 1)]
    """
    n = len(columns[0].codes)
    sets: list[SinglingSet] = []
    nobody = np.zeros(n, dtype=bool)
    before: dict[tuple[int, ...], Flags] = {}
    n_tried = 0
    for size in range(1, min(longest or len(columns), len(columns)) + 1):
        n_tried += comb(len(columns), size)
        if n_tried > MOST_SINGLING_SETS:
            break
        current: dict[tuple[int, ...], Flags] = {}
        for positions in combinations(range(len(columns)), size):
            alone = _owned_alone([columns[position] for position in positions], people)
            # A record unique in a set is unique in every superset, so it is enough to look at sets that are
            # one column smaller.
            is_known = nobody.copy()
            for left_out in range(size):
                is_known |= before.get(positions[:left_out] + positions[left_out + 1 :], nobody)
            if alone.any():
                current[positions] = alone
            fresh = alone & ~is_known
            if fresh.any():
                names = tuple(columns[position].name for position in positions)
                sets.append(SinglingSet(columns=names, people=_count_people(fresh, people)))
        before = current
    return tuple(sets)
