"""Clusters, and rows with unequal weights: their effective number, and errors that allow for few of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.levels import chi_square_quantile, t_quantile


@dataclass(frozen=True, kw_only=True)
class ClusterCount:
    """Number of clusters, or of rows with unequal weights, from which errors of few of them follow.

    Parameters
    ----------
    count : int
        G, the number of clusters.
    effective : float
        G* = (sum m)^2 / sum m^2 over the weights m of the clusters; G if all are equal.
    shares : ndarray of float64, shape (clusters,)
        h = m / sum m.
    strata : ndarray of int64, shape (clusters,), optional
        Number of each cluster's stratum, if clusters were drawn within strata.

    Notes
    -----
    A cluster of the share h pulls the estimate towards itself, so its residual is divided by 1 - h. The
    estimated variance is close to a multiple of chi-square with (sum h^2)^2 / sum h^4 degrees of freedom, so
    t has that many, and at most G* - 1.

    References
    ----------
    Kish 1965; MacKinnon and White 1985; Satterthwaite 1946.

    Examples
    --------
    Four clusters, one of which has half of the people:

    >>> count = ClusterCount.of(np.array([30.0, 10.0, 10.0, 10.0]))
    >>> count.count, count.effective, round(count.degrees, 3)
    (4, 3.0, 1.714)

    Two strata of two clusters each, which differ by 2: the variance is 2 (1 + 1) + 2 (1 + 1).

    >>> strata = ClusterCount.of(np.ones(4), np.array([0, 0, 1, 1]))
    >>> float(strata.outer(np.array([[1.0], [3.0], [-3.0], [-1.0]]))[0, 0]), strata.degrees
    (8.0, 2.0)
    """

    count: int
    effective: float
    shares: Array = field(repr=False, compare=False)
    strata: Whole | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, weights: Array | Whole, strata: Whole | None = None) -> ClusterCount:
        """Count clusters with these weights; weights that the disguise made negative count as 0."""
        own = np.maximum(np.asarray(weights, dtype=np.float64), 0.0)
        total = float(own.sum())
        if not total:
            return cls(count=len(own), effective=1.0, shares=np.ones(len(own)), strata=strata)
        effective = total**2 / float(own @ own)
        return cls(count=len(own), effective=effective, shares=own / total, strata=strata)

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the t distribution."""
        if self.strata is not None:
            return max(float(self.count - len(np.unique(self.strata))), 1.0)
        squares = self.shares**2
        return max(min(float(squares.sum()) ** 2 / float(squares @ squares), self.effective - 1), 1.0)

    @property
    def factor(self) -> float:
        """Factor by which the variance of a sum over clusters is multiplied if all are equal."""
        return self.count / (self.count - 1)

    def outer(self, sums: Array) -> Array:
        """Return the covariance of totals of sums over clusters, shape (sums, sums).

        Parameters
        ----------
        sums : ndarray of float64, shape (clusters, sums)
            The totals are 0 for estimating equations at their solution.
        """
        if self.strata is None:
            covariance: Array = self.factor * sums.T @ sums
            return covariance
        _, stratum, sizes = np.unique(self.strata, return_inverse=True, return_counts=True)
        means = np.zeros((len(sizes), sums.shape[1]))
        np.add.at(means, stratum, sums)
        centred = sums - (means / sizes[:, None])[stratum]
        # A lone cluster says nothing about the spread within its stratum: `sampling_units` refuses it.
        factors = sizes / np.maximum(sizes - 1, 1)
        within: Array = (centred * factors[stratum, None]).T @ centred
        return within

    def inflation(self, residuals: Array) -> float:
        """Return the factor by which the sum of squared residuals is multiplied.

        Parameters
        ----------
        residuals : ndarray of float64, shape (clusters,)
            Value of the estimating equation in each cluster, which includes the weight.
        """
        total = float(residuals @ residuals)
        if not total:
            return self.factor if self.count > 1 else math.inf
        if self.strata is not None:
            return float(self.outer(residuals[:, None])[0, 0]) / total
        scaled = residuals / np.maximum(1 - self.shares, _LEAST_REST)
        return float(scaled @ scaled) / total

    def p_value(self, ratio: float, residuals: Array) -> float:
        """Return the p-value of a ratio that is chi-square with one degree of freedom for many clusters."""
        return float(scipy.special.fdtrc(1, self.degrees, ratio / self.inflation(residuals)))


_LEAST_REST: Final = 1e-9
"""Smallest 1 - h by which a residual is divided."""


def threshold_of(level: float, clusters: ClusterCount | None, residuals: Array) -> float:
    """Return the largest likelihood ratio of values in an interval.

    Parameters
    ----------
    level : float, in (0, 1)
    clusters : ClusterCount or None
        None for independent rows.
    residuals : ndarray of float64, shape (clusters,)
        As for `ClusterCount.inflation`.
    """
    if clusters is None:
        return chi_square_quantile(level)
    return t_quantile(level, clusters.degrees) ** 2 * clusters.inflation(residuals)
