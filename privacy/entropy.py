"""Entropy of shares, with 0 log 0 = 0; in nats, or in bits by `numpy.log2`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from privacy.arrays import Array


def times_log(weights: Array, values: Array, *, log: Callable[[Array], Array] = np.log) -> Array:
    """Return weights * log(values), 0 where a weight is 0 or, by rounding, less.

    Parameters
    ----------
    weights, values : float arrays, of shapes that fit each other
        Where a weight is above 0, so is its value.
    log : callable, optional
        `numpy.log` or `numpy.log2`.

    Examples
    --------
    >>> times_log(np.array([0.0, 0.5]), np.array([0.0, 4.0]), log=np.log2).tolist()
    [0.0, 1.0]
    """
    is_there = weights > 0
    return np.asarray(np.where(is_there, weights, 0.0) * log(np.where(is_there, values, 1.0)))


def entropy(shares: Array, *, log: Callable[[Array], Array] = np.log) -> Array:
    """Return the entropy of each row of shares (Shannon 1948).

    Parameters
    ----------
    shares : ndarray of shape (..., k)
        Distributions along the last axis.
    log : callable, optional
        Gives the unit: nats of `numpy.log`, bits of `numpy.log2`.

    Examples
    --------
    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]]), log=np.log2).tolist()
    [1.0, 0.0]
    """
    # Added to 0, so that the entropy of what is certain is no "-0".
    return np.asarray(0.0 - times_log(shares, shares, log=log).sum(axis=-1))
