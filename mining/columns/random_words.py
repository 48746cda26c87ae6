"""Random words of simulated devices."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from privacy.coins import N_WORDS

_WORDS_AT_A_TIME: Final = 4096


def words(rng: np.random.Generator) -> Iterator[int]:
    """Yield an endless stream of unsigned 32-bit words.

    Parameters
    ----------
    rng : numpy.random.Generator
        For simulations only. Respondents are protected by the generator of their platform.
    """
    while True:
        yield from rng.integers(N_WORDS, size=_WORDS_AT_A_TIME, dtype=np.uint32).tolist()
