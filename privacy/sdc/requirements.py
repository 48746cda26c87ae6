"""Measure a table by all privacy models, compare the result with bounds, and join classes until they hold.

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
from privacy.sdc.generalisation import Space, distinct_rows
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.privacy_models import (
    class_alphas,
    class_betas,
    class_crowds,
    class_deltas,
    class_entropies,
    class_rhos,
    class_tails,
    closeness,
    enhanced_beta,
    gain_caps,
    gains,
    recursive_c,
)
from privacy.sdc.table import Column

SLACK: Final = 1e-12
"""Tolerance for rounding: a share such as 1/3 may differ from the bound .3333333333333333 in the last bit."""


@dataclass(frozen=True, kw_only=True)
class ModelMeasures:
    """Measures of one sensitive column by every model.

    Parameters
    ----------
    sensitive : str
        The column.
    k, distinct_l : int
        Smallest class size, and fewest distinct values in a class.
    entropy_l, alpha, t, basic_beta, enhanced_beta, delta : float
        As defined in `privacy.sdc.privacy_models`; `t` uses the ground distance `ground`.
    c : float
        Infimum of recursive (c, l)-diversity at ``recursive_l``.
    recursive_l : int
        The l used for `c`.
    rho1, rho2 : float or None
        Given `rho1`, `rho2` is the smallest bound of (rho1, rho2)-privacy that the table satisfies.
    """

    sensitive: str
    k: int
    distinct_l: int
    entropy_l: float
    c: float
    recursive_l: int
    alpha: float
    t: float
    ground: str
    basic_beta: float
    enhanced_beta: float
    delta: float
    rho1: float | None = None
    rho2: float | None = None


def measure_models(
    matrix: ClassMatrix,
    sensitive: str,
    *,
    ground: str = "equal",
    hierarchy: Hierarchy | None = None,
    recursive_l: int | None = None,
    rho1: float | None = None,
) -> ModelMeasures:
    """Measure all models at once; `recursive_l` defaults to the distinct l of the table, but at least 2.

    Parameters
    ----------
    matrix : ClassMatrix
        People by class and sensitive value.
    sensitive : str
        Name of the column.
    ground : str, optional
        Distance of values for t: "ordered", "equal" or "hierarchical".
    hierarchy : Hierarchy, optional
        Hierarchy of the values, for the hierarchical distance.
    recursive_l : int, optional
        The l of recursive (c, l)-diversity.
    rho1 : float, optional
        The prior bound of (rho1, rho2)-privacy, in (0, 1).

    Examples
    --------
    >>> measure_models(ClassMatrix.from_counts([[1, 1], [1, 1]]), "disease").t
    0.0
    """
    distinct = int(matrix.distinct.min())
    l_value = max(2, distinct) if recursive_l is None else recursive_l
    return ModelMeasures(
        sensitive=sensitive,
        k=int(class_crowds(matrix).min()),
        distinct_l=distinct,
        entropy_l=float(np.exp(class_entropies(matrix).min())),
        c=recursive_c(matrix, l_value),
        recursive_l=l_value,
        alpha=float(class_alphas(matrix).max()),
        t=float(closeness(matrix, ground=ground, hierarchy=hierarchy).max()),
        ground=ground,
        basic_beta=float(class_betas(matrix).max()),
        enhanced_beta=enhanced_beta(matrix),
        delta=float(class_deltas(matrix).max()),
        rho1=rho1,
        rho2=None if rho1 is None else float(class_rhos(matrix, rho1).max()),
    )


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """Bounds that a table must satisfy; None means no requirement.

    Raises
    ------
    PrivacyError
        If a bound is outside its model's range, or only one is given of `c` and `recursive_l`, or of `rho1`
        and `rho2`.
    """

    k: int | None = None
    distinct_l: float | None = None
    entropy_l: float | None = None
    c: float | None = None
    recursive_l: int | None = None
    alpha: float | None = None
    t: float | None = None
    basic_beta: float | None = None
    enhanced_beta: float | None = None
    delta: float | None = None
    rho1: float | None = None
    rho2: float | None = None

    def __post_init__(self) -> None:
        least = {"k": 1, "distinct_l": 1, "entropy_l": 1, "recursive_l": 1}
        for name, low in least.items():
            value = getattr(self, name)
            if value is not None and not value >= low:
                raise PrivacyError("share.low", value, code=name, name=name, low=low)
        for name in ("alpha", "t"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise PrivacyError("share.closed", value, code=name, name=name)
        for name in ("c", "basic_beta", "enhanced_beta", "delta"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise PrivacyError("share.positive", value, code=name, name=name)
        if (self.c is None) != (self.recursive_l is None):
            raise PrivacyError("recursive", self.c or self.recursive_l)
        if self.rho1 is not None or self.rho2 is not None:
            rho1, rho2 = self.rho1 or 0.0, self.rho2 or 0.0
            if not 0 < rho1 < rho2 < 1:
                raise PrivacyError("rho.breach", rho1, rho2=rho2)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the required models."""
        names = (
            *("k", "distinct_l", "entropy_l", "c", "alpha", "t"),
            *("basic_beta", "enhanced_beta", "delta", "rho2"),
        )
        return tuple(name for name in names if getattr(self, name) is not None)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One model's reached figure, compared with its required bound."""

    model: str
    sensitive: str
    asked: float
    reached: float
    holds: bool


