"""Scores of outputs, whose mean over reports is unbiased for a mean over true values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.errors import PrivacyError

if TYPE_CHECKING:
    from privacy.arrays import Array


LARGEST: Final = 4_000_000


_EXACT: Final = 1e-8


def score(channel: Array, wanted: Array) -> Array:
    """Return s(y) with E[s(Y) | x] = wanted(x) for every true value x, of least variance under equal shares.

    Parameters
    ----------
    channel : ndarray, shape (observed, true)
        Columns sum to 1.
    wanted : ndarray, shape (true,)
        For the share of a set of values: 1 inside, 0 outside.

    Returns
    -------
    ndarray, shape (observed,)

    Raises
    ------
    PrivacyError
        ``no_score``: the channel does not tell these values apart. ``too_large``.

    Notes
    -----
    With D the diagonal of the probabilities of outputs under equal shares of the true values and K the
    channel, s minimises s'D s under K's = wanted: s = D^-1 K (K'D^-1 K)^+ wanted, where such an s exists.

    Examples
    --------
    Keep a bit with probability 3/4: the share of ones is (y - 1/4) / (1/2).

    >>> score(np.array([[.75, .25], [.25, .75]]), np.array([0.0, 1.0])).round(9).tolist()
    [-0.5, 1.5]
    """
    if channel.size > LARGEST:
        raise PrivacyError("too_large.scores", channel.shape, rows=channel.shape[0], columns=channel.shape[1])
    true = channel.shape[1]
    chances = channel @ np.full(true, 1 / true)
    scaled = np.divide(channel, chances[:, None], out=np.zeros_like(channel), where=chances[:, None] > 0)
    values, off = _solved(channel, scaled, wanted, cholesky=True)
    if not off <= _EXACT * max(1.0, float(np.abs(wanted).max())):
        values, off = _solved(channel, scaled, wanted, cholesky=False)
    if not off <= _EXACT * max(1.0, float(np.abs(wanted).max())):
        raise PrivacyError("no_score.channel", off)
    return values


def _solved(channel: Array, scaled: Array, wanted: Array, *, cholesky: bool) -> tuple[Array, float]:
    """Solve K'D^-1 K m = wanted; return D^-1 K m and by how much its means miss what is wanted.

    Cholesky's way takes a hundredth of the time of least squares, which are for channels that do not tell all
    their inputs apart.
    """
    normal = channel.T @ scaled
    if cholesky:
        try:
            multipliers = scipy.linalg.cho_solve(scipy.linalg.cho_factor(normal), wanted)
        except scipy.linalg.LinAlgError:
            return np.zeros(len(channel)), math.inf
    else:
        multipliers = scipy.linalg.lstsq(normal, wanted, cond=1e-13, lapack_driver="gelsy")[0]
    values: Array = scaled @ multipliers
    return values, float(np.abs(values @ channel - wanted).max())
