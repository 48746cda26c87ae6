"""Sums over rows of scores and of their products, and the estimates, errors and covariances that follow.

A row i of the protected group scores z = prod_b ([match_b] - (1-p_b) q_b) / p_b, a direct one [match]. With
weights d the estimate is P = sum d z / n, and sum d = n:

- stratified: d = 1;
- pooled: d = 1/a for a direct row, prod(p_b)/a for a protected one, a = k + (1-k) prod(p_b).

The product d z needs no division by p, so pooled stands p = 0 while there are direct rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
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

Array: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]

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
    """Refuse an unknown estimator."""
    validation.one_of(estimator, "estimator", allowed=ESTIMATORS, code="estimator")


def check_target(target: object) -> None:
    """Refuse an unknown target."""
    validation.one_of(target, "target", allowed=TARGETS, code="target")


def check_rows(n: Whole) -> None:
    """Refuse itemsets that nobody was asked."""
    if not np.all(n > 0):
        raise PrivacyError("no_rows.itemset", 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Moments:
    """Sums over the rows of `R` tables, of one event each or of the three of a pair.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    n_direct, n_protected : int array, shape (R,)
    truth : float array, shape (events, R)
        Product of the touched blocks' p.
    matches : float array, shape (events, R)
        Direct rows that match.
    match_products : float array, shape (events, events, R)
        Direct rows that match both.
    numerators : float array, shape (events, R)
        Sums over protected rows of N = prod_b ([match_b] - (1-p_b) q_b).
    products : float array, shape (events, events, R)
        Sums of products of N.
    shared : float array, shape (R,)
        Product of p over the blocks that both sides of a pair touch.

    Raises
    ------
    PrivacyError
        ``estimator``; ``truth_probability``: p = 0 with protected rows under stratified, or without direct
        rows under pooled.

    References
    ----------
    Kan and Cao, equations 8, 13 (printed as 12) and 14-16 for the pooled estimate.
    """

    estimator: Estimator
    n_direct: Whole
    n_protected: Whole
    truth: Array
    matches: Array
    match_products: Array
    numerators: Array
    products: Array
    shared: Array

    def __post_init__(self) -> None:
        check_estimator(self.estimator)
        blind = (self.truth == 0).any(axis=0) & (self.n_protected > 0)
        if self.estimator == "stratified" and blind.any():
            raise PrivacyError("truth_probability.stratified", 0)
        if (blind & (self.n_direct == 0)).any():
            raise PrivacyError("truth_probability.no_information", 0)

    @classmethod
    def of_events(
        cls,
        estimator: Estimator,
        *,
        n: tuple[Whole, Whole],
        truth: Array,
        matches: Array,
        numerators: Array,
        squares: Array,
    ) -> Moments:
        """Return the moments of single events, from arrays of shape (R,); `n` holds rows by group."""
        return cls(
            estimator=estimator,
            n_direct=n[0],
            n_protected=n[1],
            truth=truth[None],
            matches=matches[None],
            match_products=matches[None, None],
            numerators=numerators[None],
            products=squares[None, None],
            shared=truth,
        )

    @cached_property
    def n(self) -> Whole:
        """Rows, shape (R,)."""
        return self.n_direct + self.n_protected

    @cached_property
    def direct_share(self) -> Array:
        """k = n0/n, shape (R,); NaN without rows."""
        return _ratio(self.n_direct, self.n)

    @cached_property
    def scale(self) -> Array:
        """a of the pooled estimator, 1 for stratified, shape (events, R)."""
        if self.estimator == "stratified":
            return np.ones_like(self.truth)
        k = self.direct_share
        return k + (1 - k) * self.truth

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """Weight d of a direct and of a protected row, each of shape (events, R)."""
        if self.estimator == "stratified":
            return self.scale, self.scale
        return 1 / self.scale, self.truth / self.scale

    @cached_property
    def _p(self) -> Array:
        """p, with 1 in place of a 0 that meets no protected row."""
        return np.where(self.n_protected > 0, self.truth, 1.0)

    @cached_property
    def divisor(self) -> Array:
        """A protected row's weighted score is N by this: prod(p), or a for pooled; shape (events, R)."""
        return self._p if self.estimator == "stratified" else self.scale

    @cached_property
    def value(self) -> Array:
        """Estimates P, shape (events, R); NaN without rows."""
        return _ratio(self.matches / self.scale + self.numerators / self.divisor, self.n)

    @cached_property
    def value_direct(self) -> Array:
        """P0, shape (events, R); NaN without direct rows."""
        return _ratio(self.matches, self.n_direct)

    @cached_property
    def value_protected(self) -> Array:
        """P1, shape (events, R); NaN without protected rows and where p = 0."""
        return _ratio(self.numerators, self.n_protected * self.truth)

    @cached_property
    def population_covariance(self) -> Array:
        """Covariances of the estimates, shape (events, events, R); rows an iid sample of the population.

        Notes
        -----
        Stratified: covariance of z over n. Pooled: k cov0 + (1-k) cov1 of d z within the groups, over
        n; for one itemset of one block that is (k l0 (1-l0) + (1-k) l1 (1-l1)) / (n a^2).
        """
        direct, protected = self.matches / self.scale, self.numerators / self.divisor
        if self.estimator == "stratified":
            centre = _outer(direct + protected) / self.n
        else:
            # Within each group about its own mean.
            centre = np.nan_to_num(_ratio(_outer(direct), self.n_direct))
            centre += np.nan_to_num(_ratio(_outer(protected), self.n_protected))
        total = self.match_products / _outer(self.scale) + self.products / _outer(self.divisor)
        found = total - centre
        return np.where(np.abs(found) <= _RESIDUE * np.abs(total), 0.0, found) / self.n / self.n

    @cached_property
    def respondents_covariance(self) -> Array:
        """Covariances about the true shares of these respondents, shape (events, events, R).

        Notes
        -----
        sum(z(E) z(F) - z(E and F)) / n^2, weighted. Pooled adds what drawing the groups contributes,
        since it gives direct rows more weight than their share: with the groups as good as drawn by
        lot, k(1-k) (1-p_E)(1-p_F) / (a_E a_F) * (P(E and F) - P(E) P(F)) / n.
        """
        union = _UNION[: len(self.truth), : len(self.truth)]
        # z(E and F) = N(E and F) / prod of p over the blocks of either; with pooled weights only the
        # blocks of both stay: p_E p_F / p_EF.
        pooled = self.estimator == "pooled"
        factor = self._both / _outer(self.scale) if pooled else 1 / self._p[union]
        own = self.products / _outer(self.divisor)
        excess = own - self.numerators[union] * factor
        noise = np.where(np.abs(excess) <= _RESIDUE * np.abs(own), 0.0, excess) / self.n / self.n
        if pooled:
            k = self.direct_share
            tilt = (1 - self.truth) / self.scale
            noise += k * (1 - k) * _outer(tilt) * (self.value[union] - _outer(self.value)) / self.n
        return np.asarray(noise, dtype=np.float64)

    @property
    def _both(self) -> Array:
        """Product of p over the blocks that two events touch both, shape (events, events, R)."""
        events = len(self.truth)
        both: Array = self.truth[_NARROWER[:events, :events]]
        if events > 1:
            both[FIRST, SECOND] = both[SECOND, FIRST] = self.shared
        return both

    @cached_property
    def population_variance(self) -> Array:
        """Variances of the estimates, shape (events, R)."""
        own: Array = np.einsum("iir->ir", self.population_covariance)
        return np.maximum(own, 0)

    @cached_property
    def respondents_variance(self) -> Array:
        """Variances about these respondents, with a substitute where negative, shape (events, R).

        With few rows and several blocks sum(z^2 - z)/n^2 can come out below 0; sum(z^2)/n^2, which is
        too large on average, then takes its place.
        """
        own: Array = np.einsum("iir->ir", self.respondents_covariance)
        squares = np.einsum("iir->ir", self.products) / (self.divisor * self.n) ** 2
        return np.where(own < 0, squares, own)

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
            Also ``no_rows``: nobody was asked.
        """
        check_rows(cells.n_direct + cells.n_protected)
        return cls.summed(cells, estimator)

    @classmethod
    def summed(cls, cells: ContingencyTables, estimator: Estimator) -> Scores:
        """Sum over the cells of tables, of which some may be empty."""
        match, z = cells.direct_match, cells.numerator
        weighted = z * cells.protected
        return cls(
            estimator=estimator,
            n_direct=cells.n_direct,
            n_protected=cells.n_protected,
            truth=cells.truth,
            matches=match @ cells.direct.T,
            match_products=(match[:, None] * match[None, :]) @ cells.direct.T,
            numerators=weighted.sum(axis=2),
            products=np.einsum("irc,jrc->ijr", weighted, z),
            shared=cells.shared,
            cells=cells,
        )

    @cached_property
    def direct(self) -> Array:
        """d z of a direct row by cell, shape (events, R, cells)."""
        return self.cells.direct_match[:, None, :] / self.scale[:, :, None]

    @cached_property
    def protected(self) -> Array:
        """d z of a protected row by cell, shape (events, R, cells)."""
        return self.cells.numerator / self.divisor[:, :, None]


def _outer(values: Array) -> Array:
    """Products of two events, shape (events, events, R)."""
    return values[:, None] * values[None, :]


def _ratio(above: Array | Whole, below: Array | Whole) -> Array:
    above, below = np.broadcast_arrays(above, below)
    result: Array = np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
    return result
