"""Join classes until all requirements hold.

Zhu et al. 2010 change sensitive values until each class has L of them. Here, the worst class joins the class
that is cheapest to join, and no value is falsified.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.sdc.box_costs import box_costs, weighted_axes
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.generalisation import Space
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.requirements import Requirement, misses
from privacy.sdc.table import Column

_MOST_CELLS: Final = 50_000_000
"""Largest number of classes times combined values of several columns: 400 MB of counts."""


class ClassCounts(NamedTuple):
    """Counts of a sensitive column by class; all three add up when classes join.

    Parameters
    ----------
    counts : int64 array, shape (classes, values of `Protected.values`)
        Records, or people, with each value; "missing" also has a column.
    n_answered, crowd : int64 array, shape (classes,)
        Number of records, or people, that have a value; number in all.
    """

    counts: Whole
    n_answered: Whole
    crowd: Whole


@dataclass(frozen=True, kw_only=True, eq=False)
class Protected:
    """A sensitive column with the bounds that each class must satisfy.

    Parameters
    ----------
    column : Column
    requirement : Requirement
    ground : str
        Ground distance of t-closeness.
    hierarchy : Hierarchy or None
        Hierarchy of the column's values, for the hierarchical distance.
    beside : tuple of Column
        Other sensitive columns that an attacker may know. Within a class, records with equal values in these
        columns must also satisfy the requirement, except k (multi-attribute diversity, Machanavajjhala et al.
        2007).
    people : int64 array, shape (n,), or None
        Person of each record, if a person can have several. People are then counted, and all records of a
        person must be in one class. With `beside`, no person may have two values of a column.
    """

    column: Column
    requirement: Requirement
    ground: str = "equal"
    hierarchy: Hierarchy | None = None
    beside: tuple[Column, ...] = ()
    people: Whole | None = None

    @cached_property
    def values(self) -> Column:
        """Values to count by class: the column's own, or one set for each combination of known values."""
        if not self.beside:
            return self.column
        number = distinct_rows([column.codes for column in self.beside])[1]
        cells = (int(number.max()) + 1) * len(self.column.values)
        return replace(
            self.column,
            values=tuple(map(str, range(cells))),
            codes=(number * len(self.column.values) + self.column.codes).astype(np.int32),
            numbers=None,
        )

    def count(self, classes: Classes) -> ClassCounts:
        """Count the values in each class."""
        counts = ClassMatrix.of(classes, self.values.whole, self.people).dense()
        n_answered = ClassMatrix.of(classes, self.column, self.people).sizes
        return ClassCounts(counts, n_answered, classes.crowds(self.people))

    def excess(self, own: ClassCounts, table: ClassCounts) -> Array:
        """Return each class's distance from its worst bound; at most 0 if it satisfies all.

        Parameters
        ----------
        own : ClassCounts
            Counts of the classes.
        table : ClassCounts
            Counts of the whole table as one class.
        """
        real = self.column.is_real
        if not self.beside:
            own, table = (each._replace(counts=each.counts[:, real]) for each in (own, table))
            return self._misses(own, table, self.requirement)
        # Here no person has two values of a column, so the counts sum to the people with a value.
        parts = own.counts.reshape(len(own.counts), -1, len(real))
        is_there = parts.sum(axis=2) > 0
        known, totals = parts[is_there][:, real], table.counts.reshape(-1, len(real)).sum(axis=0)[None, real]
        gaps = np.full(is_there.shape, -np.inf)
        gaps[is_there] = self._misses(
            ClassCounts(known, known.sum(axis=1), known.sum(axis=1)),
            ClassCounts(totals, totals.sum(axis=1), totals.sum(axis=1)),
            replace(self.requirement, k=None),
        )
        worst = gaps.max(axis=1)
        if self.requirement.k is not None:
            worst = np.maximum(worst, self.requirement.k - own.crowd)
        return np.asarray(worst)

    def _misses(self, own: ClassCounts, table: ClassCounts, requirement: Requirement) -> Array:
        """Return `misses` for counts of the classes and of the table, both without missing values."""
        whole = ClassMatrix.from_counts(table.counts, n_answered=table.n_answered)
        matrix = ClassMatrix.from_counts(own.counts, crowd=own.crowd, n_answered=own.n_answered, table=whole)
        return misses(matrix, requirement, ground=self.ground, hierarchy=self.hierarchy)


