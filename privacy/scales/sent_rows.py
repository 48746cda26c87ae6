"""Draws for many rows at once, and the resulting reports of a number or a place.

For each row, `RowCoins` draws the same numbers as `privacy.coins.Coins`. Draws that do not fit into machine
integers are Python integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Whole
from privacy.coins import LIMIT, SCALE, WORD_BITS, words_below
from privacy.scales.skipping import Disguise, Skipping

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

SKIP: Final = -1
"""Represents "skipped", in answers and in sent values."""


def rows_sent(disguise: Disguise | Skipping, answers: Whole, draws: Draws) -> Whole:
    """Return the value that each row sends for its answer under its draw.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answers : ndarray of int64, shape (n,)
        Bins or cells; also `SKIP` if the question may be skipped.
    draws : ndarray, shape (n,)
        Numbers from 0 to ``disguise.total`` - 1.

    Examples
    --------
    >>> from privacy.scales.window import NumberRange, WindowChannel
    >>> keep = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=2), window=1, floor=1, peak=4)
    >>> rows_sent(keep, np.full(7, 2), np.arange(7)).tolist()
    [0, 1, 2, 2, 2, 2, 2]
    >>> skipping = Skipping(disguise=keep, refusal=2500)
    >>> rows_sent(skipping, np.array([0, SKIP, 0, SKIP]), np.array([0, 0, 59_999, 59_999])).tolist()
    [0, 0, -1, -1]
    """
    if isinstance(disguise, Skipping):
        return _sent_with_skips(disguise, answers, draws)
    return disguise.sent(answers, draws)


def row_sent(disguise: Disguise | Skipping, answer: int | None, draw: int) -> int | None:
    """Return the value that one row sends for its answer under a draw; None represents a skip in both.

    Parameters
    ----------
    disguise : WindowChannel, PlanarWindowChannel or Skipping
    answer : int or None
        A bin or a cell.
    draw : int
        From 0 to ``disguise.total`` - 1.
    """
    draws = whole_numbers(np.array([draw], dtype=object), below=disguise.total)
    output = int(rows_sent(disguise, np.array([SKIP if answer is None else answer]), draws)[0])
    return None if output == SKIP else output


def _sent_with_skips(skipping: Skipping, answers: Whole, draws: Draws) -> Whole:
    disguise = skipping.disguise
    inner = whole_numbers(draws // (SCALE - skipping.refusal), below=skipping.total)
    outputs = np.full(len(answers), SKIP, dtype=np.int64)
    # Under a decoy draw, a skip sends the same as any answer; under other draws, it sends "skipped".
    is_answer = (inner < disguise.total) & ((answers != SKIP) | disguise.are_decoys(inner))
    inner = whole_numbers(inner[is_answer], below=disguise.total)
    outputs[is_answer] = disguise.sent(np.where(answers == SKIP, 0, answers)[is_answer], inner)
    return outputs
