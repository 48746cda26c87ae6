import json
import random
import secrets
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from privacy.coins import LIMIT, N_WORDS, SCALE, Coins
from privacy.scales.row_coins import RowCoins
from tests.fixtures.refusals import refused
from tests.statistics import binomial_power, binomial_range, chi_square, chi_square_limit, chi_square_power

JS = Path(__file__).parent.parent / "js"


@pytest.mark.parametrize(
    ("word", "draw"),
    [
        (0, 0),
        (1, 1),
        (9_999, 9_999),
        (10_000, 0),
        (2**31 - 1, 3_647),
        (2**31, 3_648),
        (4_294_950_000, 0),
        (4_294_959_999, 9_999),
    ],
)
def test_words_below_the_limit_give_their_last_four_digits(word: int, draw: int) -> None:
    coins = Coins([word])
    assert coins.draw() == draw
    assert coins.words_read == 1


@pytest.mark.parametrize("word", [4_294_960_000, 4_294_960_001, 4_294_967_295])
def test_words_at_or_above_the_limit_are_skipped_and_counted(word: int) -> None:
    coins = Coins([word, word, 7])
    assert coins.draw() == 7
    assert coins.words_read == 3


def test_every_draw_has_equally_many_random_words() -> None:
    # Each run of 10,000 consecutive words gives every draw once. Accepted words are 429,496 such runs, and
    # rejected words are less than one run.
    assert LIMIT % SCALE == 0
    assert 0 <= N_WORDS - LIMIT < SCALE
    for start in (0, LIMIT - SCALE, (LIMIT // 2) // SCALE * SCALE):
        coins = Coins(range(start, start + SCALE))
        assert [coins.draw() for _ in range(SCALE)] == list(range(SCALE))


@given(st.lists(st.integers(0, N_WORDS - 1)))
def test_accepted_words_give_their_last_four_digits_in_order(words: list[int]) -> None:
    coins = Coins(words)
    expected = [int(str(word)[-4:]) for word in words if word < 4_294_960_000]
    assert [coins.draw() for _ in expected] == expected


def test_random_words_are_consumed_one_by_one() -> None:
    stream = iter([1, LIMIT, 2, 3])
    coins = Coins(stream)
    coins.draw()
    assert next(stream) == LIMIT


def test_exhausted_word_streams_are_rejected() -> None:
    coins = Coins([1, LIMIT])
    coins.draw()
    with refused("no_words", "after 2"):
        coins.draw()


@pytest.mark.parametrize("word", [-1, 2**32, 0.5, "7", None])
def test_words_beyond_32_bits_are_refused(word: object) -> None:
    with refused("not_a_word", repr(word), "word 1"):
        Coins([word]).draw()  # type: ignore[list-item]  # the wrong type is the point


def _python_counts(draws: int) -> list[int]:
    def words() -> Iterator[int]:
        while True:
            block = secrets.token_bytes(65_536)
            yield from memoryview(block).cast("I")

    coins = Coins(words())
    counts = Counter(coins.draw() for _ in range(draws))
    return [counts[draw] for draw in range(SCALE)]


def _browser_counts(draws: int) -> list[int]:
    run = subprocess.run(
        ["node", str(JS / "count_draws.js"), str(draws)], check=True, capture_output=True, text=True
    )
    counts: list[int] = json.loads(run.stdout)
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("device", [_python_counts, _browser_counts], ids=["system", "browser"])
def test_platform_generator_draws_are_uniform(device: Callable[[int], list[int]], soak: int) -> None:
    # A million draws, or a hundred million in soak tests. The generator has no seed to print.
    draws = 1_000_000 * soak
    counts = device(draws)
    assert sum(counts) == draws
    even = [1 / SCALE] * SCALE
    assert chi_square(counts, even) < chi_square_limit(SCALE)
    # Detected with probability .999: every second draw 7% (soak: 0.7%) too frequent, the others too rare.
    tilt = 0.07 / soak**0.5
    tilted = [(1 + tilt * (-1) ** draw) / SCALE for draw in range(SCALE)]
    assert chi_square_power(draws, even, tilted) > 0.999
    for threshold in (1, 3_000, 5_000, 9_999):
        low, high = binomial_range(draws, threshold / SCALE)
        assert low <= sum(counts[:threshold]) <= high
    # Detected with probability .999: a fair coin that is off by .004 (soak: .0004).
    assert binomial_power(draws, 0.5, 0.004 / soak**0.5) > 0.999


N = 50


class Given:
    """A source of words, many of which are rejected, and a record of each row's words."""

    def __init__(self, n: int, seed: int) -> None:
        self.rows: list[list[int]] = [[] for _ in range(n)]
        self._rng = random.Random(seed)

    def __call__(self, rows: NDArray[np.intp]) -> NDArray[np.uint32]:
        words = [
            self._rng.choice(
                (LIMIT - 1, LIMIT, N_WORDS - 1, self._rng.randrange(N_WORDS), self._rng.randrange(9))
            )
            for _ in rows
        ]
        for row, word in zip(rows.tolist(), words, strict=True):
            self.rows[row].append(word)
        return np.array(words, dtype=np.uint32)

    def of_row(self, row: int) -> Iterator[int]:
        return iter(self.rows[row])


def test_each_row_draws_as_if_alone_and_uses_all_its_words() -> None:
    given = Given(N, seed=1)
    coins = RowCoins(N, given)
    totals = (1, 2, 3, 5, 2**31 + 1, 2**32, 2**32 + 1, 2**62, 2**62 + 1, 10**40)
    drawn = [coins.draw(), *(coins.below(total) for total in totals), coins.draw()]
    for row in range(N):
        alone = Coins(given.of_row(row))
        wanted = [alone.draw(), *(alone.below(total) for total in totals), alone.draw()]
        assert [int(numbers[row]) for numbers in drawn] == wanted
        assert alone.words_read == len(given.rows[row])
    assert len({len(words) for words in given.rows}) > 1
