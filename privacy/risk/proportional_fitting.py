"""Iterative proportional fitting: independent shares that keep their margins when some rows are left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.coins import SCALE

__all__ = ["fitted", "outer", "whole"]

_MOST_SWEEPS: Final = 300
_SETTLED: Final = 1e-6
_STILL: Final = 1e-7


def outer(tables: Sequence[NDArray[np.generic]]) -> NDArray[np.generic]:
    """Return the product of one entry of each table, one axis a table.

    Parameters
    ----------
    tables : sequence of ndarray
        Of any number of entries each.
    """
    return reduce(np.multiply.outer, tables)


def fitted(stated: Sequence[Array], allowed: Flags) -> list[Array] | None:
    """Return independent shares that have the stated ones when only what is allowed is left.

    Parameters
    ----------
    stated : sequence of ndarray
        Shares of each part's answers, which sum to 1.
    allowed : ndarray of bool
        Which rows can be true, one axis a part.

    Notes
    -----
    Iterative proportional fitting. Where no distribution has the stated shares, as when they add up to more
    than 1, it stops somewhere near, once it comes no nearer.
    """
    weights = [share.copy() for share in stated]
    table = np.asarray(outer(weights), dtype=np.float64) * allowed
    if not table.sum():
        return None
    gap = np.inf
    for _ in range(_MOST_SWEEPS):
        before, gap = gap, 0.0
        for axis, share in enumerate(stated):
            others = tuple(other for other in range(len(stated)) if other != axis)
            now = table.sum(axis=others) / table.sum()
            gap = max(gap, float(np.abs(now - share).max()))
            change = np.divide(share, now, out=np.zeros_like(share), where=now > 0)
            weights[axis] = weights[axis] * change
            weights[axis] /= weights[axis].sum()
            scale = np.expand_dims(change, others)
            if not (table * scale).sum():
                return weights
            table = table * scale
        if gap < _SETTLED or abs(before - gap) < _STILL:
            break
    return weights


def whole(stated: Whole, weights: Array) -> Whole:
    """Return ten-thousandths; none becomes impossible that was not stated to be.

    Parameters
    ----------
    stated : ndarray of int
        Ten-thousandths of each answer, as they were stated.
    weights : ndarray of float
        What each answer is to have a share of.
    """
    weights_in_units = np.where(stated > 0, np.maximum(1, np.rint(SCALE * weights)), 0).astype(np.int64)
    weights_in_units[np.argmax(weights_in_units)] += SCALE - weights_in_units.sum()
    return weights_in_units
