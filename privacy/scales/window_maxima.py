"""Largest joint probability of an answer and each output of a number's disguise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

from privacy.arrays import Array

if TYPE_CHECKING:
    from privacy.scales.window import WindowChannel


def window_maxima(channel: WindowChannel, shares: Array) -> Array:
    """Return max_x K(y, x) s(x) for each output y.

    Parameters
    ----------
    channel : WindowChannel
    shares : ndarray, shape (bins,)
        s.

    Examples
    --------
    Keep one of two bins with probability 3/4, under even shares:

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> window_maxima(generalised_rr(NumberRange(low=0, high=1), 7500), np.array([0.5, 0.5])).tolist()
    [0.375, 0.375]
    """
    masses = np.zeros(channel.outputs)
    if channel.window:
        x = np.arange(channel.grid_outputs if channel.cyclic else channel.inputs)
        begins = np.zeros(channel.grid_outputs)
        begins[(x - channel.window // 2) % channel.inputs if channel.cyclic else x] = shares
        near = sliding_max(np.concatenate([begins, begins]) if channel.cyclic else begins, channel.window, 0)
        near = near[-channel.grid_outputs :]
        masses[: channel.grid_outputs] = (
            np.maximum(channel.floor * shares.max(), (channel.floor + channel.peak) * near) / channel.total
        )
    if channel.coin:
        up = np.array([(channel.lean + channel.step * x) / channel.total for x in range(channel.inputs)])
        masses[-1], masses[-2] = (up * shares).max(), ((channel.coin / channel.total - up) * shares).max()
    return masses


def sliding_max(begins: Array, size: int, axis: int) -> Array:
    """Return, at each position, the largest value among the `size` positions that end there."""
    spread: Array = scipy.ndimage.maximum_filter1d(
        begins, size, axis=axis, mode="constant", cval=0.0, origin=(size - 1) // 2
    )
    return spread