def verify(measures: ModelMeasures, requirement: Requirement) -> tuple[Verdict, ...]:
    """Compare measures with bounds.

    Parameters
    ----------
    measures : ModelMeasures
        Measures of one sensitive column.
    requirement : Requirement
        The bounds.

    Notes
    -----
    k and l must be at least their bound; alpha, t, beta and rho2 at most; recursive c and delta strictly
    below, as they are defined.

    Examples
    --------
    >>> table = measure_models(ClassMatrix.from_counts([[1, 1], [1, 1]]), "disease")
    >>> [verdict.holds for verdict in verify(table, Requirement(k=2, distinct_l=3))]
    [True, False]
    """
    verdicts = []
    for name in requirement.models:
        required = float(getattr(requirement, name))
        actual = float(getattr(measures, name))
        if name in ("k", "distinct_l", "entropy_l"):
            holds = actual >= required - SLACK
        elif name in ("c", "delta"):
            holds = actual < required
        else:
            holds = actual <= required + SLACK
        verdicts.append(
            Verdict(model=name, sensitive=measures.sensitive, asked=required, reached=actual, holds=holds)
        )
    return tuple(verdicts)


def misses(
    matrix: ClassMatrix,
    requirement: Requirement,
    *,
    ground: str = "equal",
    hierarchy: Hierarchy | None = None,
) -> Array:
    """Return each class's distance from its worst bound; at most 0 if it satisfies all.

    Parameters
    ----------
    matrix : ClassMatrix
        The classes, and the table that they belong to.
    requirement : Requirement
    ground : str
        Ground distance of t-closeness.
    hierarchy : Hierarchy or None
        Hierarchy of the values, for the hierarchical distance.

    Examples
    --------
    >>> misses(ClassMatrix.from_counts([[1, 1], [3, 0]]), Requirement(k=3, distinct_l=2)).tolist()
    [1.0, 1.0]
    """
    gaps: list[Array] = [np.full(matrix.n_classes, -1.0)]
    if requirement.k is not None:
        gaps.append(requirement.k - class_crowds(matrix).astype(float))
    if requirement.distinct_l is not None:
        gaps.append(requirement.distinct_l - matrix.distinct.astype(float))
    if requirement.entropy_l is not None:
        gaps.append(np.log(requirement.entropy_l) - class_entropies(matrix) - SLACK)
    if requirement.alpha is not None:
        gaps.append(class_alphas(matrix) - requirement.alpha - SLACK)
    if requirement.c is not None and requirement.recursive_l is not None:
        most, tail = class_tails(matrix, requirement.recursive_l)
        gaps.append(_strict_gap(most, requirement.c * tail))
    if requirement.t is not None:
        gaps.append(closeness(matrix, ground=ground, hierarchy=hierarchy) - requirement.t - SLACK)
    if requirement.basic_beta is not None:
        gaps.append(class_betas(matrix) - requirement.basic_beta - SLACK)
    if requirement.enhanced_beta is not None:
        caps = np.minimum(requirement.enhanced_beta, gain_caps(matrix))
        gaps.append(matrix.largest_per_class(gains(matrix) - caps) - SLACK)
    if requirement.delta is not None:
        gaps.append(_strict_gap(class_deltas(matrix), np.full(matrix.n_classes, requirement.delta)))
    if requirement.rho1 is not None and requirement.rho2 is not None:
        gaps.append(class_rhos(matrix, requirement.rho1) - requirement.rho2 - SLACK)
    return np.asarray(np.max(gaps, axis=0))


def _strict_gap(value: Whole | Array, bound: Array) -> Array:
    """Return the gap for a strict bound."""
    return np.where(value < bound, -1.0, 1.0 + value - bound)


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