class _Joining:
    """Classes that are being joined, with their boxes, counts and costs."""

    def __init__(self, space: Space, classes: Classes, own: Sequence[ClassCounts], weights: Array) -> None:
        self._boxes = space.boxes(classes.number, classes.count)
        self.counts = own
        self.alive = np.ones(classes.count, dtype=bool)
        self._successor = np.arange(classes.count)
        self._start = classes.number
        self._axes = weighted_axes(space, weights)
        self._cost = box_costs(self._axes, self._boxes)
        self._sizes = classes.sizes

    def classes(self) -> Classes:
        successor = self._successor
        while True:
            further = successor[successor]
            if (further == successor).all():
                return Classes.from_numbers(successor[self._start])
            successor = further

    def join_cheapest(self, worst: int) -> int:
        """Join a class into the one that raises ILP least; return the number of that class."""
        others = np.flatnonzero(self.alive)
        others = others[others != worst]
        pair = self._boxes.join(others, worst)
        union = box_costs(self._axes, pair)
        sizes = self._sizes
        increase = (
            (sizes[others] + sizes[worst]) * union
            - sizes[others] * self._cost[others]
            - sizes[worst] * self._cost[worst]
        )
        best = int(increase.argmin())
        target = int(others[best])
        self._boxes.low[target] = pair.low[best]
        self._boxes.high[target] = pair.high[best]
        self._sizes[target] += self._sizes[worst]
        self._cost[target] = union[best]
        for arrays in self.counts:
            for sums in arrays:
                sums[target] += sums[worst]
        self.alive[worst] = False
        self._successor[worst] = target
        return target


def join_until_all(
    space: Space, classes: Classes, goals: Sequence[Protected], weights: Mapping[str, float] | None = None
) -> Classes:
    """Join classes until each satisfies the requirements of all sensitive columns at once.

    Parameters
    ----------
    space, classes
        The records and their initial partition.
    goals : sequence of Protected
        One for each sensitive column, each with its own bounds; at least one.
    weights : mapping or None
        Weights of the loss.

    Returns
    -------
    Classes
        The partition; in the worst case, one class of all records.

    Raises
    ------
    PrivacyError
        ``requirement``: even one class of all records violates the bounds of a column, which the message
        names; ``multi_attribute``: too many classes and values of several columns to count.

    Notes
    -----
    Columns cannot be processed one by one: a join for one column can add a rare value of another column,
    which can violate delta-disclosure (joins never violate the other models). So a class is finished only if
    it satisfies all columns together.
    """
    for goal in goals:
        cells = classes.count * len(goal.values.values)
        if goal.beside and cells > _MOST_CELLS:
            raise PrivacyError("multi_attribute", cells, name=goal.column.name, most=_MOST_CELLS)
    state = _Joining(space, classes, [goal.count(classes) for goal in goals], space.weights(weights))
    totals = [ClassCounts(*(sums.sum(axis=0, keepdims=True) for sums in arrays)) for arrays in state.counts]

    def excess_of(rows: slice) -> Array:
        gaps = [
            goal.excess(ClassCounts(*(sums[rows] for sums in arrays)), total)
            for goal, arrays, total in zip(goals, state.counts, totals, strict=True)
        ]
        return np.asarray(np.max(gaps, axis=0))

    excess = excess_of(slice(None))
    while True:
        excess[~state.alive] = -np.inf
        worst = int(excess.argmax())
        if excess[worst] <= 0:
            return state.classes()
        if state.alive.sum() == 1:
            for goal, total in zip(goals, totals, strict=True):
                if goal.excess(total, total)[0] > 0:
                    if goal.beside:
                        raise PrivacyError(
                            "requirement.beside", goal.requirement.models, name=goal.column.name
                        )
                    raise PrivacyError("requirement", goal.requirement.models, name=goal.column.name)
        target = state.join_cheapest(worst)
        excess[target] = excess_of(slice(target, target + 1))[0]
