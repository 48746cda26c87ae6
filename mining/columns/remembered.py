"""Memoisation by a read-only array.

One whole number for each set of columns, so that sets can be sorted, compared and looked up as arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Whole

Result = TypeVar("Result")


class Remembered(Generic[Result]):
    """A few results by the identity of the read-only array they were made of.

    Parameters
    ----------
    most : int
        How many are kept; then the oldest goes.

    Examples
    --------
    >>> known = Remembered[int](2)
    >>> array = np.arange(3)
    >>> array.flags.writeable = False
    >>> [known.of(array, lambda: 6), known.of(array, lambda: 7)]
    [6, 6]
    """

    def __init__(self, most: int) -> None:
        self._most = most
        # The array is stored with the result, so no other array can receive its identity.
        self._known: dict[tuple[int, Any], tuple[NDArray[Any], Result]] = {}

    def of(self, array: NDArray[Any], make: Callable[[], Result], beside: object = None) -> Result:
        """Return the cached result for this array and its `beside`, or compute it now."""
        if array.flags.writeable:
            return make()
        key = (id(array), beside)
        known = self._known.get(key)
        if known is not None and known[0] is array:
            return known[1]
        result = make()
        while len(self._known) >= self._most:
            # Several threads may run this at once: an entry may have been removed by another one.
            self._known.pop(next(iter(self._known), key), None)
        self._known[key] = (array, result)
        return result


def read_only(array: Whole) -> Whole:
    """Return the array, which from now on cannot be written to.

    Parameters
    ----------
    array : ndarray
        That several callers will share.
    """
    array.flags.writeable = False
    return array


Keys: TypeAlias = NDArray[Any]
"""int64, or Python's own whole numbers (dtype object) where a set does not fit 63 bits."""


def key_of(places: Whole, n_places: int) -> Keys:
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
