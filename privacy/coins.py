"""Exact whole-number draws from a stream of random 32-bit words (protocol coins-1).

The browser draws by the same rule (``coins.js``), so proofs about words apply there too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.errors import PrivacyError

__all__ = [
    "LIMIT",
    "SCALE",
    "WORDS",
    "WORD_BITS",
    "Coins",
    "RowCoins",
    "Words",
    "whole_numbers",
    "words_below",
]


SCALE: Final = 10_000
"""Every probability is a whole number of ten-thousandths."""

WORDS: Final = 1 << 32
"""Number of different words."""

LIMIT: Final = WORDS - WORDS % SCALE
"""Words from here on are skipped, so that each of the 10,000 draws has equally many words."""


WORD_BITS: Final = 32
"""Bits of a word."""


def words_below(total: int) -> int:
    """Return how many words one try of `Coins.below` uses.

    Parameters
    ----------
    total : int
        How many numbers can come out, 1 or more.

    Examples
    --------
    >>> words_below(1), words_below(2**32), words_below(2**32 + 1)
    (0, 1, 2)
    """
    return -(-(total - 1).bit_length() // WORD_BITS)


class Coins:
    """Draws from 0 to 9999, each equally likely when the words are.

    Parameters
    ----------
    words : iterable of int
        Unsigned 32-bit words, 0 to 4,294,967,295, read one by one as needed. The core generates no randomness
        itself: the caller passes the words in.

    Notes
    -----
    A draw skips words w >= LIMIT = 4,294,960,000 and returns w mod 10,000. LIMIT is a multiple of
    10,000, so exactly 429,496 words lead to each value; without the skip the values below 7,296
    would have one word more than the others. A draw is below a threshold t with probability
    t / 10,000 exactly.

    Examples
    --------
    >>> coins = Coins([4_294_959_999, 4_294_960_000, 4_294_967_295, 12_345])
    >>> coins.draw(), coins.used
    (9999, 1)
    >>> coins.draw(), coins.used
    (2345, 4)
    """

    def __init__(self, words: Iterable[int]) -> None:
        self._words: Iterator[int] = iter(words)
        self._used = 0

    @property
    def used(self) -> int:
        """Words read from the stream so far, including rejected ones."""
        return self._used

    def draw(self) -> int:
        """Take words until one counts; return a whole number from 0 to 9999.

        Raises
        ------
        PrivacyError
            The stream has ended (``no_words``) or holds something else than a word (``not_a_word``).
        """
        while True:
            word = self._word()
            if word < LIMIT:
                return word % SCALE

    def below(self, total: int) -> int:
        """Take words until they make a number from 0 to `total` - 1; return it, each equally likely.

        Notes
        -----
        With b the bits of total - 1, a try reads ceil(b / 32) words, the highest first, of which the first
        is cut to its lowest b - 32 (ceil(b / 32) - 1) bits. Numbers of `total` or more are rejected: less
        than half of the tries. The purpose of a draw does not affect the number of words.

        Examples
        --------
        Below 5 the lowest three bits of a word count:

        >>> coins = Coins([0b1101, 0b1111_1100])
        >>> coins.below(5), coins.used
        (4, 2)
        """
        bits = (total - 1).bit_length()
        count = words_below(total)
        while True:
            number = 0
            for position in range(count):
                word = self._word()
                if position == 0:
                    word &= (1 << (bits - WORD_BITS * (count - 1))) - 1
                number = number << WORD_BITS | word
            if number < total:
                return number

    def _word(self) -> int:
        for word in self._words:
            self._used += 1
            if not isinstance(word, int) or not 0 <= word < WORDS:
                raise PrivacyError("not_a_word", word, used=self._used)
            return word
        raise PrivacyError("no_words", self._used)


Words: TypeAlias = Callable[[NDArray[np.intp]], NDArray[np.uint32]]
"""Gives one word, that was given to nobody before, to each of the rows whose numbers it is told."""

_MACHINE_BITS: Final = 62
"""Bits of numbers, and of sums of two of them, that an int64 holds."""


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
