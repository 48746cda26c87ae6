"""Largest joint probability of a place and each cell that its disguise sends."""

from __future__ import annotations

import numpy as np

from privacy.arrays import Array
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.sliding_max import sliding_max


def planar_maxima(levels: tuple[PlanarLevel, ...], shares: Array) -> Array:
    """Return max_x K(y, x) s(x) for each cell y, shape (rows, columns).

    Parameters
    ----------
    levels : tuple of PlanarLevel
        Levels of the disguise, in their order.
    shares : ndarray, shape (rows, columns)
        s.
    """
    rows, columns = shares.shape
    masses = np.zeros(shares.shape)
    left, passed = shares.copy(), 1.0
    for level in levels:
        y, x = np.nonzero(paint_cells(level.rectangles, columns, rows))
        first_x, first_y, wide, high = level.windows_of(x.astype(np.int64), y.astype(np.int64))
        beta = float(level.truth)
        far = (1 - beta) * level.probabilities(columns, rows)
        best = far * left.max()
        for across, up in level.sizes:
            has_size = (wide == across) & (high == up)
            begins = np.zeros(shares.shape)
            np.maximum.at(begins, (first_y[has_size], first_x[has_size]), shares[y[has_size], x[has_size]])
            nearest = sliding_max(sliding_max(begins, across, 1), up, 0)
            # If no such window covers a cell, `nearest` is 0 and does not change the maximum.
            best = np.maximum(best, (far + beta / (across * up)) * nearest)
        masses[y, x] = passed * best[y, x]
        left[y, x] = 0
        passed *= beta
    outside = np.ones((rows, columns), dtype=np.bool_)
    for level in levels:
        outside &= ~paint_cells(level.rectangles, columns, rows)
    masses[outside] = passed * shares[outside]
    return masses
