"""Draws for many rows at once.

For each row, `RowCoins` draws the same numbers as `privacy.coins.Coins`. Draws that do not fit into machine
integers are Python integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.coins import LIMIT, SCALE, WORD_BITS, words_below

Words: TypeAlias = Callable[[NDArray[np.intp]], NDArray[np.uint32]]
"""Returns a fresh random word for each of the given row numbers."""


class RowCoins:
    """Draws for `n` rows, each by the rules of `privacy.coins.Coins` from the row's own random words.

    Parameters
    ----------
    n : int
        Number of rows.
    words : callable
        Called for all rows, and again for rows whose words were rejected, until each row has its draw.

    Notes
    -----
    From the words of one row, `Coins` draws the same numbers. Rows are independent if their words are,
    because rejections in one row do not affect the draws of another.

    Examples
    --------
    The first word of the second row is rejected:

    >>> stream = iter([12_345, 4_294_967_295, 9_999])
    >>> coins = RowCoins(2, lambda rows: np.array([next(stream) for _ in rows], dtype=np.uint32))
    >>> coins.draw().tolist()
    [2345, 9999]
    """

    def __init__(self, n: int, words: Words) -> None:
        self._rows = np.arange(n)
        self._words = words

    def draw(self) -> NDArray[np.uint32]:
        """Return a whole number from 0 to 9999 for each row."""
        words = self._words(self._rows)
        again = np.flatnonzero(words >= LIMIT)
        while len(again):
            words[again] = self._words(again)
            again = again[words[again] >= LIMIT]
        return words % np.uint32(SCALE)

    def below(self, total: int) -> NDArray[Any]:
        """Return a number from 0 to `total` - 1 for each row, of the type that `whole_numbers` chooses.

        Examples
        --------
        >>> stream = iter([0b1101, 0b1111_1100])
        >>> RowCoins(1, lambda rows: np.array([next(stream)], dtype=np.uint32)).below(5).tolist()
        [4]
        """
        numbers = self._draw(self._rows, total)
        again = np.flatnonzero(numbers >= total)
        while len(again):
            numbers[again] = self._draw(again, total)
            again = again[numbers[again] >= total]
        return numbers

    def _draw(self, rows: NDArray[np.intp], total: int) -> NDArray[Any]:
        bits, count = (total - 1).bit_length(), words_below(total)
        numbers = whole_numbers(np.zeros(len(rows), dtype=np.int64), below=1 << bits)
        for position in range(count):
            word = self._words(rows)
            if position == 0:
                word &= np.uint32((1 << (bits - WORD_BITS * (count - 1))) - 1)
            numbers = numbers << WORD_BITS | word.astype(numbers.dtype)
        return numbers


_MACHINE_BITS: Final = 62
"""Largest number of bits for which the sum of two numbers fits an int64."""


def whole_numbers(numbers: NDArray[Any], *, below: int) -> NDArray[Any]:
    """Return whole numbers as int64 if all numbers below a limit fit, otherwise as Python integers.

    Parameters
    ----------
    numbers : ndarray
        Whole numbers of any type.
    below : int
        Upper limit of the numbers and of values computed from them.

    Examples
    --------
    >>> [whole_numbers(np.array([3]), below=limit).dtype.name for limit in (2**62, 2**62 + 1)]
    ['int64', 'object']
    """
    return numbers.astype(np.int64 if (below - 1).bit_length() <= _MACHINE_BITS else object)


Draws: TypeAlias = NDArray[Any]
"""Whole numbers, as int64 or as Python integers."""
