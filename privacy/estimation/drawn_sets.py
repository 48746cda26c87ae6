"""Sets of drawn questions: what a row counts for in a support, by those that it was asked.

Rows that were asked some of an itemset's questions say something of its support: with the shares mu of single
parts as centres, the products of what lies off them can each be averaged over the rows that were asked it.

The estimator of `privacy.estimation.shapes`, for itemsets in tables of three states per question, and of
`privacy.estimation.drawn_factors`, for rules of any parts in cells of rows.

Notes
-----
With z_B the score of B on a row asked B, for sets A of an event's drawn axes E and with centres mu,

    c_A = sum_{B in A} (prod_{A - B} -mu) z_B,    c^_A its mean over the n_A rows asked A,
    support = sum_A (prod_{E - A} mu) c^_A,
    h = support + sum_A [asked A] (prod_{E - A} mu) (c_A - c^_A) n / n_A.

The mean of h over all rows is the support, and its variance by n that of the support, whatever mu is. What is
asked of everyone is in every z_B: a row that was asked no axis has its score times the product of all mu.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole

__all__ = ["MOST_DRAWN", "contribution", "off_centres"]

MOST_DRAWN: Final = 6
"""Parts of an itemset that are drawn apart: 3 to this power cells. Of more, complete rows alone count."""


def off_centres(scores: Mapping[int, Array], centres: Array) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return c_A and the weight of each set A of axes, the product of the centres of all axes not in it.

    Parameters
    ----------
    scores : dict of int to float array
        Of every set of the axes, the set as bits; those of a smaller set fit a larger one by broadcasting.
    centres : float array, shape (axes, ...)

    Examples
    --------
    >>> off, weights = off_centres({0: np.ones(2), 1: np.array([-0.5, 1.5])}, np.array([0.4]))
    >>> off[1].round(9).tolist(), float(weights[0]), float(weights[1])
    ([-0.9, 1.1], 0.4, 1.0)
    """
    off = dict(scores)
    weights = {chosen: np.ones(centres.shape[1:]) for chosen in off}
    for axis, mu in enumerate(centres):
        bit = 1 << axis
        for chosen in off:
            if chosen & bit:
                off[chosen] = off[chosen] - mu * off[chosen ^ bit]
            else:
                weights[chosen] = weights[chosen] * mu
    return off, weights


def contribution(off: Array, rows: Array | Whole, weight: Array, n: Whole) -> tuple[Array, Array]:
    """Return what one set of axes adds to the support, and to h of the rows that were asked it.

    Parameters
    ----------
    off : float array, shape (..., R)
        c_A of `R` events by what rows show.
    rows : array, shape (..., R)
        Rows that were asked the set and show it.
    weight : float array, shape (R,)
    n : array, shape (R,)
        All rows, whatever they were asked.

    Examples
    --------
    Of four rows two were asked, and one of them says yes:

    >>> off, rows = np.array([[-0.9], [1.1]]), np.array([[1], [1]])
    >>> support, more = contribution(off, rows, weight=np.ones(1), n=np.array([4]))
    >>> support.round(9).tolist(), more.round(9).tolist()
    ([0.1], [[-2.0], [2.0]])
    """
    own = tuple(range(off.ndim - 1))
    n_asked = rows.sum(axis=own)
    mean = (rows * off).sum(axis=own) / n_asked
    return weight * mean, (off - mean) * (weight * n / n_asked)
