"""Made-up respondents with known true answers, and the random words for their disguises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Flags
from privacy.coins import WORDS

_WORDS_AT_A_TIME: Final = 4096


def true_rows(n: int, prevalences: Sequence[float], dependence: float, rng: np.random.Generator) -> Flags:
    """Draw true answers whose supports are known.

    Parameters
    ----------
    n : int
        Number of rows.
    prevalences : sequence of float
        Probability of each item, 0 to 1.
    dependence : float
        Probability that the items of a row hang together, 0 to 1.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of bool, shape (n, items)

    Notes
    -----
    Item j holds where a uniform number is below its prevalence pi_j. With chance `dependence` one number
    serves all items of a row, else each has its own. So item j has prevalence pi_j, and all items of a
    set E are there with probability dependence * min(pi_E) + (1 - dependence) * prod(pi_E).
    """
    chances = np.array(
        [
            validation.real_number(share, "prevalence", low=0, high=1, code="prevalence")
            for share in prevalences
        ]
    )
    validation.real_number(dependence, "dependence", low=0, high=1, code="dependence")
    together = rng.random(n) < dependence
    uniform = rng.random((n, len(chances)))
    uniform[together] = rng.random((int(together.sum()), 1))
    rows: Flags = uniform < chances
    return rows


def words(rng: np.random.Generator) -> Iterator[int]:
    """Yield unsigned 32-bit words without end.

    Parameters
    ----------
    rng : numpy.random.Generator
        Of simulations only: people are protected by the platform's generator.
    """
    while True:
        yield from rng.integers(WORDS, size=_WORDS_AT_A_TIME, dtype=np.uint32).tolist()
