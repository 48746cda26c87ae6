"""Whole numbers below a total from a row's random words."""

import numpy as np
import pytest
from numpy.typing import NDArray

from privacy.coins import LIMIT
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.row_coins import RowCoins, whole_numbers
from privacy.scales.window import WindowChannel
from tests.privacy.scales.test_planar_window import MAPS
from tests.privacy.scales.test_skips import BOUNDED
from tests.privacy.scales.test_window import BANDS


def test_numbers_below_a_total_are_equally_likely() -> None:
    """Of all three-bit words, five are accepted and three are redrawn."""
    asked: list[list[int]] = []

    def words(rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        asked.append(rows.tolist())
        return np.arange(8, dtype=np.uint32) if len(rows) == 8 else np.zeros(len(rows), dtype=np.uint32)

    assert RowCoins(8, words).below(5).tolist() == [0, 1, 2, 3, 4, 0, 0, 0]
    assert asked == [list(range(8)), [5, 6, 7]]


@pytest.mark.parametrize(("limit", "kind"), [(1, "i"), (2**62, "i"), (2**62 + 1, "O"), (10**40, "O")])
def test_whole_numbers_of_any_size_are_exact(limit: int, kind: str) -> None:
    numbers = whole_numbers(np.array([limit - 1], dtype=object), below=limit)
    assert numbers.dtype.kind == kind
    assert int(numbers[0]) == limit - 1


LAWS: dict[str, WindowChannel | PlanarWindowChannel] = {**BANDS, **MAPS, **BOUNDED}


def test_draws_of_any_size_map_to_exact_outputs() -> None:
    """From 2^62 on, Python's integers are used; nothing else changes."""
    kinds = {whole_numbers(np.zeros(1, dtype=int), below=law.total).dtype.kind for law in LAWS.values()}
    assert kinds == {"i", "O"}


def of_words(*words: int) -> RowCoins:
    stream = iter(words)
    return RowCoins(1, lambda rows: np.array([next(stream) for _ in rows], dtype=np.uint32))


def test_the_first_word_that_is_not_accepted_is_drawn_again() -> None:
    """Words below the limit, a multiple of 10,000, are accepted."""
    assert of_words(LIMIT - 1).draw().tolist() == [9999]
    assert of_words(LIMIT, 12_345).draw().tolist() == [2345]
    assert of_words(LIMIT, LIMIT, 7).draw().tolist() == [7]


def test_numbers_of_several_words_begin_with_the_highest_bits() -> None:
    """Below 2^33, one bit of the first word and all of the second; below 3, two bits of one word."""
    assert of_words(0b10, 5).below(1 << 33).tolist() == [5]
    assert of_words(0b11, 5).below(1 << 33).tolist() == [(1 << 32) + 5]
    assert of_words(3, 3, 2).below(3).tolist() == [2]
