"""Memoisation by a read-only array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Remembered", "read_only"]

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
        # The array is kept beside the result, so its identity cannot become another one's.
        self._known: dict[tuple[int, Any], tuple[NDArray[Any], Result]] = {}

    def of(self, array: NDArray[Any], make: Callable[[], Result], beside: object = None) -> Result:
        """Return what was made of this array, and of what stands `beside` it, or make it now."""
        if array.flags.writeable:
            return make()
        key = (id(array), beside)
        known = self._known.get(key)
        if known is not None and known[0] is array:
            return known[1]
        result = make()
        while len(self._known) >= self._most:
            # Several threads may come here at once: what one has removed is gone for the other.
            self._known.pop(next(iter(self._known), key), None)
        self._known[key] = (array, result)
        return result


def read_only(array: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the array, which from now on cannot be written to."""
    array.flags.writeable = False
    return array
