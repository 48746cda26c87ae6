"""Window channel applied to shares of bins, and its transpose, without a matrix."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.scales.window import WindowChannel

__all__ = ["backward", "forward"]

Array: TypeAlias = NDArray[np.float64]


def forward(channel: WindowChannel, shares: Array) -> Array:
    """Return the chances of the outputs under shares of the bins, by running sums along the last axis."""
    sent = np.empty((*shares.shape[:-1], channel.outputs))
    if channel.window:
        near = _sums(shares, channel.window, channel.cyclic, widen=True)
        whole = shares.sum(axis=-1, keepdims=True)
        sent[..., : channel.grid_outputs] = (channel.floor * whole + channel.peak * near) / channel.total
    if channel.coin:
        up = (shares * _up(channel)).sum(axis=-1)
        sent[..., -1] = up
        sent[..., -2] = shares.sum(axis=-1) * (channel.coin / channel.total) - up
    return sent


def backward(channel: WindowChannel, ratios: Array) -> Array:
    """Return the transpose of `forward`, applied."""
    pulled = np.zeros((*ratios.shape[:-1], channel.inputs))
    if channel.window:
        grid = ratios[..., : channel.grid_outputs]
        near = _sums(grid, channel.window, channel.cyclic, widen=False)
        pulled += (channel.floor * grid.sum(axis=-1, keepdims=True) + channel.peak * near) / channel.total
    if channel.coin:
        up = _up(channel)
        pulled += ratios[..., -1:] * up + ratios[..., -2:-1] * (channel.coin / channel.total - up)
    return pulled


def _up(channel: WindowChannel) -> Array:
    return np.array([(channel.lean + channel.step * x) / channel.total for x in range(channel.inputs)])


def _sums(values: Array, window: int, cyclic: bool, *, widen: bool) -> Array:
    """Return sums over windows: of the bins that reach an output (`widen`), or the outputs a bin reaches."""
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
