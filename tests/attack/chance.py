"""How many rows an attacker links by chance alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def matching_law(sizes: Iterable[int]) -> NDArray[np.float64]:
    """Return the exact law of the number of right pairs when rows are shuffled within batches of these sizes.

    Whatever pairing is guessed, the right pairs in a batch of n are the fixed points of a random permutation:
    k of them with chance 1/k! times the sum over j <= n - k of (-1)^j / j!. A guess that leaves rows out, or
    pairs across batches, has no more right pairs than one that does not.
    """
    law = np.ones(1)
    for size in sizes:
        factorials = np.cumprod(np.concatenate(([1.0], np.arange(1.0, size + 1))))
        signs = np.where(np.arange(size + 1) % 2, -1.0, 1.0)
        derangements = np.cumsum(signs / factorials)[::-1]
        law = np.convolve(law, np.maximum(derangements, 0) / factorials)[:400]
    return law


def most_by_chance(sizes: Iterable[int], *, alarm: float) -> int:
    """Return the number of right pairs that chance exceeds with probability `alarm` or less."""
    tail = 1 - np.cumsum(matching_law(sizes))
    return int(np.argmax(tail <= alarm))
