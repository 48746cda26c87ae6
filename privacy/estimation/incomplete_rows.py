"""What a row with questions left out contributes to a sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole

MOST_DRAWN: Final = 6
"""Largest number of separately drawn axes of an itemset, each of which triples the cells. Beyond it, only
complete rows are used."""


def off_centres(scores: Mapping[int, Array], centres: Array) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return c_A and the weight of each set A of axes, the product of the centres of all axes not in it.

    Parameters
    ----------
    scores : dict of int to float array
        Scores of every set of axes, encoded as bits; arrays of smaller sets broadcast to larger ones.
    centres : float array, shape (axes, ...)
        Estimated share mu of each axis.

    Notes
    -----
    c_A is the score of the axes in A, each centred at its mu. The score of a row that was asked everything is
    the sum of weight times c_A over all A. The mean of c_A only needs rows that were asked A, so rows that
    were asked a part contribute too.

    Examples
    --------
    >>> off, weights = off_centres({0: np.ones(2), 1: np.array([-0.5, 1.5])}, np.array([0.4]))
    >>> off[1].round(9).tolist(), float(weights[0]), float(weights[1])
    ([-0.9, 1.1], 0.4, 1.0)
    """
    off = dict(scores)
    weights = {subset: np.ones(centres.shape[1:]) for subset in off}
    for axis, mu in enumerate(centres):
        bit = 1 << axis
        for subset in off:
            if subset & bit:
                off[subset] = off[subset] - mu * off[subset ^ bit]
            else:
                weights[subset] = weights[subset] * mu
    return off, weights


def contribution(off: Array, rows: Array | Whole, weight: Array, n: Whole) -> tuple[Array, Array]:
    """Return the contribution of a set of axes to the support, and to h of the rows that were asked it.

    Parameters
    ----------
    off : float array, shape (..., R)
        c_A of `R` events for each report.
    rows : array, shape (..., R)
        Number of rows with each report, among the rows that were asked the set.
    weight : float array, shape (R,)
    n : array, shape (R,)
        Number of rows, whatever they were asked.

    Examples
    --------
    Two of four rows were asked, and one of them says yes:

    >>> off, rows = np.array([[-0.9], [1.1]]), np.array([[1], [1]])
    >>> support, more = contribution(off, rows, weight=np.ones(1), n=np.array([4]))
    >>> support.round(9).tolist(), more.round(9).tolist()
    ([0.1], [[-2.0], [2.0]])
    """
    axes = tuple(range(off.ndim - 1))
    n_asked = rows.sum(axis=axes)
    mean = (rows * off).sum(axis=axes) / n_asked
    return weight * mean, (off - mean) * (weight * n / n_asked)
