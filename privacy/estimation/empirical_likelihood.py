"""Empirical likelihood over cells: the test of "mean h = 0", and its inversion.

Every measure of a rule is a value t with mean(constant + slope t) = 0. The values t that the test does not
reject form an interval, which needs neither a variance nor normality.

Newton's method finds the ends of many confidence sets at once; if it fails, they are bracketed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.arrays import Array, Flags, Whole

__all__ = [
    "BESIDE",
    "ConfidenceSets",
    "Intervals",
    "bracketed_end",
    "climb",
    "likelihood_ratio",
    "likelihood_sets",
    "newton_end",
    "score_test_sets",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class Intervals:
    """The smallest intervals that contain the sets, inside a range.

    Parameters
    ----------
    low, high : float array
        Ends of the intervals, inside the range.
    estimable : bool array
        False if the interval is the whole range, that is, if n is too small.
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
        The set is [low, high]; with `outside`, it is (-inf, high] and [low, inf), with high < low.
    outside : bool array
        True for a ratio whose denominator may be zero.
    whole : bool array
        True if no value is rejected.

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
        """Intersect with [least, greatest] and return the smallest intervals that contain the result.

        Notes
        -----
        Two pieces, one at each end of the range, give the whole range. If nothing is left because all
        possible values are rejected, both ends are the end of the range nearest to the set: adding a point
        does not reduce coverage.
        """
        low = np.where(self.outside, least, np.clip(self.low, least, greatest))
        high = np.where(self.outside, greatest, np.clip(self.high, least, greatest))
        # Only the parts of the two rays inside the range count.
        below, above = self.outside & (self.high >= least), self.outside & (self.low <= greatest)
        low = np.where(above & ~below, np.maximum(self.low, least), low)
        high = np.where(below & ~above, np.minimum(self.high, greatest), high)
        nothing = self.outside & ~below & ~above
        with np.errstate(invalid="ignore"):  # infinity - infinity, for sets that are not empty anyway
            nearest = np.where(least - self.high <= self.low - greatest, least, greatest)
        low, high = np.where(nothing, nearest, low), np.where(nothing, nearest, high)
        low, high = np.where(self.whole, least, low), np.where(self.whole, greatest, high)
        return Intervals(low=low, high=high, estimable=~((low <= least) & (high >= greatest)))


