"""Draws of many rows are those of each row alone, from the words that it was given."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from privacy.coins import LIMIT, WORDS, Coins
from privacy.row_coins import RowCoins, whole_numbers

N = 50


class Given:
    """Words of which many do not count, and what each row was given of them."""

    def __init__(self, n: int, seed: int) -> None:
        self.rows: list[list[int]] = [[] for _ in range(n)]
        self._rng = random.Random(seed)

    def __call__(self, rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        words = [
            self._rng.choice(
                (LIMIT - 1, LIMIT, WORDS - 1, self._rng.randrange(WORDS), self._rng.randrange(9))
            )
            for _ in rows
        ]
        for row, word in zip(rows.tolist(), words, strict=True):
            self.rows[row].append(word)
        return np.array(words, dtype=np.uint32)

    def of_row(self, row: int) -> Iterator[int]:
        return iter(self.rows[row])


def test_draws_are_those_of_each_row_alone_and_take_its_words_to_the_last() -> None:
    given = Given(N, seed=1)
    coins = RowCoins(N, given)
    totals = (1, 2, 3, 5, 2**31 + 1, 2**32, 2**32 + 1, 2**62, 2**62 + 1, 10**40)
    drawn = [coins.draw(), *(coins.below(total) for total in totals), coins.draw()]
    for row in range(N):
        alone = Coins(given.of_row(row))
        wanted = [alone.draw(), *(alone.below(total) for total in totals), alone.draw()]
        assert [int(numbers[row]) for numbers in drawn] == wanted
        assert alone.used == len(given.rows[row])
    assert len({len(words) for words in given.rows}) > 1


def test_each_of_the_numbers_below_a_total_has_as_many_words_as_any_other() -> None:
    """All words of three bits, once each: five count, and three are asked again."""
    asked: list[list[int]] = []

    def words(rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        asked.append(rows.tolist())
        return np.arange(8, dtype=np.uint32) if len(rows) == 8 else np.zeros(len(rows), dtype=np.uint32)

    assert RowCoins(8, words).below(5).tolist() == [0, 1, 2, 3, 4, 0, 0, 0]
    assert asked == [list(range(8)), [5, 6, 7]]


@pytest.mark.parametrize(("limit", "kind"), [(1, "i"), (2**62, "i"), (2**62 + 1, "O"), (10**40, "O")])
def test_numbers_stay_exact_whatever_their_size(limit: int, kind: str) -> None:
    numbers = whole_numbers(np.array([limit - 1], dtype=object), below=limit)
    assert numbers.dtype.kind == kind
    assert int(numbers[0]) == limit - 1
