"""Intervals of figures of a study on paper: values that a test with the hypothesis' own variance accepts.

A share near 0 or 1 varies less than its neighbours: value and error alone give an interval that holds too
seldom there, and reaches where no counts can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
import scipy

from privacy.arrays import Array

__all__ = [
    "Hypothesis",
    "Line",
    "accepted_values",
    "inverse_range",
    "one_channel",
    "one_sample",
    "two_samples",
]

Hypothesis: TypeAlias = Callable[[float], tuple[float, float]]
"""The difference between the counts and a value, and its variance where the value is true."""

Line: TypeAlias = Callable[[float], tuple[float, float, float]]
"""c1, c2 and c0 of the shares "yes" of two samples that a value stands for: c1 l1 + c2 l2 = c0."""

_NEXT: Final = 1e-9
_EXACT: Final = 1e-12


def accepted_values(
    hypothesis: Hypothesis, value: float, within: tuple[float, float], limit: float
) -> tuple[float, float]:
    """Return the ends of the values whose test accepts the counts.

    Parameters
    ----------
    hypothesis : callable
    value : float
        The estimate, which its own test accepts.
    within : (float, float)
        Values that counts can give; the ends stay in it.
    limit : float
        Quantile of chi-square with one degree of freedom.

    Examples
    --------
    Wilson's interval of 2 of 10:

    >>> low, high = accepted_values(lambda t: (.2 - t, t * (1 - t) / 10), .2, (0, 1), 3.8415)
    >>> round(low, 4), round(high, 4)
    (0.0567, 0.5098)
    """

    def excess(tried: float) -> float:
        difference, variance = hypothesis(tried)
        return difference**2 - limit * variance

    least, greatest = within
    start = min(max(value, least), greatest)

    def end(bound: float) -> float:
        # At the estimate itself the difference is 0, and so may be the variance.
        first = start + _NEXT * (bound - start)
        if bound == start or excess(first) >= 0:
            return start
        if excess(bound) <= 0:
            return bound
        return float(scipy.optimize.brentq(excess, first, bound, xtol=_EXACT))

    return end(least), end(greatest)


def inverse_range(rise: float, start: float) -> tuple[float, float]:
    """Return the least and the greatest t for which start + rise t is a share.

    Parameters
    ----------
    rise : float
        Of the line, not 0.
    start : float
        Of the line: its value at t = 0.

    Examples
    --------
    >>> inverse_range(-0.5, 0.75)
    (-0.5, 1.5)
    """
    ends = (-start / rise, (1 - start) / rise)
    return min(ends), max(ends)


def one_sample(share: float, n: int, *, rise: float, start: float) -> Hypothesis:
    """Return the test of a value t in a sample of which the share start + rise t says "yes": Wilson's.

    Parameters
    ----------
    share : float
        Observed share "yes", in [0, 1].
    n : int
        People, 1 or more.
    rise, start : float
        Of the line that leads from t to the share "yes".

    References
    ----------
    Wilson 1927.
    """

    def hypothesis(tried: float) -> tuple[float, float]:
        expected = min(max(start + rise * tried, 0.0), 1.0)
        return share - start - rise * tried, expected * (1 - expected) / n

    return hypothesis


def one_channel(counts: Array, channel: Array, scores: Array, position: int) -> Hypothesis:
    """Return the test of the share of one true answer, from reports through a channel.

    Parameters
    ----------
    counts : ndarray, shape (reports,)
    channel : ndarray, shape (reports, answers)
    scores : ndarray, shape (reports,)
        What each report counts for the answer; their mean is the estimate.
    position : int
        The answer's.

    Notes
    -----
    The mean square of the scores is moved from the estimate to the hypothesis at the rate at which the
    channel moves it, who does not have the answer being spread evenly over the others. Of two answers, that
    is the test of `one_sample`.
    """
    n = float(counts.sum())
    value, square = counts @ scores / n, counts @ scores**2 / n
    by_answer = scores**2 @ channel
    slope = by_answer[position] - np.delete(by_answer, position).mean()

    def hypothesis(tried: float) -> tuple[float, float]:
        return float(value - tried), float(square + slope * (tried - value) - tried**2) / n

    return hypothesis


def two_samples(first: tuple[int, int], second: tuple[int, int], line: Line) -> Hypothesis:
    """Return the score test of a value that stands for a line through the shares "yes" of two samples.

    Parameters
    ----------
    first, second : tuple of (int, int)
        How many said "yes", and of how many.
    line : Line
        Of pairs of shares that stand for one value.

    Notes
    -----
    The variance is that at the most likely shares on the line.

    References
    ----------
    Miettinen and Nurminen 1985.
    """
    (yes1, n1), (yes2, n2) = first, second

    def hypothesis(tried: float) -> tuple[float, float]:
        c1, c2, c0 = line(tried)
        l1, l2 = _most_likely(first, second, (c1, c2, c0))
        variance = c1**2 * l1 * (1 - l1) / n1 + c2**2 * l2 * (1 - l2) / n2
        return c1 * yes1 / n1 + c2 * yes2 / n2 - c0, variance

    return hypothesis


def _most_likely(
    first: tuple[int, int], second: tuple[int, int], line: tuple[float, float, float]
) -> tuple[float, float]:
    """Return the most likely shares on a line; beyond the unit square the corner that is nearest to it."""
    (yes1, n1), (yes2, n2) = first, second
    c1, c2, c0 = line
    if c1 == 0:
        return yes1 / n1, min(max(c0 / c2, 0.0), 1.0)
    if c2 == 0:
        return min(max(c0 / c1, 0.0), 1.0), yes2 / n2
    # l2 = (c0 - c1 l1)/c2 from 0 to 1.
    ends = sorted((c0 / c1, (c0 - c2) / c1))
    low, high = max(ends[0], 0.0), min(ends[1], 1.0)

    def other(share: float) -> float:
        return min(max((c0 - c1 * share) / c2, 0.0), 1.0)

    def slope(share: float) -> float:
        """Derivative of the likelihood along the line; it falls."""
        return _slope(yes1, n1, share) - c1 / c2 * _slope(yes2, n2, other(share))

    if low >= high:
        share = min(max(low, 0.0), 1.0)
        return share, other(share)
    margin = _NEXT * (high - low)
    if slope(low + margin) <= 0:
        return low, other(low)
    if slope(high - margin) >= 0:
        return high, other(high)
    share = float(scipy.optimize.brentq(slope, low + margin, high - margin, xtol=_EXACT))
    return share, other(share)


def _slope(yes: int, n: int, share: float) -> float:
    with np.errstate(divide="ignore"):
        up = yes / np.float64(share) if yes else 0.0
        down = (n - yes) / np.float64(1 - share) if n - yes else 0.0
    return float(up - down)
