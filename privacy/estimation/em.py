"""Expectation and maximisation: the one step, and its repetition for a distribution, plain or smoothed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.errors import PrivacyError

__all__ = ["GAIN", "MOST_STEPS", "Fit", "Map", "explained", "fit", "smoothed"]

Array: TypeAlias = NDArray[np.float64]
Map: TypeAlias = Callable[[Array], Array]

GAIN: Final = 1e-7
"""Steps end when the log-likelihood gains less than this per report."""

MOST_STEPS: Final = 10_000
_NOTHING: Final = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Shares of the true values that explain what was sent.

    Parameters
    ----------
    shares : ndarray
        Sum to 1 over each set of counts; of the shape of the true values.
    steps : int
    gain : float
        What the last step of a set of counts gained per report, at most.
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
        How often each output was sent, and K t, its chance under these shares. Outputs that nobody sent, or
        that cannot be sent, explain nothing.
    shares : ndarray of float64, shape (..., values)
        t.
    backward : callable
        K'.

    References
    ----------
    Dempster, Laird and Rubin 1977.

    Examples
    --------
    A bit is kept with chance 3/4; of 100 rows 60 say 1, and half of all people are thought to have it:

    >>> channel = np.array([[.75, .25], [.25, .75]])
    >>> shares = np.array([.5, .5])
    >>> explained(np.array([40.0, 60.0]), shares, channel @ shares, lambda ratio: channel.T @ ratio).tolist()
    [45.0, 55.0]
    """
    ratio = np.zeros(counts.shape)
    np.divide(counts, chances, out=ratio, where=(counts > 0) & (chances > 0))
    # Running sums may leave a rounding below 0 where nothing is.
    found: Array = shares * np.maximum(backward(ratio), 0)
    return found


def smoothed(shares: Array, axes: tuple[int, ...]) -> Array:
    """Return shares after one pass of [1, 2, 1] / 4 along each axis; ends keep what would fall off.

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


def fit(
    counts: Array,
    start: Array,
    forward: Map,
    backward: Map,
    *,
    values: tuple[int, ...],
    outputs: tuple[int, ...],
    smooth: bool,
    gain: float = GAIN,
    most_steps: int = MOST_STEPS,
) -> Fit:
    """Return the shares that make the counts likely, by expectation and maximisation.

    Parameters
    ----------
    counts : ndarray of float64
        How often each output was sent; may hold several sets of counts along further, leading axes. Each set
        ends by its own gain, so its shares are those that it would have alone.
    start : ndarray
        First guess, above 0 wherever a value can be.
    forward, backward : callable
        K t, the chances of the outputs under shares t, and its transpose.
    values, outputs : tuple of int
        Axes, counted from the end, over which true values and outputs run.
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
    t <- t * K'(counts / K t) / n, where counts / K t is 0 for an output that nobody sent. The plain step
    never lowers the log-likelihood; the smoothed one may, and stops when the change is small either way.

    References
    ----------
    Agrawal and Aggarwal 2001 (expectation and maximisation); Li and others 2020 (smoothed).
    """
    n = counts.sum(axis=outputs, keepdims=True)
    if not (n > 0).all():
        raise PrivacyError("no_rows.values", 0)
    heard = counts > 0
    n_values = n.reshape(n.shape[: n.ndim - len(outputs)] + (1,) * len(values))
    shares = start / start.sum(axis=values, keepdims=True)
    before, change = None, np.full(n.shape[: n.ndim - len(outputs)], np.inf)
    going = change > 0
    for step in range(1, most_steps + 1):
        # Running sums may leave a rounding below 0 where nothing is.
        chances = np.maximum(forward(shares), _NOTHING)
        likely = np.zeros(counts.shape)
        np.log(chances, out=likely, where=heard)
        likelihood = (likely * counts).sum(axis=outputs) / n.reshape(likely.sum(axis=outputs).shape)
        if before is not None:
            change = np.where(going, np.abs(likelihood - before), change)
            going = going & (change >= gain)
            if not going.any():
                return Fit(shares=shares, steps=step - 1, gain=float(change.max()), reason="gain")
        before = likelihood
        better = explained(counts, shares, chances, backward) / n_values
        if smooth:
            better = smoothed(better, values)
            better = better / better.sum(axis=values, keepdims=True)
        shares = better if going.all() else np.where(going.reshape(n_values.shape), better, shares)
    return Fit(shares=shares, steps=most_steps, gain=float(change.max()), reason="steps")
