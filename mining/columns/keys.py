"""One whole number for each set of columns, so that sets can be sorted, compared and looked up as arrays."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Keys", "key_of"]

Keys: TypeAlias = NDArray[Any]
"""int64, or Python's own whole numbers (dtype object) where a set does not fit 63 bits."""


def key_of(places: NDArray[np.int64], n_places: int) -> Keys:
    """Number sets of places.

    Parameters
    ----------
    places : ndarray of int64, shape (m, width)
        Ascending places from 0 to n_places - 1 in the last columns of each row, -1 before them.
    n_places : int

    Returns
    -------
    ndarray, shape (m,)
        Different for different sets; shorter sets first, those of one size in lexicographic order. The
        number does not depend on `width`: the digits of base n_places + 1, -1 being the digit 0.

    Examples
    --------
    >>> key_of(np.array([[-1, -1], [-1, 1], [0, 1]]), 9).tolist()  # digits 00, 02, 12
    [0, 2, 12]
    """
    base = n_places + 1
    fits = base ** places.shape[1] < 1 << 63
    digits = (places if fits else places.astype(object)) + 1
    keys = np.zeros(len(places), dtype=digits.dtype)
    for column in digits.T:
        keys = keys * base + column
    return keys
