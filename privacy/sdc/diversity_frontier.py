"""More diversity without a false value: classes are joined, never falsified.

Zhu et al. 2010 change sensitive values until a class has L of them. Here the class that is worst joins the
one with which it costs least; every step is a point "this entropy l at this ILP", and the publisher chooses
on the curve.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.entropy import entropy
from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import box_costs, weighed_axes
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.generalisation_cost import UNIT, Space, distinct_rows
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.models import class_entropies
from privacy.sdc.requirements import Requirement, misses
from privacy.sdc.table import Column

_MOST_JOINS: Final = 5_000

_MOST_CELLS: Final = 50_000_000
"""Classes times values of several columns together: 400 MB of counts."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FrontierPoint:
    """One partition on the way.

    Parameters
    ----------
    ilp : float
        Loss of the whole table.
    entropy_l : float
        exp of the least entropy of a class.
    classes : Classes
        The partition.
    """

    ilp: float
    entropy_l: float
    classes: Classes


class Held(NamedTuple):
    """What classes hold of a sensitive column; all three sums add up when classes join.

    Parameters
    ----------
    counts : int64 array, shape (classes, values of `Protected.counted`)
        Records, or people, who have each value; missing ones have a column too.
    answered, crowd : int64 array, shape (classes,)
        Records, or people, who have a value; all of them.
    """

    counts: Whole
    answered: Whole
    crowd: Whole


@dataclass(frozen=True, kw_only=True, eq=False)
class Protected:
    """A sensitive column and what each class has to keep of it.

    Parameters
    ----------
    column : Column
    requirement : Requirement
    ground : str
        Ground distance of t-closeness.
    hierarchy : Hierarchy or None
        Hierarchy of the column's values, for the hierarchical distance.
    beside : tuple of Column
        Other sensitive columns that an attacker may know. The records of a class with equal values there must
        satisfy the requirement too, except k (multi-attribute diversity, Machanavajjhala et al. 2007).
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
    def counted(self) -> Column:
        """The values that are counted by class: the column's, or one set per combination of known values."""
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

    def held(self, classes: Classes) -> Held:
        """Count what classes hold."""
        counts = ClassMatrix.of(classes, self.counted.whole, self.people).dense()
        answered = ClassMatrix.of(classes, self.column, self.people).sizes
        return Held(counts, answered, classes.crowds(self.people))

    def excess(self, held: Held, table: Held) -> Array:
        """Return by how much each class misses its worst bound; at most 0 where it keeps all.

        Parameters
        ----------
        held : Held
            Of the classes.
        table : Held
            The whole table as one class.
        """
        real = self.column.is_real
        if not self.beside:
            held, table = (each._replace(counts=each.counts[:, real]) for each in (held, table))
            return self._misses(held, table, self.requirement)
        # No one has two values of a column here, so that counts add up to those who have one.
        parts = held.counts.reshape(len(held.counts), -1, len(real))
        is_there = parts.sum(axis=2) > 0
        known, totals = parts[is_there][:, real], table.counts.reshape(-1, len(real)).sum(axis=0)[None, real]
        gaps = np.full(is_there.shape, -np.inf)
        gaps[is_there] = self._misses(
            Held(known, known.sum(axis=1), known.sum(axis=1)),
            Held(totals, totals.sum(axis=1), totals.sum(axis=1)),
            replace(self.requirement, k=None),
        )
        worst = gaps.max(axis=1)
        if self.requirement.k is not None:
            worst = np.maximum(worst, self.requirement.k - held.crowd)
        return np.asarray(worst)

    def _misses(self, held: Held, table: Held, requirement: Requirement) -> Array:
        """Return `misses` of classes, of a table as one; both without missing values."""
        whole = ClassMatrix.from_counts(table.counts, answered=table.answered)
        matrix = ClassMatrix.from_counts(held.counts, crowd=held.crowd, answered=held.answered, table=whole)
        return misses(matrix, requirement, ground=self.ground, hierarchy=self.hierarchy)


class _Joining:
    """Classes with their boxes, counts and costs while they join."""

    def __init__(self, space: Space, classes: Classes, held: Sequence[Held], weights: Array) -> None:
        self._boxes = space.boxes(classes.number, classes.count)
        self.held = held
        self.alive = np.ones(classes.count, dtype=bool)
        self._successor = np.arange(classes.count)
        self._start = classes.number
        self._axes = weighed_axes(space, weights)
        self._cost = box_costs(self._axes, self._boxes)
        self._sizes = classes.sizes

    @property
    def ilp(self) -> float:
        return float((self._sizes * self._cost)[self.alive].sum()) / UNIT

    def classes(self) -> Classes:
        successor = self._successor
        while True:
            further = successor[successor]
            if (further == successor).all():
                return Classes.from_numbers(successor[self._start])
            successor = further

    def join_cheapest(self, worst: int, allowed: Flags) -> int:
        """Join a class with the allowed one that raises ILP least; returns the number they keep."""
        others = np.flatnonzero(self.alive & allowed)
        others = others[others != worst]
        pair = self._boxes.joined(others, worst)
        union = box_costs(self._axes, pair)
        sizes = self._sizes
        raised = (
            (sizes[others] + sizes[worst]) * union
            - sizes[others] * self._cost[others]
            - sizes[worst] * self._cost[worst]
        )
        best = int(raised.argmin())
        target = int(others[best])
        self._boxes.low[target] = pair.low[best]
        self._boxes.high[target] = pair.high[best]
        self._sizes[target] += self._sizes[worst]
        self._cost[target] = union[best]
        for held in self.held:
            for sums in held:
                sums[target] += sums[worst]
        self.alive[worst] = False
        self._successor[worst] = target
        return target


