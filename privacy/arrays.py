"""Arrays: their types, by what they hold; and results remembered by the read-only array they were made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
"""Shares, chances, scores: floats."""

Whole: TypeAlias = NDArray[np.int64]
"""Counts and positions: whole numbers."""

Flags: TypeAlias = NDArray[np.bool_]
"""True or False for each element."""

Codes: TypeAlias = NDArray[np.int32]
"""The number of a value among the values of a column, for each record."""

Words: TypeAlias = NDArray[np.uint64]
"""Bits of many rows, 64 to a word."""

Result = TypeVar("Result")


class ArrayCache(Generic[Result]):
    """A few results by the identity of the read-only array they were made of.

    Parameters
    ----------
    most : int
        How many are kept; then the oldest goes.

    Examples
    --------
    >>> known = ArrayCache[int](2)
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
        entry = self._known.get(key)
        if entry is not None and entry[0] is array:
            return entry[1]
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
