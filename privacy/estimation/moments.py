"""Sums over rows of scores and of their products, and the estimates, errors and covariances that follow.

A row i of group g scores z = prod_b ([match_b] - (1-p_gb) q_b) / p_gb; p_gb = 1 where the group sends answers
as they are. With A_g = prod_b p_gb, w_g = n_g/n and weights d the estimate is P = sum d z / n, and sum d = n:

- stratified: d = 1;
- pooled: d = A_g/a, a = sum_g w_g A_g: group g counts with omega_g = w_g A_g/a.

The product d z needs no division by A_g, so pooled stands p = 0 in one group while the other has rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.estimation.contingency_table import ContingencyTables
from privacy.estimation.shapes import FIRST, SECOND

__all__ = [
    "ESTIMATORS",
    "TARGETS",
    "Estimator",
    "Moments",
    "Scores",
    "Target",
    "check_estimator",
    "check_rows",
    "check_target",
]

Estimator: TypeAlias = Literal["stratified", "pooled"]
Target: TypeAlias = Literal["population", "respondents"]
ESTIMATORS: Final = ("stratified", "pooled")
TARGETS: Final = ("population", "respondents")

_UNION: Final = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 2]])
"""Which event is the product of two: of the union with any, the union; of both sides, the union again."""

_NARROWER: Final = np.array([[0, 1, 2], [1, 1, 0], [2, 0, 2]])
"""Which event touches the blocks that two touch both; those of both sides have no event of their own."""

_RESIDUE: Final = 1e-14
"""A difference of two sums this small beside them is what floating point left of 0."""


def check_estimator(estimator: object) -> None:
    """Refuse an unknown estimator.

    Parameters
    ----------
    estimator : object
        The value to check.
    """
    validation.one_of(estimator, "estimator", allowed=ESTIMATORS, code="estimator")


def check_target(target: object) -> None:
    """Refuse an unknown target.

    Parameters
    ----------
    target : object
        The value to check.
    """
    validation.one_of(target, "target", allowed=TARGETS, code="target")


def check_rows(n: Whole) -> None:
    """Refuse itemsets that were never asked.

    Parameters
    ----------
    n : ndarray of int
        Rows that were asked, of each itemset.
    """
    if not np.all(n > 0):
        raise PrivacyError("no_rows.itemset", 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments:
    """Sums over the rows of `R` tables, of one event each or of the three of a pair, by group.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    n_by_group : int array, shape (2, R)
        Rows of the direct and of the protected group.
    truth : float array, shape (2, events, R)
        A_g, product of the touched blocks' p in each group.
    numerators : float array, shape (2, events, R)
        Sums over the group's rows of N = prod_b ([match_b] - (1-p_gb) q_b).
    products : float array, shape (2, events, events, R)
        Sums of products of N.
    shared : float array, shape (2, R)
        Product of p over the blocks that both sides of a pair touch.

    Raises
    ------
    PrivacyError
        ``estimator``; ``truth_probability``: p = 0 in a group with rows under stratified, or in all of them
        under pooled.

    References
    ----------
    Kan and Cao, equations 8, 13 (printed as 12) and 14-16 for the pooled estimate with p = 1 in one group.
    """

    estimator: Estimator
    n_by_group: Whole
    truth: Array
    numerators: Array
    products: Array
    shared: Array

    def __post_init__(self) -> None:
        check_estimator(self.estimator)
        blind = (self.truth == 0) & (self.n_by_group > 0)[:, None]
        if self.estimator == "stratified" and blind.any():
            raise PrivacyError("truth_probability.stratified", 0)
        if (self.mean_truth == 0).any():
            raise PrivacyError("truth_probability.no_information", 0)

    @cached_property
    def n(self) -> Whole:
        """Rows, shape (R,)."""
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
    def weights(self) -> Array:
        """Weight d of a row of each group, shape (2, events, R)."""
        return np.ones_like(self.truth) if self.estimator == "stratified" else self.truth / self.mean_truth

    @cached_property
    def _truth_of_rows(self) -> Array:
        """A_g, with 1 in place of a 0 that meets no row."""
        return np.where((self.n_by_group > 0)[:, None], self.truth, 1.0)

    @cached_property
    def divisor(self) -> Array:
        """A row's weighted score is N by this: A_g, or a for pooled; shape (2, events, R)."""
        if self.estimator == "stratified":
            return self._truth_of_rows
        return np.broadcast_to(self.mean_truth, self.truth.shape)

    @cached_property
    def value(self) -> Array:
        """Estimates P, shape (events, R); NaN without rows."""
        return _ratio((self.numerators / self.divisor).sum(axis=0), self.n)

    @cached_property
    def value_by_group(self) -> Array:
        """P0 and P1, shape (2, events, R); NaN without rows of the group and where its p = 0."""
        return _ratio(self.numerators, self.n_by_group[:, None] * self.truth)

    @cached_property
    def population_covariance(self) -> Array:
        """Covariances of the estimates, shape (events, events, R); rows an iid sample of the population.

        Notes
        -----
        Stratified: covariance of z over n. Pooled: the covariances of d z within the groups, sum_g
        omega_g^2 cov_g(z)/n_g; for one itemset of one block with q of its own that is
        sum_g w_g l_g (1-l_g) / (n a^2), l_g the share of rows that match.
        """
        sums = self.numerators / self.divisor
        if self.estimator == "stratified":
            centre = _outer(sums.sum(axis=0)) / self.n
        else:
            # Within each group about its own mean.
            centre = np.nan_to_num(_ratio(_outer(sums), self.n_by_group[:, None, None])).sum(axis=0)
        total = (self.products / _outer(self.divisor)).sum(axis=0)
        covariance = total - centre
        return np.where(np.abs(covariance) <= _RESIDUE * np.abs(total), 0.0, covariance) / self.n / self.n

    @cached_property
    def respondents_covariance(self) -> Array:
        """Covariances about the true shares of these respondents, shape (events, events, R).

        Notes
        -----
        sum(z(E) z(F) - z(E and F)) / n^2, weighted. Pooled adds what drawing the groups contributes, since
        it gives a group another weight omega_g than its share w_g: with the groups as good as drawn by lot

            (omega_0(E) - w_0) (omega_0(F) - w_0) (P(E and F) - P(E) P(F)) n / (n_0 n_1),

        and omega_0 - w_0 = w_0 w_1 (A_0 - A_1)/a.
        """
        events = self.truth.shape[1]
        union = _UNION[:events, :events]
        # z(E and F) = N(E and F) / prod of p over the blocks of either; with pooled weights only the
        # blocks of both stay: A_E A_F / A_EF.
        pooled = self.estimator == "pooled"
        factor = self._both / _outer(self.divisor) if pooled else 1 / self._truth_of_rows[:, union]
        own = self.products / _outer(self.divisor)
        excess = own - self.numerators[:, union] * factor
        excess = np.where(np.abs(excess) <= _RESIDUE * np.abs(own), 0.0, excess)
        noise = excess.sum(axis=0) / self.n / self.n
        if pooled:
            tilt = (self.truth[0] - self.truth[1]) / self.mean_truth
            drawn = _outer(tilt) * (self.value[union] - _outer(self.value))
            noise += self.shares.prod(axis=0) * drawn / self.n
        return np.asarray(noise, dtype=np.float64)

    @property
    def _both(self) -> Array:
        """Product of p over the blocks that two events touch both, shape (2, events, events, R)."""
        events = self.truth.shape[1]
        both: Array = self.truth[:, _NARROWER[:events, :events]]
        if events > 1:
            both[:, FIRST, SECOND] = both[:, SECOND, FIRST] = self.shared
        return both

    @cached_property
    def population_variance(self) -> Array:
        """Variances of the estimates, shape (events, R)."""
        own: Array = np.einsum("iir->ir", self.population_covariance)
        return np.maximum(own, 0)

    @cached_property
    def respondents_variance(self) -> Array:
        """Variances about these respondents, with a substitute where negative, shape (events, R).

        With few rows and several blocks sum(z^2 - z)/n^2 can come out below 0; sum(z^2)/n^2 over the rows
        that are disguised, which is too large on average, then takes its place.
        """
        own: Array = np.einsum("iir->ir", self.respondents_covariance)
        squares = np.einsum("giir->gir", self.products) / (self.divisor * self.n) ** 2
        return np.where(own < 0, np.where(self.truth < 1, squares, 0.0).sum(axis=0), own)

    def covariance(self, target: Target) -> Array:
        """Return the covariances for a target, shape (events, events, R)."""
        check_target(target)
        return self.population_covariance if target == "population" else self.respondents_covariance


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores(Moments):
    """Moments with the weighted scores of every cell that they were summed over."""

    cells: ContingencyTables

    @classmethod
    def of(cls, cells: ContingencyTables, estimator: Estimator) -> Scores:
        """Sum over the cells of tables.

        Raises
        ------
        PrivacyError
            Also ``no_rows``: no one was asked.
        """
        check_rows(cells.n)
        return cls.summed(cells, estimator)

    @classmethod
    def summed(cls, cells: ContingencyTables, estimator: Estimator) -> Scores:
        """Sum over the cells of tables, of which some may be empty."""
        groups = cells.groups
        weighted = [group.numerator * group.rows for group in groups]
        return cls(
            estimator=estimator,
            n_by_group=np.stack([group.n for group in groups]),
            truth=np.stack([group.truth for group in groups]),
            numerators=np.stack([own.sum(axis=2) for own in weighted]),
            products=np.stack(
                [
                    np.einsum("irc,jrc->ijr", own, group.numerator)
                    for own, group in zip(weighted, groups, strict=True)
                ]
            ),
            shared=np.stack([group.shared for group in groups]),
            cells=cells,
        )

    @cached_property
    def by_group(self) -> tuple[Array, ...]:
        """d z of a row by cell of each group, each of shape (events, R, cells)."""
        return tuple(
            group.numerator / divisor[:, :, None]
            for group, divisor in zip(self.cells.groups, self.divisor, strict=True)
        )


def _outer(values: Array) -> Array:
    """Products of two events, from (..., events, R) to (..., events, events, R)."""
    return values[..., :, None, :] * values[..., None, :, :]


def _ratio(above: Array | Whole, below: Array | Whole) -> Array:
    blank = np.full(np.broadcast_shapes(above.shape, below.shape), np.nan)
    result: Array = np.divide(above, below, out=blank, where=below != 0)
    return result
