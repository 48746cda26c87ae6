"""Sums of scores and of their products over rows, and the resulting estimates, errors and covariances.

A row of group g has the score z = prod_b ([match_b] - (1-p_gb) q_b) / p_gb, with p_gb = 1 if the group sends
answers undisguised. Let A_g = prod_b p_gb and w_g = n_g/n. The estimate is P = sum d z / n, with weights d
that sum to n:

- stratified: d = 1;
- pooled: d = A_g/a, a = sum_g w_g A_g, so group g has the weight omega_g = w_g A_g/a.

The product d z needs no division by A_g, so the pooled estimate allows p = 0 in one group if the other has
rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.shapes import ItemsetShape, Probabilities


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupCells:
    """Counts and scores by cell of one group, for `R` itemsets or pairs of one shape.

    An axis of events has the itemset alone, or the union, the first and the second itemset of a pair.

    Parameters
    ----------
    rows : int array, shape (R, cells)
    numerator : float array, shape (events, R, cells)
        Product over involved blocks of ([match] - (1-p) q), with the group's p; 0 if an open answer does not
        match.
    truth : float array, shape (events, R)
        Product of p over the involved blocks. The score of a row is numerator / truth.
    possible : bool array, shape (R, cells), optional
        False for impossible cells; by default all are possible.
    """

    rows: Whole
    numerator: Array
    truth: Array
    possible: Flags = field(default_factory=lambda: np.ones((1, 1), dtype=np.bool_))

    @classmethod
    def of(
        cls,
        shape: ItemsetShape,
        probabilities: Probabilities,
        group: int,
        rows: Whole,
        numerator: Callable[[int], Array],
    ) -> GroupCells:
        """Combine rows by cell, shape (R, cells), with the numerators of each event, shape (cells, R)."""
        events = range(len(shape.events))
        # Cells are the last axis in memory, so that sums over them do not depend on the number of events.
        numerators = np.zeros((len(events), *rows.shape))
        for event in events:
            if not shape.impossible(event):
                numerators[event] = numerator(event).T
        return cls(
            rows=rows,
            numerator=numerators,
            truth=np.stack([shape.truth(probabilities, group, event) for event in events]),
        )

    @cached_property
    def n(self) -> Whole:
        """Number of rows in the group, shape (R,)."""
        rows: Whole = self.rows.sum(axis=1)
        return rows


@dataclass(frozen=True, kw_only=True, eq=False)
class ContingencyTables:
    """The cells of both groups, for `R` itemsets or pairs of one shape.

    Parameters
    ----------
    positions : int array, shape (R,)
        Positions among the requested itemsets or pairs.
    groups : (GroupCells, GroupCells)
        Cells of the direct and of the protected group. Undisguised rows have a cell for each set of matching
        sides, disguised rows one for each set of matching axes. The last cell matches everything.
    n_blocks : int
        Number of disguised blocks involved.
    is_drawn : bool
        Whether devices draw some of the questions.
    all_rows : bool array, shape (R,)
        Whether rows that were asked a part of the itemset are used too.
    complete : int array, shape (2, R)
        Number of rows in each group that were asked everything.
    """

    positions: NDArray[np.intp]
    groups: tuple[GroupCells, GroupCells]
    n_blocks: int
    is_drawn: bool = False
    all_rows: Flags
    complete: Whole

    @classmethod
    def of_groups(
        cls,
        groups: tuple[GroupCells, GroupCells],
        *,
        positions: NDArray[np.intp],
        n_blocks: int,
        is_drawn: bool = False,
    ) -> ContingencyTables:
        """Combine the cells of both groups, for rows that were asked everything."""
        return cls(
            positions=positions,
            groups=groups,
            n_blocks=n_blocks,
            is_drawn=is_drawn,
            all_rows=np.zeros(len(positions), dtype=np.bool_),
            complete=np.stack([group.n for group in groups]),
        )

    def with_rows(self, n: Whole, which: Whole) -> ContingencyTables:
        """Return some of the tables, perhaps several times, with the rows of the protected group replaced."""
        groups = [
            replace(own, rows=rows, numerator=own.numerator.take(which, axis=1), truth=own.truth[:, which])
            for own, rows in zip(self.groups, (self.groups[0].rows[which], n), strict=True)
        ]
        complete, all_rows = np.stack([group.n for group in groups]), self.all_rows[which]
        positions, cells = self.positions[which], (groups[0], groups[1])
        return replace(self, positions=positions, groups=cells, complete=complete, all_rows=all_rows)

    @property
    def matching_cells(self) -> Flags:
        """Cells of the protected group that match everything they were asked, shape (R, cells)."""
        is_top = np.zeros(self.groups[1].rows.shape, dtype=np.bool_)
        is_top[:, -1] = True
        return is_top

    @property
    def row_counts(self) -> list[Whole]:
        """Counts of rows, each of shape (R, cells), that should not be small."""
        groups = [group.rows for group in self.groups]
        # If nothing is disguised, the groups need not be distinguished.
        return groups if self.n_blocks else [np.asarray(sum(groups))]

    @property
    def rows(self) -> Whole:
        """Number of rows in the cells of both groups, side by side, shape (R, all cells)."""
        return np.concatenate([group.rows for group in self.groups], axis=1)

    @property
    def matching(self) -> Whole:
        """Number of rows that match everything, shape (R,)."""
        return np.asarray(sum(group.rows[:, -1] for group in self.groups))

    @property
    def n(self) -> Whole:
        """Number of rows in both groups, shape (R,)."""
        return np.asarray(sum(group.n for group in self.groups))


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnTables(ContingencyTables):
    """The cells of both groups if rows that were asked a part are used too.

    Parameters
    ----------
    shape : ItemsetShape
    probabilities : Probabilities
    all_rows : bool array, shape (R,)
        False if a group has rows but none that were asked everything; then only complete rows are used.
    """

    shape: ItemsetShape = field(repr=False)
    probabilities: Probabilities = field(repr=False)

    @classmethod
    def of(
        cls,
        shape: ItemsetShape,
        probabilities: Probabilities,
        rows: tuple[Whole, Whole],
        positions: NDArray[np.intp],
        *,
        is_drawn: bool,
    ) -> DrawnTables:
        """Score the cells; `rows` are those of the direct and the protected group, each (R, cells)."""
        complete = np.stack([group_rows.T[shape.complete].sum(axis=0) for group_rows in rows])
        n = np.stack([group_rows.sum(axis=1) for group_rows in rows])
        whole = ((n == 0) | (complete > 0)).all(axis=0)
        mu = shape.centres(probabilities, rows)
        usable: list[Whole] = list(rows)
        if not whole.all():
            usable = [
                np.where(whole[:, None], group_rows, group_rows * shape.complete) for group_rows in rows
            ]
        groups = [
            _drawn_cells(shape, probabilities, group, group_rows, mu, whole)
            for group, group_rows in enumerate(usable)
        ]
        return cls(
            positions=positions,
            groups=(groups[0], groups[1]),
            n_blocks=shape.n_blocks,
            is_drawn=is_drawn,
            all_rows=np.logical_and(whole, shape.is_drawn),
            complete=complete,
            shape=shape,
            probabilities=probabilities,
        )

    def with_rows(self, n: Whole, which: Whole) -> DrawnTables:
        """Replace the rows of the protected group and recompute centres and means."""
        rows, probabilities = (self.groups[0].rows[which], n), self.probabilities.part(which)
        return DrawnTables.of(self.shape, probabilities, rows, self.positions[which], is_drawn=self.is_drawn)

    @property
    def matching_cells(self) -> Flags:
        """Cells that match everything they were asked, shape (R, cells).

        Forgers choose which questions their row was asked.
        """
        return (
            self.groups[1].possible
            & np.where(self.all_rows[:, None], self.shape.yes, self.shape.complete)
            & (self.shape.yes)
        )

    @property
    def row_counts(self) -> list[Whole]:
        """Number of complete rows of each group by the sides that they match."""
        shape = self.shape
        of_side = np.array([[side in axis.sides for axis in shape.axes] for side in range(shape.n_sides)])
        matches = (~of_side[:, :, None] | (shape.matches == 1)).all(axis=1)
        kinds = np.indices((2,) * shape.n_sides).reshape(shape.n_sides, -1, 1)
        is_kind = shape.complete & (matches[:, None] == kinds).all(axis=0)
        return [group.rows @ is_kind.T.astype(np.int64) for group in self.groups]


def _drawn_cells(
    shape: ItemsetShape, probabilities: Probabilities, group: int, rows: Whole, mu: Array, whole: Flags
) -> GroupCells:
    # Reports to questions that no row of the group was asked are impossible and have score 0.
    seen = np.zeros((shape.asked_alike.max(initial=0) + 1, len(rows)), dtype=np.int64)
    for number, own_rows in zip(shape.asked_alike.tolist(), rows.T, strict=True):
        seen[number] += own_rows
    possible = (seen > 0)[shape.asked_alike]

    def numerator(event: int) -> Array:
        if not possible.any():
            return np.zeros(possible.shape)
        product = shape.influence(probabilities, group, event, rows, mu)
        with np.errstate(invalid="ignore"):
            product = shape.truth(probabilities, group, event) * product
        of_complete = 0.0 if whole.all() else shape.numerator(probabilities, group, event)
        return np.where(possible, np.where(whole, product, of_complete), 0.0)

    return replace(GroupCells.of(shape, probabilities, group, rows, numerator), possible=possible.T)


Estimator: TypeAlias = Literal["stratified", "pooled"]
ESTIMATORS: Final = ("stratified", "pooled")

_UNION: Final = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 2]])
"""Index of the event that is the product of two events; for both sides of a pair, it is the union (0)."""

_RESIDUE: Final = 1e-14
"""Differences of sums that are this small relative to the sums count as 0."""


def check_estimator(estimator: object) -> None:
    """Refuse an unknown estimator.

    Parameters
    ----------
    estimator : object
        The value to check.
    """
    validation.one_of(estimator, "estimator", allowed=ESTIMATORS, code="estimator")


def check_rows(n: Whole) -> None:
    """Refuse itemsets that were never asked.

    Parameters
    ----------
    n : ndarray of int
        Number of rows that were asked each itemset.
    """
    if not np.all(n > 0):
        raise PrivacyError("no_rows.asked", 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments:
    """Sums over the rows of `R` tables, for one event each or the three of a pair, by group.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    n_by_group : int array, shape (2, R)
        Number of rows in the direct and in the protected group.
    truth : float array, shape (2, events, R)
        A_g, the product of p over the involved blocks in each group.
    numerators : float array, shape (2, events, R)
        Sums over the group's rows of N = prod_b ([match_b] - (1-p_gb) q_b).
    products : float array, shape (2, events, events, R)
        Sums of products of N.

    Raises
    ------
    PrivacyError
        ``estimator``; ``truth_probability``: p = 0 in a group with rows (stratified), or in all groups with
        rows (pooled).

    References
    ----------
    Kan and Cao, equations 8, 13 (printed as 12) and 14-16 for the pooled estimate with p = 1 in one group.
    """

    estimator: Estimator
    n_by_group: Whole
    truth: Array
    numerators: Array
    products: Array

    def __post_init__(self) -> None:
        check_estimator(self.estimator)
        blind = (self.truth == 0) & (self.n_by_group > 0)[:, None]
        if self.estimator == "stratified" and blind.any():
            raise PrivacyError("truth_probability.stratified", 0)
        if (self.mean_truth == 0).any():
            raise PrivacyError("truth_probability.no_information", 0)

    @cached_property
    def n(self) -> Whole:
        """Number of rows, shape (R,)."""
        rows: Whole = self.n_by_group.sum(axis=0)
        return rows

    @cached_property
    def shares(self) -> Array:
        """w_g = n_g/n, shape (2, R); NaN without rows."""
        return _ratio(self.n_by_group, self.n)

    @cached_property
    def mean_truth(self) -> Array:
        """a = sum_g w_g A_g, shape (events, R)."""
        mean: Array = (self.shares[:, None] * self.truth).sum(axis=0)
        return mean

    @cached_property
    def _truth_of_rows(self) -> Array:
        """A_g, with 1 instead of 0 for groups without rows."""
        return np.where((self.n_by_group > 0)[:, None], self.truth, 1.0)

    @cached_property
    def divisor(self) -> Array:
        """Divisor of N in a row's weighted score: A_g if stratified, a if pooled; shape (2, events, R)."""
        if self.estimator == "stratified":
            return self._truth_of_rows
        return np.broadcast_to(self.mean_truth, self.truth.shape)

    @cached_property
    def value(self) -> Array:
        """Estimates P, shape (events, R); NaN without rows."""
        return _ratio((self.numerators / self.divisor).sum(axis=0), self.n)

    @cached_property
    def value_by_group(self) -> Array:
        """P0 and P1, shape (2, events, R); NaN if the group has no rows or p = 0."""
        return _ratio(self.numerators, self.n_by_group[:, None] * self.truth)

    @cached_property
    def population_covariance(self) -> Array:
        """Covariances of the estimates, shape (events, events, R), for rows that are an iid sample.

        Notes
        -----
        Stratified: the covariance of z, divided by n. Pooled: the covariances of d z within the groups,
        sum_g omega_g^2 cov_g(z)/n_g. For one itemset of one block, this is
        sum_g w_g l_g (1-l_g) / (n a^2), with l_g the share of rows that match.
        """
        sums = self.numerators / self.divisor
        if self.estimator == "stratified":
            centre = _outer(sums.sum(axis=0)) / self.n
        else:
            # Centre each group at its own mean.
            centre = np.nan_to_num(_ratio(_outer(sums), self.n_by_group[:, None, None])).sum(axis=0)
        total = (self.products / _outer(self.divisor)).sum(axis=0)
        covariance = total - centre
        return np.where(np.abs(covariance) <= _RESIDUE * np.abs(total), 0.0, covariance) / self.n / self.n

    @cached_property
    def respondents_covariance(self) -> Array:
        """Covariances of the errors relative to these respondents' true shares, shape (events, events, R).

        Notes
        -----
        They are sum(z(E) z(F) - z(E and F)) / n^2, weighted. Pooled estimates exist only for single events.
        They weight a group by omega_g instead of its share w_g, so the random assignment to groups adds a
        variance of

            (omega_0 - w_0)^2 P (1 - P) n / (n_0 n_1),

        where omega_0 - w_0 = w_0 w_1 (A_0 - A_1)/a.
        """
        events = self.truth.shape[1]
        union = _UNION[:events, :events]
        # z(E and F) = N(E and F) / product of p over the blocks of either.
        pooled = self.estimator == "pooled"
        factor = self.truth[:, None] / _outer(self.divisor) if pooled else 1 / self._truth_of_rows[:, union]
        products = self.products / _outer(self.divisor)
        excess = products - self.numerators[:, union] * factor
        excess = np.where(np.abs(excess) <= _RESIDUE * np.abs(products), 0.0, excess)
        noise = excess.sum(axis=0) / self.n / self.n
        if pooled:
            tilt = (self.truth[0] - self.truth[1]) / self.mean_truth
            draw = _outer(tilt) * (self.value[union] - _outer(self.value))
            noise += self.shares.prod(axis=0) * draw / self.n
        return np.asarray(noise, dtype=np.float64)

    @cached_property
    def population_variance(self) -> Array:
        """Variances of the estimates, shape (events, R)."""
        variances: Array = np.einsum("iir->ir", self.population_covariance)
        return np.maximum(variances, 0)

    @cached_property
    def respondents_variance(self) -> Array:
        """Variances relative to these respondents' true shares, shape (events, R).

        With few rows and several blocks, sum(z^2 - z)/n^2 can be negative. It is then replaced by
        sum(z^2)/n^2 over the disguised rows, which is too large on average.
        """
        variances: Array = np.einsum("iir->ir", self.respondents_covariance)
        squares = np.einsum("giir->gir", self.products) / (self.divisor * self.n) ** 2
        return np.where(variances < 0, np.where(self.truth < 1, squares, 0.0).sum(axis=0), variances)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores(Moments):
    """Moments, together with the weighted score of every cell."""

    cells: ContingencyTables

    @classmethod
    def of(cls, cells: ContingencyTables, estimator: Estimator = "stratified") -> Scores:
        """Sum over the cells of tables.

        Raises
        ------
        PrivacyError
            As for the class; ``no_rows``: no respondents were asked.
        """
        check_rows(cells.n)
        return cls.sum_cells(cells, estimator)

    @classmethod
    def sum_cells(cls, cells: ContingencyTables, estimator: Estimator) -> Scores:
        """Sum over the cells of tables, some of which may be empty."""
        groups = cells.groups
        terms = [group.numerator * group.rows for group in groups]
        return cls(
            estimator=estimator,
            n_by_group=np.stack([group.n for group in groups]),
            truth=np.stack([group.truth for group in groups]),
            numerators=np.stack([group_terms.sum(axis=2) for group_terms in terms]),
            products=np.stack(
                [
                    np.einsum("irc,jrc->ijr", group_terms, group.numerator)
                    for group_terms, group in zip(terms, groups, strict=True)
                ]
            ),
            cells=cells,
        )

    @cached_property
    def by_group(self) -> tuple[Array, ...]:
        """Weighted score d z of a row in each cell, by group, each of shape (events, R, cells)."""
        return tuple(
            group.numerator / divisor[:, :, None]
            for group, divisor in zip(self.cells.groups, self.divisor, strict=True)
        )


def _outer(values: Array) -> Array:
    """Return products of pairs of events, from (..., events, R) to (..., events, events, R)."""
    return values[..., :, None, :] * values[..., None, :, :]


def _ratio(above: Array | Whole, below: Array | Whole) -> Array:
    blank = np.full(np.broadcast_shapes(above.shape, below.shape), np.nan)
    result: Array = np.divide(above, below, out=blank, where=below != 0)
    return result
