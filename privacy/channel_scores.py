"""Unbiased scores of a channel's outputs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from privacy.errors import PrivacyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from privacy.arrays import Array

MOST_ENTRIES: Final = 4_000_000
"""Largest number of entries of a channel for which scores are computed."""
_EXACT: Final = 1e-8


def score(channel: Array, target: Array) -> Array:
    """Return s(y) with E[s(Y) | x] = target(x) for every true x, with minimal variance under equal shares.

    Parameters
    ----------
    channel : ndarray, shape (observed, true)
        Columns sum to 1.
    target : ndarray, shape (true,)
        For the share of a set of values, 1 inside and 0 outside.

    Returns
    -------
    ndarray, shape (observed,)

    Raises
    ------
    PrivacyError
        ``no_score``: the channel does not distinguish these values. ``too_large``.

    Notes
    -----
    Let K be the channel and D the diagonal matrix of output probabilities under equal shares of the true
    values. Then s minimises s'D s subject to K's = target: s = D^-1 K (K'D^-1 K)^+ target, if such an s
    exists.

    Examples
    --------
    If a bit is kept with probability 3/4, the score for the share of ones is (y - 1/4) / (1/2).

    >>> import numpy as np
    >>> score(np.array([[.75, .25], [.25, .75]]), np.array([0.0, 1.0])).round(9).tolist()
    [-0.5, 1.5]
    """
    import numpy as np

    if channel.size > MOST_ENTRIES:
        raise PrivacyError("too_large.scores", channel.shape, rows=channel.shape[0], columns=channel.shape[1])
    true = channel.shape[1]
    probabilities = channel @ np.full(true, 1 / true)
    ratios = np.divide(
        channel, probabilities[:, None], out=np.zeros_like(channel), where=probabilities[:, None] > 0
    )
    values, off = _solve_score(channel, ratios, target, _by_cholesky)
    if not off <= _EXACT * max(1.0, float(np.abs(target).max())):
        values, off = _solve_score(channel, ratios, target, _by_least_squares)
    if not off <= _EXACT * max(1.0, float(np.abs(target).max())):
        raise PrivacyError("no_score.channel", off)
    return values


def _solve_score(
    channel: Array, weights: Array, target: Array, solve: Callable[[Array, Array], Array]
) -> tuple[Array, float]:
    """Solve K'D^-1 K m = target; return D^-1 K m and the largest deviation of its means from the target."""
    import numpy as np

    try:
        values: Array = weights @ solve(channel.T @ weights, target)
    except np.linalg.LinAlgError:
        return np.zeros(len(channel)), math.inf
    return values, float(np.abs(values @ channel - target).max())


def _by_cholesky(matrix: Array, target: Array) -> Array:
    """Solve the equations a hundred times as fast as least squares."""
    import scipy

    solution: Array = scipy.linalg.cho_solve(scipy.linalg.cho_factor(matrix), target)
    return solution


def _by_least_squares(matrix: Array, target: Array) -> Array:
    """Solve the equations, including those of channels that do not distinguish all their inputs."""
    import scipy

    solution: Array = scipy.linalg.lstsq(matrix, target, cond=1e-13, lapack_driver="gelsy")[0]
    return solution