def score_test_sets(
    constant: Array, slope: Array, variances: tuple[Array, Array, Array], threshold: float | Array
) -> ConfidenceSets:
    """Return the values t for which a quadratic inequality holds.

    Parameters
    ----------
    constant, slope : float array, shape (R,)
        mean h = constant + slope t.
    variances : three float arrays, shape (R,)
        Variance of the constant, covariance of both, variance of the slope.
    threshold : float, or float array of shape (R,)
        Quantile of chi-square with one degree of freedom, 3.84 for a level of .95.

    Returns
    -------
    ConfidenceSets
        Everything if the variance at the estimate is negative, because the estimated variances are then
        worthless (too few rows).

    Notes
    -----
    The set is (A + B t)^2 <= c (V_AA + 2 t V_AB + t^2 V_BB), Fieller's set for a ratio.

    Examples
    --------
    Numerator 2 with variance 1, denominator exactly 4, threshold 4: (2 - 4 t)^2 <= 4.

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
    # half^2 - square * rest, without the terms that cancel.
    root = at_estimate + covariance**2 - var_constant * var_slope
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(np.maximum(root, 0))
        first, second = (-half - spread) / square, (-half + spread) / square
        edge = -rest / (2 * half)
    low, high = np.minimum(first, second), np.maximum(first, second)
    outside = square < 0
    low, high = np.where(outside, high, low), np.where(outside, low, high)
    # If the quadratic term is 0, the set is a ray, or contains no finite value (only t = infinity).
    flat, level = square == 0, half == 0
    low = np.where(flat, np.where(level, np.inf, np.where(half > 0, -np.inf, edge)), low)
    high = np.where(flat, np.where(level, -np.inf, np.where(half > 0, edge, np.inf)), high)
    return ConfidenceSets(
        low=low,
        high=high,
        outside=outside | (flat & level),
        whole=(root < 0) | (at_estimate < 0) | (flat & level & (rest <= 0)),
    )


Places: TypeAlias = NDArray[np.intp]

Ratio: TypeAlias = Callable[[Array, Places], Array]

BEYOND: Final = 1e3
"""Replaces an infinite root of the ratio in the search for the ends."""

BESIDE: Final = 1e-10
"""Largest angle at which an end counts as equal to the estimate; real intervals are wider than 1e-6."""

NEWTON_STEPS: Final = 8
"""Number of Newton steps. Four or five are enough for smooth ratios."""

SETTLED: Final = 1e-9
"""Relative step size at which Newton has converged: a step doubles the digits, so the error is 1e-18."""


def newton_end(
    line: Callable[[Array, Places], tuple[Array, Array]],
    which: Places,
    inner: Array,
    outer: Array,
    first: Array,
    threshold: float,
) -> tuple[Array, Flags]:
    """Return the angles between `inner` and `outer` where a ratio reaches a threshold.

    Parameters
    ----------
    line : callable
        Maps angles and the elements they belong to to the ratio and its derivative. The square root of the
        ratio is close to linear in the angle.
    which : int array, shape (m,)
        Elements to solve.
    inner, outer : float array, shape (m,)
        Angles where the ratio is 0, and where it is above the threshold.
    first : float array, shape (m,)
        Starting points; a point that is not between both angles is replaced by the midpoint.
    threshold : float

    Returns
    -------
    angle : float array, shape (m,)
    settled : bool array, shape (m,)
        False if the method did not converge; the angle is then meaningless.

    Examples
    --------
    The ratio x^2 is 9 at 3 and at -3:

    >>> def square(angle, which):
    ...     return angle**2, 2 * angle
    >>> newton_end(square, np.array([0, 1]), np.zeros(2), np.array([5.0, -5.0]), np.ones(2), 9.0)
    (array([ 3., -3.]), array([ True,  True]))
    """
    angle, is_settled = np.full(len(which), np.nan), np.zeros(len(which), dtype=np.bool_)
    passes, fails = inner.copy(), outer.copy()
    left = np.arange(len(which))
    guess = _between(first, passes, fails)
    for _ in range(NEWTON_STEPS):
        if not len(left):
            break
        ratio, slope = line(guess, which[left])
        root = np.sqrt(ratio)
        below = root <= math.sqrt(threshold)
        passes[left], fails[left] = np.where(below, guess, passes[left]), np.where(below, fails[left], guess)
        with np.errstate(divide="ignore", invalid="ignore"):
            proposal = guess - (root - math.sqrt(threshold)) * 2 * root / slope
        near = np.abs(proposal - guess) <= SETTLED * np.abs(guess - inner[left])
        angle[left[near]], is_settled[left[near]] = proposal[near], True
        left = left[~near]
        guess = _between(proposal[~near], passes[left], fails[left])
    return angle, is_settled


def _between(wish: Array, first: Array, other: Array) -> Array:
    """Return the proposed value if it is strictly between both, otherwise the midpoint."""
    is_between = (wish > np.minimum(first, other)) & (wish < np.maximum(first, other))
    return np.where(is_between, wish, (first + other) / 2)


def climb(ratio: Ratio, which: Places, centre: Array, threshold: float) -> Array:
    """Search half a turn from the estimate for an angle where the ratio exceeds the threshold; NaN if none.

    Parameters
    ----------
    ratio : callable
        Maps angles and positions of hypotheses to likelihood ratios.
    which : ndarray of int
        Positions of the hypotheses.
    centre : ndarray of float, shape of `which`
        Angle of the estimate, in radians.
    threshold : float
        Above 0.
    """
    ends = np.full(len(which), np.nan)
    low, high = centre.copy(), centre + np.pi
    left = np.arange(len(which))
    for _ in range(60):
        if not len(left):
            break
        third = (high[left] - low[left]) / 3
        first, second = low[left] + third, high[left] - third
        at_first, at_second = np.split(ratio(np.concatenate([first, second]), np.tile(which[left], 2)), 2)
        rising = at_first < at_second
        low[left], high[left] = np.where(rising, first, low[left]), np.where(rising, high[left], second)
        best = np.maximum(at_first, at_second)
        above = best > threshold
        ends[left[above]] = np.where(rising, second, first)[above]
        left = left[~above]
    return ends


def bracketed_end(ratio: Ratio, which: Places, inner: Array, outer: Array, threshold: float) -> Array:
    """Return the angle between `inner` (passes) and `outer` (fails) at which the ratio equals the threshold.

    Parameters
    ----------
    ratio : callable
        Maps angles and positions of hypotheses to likelihood ratios.
    which : ndarray of int
        Positions of the hypotheses.
    inner, outer : ndarray of float, shape of `which`
        Angles, in radians, between which the ratio rises above the threshold.
    threshold : float
        Above 0.
    """
    end, beside = inner.copy(), inner + np.copysign(BESIDE, outer - inner)
    # If the ratio exceeds the threshold right next to the estimate, the estimate itself is the end.
    far = np.flatnonzero(ratio(beside, which) <= threshold)
    if not len(far):
        return end

    def excess(angle: Array, place: Places) -> Array:
        # The square root of the ratio is close to linear in the angle.
        return np.minimum(np.sqrt(ratio(angle, place)), BEYOND) - math.sqrt(threshold)

    # Imported here so that processes start faster.
    from scipy.optimize import elementwise

    bracket, tolerances = (beside[far], outer[far]), {"xatol": 1e-14, "xrtol": 1e-14}
    end[far] = elementwise.find_root(excess, bracket, args=(which[far],), tolerances=tolerances).x
    return end


ROUNDING: Final = 1e-13
"""Values of h this small relative to the largest count as 0 with a rounding error."""


def likelihood_ratio(counts: ArrayLike, values: ArrayLike) -> Array:
    """Return -2 log of the likelihood ratio of "the mean of the values is 0".

    Parameters
    ----------
    counts : array_like of int, shape (..., cells)
        Number of rows in each cell. Empty cells count as possible, see the notes.
    values : array_like of float, shape (..., cells)
        The value h of the rows in each cell; 0 for an impossible cell.

    Returns
    -------
    float array, shape (...)
        From 0 to infinity; compare with a chi-square quantile of one degree of freedom.

    Notes
    -----
    The ratio is the maximum over l of 2 sum n_c log(1 + l h_c), with 1 + l h_c >= 0 in every cell. If no cell
    is empty, this is Owen's empirical likelihood. But the cells are known in advance, and an empty cell may
    have a positive probability, so its constraint stays. An item that none of n people has therefore gets the
    interval [0, 1 - exp(-1.92/n)] instead of [0, 0].

    The ratio is infinite if the values of all possible cells are on one side of 0 and not all rows have the
    value 0.

    References
    ----------
    Owen 2001, chapter 2.

    Examples
    --------
    Is a share of 6 in 10 compatible with .5? 2 (6 log(.6/.5) + 4 log(.4/.5)):

    >>> round(float(likelihood_ratio([6, 4], [1 - 0.5, 0 - 0.5])), 4)
    0.4027
    >>> round(float(likelihood_ratio([10, 0], [1 - 0.5, 0 - 0.5])), 4)  # 2 * 10 * log(1/.5)
    13.8629
    """
    rows, h = np.broadcast_arrays(np.asarray(counts, dtype=np.float64), np.asarray(values, dtype=np.float64))
    shape = h.shape[:-1]
    return ratio_of(rows.reshape(-1, h.shape[-1]), h.reshape(-1, h.shape[-1]))[0].reshape(shape)


def ratio_of(rows: Array, h: Array, turn: Array | None = None) -> tuple[Array, Array]:
    """Return the ratio, and its derivative if `turn`, the derivative of h, is given (otherwise zeros).

    At the maximum over l, the derivative with respect to l is 0, so the derivative of the ratio is
    2 l sum n h'/(1 + l h). If l is at its bound, 1 over the largest -h, the derivative of l counts too.
    """
    largest = np.abs(h).max(axis=1, keepdims=True)
    h = np.where(np.abs(h) <= ROUNDING * largest, 0.0, h)
    total = (rows * h).sum(axis=1)
    sign = np.where(total < 0, -1.0, 1.0)
    h = h * sign[:, None]
    reach = -h.min(axis=1)
    result, slope = np.where(total == 0, 0.0, np.inf), np.zeros(len(h))
    open_rows = np.flatnonzero((total != 0) & (reach > 0))
    # Scale h so that the multiplier is in (0, 1]. From here on, empty cells have no effect.
    rows, h, lowest = rows[open_rows], h[open_rows] / reach[open_rows, None], h[open_rows].argmin(axis=1)
    h[rows == 0] = 0.0
    multiplier = _multiplier(rows, h)
    tilt = multiplier[:, None] * h
    result[open_rows] = 2 * (rows * np.log1p(tilt)).sum(axis=1)
    if turn is not None:
        turn = turn[open_rows] * (sign[open_rows] / reach[open_rows])[:, None]
        # A multiplier at its bound 1 changes with the value that determines the bound.
        turn -= h * np.where(multiplier == 1, -turn[np.arange(len(turn)), lowest], 0.0)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(rows > 0, rows * turn / (1 + tilt), 0.0).sum(axis=1)
        slope[open_rows] = 2 * multiplier * parts
    # At the estimate, rounding may give -1e-16.
    return np.maximum(result, 0.0), slope


def _multiplier(rows: Array, h: Array) -> Array:
    """Solve sum n h / (1 + l h) = 0 for l in (0, 1], given sum n h > 0; 1 if the sum stays positive."""
    result = np.ones(len(h))
    free = h.min(axis=1) > -1
    free[free] = (rows[free] * h[free] / (1 + h[free])).sum(axis=1) >= 0
    left = np.flatnonzero(~free)
    h = h[left]
    terms = rows[left] * h
    least, most = h.min(axis=1), h.max(axis=1)
    low, high = np.zeros(len(left)), np.ones(len(left))
    guess = np.minimum(terms.sum(axis=1) / (terms * h).sum(axis=1), 0.5)
    is_settled = np.zeros(len(left), dtype=np.bool_)
    for _ in range(100):
        inverse = 1 / (1 + guess[:, None] * h)
        slope_parts = terms * inverse
        excess = slope_parts.sum(axis=1)
        low, high = np.where(excess > 0, guess, low), np.where(excess > 0, high, guess)
        # Newton step for the sum times (1 + l least) (1 + l most), which has no poles near 0 and 1.
        bend = least / (1 + guess * least) + most / (1 + guess * most)
        with np.errstate(divide="ignore"):
            following = guess + excess / ((slope_parts * h * inverse).sum(axis=1) - excess * bend)
        is_inside = ((following > low) & (following < high)) | (following == guess)
        following = np.where(is_inside, following, (low + high) / 2)
        # Keep converged values fixed, so that results do not depend on the other elements.
        step = np.where(is_settled, 0.0, following - guess)
        # Newton doubles the correct digits, so a step of 1e-9 leaves an error of 1e-18.
        is_settled = np.abs(step) <= 1e-9 * guess
        guess = guess + step
        if is_settled.all():
            break
    result[left] = guess
    return result


def likelihood_sets(counts: Whole, constant: Array, slope: Array, threshold: float | Array) -> ConfidenceSets:
    """Return the values t for which the test of "mean(constant + slope t) = 0" stays below a threshold.

    Parameters
    ----------
    counts : int array, shape (R, cells)
        Number of rows in each cell.
    constant, slope : float array, shape (R, cells)
        Both are 0 in an impossible cell.
    threshold : float, or float array of shape (R,)
        Quantile of chi-square with one degree of freedom, 3.84 for a level of .95.

    Returns
    -------
    ConfidenceSets

    Notes
    -----
    Cell weights whose likelihood ratio is at most the threshold form a convex set. Their pairs (mean
    constant, mean slope) form a convex region K of the plane. A value t passes if the line
    cos(f) x + sin(f) y = 0 with tan(f) = t meets K. As the line turns away from the estimate in either
    direction, the ratio grows up to the line farthest from K. Hence the set is an interval in the angle f:
    an interval in t, the outside of one if it contains the angle pi/2 (t = infinity), or everything if K
    contains the origin. The ends are found by Newton's method or, if it does not converge, by bracketing
    between the estimate and the farthest line.
    """
    lines = _Lines.of(counts.astype(np.float64), constant, slope, np.broadcast_to(threshold, len(counts)))
    farthest, whole = lines.farthest()
    solvable = np.flatnonzero(~whole)
    both = np.tile(solvable, 2)
    middle = lines.centre[both]
    outer = np.concatenate([farthest[solvable] - np.pi, farthest[solvable]])
    first = middle + np.copysign(lines.first_step()[both], outer - middle)
    ends, is_settled = newton_end(lines.tangent, both, middle, outer, first, 1.0)
    rest = np.flatnonzero(~is_settled | (np.abs(ends - middle) <= BESIDE))
    ends[rest] = bracketed_end(lines.ratio, both[rest], middle[rest], outer[rest], 1.0)
    low, high = np.split(ends, 2)
    sets = ConfidenceSets(
        low=np.full(len(whole), -np.inf),
        high=np.full(len(whole), np.inf),
        outside=np.zeros(len(whole), dtype=np.bool_),
        whole=whole,
    )
    unit = lines.unit[solvable]
    sets.low[solvable], sets.high[solvable] = _tangent(low) * unit, _tangent(high) * unit
    sets.outside[solvable] = (high > np.pi / 2 + BESIDE) | (low < -np.pi / 2 - BESIDE)
    return sets


@dataclass(frozen=True, kw_only=True, eq=False)
class _Lines:
    """Lines cos(f) x + sin(f) y = 0 through the plane of (mean constant, mean slope), R of them at a time.

    Parameters
    ----------
    rows : float array, shape (R, cells)
    smooth : float array, shape (R, cells)
        Weights of the cells, all positive.
    x, y : float array, shape (R, cells)
        Constant and slope, each divided by its size.
    unit : float array, shape (R,)
        Size of the constant divided by that of the slope.
    threshold : float array, shape (R,)
        Likelihood ratios are divided by this.
    """

    rows: Array
    smooth: Array
    x: Array
    y: Array
    unit: Array
    threshold: Array

    @classmethod
    def of(cls, rows: Array, constant: Array, slope: Array, threshold: Array) -> _Lines:
        """Scale constant and slope."""
        # Add half a row to each cell, because the scale must not be 0. It only conditions the search.
        smooth = (rows + 0.5) / (rows + 0.5).sum(axis=1, keepdims=True)
        x, x_size = _scale_to_unit(constant, smooth)
        y, y_size = _scale_to_unit(slope, smooth)
        return cls(rows=rows, smooth=smooth, x=x, y=y, unit=x_size / y_size, threshold=threshold)

    @cached_property
    def n(self) -> Array:
        """Number of rows."""
        return np.asarray(self.rows.sum(axis=1))

    @cached_property
    def means(self) -> tuple[Array, Array]:
        """Means of x and of y over the rows."""
        return (self.rows * self.x).sum(axis=1) / self.n, (self.rows * self.y).sum(axis=1) / self.n

    @cached_property
    def second_moments(self) -> tuple[Array, Array, Array]:
        """Smoothed moments xx, xy and yy about the means."""
        off_x, off_y = (
            scores - mean[:, None] for scores, mean in zip((self.x, self.y), self.means, strict=True)
        )
        xx, xy, yy = (
            (self.smooth * a * b).sum(axis=1) for a, b in ((off_x, off_x), (off_x, off_y), (off_y, off_y))
        )
        return xx, xy, yy

    @cached_property
    def centre(self) -> Array:
        """Angle of the estimate, whose line contains the means; above -pi/2, at most pi/2."""
        mean_x, mean_y = self.means
        angle = np.arctan2(-mean_x, mean_y)
        angle = np.where(angle > np.pi / 2, angle - np.pi, angle)
        return np.where(angle <= -np.pi / 2, angle + np.pi, angle)

    def ratio(self, angle: Array, which: NDArray[np.intp]) -> Array:
        """Return the likelihood ratio of the lines at these angles, as a multiple of the threshold."""
        h = np.cos(angle)[:, None] * self.x[which] + np.sin(angle)[:, None] * self.y[which]
        return ratio_of(self.rows[which], h)[0] / self.threshold[which]

    def tangent(self, angle: Array, which: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return `ratio` and its derivative by the angle."""
        cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
        x, y = self.x[which], self.y[which]
        ratio, turned = ratio_of(self.rows[which], cosine * x + sine * y, cosine * y - sine * x)
        return ratio / self.threshold[which], turned / self.threshold[which]

    def farthest(self) -> tuple[Array, Flags]:
        """Return an angle that fails, within pi of the centre, and whether all angles pass."""
        mean_x, mean_y = self.means
        xx, xy, yy = self.second_moments
        angle = np.arctan2(xx * mean_y - xy * mean_x, yy * mean_x - xy * mean_y)
        angle = self.centre + np.mod(angle - self.centre, np.pi)
        blank = np.hypot(mean_x, mean_y) <= ROUNDING
        # If K is part of a line through the origin, h is 0 at one t for all weights, and all other t have the
        # same ratio.
        towards = np.sign((self.smooth * self.x * self.y).sum(axis=1, keepdims=True))
        beside = np.abs(self.x - towards * self.y) <= ROUNDING * np.abs(self.x).max(axis=1, keepdims=True)
        within_line = beside.all(axis=1) & ~blank
        angle[within_line] = self.centre[within_line] + np.pi / 2
        passes = self.ratio(angle, np.arange(len(angle))) <= 1
        whole = blank | (within_line & passes)
        open_rows = np.flatnonzero(passes & ~whole)
        angle[open_rows] = climb(self.ratio, open_rows, self.centre[open_rows], 1.0)
        whole[open_rows] = np.isnan(angle[open_rows])
        return angle, whole

    def first_step(self) -> Array:
        """Return the distance of the ends from the centre, assuming a linear square root of the ratio.

        The slope of the root is |mean h'| / sd(h) times sqrt(n).
        """
        (mean_x, mean_y), (xx, xy, yy) = self.means, self.second_moments
        cosine, sine = np.cos(self.centre), np.sin(self.centre)
        spread = cosine**2 * xx + np.sin(2 * self.centre) * xy + sine**2 * yy
        deviation = np.sqrt(np.maximum(spread, 0.0))
        turning = np.abs(cosine * mean_y - sine * mean_x)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.sqrt(self.threshold / self.n) * (deviation / turning))


def _tangent(angle: Array) -> Array:
    """Return the tangent, infinite near a right angle (which floating point does not hit exactly)."""
    right = np.abs(np.abs(angle) - np.pi / 2) <= BESIDE
    return np.where(right, np.copysign(np.inf, angle), np.tan(angle))


def _scale_to_unit(values: Array, smooth: Array) -> tuple[Array, Array]:
    size = np.sqrt((smooth * values**2).sum(axis=1))
    size = np.where(size > 0, size, 1.0)
    return values / size[:, None], size
