"""Largest of the values that a sliding window covers."""

from __future__ import annotations

import scipy

from privacy.arrays import Array


def sliding_max(begins: Array, size: int, axis: int) -> Array:
    """Return, at each position, the largest value among the `size` positions that end there.

    Parameters
    ----------
    begins : ndarray
        Values, at least 0.
    size : int
        Number of positions, at least 1.
    axis : int
        Axis along which they slide.

    Examples
    --------
    >>> import numpy as np
    >>> sliding_max(np.array([3.0, 0.0, 1.0, 0.0]), 2, 0).tolist()
    [3.0, 3.0, 1.0, 1.0]
    """
    spread: Array = scipy.ndimage.maximum_filter1d(
        begins, size, axis=axis, mode="constant", cval=0.0, origin=(size - 1) // 2
    )
    return spread
