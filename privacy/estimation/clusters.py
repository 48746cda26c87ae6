"""Clusters of rows that were drawn together: how few of them there are, and what that costs an interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from privacy.arrays import Array, Whole
from privacy.levels import chi_square_quantile, t_quantile

__all__ = ["ClusterCount", "threshold_of"]


@dataclass(frozen=True, kw_only=True)
class ClusterCount:
    """How many clusters an error rests on.

    Parameters
    ----------
    count : int
        G.
    effective : float
        G* = (sum m)^2 / sum m^2 over the weights m of the clusters; G where all are alike.

    Notes
    -----
    Variances of sums over clusters are multiplied by G/(G - 1), and t has G* - 1 degrees.

    Examples
    --------
    Four clusters, of which one has half of the people:

    >>> count = ClusterCount.of(np.array([30.0, 10.0, 10.0, 10.0]))
    >>> count.count, count.effective
    (4, 3.0)
    """

    count: int
    effective: float

    @classmethod
    def of(cls, weights: Array | Whole) -> ClusterCount:
        """Return the count of clusters with these weights; those below 0 by the disguise count as 0."""
        own = np.maximum(np.asarray(weights, dtype=np.float64), 0.0)
        square = float(own @ own)
        return cls(count=len(own), effective=float(own.sum()) ** 2 / square if square else 1.0)

    @property
    def degrees(self) -> float:
        """Degrees of t."""
        return max(self.effective - 1, 1.0)

    @property
    def factor(self) -> float:
        """What variances are multiplied by."""
        return self.count / (self.count - 1)

    def quantile(self, level: float) -> float:
        """Return how many errors an interval reaches to each side, for errors without the factor."""
        return t_quantile(level, self.degrees) * float(np.sqrt(self.factor))

    def p_value(self, ratio: float) -> float:
        """Return the p-value of a ratio that is chi-square of one degree where clusters are many."""
        return float(scipy.special.fdtrc(1, self.degrees, ratio / self.factor))


def threshold_of(level: float, clusters: ClusterCount | None) -> float:
    """Return what the ratio of a value stays below where it is in the interval.

    Parameters
    ----------
    level : float, in (0, 1)
    clusters : ClusterCount or None
        None for independent rows.
    """
    limit = chi_square_quantile(level)
    return limit if clusters is None else clusters.quantile(level) ** 2
