"""The ends of very many confidence sets at once: by Newton's method, or by bracketing where that fails."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["BESIDE", "bracketed_end", "climb", "newton_end"]

Array: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]

Ratio: TypeAlias = Callable[[Array, Places], Array]

BEYOND: Final = 1e3
"""Stands for an infinite root of the ratio in the search for the ends."""

BESIDE: Final = 1e-10
"""Angles this close to the estimate's are the estimate's: real intervals are wider than 1e-6."""

STEPS: Final = 12
"""Where the ratio is smooth four or five are enough."""

SETTLED: Final = 1e-9
"""Step relative to the distance from the start. Newton doubles the digits: what is left is 1e-18 of it."""


def newton_end(
    line: Callable[[Array, Places], tuple[Array, Array]],
    which: Places,
    inner: Array,
    outer: Array,
    first: Array,
    threshold: float,
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the angles between `inner` and `outer` where a ratio reaches a threshold.

    Parameters
    ----------
    line : callable
        Takes angles and the elements they belong to, returns the ratio there and its derivative. Its root
        is close to linear in the angle.
    which : int array, shape (m,)
        Elements to be solved.
    inner, outer : float array, shape (m,)
        Angles where the ratio is 0, and where it is above the threshold.
    first : float array, shape (m,)
        Where to look first; the middle is taken where that is not between both.
    threshold : float

    Returns
    -------
    angle : float array, shape (m,)
    settled : bool array, shape (m,)
        False where the method did not settle: the angle means nothing there.

    Examples
    --------
    The ratio x^2 is 9 at 3 and at -3:

    >>> def square(angle, which):
    ...     return angle**2, 2 * angle
    >>> newton_end(square, np.array([0, 1]), np.zeros(2), np.array([5.0, -5.0]), np.ones(2), 9.0)
    (array([ 3., -3.]), array([ True,  True]))
    """
    angle, settled = np.full(len(which), np.nan), np.zeros(len(which), dtype=np.bool_)
    passes, fails = inner.copy(), outer.copy()
    left = np.arange(len(which))
    guess = _between(first, passes, fails)
    for _ in range(STEPS):
        if not len(left):
            break
        ratio, slope = line(guess, which[left])
        root = np.sqrt(ratio)
        below = root <= math.sqrt(threshold)
        passes[left], fails[left] = np.where(below, guess, passes[left]), np.where(below, fails[left], guess)
        with np.errstate(divide="ignore", invalid="ignore"):
            aimed = guess - (root - math.sqrt(threshold)) * 2 * root / slope
        near = np.abs(aimed - guess) <= SETTLED * np.abs(guess - inner[left])
        angle[left[near]], settled[left[near]] = aimed[near], True
        left = left[~near]
        guess = _between(aimed[~near], passes[left], fails[left])
    return angle, settled


def _between(wish: Array, first: Array, other: Array) -> Array:
    """Return the wish where it lies strictly between both, else the middle."""
    inside = (wish > np.minimum(first, other)) & (wish < np.maximum(first, other))
    return np.where(inside, wish, (first + other) / 2)


def climb(ratio: Ratio, which: Places, centre: Array, threshold: float) -> Array:
    """Search the half turn from the estimate for an angle above the threshold; NaN if there is none."""
    ends = np.full(len(which), np.nan)
    low, high = centre.copy(), centre + np.pi
    left = np.arange(len(which))
    for _ in range(60):
        if not len(left):
            break
        third = (high[left] - low[left]) / 3
        first, second = low[left] + third, high[left] - third
        at_first, at_second = ratio(first, which[left]), ratio(second, which[left])
        rising = at_first < at_second
        low[left], high[left] = np.where(rising, first, low[left]), np.where(rising, high[left], second)
        best = np.maximum(at_first, at_second)
        above = best > threshold
        ends[left[above]] = np.where(rising, second, first)[above]
        left = left[~above]
    return ends


def bracketed_end(ratio: Ratio, which: Places, inner: Array, outer: Array, threshold: float) -> Array:
    """Return the angle between `inner` (passes) and `outer` (does not) where the ratio is the threshold."""
    if not len(which):
        return inner

    def excess(angle: Array, position: Array, start: Array) -> Array:
        # The root of the ratio is close to linear in the angle.
        root = np.sqrt(ratio(angle, which[position.astype(np.intp)]))
        bounded: Array = np.where(angle == start, 0.0, np.minimum(root, BEYOND))
        return bounded - math.sqrt(threshold)

    # Loaded where it is used, for scipy does not load it on its own: a process starts without it.
    from scipy.optimize import elementwise

    position = np.arange(len(which), dtype=np.float64)
    search = elementwise.find_root(
        excess, (inner, outer), args=(position, inner), tolerances={"xatol": 1e-14, "xrtol": 1e-14}
    )
    # Where the ratio leaps to infinity beside the estimate, the estimate itself is the end.
    end: Array = np.where(np.abs(search.x - inner) <= BESIDE, inner, search.x)
    return end
