"""The number of rows that an adversary links by guessing."""

from collections.abc import Iterable

import numpy as np

from privacy.arrays import Array

__all__ = ["most_by_chance", "right_pairs"]

_MOST_PAIRS = 400


def right_pairs(sizes: Iterable[int]) -> Array:
    """Return the exact distribution of the number of right pairs when rows are shuffled within batches.

    Parameters
    ----------
    sizes : iterable of int
        Number of rows in each batch.

    Returns
    -------
    float64 array
        Entry k is the probability of k right pairs, k up to 400. Their mean is the number of batches.

    Notes
    -----
    Whatever the guess, the right pairs in a batch of n are the fixed points of a random permutation, k of
    them with probability 1/k! times the sum over j <= n - k of (-1)^j / j!. Leaving rows out, or pairing
    across batches, does not increase the number of right pairs.

    Examples
    --------
    Of the six permutations of three rows, two have no right pair, three have one, one has three.

    >>> (6 * right_pairs([3])).round(9).tolist()
    [2.0, 3.0, 0.0, 1.0]
    """
    chances = np.ones(1)
    for size in sizes:
        factorials = np.cumprod(np.concatenate(([1.0], np.arange(1.0, size + 1))))
        signs = np.where(np.arange(size + 1) % 2, -1.0, 1.0)
        derangements = np.cumsum(signs / factorials)[::-1]
        chances = np.convolve(chances, np.maximum(derangements, 0) / factorials)[:_MOST_PAIRS]
    return chances


def most_by_chance(sizes: Iterable[int], *, alarm: float) -> int:
    """Return the number of right pairs that guessing exceeds with probability at most `alarm`.

    Examples
    --------
    >>> most_by_chance([50] * 20, alarm=1e-6)
    45
    """
    tail = 1 - np.cumsum(right_pairs(sizes))
    return int(np.argmax(tail <= alarm))
