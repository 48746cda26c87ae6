"""Expectation and maximisation: the one step, its repetition, and the fit of a distribution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError

__all__ = ["GAIN", "MOST_STEPS", "Fit", "MapOfSets", "climb", "explained", "fit", "smoothed"]

Map: TypeAlias = Callable[[Array], Array]
MapOfSets: TypeAlias = Callable[[Array, NDArray[np.intp]], Array]
Advance: TypeAlias = Callable[[Array, NDArray[np.intp]], tuple[Array, Flags]]

GAIN: Final = 1e-7
"""Steps end when the log-likelihood gains less than this per report."""

MOST_STEPS: Final = 10_000
_NOTHING: Final = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Shares of the true values that explain the sent ones.

    Parameters
    ----------
    shares : ndarray
        Sum to 1 over each set of counts; of the shape of the true values.
    steps : int
    gain : float
        Largest gain per report in the last step of a set of counts.
    reason : {"gain", "steps"}
        Why it ended: steps of all sets gained too little, or there were too many.
    """

    shares: Array
    steps: int
    gain: float
    reason: Literal["gain", "steps"]


def explained(counts: Array, shares: Array, chances: Array, backward: Map) -> Array:
    """Return the expected true values of the rows that were counted: t * K'(counts / K t).

    Parameters
    ----------
    counts, chances : ndarray of float64, shape (..., outputs)
        How often each output was sent, and K t, its probability under these shares. Outputs that no one sent,
        or that cannot be sent, explain nothing.
    shares : ndarray of float64, shape (..., values)
        t.
    backward : callable
        K'.

    References
    ----------
    Dempster, Laird and Rubin 1977.

    Examples
    --------
    A bit is kept with probability 3/4; of 100 rows 60 say 1, and half of all people are thought to have it:

    >>> channel = np.array([[.75, .25], [.25, .75]])
    >>> shares = np.array([.5, .5])
    >>> explained(np.array([40.0, 60.0]), shares, channel @ shares, lambda ratio: channel.T @ ratio).tolist()
    [45.0, 55.0]
    """
    ratio = np.zeros(counts.shape)
    np.divide(counts, chances, out=ratio, where=(counts > 0) & (chances > 0))
    # Running sums may leave a rounding below 0 where nothing is.
    shares_explained: Array = shares * np.maximum(backward(ratio), 0)
    return shares_explained


def smoothed(shares: Array, axes: tuple[int, ...]) -> Array:
    """Return shares after one pass of [1, 2, 1] / 4 along each axis; ends keep what would fall off.

    Parameters
    ----------
    shares : ndarray
        Shares of any number of axes.
    axes : tuple of int
        Along which it is smoothed, one after another.

    Examples
    --------
    >>> smoothed(np.array([0.0, 1.0, 0.0, 0.0]), (0,)).tolist()
    [0.25, 0.5, 0.25, 0.0]
    >>> smoothed(np.array([1.0, 0.0, 0.0]), (0,)).tolist()
    [0.75, 0.25, 0.0]
    """
    for axis in axes:
        if shares.shape[axis] < 2:
            continue
        moved = np.moveaxis(shares, axis, -1)
        padded = np.concatenate([moved[..., :1], moved, moved[..., -1:]], axis=-1)
        shares = np.moveaxis((padded[..., :-2] + 2 * padded[..., 1:-1] + padded[..., 2:]) / 4, -1, axis)
    return shares


def climb(advance: Advance, start: Array, *, most_steps: int) -> tuple[Array, int, bool]:
    """Repeat steps until every set of counts has ended; each keeps the shares that it ended with.

    Parameters
    ----------
    advance : callable
        Takes the shares of the sets that go on and the numbers of these sets; returns their next shares and
        which of them have not ended. Sets that have are not asked for again.
    start : ndarray, shape (sets, ...)
    most_steps : int

    Returns
    -------
    (ndarray, int, bool)
        The shares; how many steps were made; whether all sets ended of themselves.

    Examples
    --------
    Halving ends below 1/10, for the first number after two steps:

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
    """Return the shares that make the counts likely, by expectation and maximisation.

    Parameters
    ----------
    counts : ndarray of float64, shape (sets, ...)
        How often each output was sent. Each set ends by its own gain, so its shares are those that it would
        have alone.
    start : ndarray, shape (sets, ...)
        First guess, above 0 wherever a value can be.
    forward, backward : callable
        K t, the probabilities of the outputs under shares t, and its transpose; both are called with their
        argument and the numbers of the sets that it represents.
    smooth : bool
        Whether each step ends with `smoothed` (EMS). Plain steps go on to fit the noise: they end in a
        speckle of spikes, the more so the longer they run; smoothed ones blur true edges.
    gain, most_steps
        When to stop.

    Raises
    ------
    PrivacyError
        ``no_rows``: a set of counts is empty.

    Notes
    -----
    t <- t * K'(counts / K t) / n, where counts / K t is 0 for an output that no one sent. The plain step
    never lowers the log-likelihood; the smoothed one may, and stops when the change is small either way.

    References
    ----------
    Agrawal and Aggarwal 2001 (expectation and maximisation); Li and others 2020 (smoothed).
    """
    values, outputs = tuple(range(1, start.ndim)), tuple(range(1, counts.ndim))
    n = counts.sum(axis=outputs)
    if not (n > 0).all():
        raise PrivacyError("no_rows.values", 0)
    previous, change = np.full(len(n), np.inf), np.full(len(n), np.inf)

    def along(of_sets: NDArray[Any]) -> NDArray[Any]:
        return of_sets.reshape(-1, *(1,) * len(values))

    def advance(shares: Array, sets: NDArray[np.intp]) -> tuple[Array, Flags]:
        sent = counts[sets]
        # Running sums may leave a rounding below 0 where nothing is.
        chances = np.maximum(forward(shares, sets), _NOTHING)
        likely = np.zeros(sent.shape)
        np.log(chances, out=likely, where=sent > 0)
        likelihood = (likely * sent).sum(axis=outputs) / n[sets]
        change[sets] = np.abs(likelihood - previous[sets])
        previous[sets] = likelihood
        going = change[sets] >= gain
        if not going.any():
            return shares, going
        better = explained(sent, shares, chances, lambda ratio: backward(ratio, sets)) / along(n[sets])
        if smooth:
            better = smoothed(better, values)
            better = better / better.sum(axis=values, keepdims=True)
        return np.where(along(going), better, shares), going

    shares, steps, ended = climb(
        advance, start / start.sum(axis=values, keepdims=True), most_steps=most_steps
    )
    return Fit(shares=shares, steps=steps, gain=float(change.max()), reason="gain" if ended else "steps")
