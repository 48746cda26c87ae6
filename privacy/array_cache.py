"""A cache of results keyed by read-only arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from privacy.arrays import Whole

Result = TypeVar("Result")


class ArrayCache(Generic[Result]):
    """A small cache of results, keyed by the identity of the read-only array they were computed from.

    Parameters
    ----------
    most : int
        Largest number of entries; the oldest is dropped first.

    Examples
    --------
    >>> import numpy as np
    >>> known = ArrayCache[int](2)
    >>> array = np.arange(3)
    >>> array.flags.writeable = False
    >>> [known.of(array, lambda: 6), known.of(array, lambda: 7)]
    [6, 6]
    """

    def __init__(self, most: int) -> None:
        self._most = most
        # Store the array with the result, so that no other array can get the same id.
        self._known: dict[tuple[int, Any], tuple[NDArray[Any], Result]] = {}

    def of(self, array: NDArray[Any], make: Callable[[], Result], settings: object = None) -> Result:
        """Return the cached result for this array and these settings, or compute it now."""
        if array.flags.writeable:
            return make()
        key = (id(array), settings)
        entry = self._known.get(key)
        if entry is not None and entry[0] is array:
            return entry[1]
        result = make()
        while len(self._known) >= self._most:
            # Another thread may have removed the entry meanwhile.
            self._known.pop(next(iter(self._known), key), None)
        self._known[key] = (array, result)
        return result


def read_only(array: Whole) -> Whole:
    """Mark an array as read-only, and return it.

    Parameters
    ----------
    array : ndarray
        An array that several callers will share.
    """
    array.flags.writeable = False
    return array
