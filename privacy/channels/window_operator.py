"""Window channel applied to shares of bins, and its transpose, without a matrix."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.channels.window import WindowChannel

__all__ = ["backward", "forward"]

Array: TypeAlias = NDArray[np.float64]


def forward(band: WindowChannel, shares: Array) -> Array:
    """Return the chances of the outputs under shares of the bins, by running sums along the last axis."""
    found = np.empty((*shares.shape[:-1], band.outputs))
    if band.window:
        near = _sums(shares, band.window, band.cyclic, widen=True)
        whole = shares.sum(axis=-1, keepdims=True)
        found[..., : band.grid_outputs] = (band.floor * whole + band.peak * near) / band.total
    if band.coin:
        up = (shares * _up(band)).sum(axis=-1)
        found[..., -1] = up
        found[..., -2] = shares.sum(axis=-1) * (band.coin / band.total) - up
    return found


def backward(band: WindowChannel, ratios: Array) -> Array:
    """Return the transpose of `forward`, applied."""
    found = np.zeros((*ratios.shape[:-1], band.inputs))
    if band.window:
        grid = ratios[..., : band.grid_outputs]
        near = _sums(grid, band.window, band.cyclic, widen=False)
        found += (band.floor * grid.sum(axis=-1, keepdims=True) + band.peak * near) / band.total
    if band.coin:
        up = _up(band)
        found += ratios[..., -1:] * up + ratios[..., -2:-1] * (band.coin / band.total - up)
    return found


def _up(band: WindowChannel) -> Array:
    return np.array([(band.lean + band.step * x) / band.total for x in range(band.inputs)])


def _sums(values: Array, window: int, cyclic: bool, *, widen: bool) -> Array:
    """Sums over windows: of the bins that reach an output (`widen`), or of the outputs that a bin reaches."""
    if cyclic:
        size = values.shape[-1]
        # The window of bin x begins window // 2 before it, so that of output y ends as much after it.
        before = window - 1 - window // 2 if widen else window // 2
        order = np.arange(-before, size + window - 1 - before) % size
        values = values[..., order]
    elif widen:
        rim = np.zeros((*values.shape[:-1], window - 1))
        values = np.concatenate([rim, values, rim], axis=-1)
    running = np.concatenate([np.zeros((*values.shape[:-1], 1)), np.cumsum(values, axis=-1)], axis=-1)
    sums: Array = running[..., window:] - running[..., :-window]
    return sums
