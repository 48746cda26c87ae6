"""Exact whole-number draws from a stream of random 32-bit words (protocol coins-1).

The browser follows the same rule (``coins.js``), so proofs about words apply there too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from privacy.errors import PrivacyError

SCALE: Final = 10_000
"""Every probability is a whole number of ten-thousandths."""

N_WORDS: Final = 1 << 32
"""Number of different words."""

LIMIT: Final = N_WORDS - N_WORDS % SCALE
"""Words from here on are rejected, so that each of the 10,000 draws comes from equally many words."""


WORD_BITS: Final = 32
"""Bits of a word."""


def words_below(total: int) -> int:
    """Return how many words one attempt of `Coins.below` reads.

    Parameters
    ----------
    total : int
        Number of possible results, 1 or more.

    Examples
    --------
    >>> words_below(1), words_below(2**32), words_below(2**32 + 1)
    (0, 1, 2)
    """
    return -(-(total - 1).bit_length() // WORD_BITS)


class Coins:
    """Draws from 0 to 9999, all equally likely if all words are.

    Parameters
    ----------
    words : iterable of int
        Unsigned 32-bit words, 0 to 4,294,967,295, read one by one as needed. The core generates no randomness
        itself: the caller passes the words in.

    Notes
    -----
    A draw rejects words w >= LIMIT = 4,294,960,000 and returns w mod 10,000. LIMIT is a multiple of 10,000,
    so exactly 429,496 words lead to each value; without rejection, the values below 7,296 would have one word
    more than the others. The probability that a draw is below a threshold t is exactly t / 10,000.

    Examples
    --------
    >>> coins = Coins([4_294_959_999, 4_294_960_000, 4_294_967_295, 12_345])
    >>> coins.draw(), coins.words_read
    (9999, 1)
    >>> coins.draw(), coins.words_read
    (2345, 4)
    """

    def __init__(self, words: Iterable[int]) -> None:
        self._words: Iterator[int] = iter(words)
        self._words_read = 0

    @property
    def words_read(self) -> int:
        """Words read from the stream so far, including rejected ones."""
        return self._words_read

    def draw(self) -> int:
        """Read words until one is accepted; return a whole number from 0 to 9999.

        Raises
        ------
        PrivacyError
            The stream has ended (``no_words``) or contains something other than a word (``not_a_word``).
        """
        while True:
            word = self._word()
            if word < LIMIT:
                return word % SCALE

    def below(self, total: int) -> int:
        """Read words until they give a number below `total`; all numbers are equally likely.

        Notes
        -----
        With b the number of bits of total - 1, an attempt reads ceil(b / 32) words, the highest first, and
        keeps the lowest b - 32 (ceil(b / 32) - 1) bits of the first one. Numbers of `total` or more are
        rejected, which happens in fewer than half of the attempts. The number of words does not depend on
        what the draw is for.

        Examples
        --------
        Draws below 5 use the lowest three bits of a word:

        >>> coins = Coins([0b1101, 0b1111_1100])
        >>> coins.below(5), coins.words_read
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
            self._words_read += 1
            if not isinstance(word, int) or not 0 <= word < N_WORDS:
                raise PrivacyError("not_a_word", word, used=self._words_read)
            return word
        raise PrivacyError("no_words", self._words_read)
