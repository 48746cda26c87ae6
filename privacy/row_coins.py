"""Exact whole-number draws for many rows at once: the arrays of `privacy.coins`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.coins import _MACHINE_BITS, LIMIT, SCALE, WORD_BITS, words_below

Words: TypeAlias = Callable[[NDArray[np.intp]], NDArray[np.uint32]]
"""Gives one word, that was given to nobody before, to each of the rows whose numbers it is told."""


class RowCoins:
    """Draws of `n` rows, each row by the rules of `privacy.coins.Coins` from words of its own.

    Parameters
    ----------
    n : int
        Number of rows.
    words : callable
        Called for all rows, and again for those whose words did not count, until each row has its draw.

    Notes
    -----
    Under the words that a row was given, in their order, `Coins` draws the same. Rows are independent when
    words are, for how often one row draws anew decides nothing of what another row draws.

    Examples
    --------
    The first word of the second row is skipped:

    >>> stream = iter([12_345, 4_294_967_295, 9_999])
    >>> coins = RowCoins(2, lambda rows: np.array([next(stream) for _ in rows], dtype=np.uint32))
    >>> coins.draw().tolist()
    [2345, 9999]
    """

    def __init__(self, n: int, words: Words) -> None:
        self._rows = np.arange(n)
        self._words = words

    def draw(self) -> NDArray[np.uint32]:
        """Return for each row a whole number from 0 to 9999."""
        words = self._words(self._rows)
        again = np.flatnonzero(words >= LIMIT)
        while len(again):
            words[again] = self._words(again)
            again = again[words[again] >= LIMIT]
        return words % np.uint32(SCALE)

    def below(self, total: int) -> NDArray[Any]:
        """Return for each row a number from 0 to `total` - 1, as `whole_numbers`.

        Examples
        --------
        >>> stream = iter([0b1101, 0b1111_1100])
        >>> RowCoins(1, lambda rows: np.array([next(stream)], dtype=np.uint32)).below(5).tolist()
        [4]
        """
        numbers = self._tried(self._rows, total)
        again = np.flatnonzero(numbers >= total)
        while len(again):
            numbers[again] = self._tried(again, total)
            again = again[numbers[again] >= total]
        return numbers

    def _tried(self, rows: NDArray[np.intp], total: int) -> NDArray[Any]:
        bits, count = (total - 1).bit_length(), words_below(total)
        numbers = whole_numbers(np.zeros(len(rows), dtype=np.int64), below=1 << bits)
        for position in range(count):
            word = self._words(rows)
            if position == 0:
                word &= np.uint32((1 << (bits - WORD_BITS * (count - 1))) - 1)
            numbers = numbers << WORD_BITS | word.astype(numbers.dtype)
        return numbers


def whole_numbers(numbers: NDArray[Any], *, below: int) -> NDArray[Any]:
    """Return whole numbers as int64 where all below a limit fit, and as Python's own where they do not.

    Parameters
    ----------
    numbers : ndarray
        Whole numbers of any type.
    below : int
        What all of them, and what is computed of them, lie below.

    Examples
    --------
    >>> [whole_numbers(np.array([3]), below=limit).dtype.name for limit in (2**62, 2**62 + 1)]
    ['int64', 'object']
    """
    return numbers.astype(np.int64 if (below - 1).bit_length() <= _MACHINE_BITS else object)
