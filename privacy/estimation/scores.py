"""Scores of rows, cell by cell: what a row says about an itemset once its disguise is allowed for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.errors import PrivacyError
from privacy.estimation.contingency_table import Cells
from privacy.estimation.lattice import BOTH, FIRST, SECOND

__all__ = [
    "ESTIMATORS",
    "TARGETS",
    "Estimator",
    "Scores",
    "Target",
    "check_estimator",
    "check_information",
    "check_target",
]

Estimator: TypeAlias = Literal["stratified", "pooled"]
Target: TypeAlias = Literal["population", "respondents"]
ESTIMATORS: Final = ("stratified", "pooled")
TARGETS: Final = ("population", "respondents")

Array: TypeAlias = NDArray[np.float64]


def check_estimator(estimator: object) -> None:
    """Refuse an unknown estimator."""
    validation.one_of(estimator, "estimator", allowed=ESTIMATORS, code="estimator")


def check_target(target: object) -> None:
    """Refuse an unknown target."""
    validation.one_of(target, "target", allowed=TARGETS, code="target")


def check_information(
    blind: NDArray[np.bool_],
    n_direct: NDArray[np.int64],
    n_protected: NDArray[np.int64],
    estimator: Estimator,
) -> None:
    """Refuse where a touched block has p = 0 (`blind`) and no other row helps; arrays of shape (R,)."""
    blind = blind & (n_protected > 0)
    if estimator == "stratified" and blind.any():
        raise PrivacyError("truth_probability.stratified", 0)
    if (blind & (n_direct == 0)).any():
        raise PrivacyError("truth_probability.no_information", 0)


def check_rows(n: NDArray[np.int64]) -> None:
    """Refuse itemsets that nobody was asked."""
    if not np.all(n > 0):
        raise PrivacyError("no_rows.itemset", 0)


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Weighted scores of `R` pairs of itemsets by cell, and their moments.

    Parameters
    ----------
    cells : Cells
    estimator : {"stratified", "pooled"}

    Raises
    ------
    PrivacyError
        ``no_rows`` (nobody was asked), ``truth_probability`` (p = 0 with protected rows under
        stratified; p = 0 without direct rows under pooled), ``estimator``.

    Notes
    -----
    A row i of the protected group scores z = prod_b ([match_b] - (1-p_b) q_b) / p_b, a direct one
    [match]. With weights d the estimate is P = sum d z / n, and sum d = n:

    - stratified: d = 1;
    - pooled: d = 1/a for a direct row, prod(p_b)/a for a protected one, a = k + (1-k) prod(p_b).

    The product d z needs no division by p, so pooled stands p = 0 while there are direct rows.
    Axes of length 3 hold union, first, second itemset (`BOTH`, `FIRST`, `SECOND`).

    References
    ----------
    Kan and Cao, equations 8, 13 (printed as 12) and 14-16 for the pooled estimate.
    """

    cells: Cells
    estimator: Estimator

    def __post_init__(self) -> None:
        check_estimator(self.estimator)
        check_rows(self.n)
        check_information(
            (self.cells.truth == 0).any(axis=0),
            self.cells.n_direct,
            self.cells.n_protected,
            self.estimator,
        )

    @cached_property
    def n(self) -> NDArray[np.int64]:
        """Rows, shape (R,)."""
        return self.cells.n_direct + self.cells.n_protected

    @cached_property
    def direct_share(self) -> Array:
        """k = n0/n, shape (R,)."""
        return self.cells.n_direct / self.n

    @cached_property
    def scale(self) -> Array:
        """a of the pooled estimator, 1 for stratified, shape (3, R)."""
        if self.estimator == "stratified":
            return np.ones_like(self.cells.truth)
        k = self.direct_share
        return k + (1 - k) * self.cells.truth

    @cached_property
    def _truth(self) -> Array:
        """p, with 1 in place of a 0 that meets no protected row."""
        return np.where(self.cells.n_protected > 0, self.cells.truth, 1.0)

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """Weight d of a direct and of a protected row, each of shape (3, R)."""
        if self.estimator == "stratified":
            return np.ones_like(self.scale), np.ones_like(self.scale)
        return 1 / self.scale, self.cells.truth / self.scale

    @cached_property
    def direct(self) -> Array:
        """d z of a direct row by cell, shape (3, R, cells)."""
        return self.cells.direct_match[:, None, :] / self.scale[:, :, None]

    @cached_property
    def protected(self) -> Array:
        """d z of a protected row by cell, shape (3, R, cells)."""
        return self.cells.numerator / self._divisor[:, :, None]

    @cached_property
    def _divisor(self) -> Array:
        return self._truth if self.estimator == "stratified" else self.scale

    @cached_property
    def value(self) -> Array:
        """Estimates P, shape (3, R)."""
        total: Array = (self.cells.direct * self.direct).sum(axis=2)
        total += (self.cells.protected * self.protected).sum(axis=2)
        return total / self.n

    @cached_property
    def value_direct(self) -> Array:
        """P0, shape (3, R); NaN without direct rows."""
        found = (self.cells.direct * self.cells.direct_match[:, None, :]).sum(axis=2)
        return _ratio(found, self.cells.n_direct)

    @cached_property
    def value_protected(self) -> Array:
        """P1, shape (3, R); NaN without protected rows and where p = 0."""
        found = (self.cells.protected * self.cells.numerator).sum(axis=2)
        return _ratio(found, self.cells.n_protected * self.cells.truth)

    @cached_property
    def population_covariance(self) -> Array:
        """Covariances of the estimates, shape (3, 3, R); rows an iid sample of the population.

        Notes
        -----
        Stratified: covariance of z over n. Pooled: k cov0 + (1-k) cov1 of d z within the groups, over
        n; for one itemset of one block that is (k l0 (1-l0) + (1-k) l1 (1-l1)) / (n a^2).
        """
        total = np.zeros((3, 3, len(self.n)))
        for counts, scores in (
            (self.cells.direct, self.direct),
            (self.cells.protected, self.protected),
        ):
            centre = self.value
            if self.estimator == "pooled":
                centre = np.nan_to_num(_ratio((counts * scores).sum(axis=2), counts.sum(axis=1)))
            off = scores - centre[:, :, None]
            total += np.einsum("rc,irc,jrc->ijr", counts, off, off)
        return np.asarray(total / self.n**2, dtype=np.float64)

    @cached_property
    def respondents_excess(self) -> Array:
        """Estimates of cov(d z(E), d z(F) | true row) per protected cell, shape (3, 3, R, cells).

        z(E) z(F) - z(E and F), weighted; over a direct row it is 0.
        """
        cells = self.cells
        union = np.broadcast_to(cells.numerator[BOTH], (3, 3, *cells.numerator.shape[1:])).copy()
        # z(E and F) = N(E and F) / prod of p over the blocks of either; with pooled weights only the
        # blocks of both stay: p_E p_F / p_EF.
        either = np.broadcast_to(self._truth[BOTH], (3, 3, len(self.n))).copy()
        both = np.broadcast_to(cells.truth[BOTH], either.shape).copy()
        for which in (FIRST, SECOND):
            union[which, which] = cells.numerator[which]
            either[which, which] = self._truth[which]
            both[which, :] = both[:, which] = cells.truth[which]
        both[FIRST, SECOND] = both[SECOND, FIRST] = cells.shared
        if self.estimator == "stratified":
            factor = 1 / either
        else:
            factor = both / (self.scale[:, None] * self.scale[None, :])
        return self.protected[:, None] * self.protected[None, :] - union * factor[..., None]

    @cached_property
    def respondents_covariance(self) -> Array:
        """Covariances about the true shares of these respondents, shape (3, 3, R).

        Notes
        -----
        sum(z(E) z(F) - z(E and F)) / n^2, weighted. Pooled adds what drawing the groups contributes,
        since it gives direct rows more weight than their share: with the groups as good as drawn by
        lot, k(1-k) (1-p_E)(1-p_F) / (a_E a_F) * (P(E and F) - P(E) P(F)) / n.
        """
        noise = np.einsum("rc,ijrc->ijr", self.cells.protected, self.respondents_excess) / self.n**2
        if self.estimator == "pooled":
            k, n = self.direct_share, self.n
            tilt = (1 - self.cells.truth) / self.scale
            joint = np.broadcast_to(self.value[BOTH], noise.shape).copy()
            for which in (FIRST, SECOND):
                joint[which, which] = self.value[which]
            spread = joint - self.value[:, None] * self.value[None, :]
            noise += k * (1 - k) * tilt[:, None] * tilt[None, :] * spread / n
        return np.asarray(noise, dtype=np.float64)

    @cached_property
    def respondents_variance(self) -> Array:
        """Variances about these respondents, shape (3, R), with a substitute where negative.

        With few rows and several blocks sum(z^2 - z)/n^2 can come out below 0; sum(z^2)/n^2, which is
        too large on average, then takes its place.
        """
        own: Array = np.einsum("iir->ir", self.respondents_covariance)
        squares = (self.cells.protected * self.protected**2).sum(axis=2) / self.n**2
        return np.where(own < 0, squares, own)

    def covariance(self, target: Target) -> Array:
        """Return the covariances for a target, shape (3, 3, R)."""
        check_target(target)
        return self.population_covariance if target == "population" else self.respondents_covariance


def _ratio(above: Array | NDArray[np.int64], below: Array | NDArray[np.int64]) -> Array:
    above, below = np.broadcast_arrays(above, below)
    result: Array = np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
    return result
