"""Inversion of the score test: values t with (mean h)^2 <= threshold * variance of mean h."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.confidence_sets import ConfidenceSets

__all__ = ["score_test_sets"]

Array: TypeAlias = NDArray[np.float64]


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