def entropy_frontier(
    space: Space,
    classes: Classes,
    sensitive: Column,
    weights: Mapping[str, float] | None = None,
) -> tuple[FrontierPoint, ...]:
    """Walk from a partition towards diverse ones, no value changed.

    Parameters
    ----------
    space, classes, sensitive
        The partition to begin with, for example one by `k_member`.
    weights : mapping or None
        Weights of the loss.

    Returns
    -------
    tuple of FrontierPoint
        Entropy l strictly rising, ILP not falling, until one class is left or 5,000 joins are done.

    Notes
    -----
    The entropy of a union is at least the lesser of the two (entropy is concave), so joining never lowers the
    minimum.
    """
    sensitive = sensitive.whole
    measured = Protected(column=sensitive, requirement=Requirement(k=1)).held(classes)
    counts = measured.counts
    state = _Joining(space, classes, [measured], space.weights(weights))
    entropies = class_entropies(ClassMatrix.of(classes, sensitive))
    points = [FrontierPoint(ilp=state.ilp, entropy_l=float(np.exp(entropies.min())), classes=classes)]
    for _ in range(_MOST_JOINS):
        if state.alive.sum() == 1:
            break
        worst = int(entropies.argmin())
        # The entropy of the worst class rises only by joining one with its values in another proportion.
        useful = _entropies(counts + counts[worst]) > entropies[worst] + 1e-12
        useful[worst] = False
        target = state.join_cheapest(worst, useful if (useful & state.alive).any() else np.ones_like(useful))
        entropies[worst] = np.inf
        entropies[target] = _entropies(counts[target : target + 1])[0]
        reached = float(np.exp(entropies.min()))
        if reached > points[-1].entropy_l + 1e-12:
            points.append(FrontierPoint(ilp=state.ilp, entropy_l=reached, classes=state.classes()))
    return tuple(points)


def most_diverse(points: tuple[FrontierPoint, ...], *, ilp: float) -> FrontierPoint:
    """Return the point of most entropy l whose ILP is at most a bound.

    Parameters
    ----------
    points : tuple of FrontierPoint
        By rising ILP.
    ilp : float
        Largest loss that is allowed.

    Raises
    ------
    PrivacyError
        When even the first point costs more.
    """
    affordable = [point for point in points if point.ilp <= ilp + 1e-9]
    if not affordable:
        raise PrivacyError("ilp", ilp, ilp=points[0].ilp)
    return max(affordable, key=lambda point: (point.entropy_l, -point.ilp))


def join_until_all(
    space: Space,
    classes: Classes,
    wanted: Sequence[Protected],
    weights: Mapping[str, float] | None = None,
) -> Classes:
    """Join classes until each satisfies the requirements of all sensitive columns at once.

    Parameters
    ----------
    space, classes
        The partition to begin with.
    wanted : sequence of Protected
        One for each sensitive column, each with its own bounds; at least one.
    weights : mapping or None
        Weights of the loss.

    Returns
    -------
    Classes
        The partition; the one class of all records at worst.

    Raises
    ------
    PrivacyError
        ``requirement``: even all records as one class do not satisfy the bounds of a column, which is named;
        ``multi_attribute``: too many classes and values of several columns to count.

    Notes
    -----
    Column after column would not do: a class can gain a rare value when it is joined for another column, and
    delta-disclosure, unlike the other models, can be lost by that. So a class counts as done when it
    satisfies all columns together.
    """
    for goal in wanted:
        cells = classes.count * len(goal.counted.values)
        if goal.beside and cells > _MOST_CELLS:
            raise PrivacyError("multi_attribute", cells, name=goal.column.name, most=_MOST_CELLS)
    state = _Joining(space, classes, [goal.held(classes) for goal in wanted], space.weights(weights))
    totals = [Held(*(sums.sum(axis=0, keepdims=True) for sums in held)) for held in state.held]

    def excess_of(rows: slice) -> Array:
        gaps = [
            goal.excess(Held(*(sums[rows] for sums in held)), total)
            for goal, held, total in zip(wanted, state.held, totals, strict=True)
        ]
        return np.asarray(np.max(gaps, axis=0))

    excess = excess_of(slice(None))
    while True:
        excess[~state.alive] = -np.inf
        worst = int(excess.argmax())
        if excess[worst] <= 0:
            return state.classes()
        if state.alive.sum() == 1:
            for goal, total in zip(wanted, totals, strict=True):
                if goal.excess(total, total)[0] > 0:
                    if goal.beside:
                        raise PrivacyError(
                            "requirement.beside", goal.requirement.models, name=goal.column.name
                        )
                    raise PrivacyError("requirement", goal.requirement.models, name=goal.column.name)
        target = state.join_cheapest(worst, np.ones_like(state.alive))
        excess[target] = excess_of(slice(target, target + 1))[0]


def _entropies(counts: Whole) -> Array:
    return entropy(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
