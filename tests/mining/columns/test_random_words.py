"""Random words of simulated devices."""

from itertools import islice

import numpy as np

from mining.columns.random_words import words
from privacy.coins import N_WORDS, Coins


def test_words_are_those_of_the_generator_without_a_seam() -> None:
    n = 10_000
    found = list(islice(words(np.random.default_rng(5)), n))
    rng = np.random.default_rng(5)
    parts = [rng.integers(N_WORDS, size=4096, dtype=np.uint32) for _ in range(3)]
    assert found == np.concatenate(parts)[:n].tolist()
    assert {type(word) for word in found} == {int}


def test_a_device_can_draw_from_them() -> None:
    coins = Coins(words(np.random.default_rng(5)))
    assert len({coins.draw() for _ in range(1_000)}) > 900
    assert coins.words_read >= 1_000
