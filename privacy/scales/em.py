"""Fit distributions by expectation-maximisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError

Map: TypeAlias = Callable[[Array], Array]
MapOfSets: TypeAlias = Callable[[Array, NDArray[np.intp]], Array]
Advance: TypeAlias = Callable[[Array, NDArray[np.intp]], tuple[Array, Flags]]

GAIN: Final = 1e-7
"""Steps end when the log-likelihood gains less than this per report."""

MOST_STEPS: Final = 10_000
_NOTHING: Final = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Estimated shares of the true values.

    Parameters
    ----------
    shares : ndarray
        Shares in the shape of the true values; they sum to 1 for each set of counts.
    steps : int
    gain : float
        Largest gain per report in the last step of a set of counts.
    reason : {"gain", "steps"}
        Reason for stopping: all sets gained too little, or the limit on steps was reached.
    """

    shares: Array
    steps: int
    gain: float
    reason: Literal["gain", "steps"]


def expected_values(counts: Array, shares: Array, probabilities: Array, backward: Map) -> Array:
    """Return the expected number of counted rows with each true value: t * K'(counts / K t).

    Parameters
    ----------
    counts, probabilities : ndarray of float64, shape (..., outputs)
        Count of each output, and K t, its probability under these shares. Unsent and impossible outputs
        contribute nothing.
    shares : ndarray of float64, shape (..., values)
        t.
    backward : callable
        K'.

    References
    ----------
    Dempster, Laird and Rubin 1977.

    Examples
    --------
    A bit is kept with probability 3/4; 60 of 100 rows say 1, and half of all people are assumed to have it:

    >>> channel = np.array([[.75, .25], [.25, .75]])
    >>> shares = np.array([.5, .5])
    >>> counts = np.array([40.0, 60.0])
    >>> expected_values(counts, shares, channel @ shares, lambda ratio: channel.T @ ratio).tolist()
    [45.0, 55.0]
    """
    ratio = np.zeros(counts.shape)
    np.divide(counts, probabilities, out=ratio, where=(counts > 0) & (probabilities > 0))
    # Rounding can leave running sums slightly below 0.
    shares_explained: Array = shares * np.maximum(backward(ratio), 0)
    return shares_explained


def smooth_shares(shares: Array, axes: tuple[int, ...]) -> Array:
    """Smooth shares by [1, 2, 1] / 4 along each axis; nothing is lost at the ends.

    Parameters
    ----------
    shares : ndarray
        Shares along any number of axes.
    axes : tuple of int
        Axes to smooth along, one after another.

    Examples
    --------
    >>> smooth_shares(np.array([0.0, 1.0, 0.0, 0.0]), (0,)).tolist()
    [0.25, 0.5, 0.25, 0.0]
    >>> smooth_shares(np.array([1.0, 0.0, 0.0]), (0,)).tolist()
    [0.75, 0.25, 0.0]
    """
    for axis in axes:
        if shares.shape[axis] < 2:
            continue
        line = np.moveaxis(shares, axis, -1)
        padded = np.concatenate([line[..., :1], line, line[..., -1:]], axis=-1)
        shares = np.moveaxis((padded[..., :-2] + 2 * padded[..., 1:-1] + padded[..., 2:]) / 4, -1, axis)
    return shares


def climb(advance: Advance, start: Array, *, most_steps: int) -> tuple[Array, int, bool]:
    """Repeat steps until every set of counts has converged; each keeps its final shares.

    Parameters
    ----------
    advance : callable
        Maps the shares and numbers of the unfinished sets to their next shares and flags of those still
        unfinished.
    start : ndarray, shape (sets, ...)
    most_steps : int

    Returns
    -------
    (ndarray, int, bool)
        The shares; the number of steps; whether all sets converged.

    Examples
    --------
    Halving stops below 1/10, which the first number reaches after two steps:

    >>> climb(lambda x, _sets: (x / 2, x / 2 >= 0.1), np.array([0.3, 0.8]), most_steps=9)
    (array([0.075, 0.05 ]), 3, True)
    """
    shares, result, left = start, start.copy(), np.arange(len(start))
    for step in range(most_steps):
        shares, going = advance(shares, left)
        if not going.all():
            result[left[~going]] = shares[~going]
            if not going.any():
                return result, step, True
            shares, left = shares[going], left[going]
    result[left] = shares
    return result, most_steps, False


def fit(
    counts: Array,
    start: Array,
    forward: MapOfSets,
    backward: MapOfSets,
    *,
    smooth: bool,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Fit the shares to the counts by expectation-maximisation.

    Parameters
    ----------
    counts : ndarray of float64, shape (sets, ...)
        Count of each output. Each set stops by its own gain, so its shares do not depend on the other sets.
    start : ndarray, shape (sets, ...)
        First guess, above 0 for every possible value.
    forward, backward : callable
        K t, the probabilities of the outputs under shares t, and its transpose; both also receive the numbers
        of the sets.
    smooth : bool
        Whether each step ends with `smooth_shares` (EMS). Plain steps overfit the noise and produce spikes,
        more so the longer they run. Smoothed steps blur true edges.
    gain, most_steps
        Stopping rule.

    Raises
    ------
    PrivacyError
        ``no_rows``: a set of counts is empty.

    Notes
    -----
    t <- t * K'(counts / K t) / n, where counts / K t is 0 for an unsent output. A plain step never lowers the
    log-likelihood. A smoothed step may lower it, so steps end after a small change in either direction.

    References
    ----------
    Agrawal and Aggarwal 2001 (expectation and maximisation); Li and others 2020 (smoothed).
    """
    values, outputs = tuple(range(1, start.ndim)), tuple(range(1, counts.ndim))
    n = counts.sum(axis=outputs)
    if not (n > 0).all():
        raise PrivacyError("no_rows", 0)
    previous, change = np.full(len(n), np.inf), np.full(len(n), np.inf)

    def along(of_sets: NDArray[Any]) -> NDArray[Any]:
        return of_sets.reshape(-1, *(1,) * len(values))

    def advance(shares: Array, sets: NDArray[np.intp]) -> tuple[Array, Flags]:
        rows = counts[sets]
        # Rounding can leave running sums slightly below 0.
        probabilities = np.maximum(forward(shares, sets), _NOTHING)
        likely = np.zeros(rows.shape)
        np.log(probabilities, out=likely, where=rows > 0)
        likelihood = (likely * rows).sum(axis=outputs) / n[sets]
        change[sets] = np.abs(likelihood - previous[sets])
        previous[sets] = likelihood
        going = change[sets] >= gain
        if not going.any():
            return shares, going
        better = expected_values(rows, shares, probabilities, lambda ratio: backward(ratio, sets)) / along(
            n[sets]
        )
        if smooth:
            better = smooth_shares(better, values)
            better = better / better.sum(axis=values, keepdims=True)
        return np.where(along(going), better, shares), going

    shares, steps, has_ended = climb(
        advance, start / start.sum(axis=values, keepdims=True), most_steps=most_steps
    )
    return Fit(shares=shares, steps=steps, gain=float(change.max()), reason="gain" if has_ended else "steps")
