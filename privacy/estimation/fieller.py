"""Inversion of the score test: values t with (mean h)^2 <= threshold * variance of mean h.

Confidence sets: parameter values that a test does not reject, and their intersection with a range.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array, Flags

__all__ = ["ConfidenceSets", "Intervals", "score_test_sets"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Intervals:
    """The smallest intervals that hold the sets, inside a range.

    Parameters
    ----------
    low, high : float array
        Ends, both inside the range.
    estimable : bool array
        False where the whole range is left: "not estimable with this n".
    """

    low: Array
    high: Array
    estimable: Flags


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceSets:
    """One set per element: an interval, the outside of one, or everything.

    Parameters
    ----------
    low, high : float array
        The set is [low, high], or with `outside` (-inf, high] and [low, inf), high < low.
    outside : bool array
        A ratio's set is of this kind when its denominator may be zero.
    whole : bool array
        No value is rejected.

    Examples
    --------
    >>> sets = ConfidenceSets(low=np.array([-0.5, 3.0]), high=np.array([0.5, -2.0]),
    ...                       outside=np.array([False, True]), whole=np.array([False, False]))
    >>> inside = sets.inside(0.0, np.inf)
    >>> inside.low, inside.high
    (array([0., 3.]), array([0.5, inf]))
    """

    low: Array
    high: Array
    outside: Flags
    whole: Flags

    def part(self, which: slice) -> ConfidenceSets:
        """Return the sets of some elements."""
        return ConfidenceSets(
            low=self.low[which], high=self.high[which], outside=self.outside[which], whole=self.whole[which]
        )

    def inside(self, least: float, greatest: float) -> Intervals:
        """Intersect with [least, greatest] and return the smallest intervals that hold the result.

        Notes
        -----
        Two pieces at the two ends of the range leave the whole range. Where nothing is left (all
        possible values are rejected), the end of the range nearest to the set is given as both ends:
        adding a point to a set that covers often enough does no harm.
        """
        low = np.where(self.outside, least, np.clip(self.low, least, greatest))
        high = np.where(self.outside, greatest, np.clip(self.high, least, greatest))
        # Of the two rays only the part inside the range counts.
        below, above = self.outside & (self.high >= least), self.outside & (self.low <= greatest)
        low = np.where(above & ~below, np.maximum(self.low, least), low)
        high = np.where(below & ~above, np.minimum(self.high, greatest), high)
        nothing = self.outside & ~below & ~above
        with np.errstate(invalid="ignore"):  # infinity - infinity, where something is left anyway
            nearest = np.where(least - self.high <= self.low - greatest, least, greatest)
        low, high = np.where(nothing, nearest, low), np.where(nothing, nearest, high)
        low, high = np.where(self.whole, least, low), np.where(self.whole, greatest, high)
        return Intervals(low=low, high=high, estimable=~((low <= least) & (high >= greatest)))


def score_test_sets(
    constant: Array, slope: Array, variances: tuple[Array, Array, Array], threshold: float
) -> ConfidenceSets:
    """Return the values t for which a quadratic inequality holds.

    Parameters
    ----------
    constant, slope : float array, shape (R,)
        mean h = constant + slope t.
    variances : three float arrays, shape (R,)
        Variance of the constant, covariance of both, variance of the slope.
    threshold : float
        Quantile of chi-square with one degree of freedom, 3.84 for a level of .95.

    Returns
    -------
    ConfidenceSets
        Whole where the variance at the estimate is negative: with so few rows its estimate is
        worthless.

    Notes
    -----
    (A + B t)^2 <= c (V_AA + 2 t V_AB + t^2 V_BB), the set that Fieller found for a ratio.

    Examples
    --------
    A numerator of 2 and a denominator of 4, both known exactly but for a variance of 1 of the
    numerator, threshold 4: (2 - 4 t)^2 <= 4.

    >>> ones, none = np.array([1.0]), np.array([0.0])
    >>> sets = score_test_sets(2 * ones, -4 * ones, (ones, none, none), 4.0)
    >>> sets.low, sets.high
    (array([0.]), array([1.]))
    """
    var_constant, covariance, var_slope = (threshold * variance for variance in variances)
    square = slope**2 - var_slope
    half = constant * slope - covariance
    rest = constant**2 - var_constant
    # The variance at the estimate -constant/slope, times threshold * slope^2.
    at_estimate = slope**2 * var_constant - 2 * constant * slope * covariance + constant**2 * var_slope
    # half^2 - square * rest without the terms that cancel.
    root = at_estimate + covariance**2 - var_constant * var_slope
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(np.maximum(root, 0))
        first, second = (-half - spread) / square, (-half + spread) / square
        edge = -rest / (2 * half)
    low, high = np.minimum(first, second), np.maximum(first, second)
    outside = square < 0
    low, high = np.where(outside, high, low), np.where(outside, low, high)
    # A straight line in place of the parabola: a ray, or no finite value at all (t = infinity).
    flat, level = square == 0, half == 0
    low = np.where(flat, np.where(level, np.inf, np.where(half > 0, -np.inf, edge)), low)
    high = np.where(flat, np.where(level, -np.inf, np.where(half > 0, edge, np.inf)), high)
    return ConfidenceSets(
        low=low,
        high=high,
        outside=outside | (flat & level),
        whole=(root < 0) | (at_estimate < 0) | (flat & level & (rest <= 0)),
    )
