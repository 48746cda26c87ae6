"""Larger itemsets from shares and pairs: the law of largest entropy that has them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole

__all__ = ["MOST_COMPLETED", "completed", "largest_sets"]

MOST_COMPLETED: Final = 2_000
"""Itemsets of one size that are completed, those with the largest bounds."""

_SWEEPS: Final = 200
_CLOSE: Final = 1e-9
_FITS: Final = 1e-6
_HALVINGS: Final = 12


def completed(shares: Array, pairs: Array, itemsets: Whole) -> Array:
    """Return supports of itemsets without any interaction of three items or more.

    Parameters
    ----------
    shares : ndarray of float, shape (m,)
        In [0, 1].
    pairs : ndarray of float, shape (m, m)
        Symmetric, each within the bounds that its shares set.
    itemsets : ndarray of int64, shape (N, size)
        Positions, three or more in a row.

    Notes
    -----
    Iterative proportional fitting of the pairs, from independence on. Where no law has them (three shares of
    one half whose pairs are all 0) they move towards independence by the smallest factor that fits, found by
    bisection. A support is at most the smallest of its pairs.

    Examples
    --------
    >>> pairs = np.array([[0.5, 0.4, 0.4], [0.4, 0.5, 0.4], [0.4, 0.4, 0.5]])
    >>> completed(np.full(3, 0.5), pairs, np.array([[0, 1, 2]])).round(4).tolist()
    [0.35]
    """
    own = shares[itemsets]
    both = list(itertools.combinations(range(itemsets.shape[1]), 2))
    wanted = np.stack([pairs[itemsets[:, i], itemsets[:, j]] for i, j in both], axis=1)
    alone = np.stack([own[:, i] * own[:, j] for i, j in both], axis=1)
    support, fits = _fitted(own, wanted)
    if not fits.all():
        at = np.flatnonzero(~fits)
        low, high = np.zeros(len(at)), np.ones(len(at))
        support[at] = own[at].prod(axis=1)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            moved = alone[at] + middle[:, None] * (wanted[at] - alone[at])
            found, good = _fitted(own[at], moved)
            support[at[good]] = found[good]
            low, high = np.where(good, middle, low), np.where(good, high, middle)
    smallest: Array = np.minimum(support, wanted.min(axis=1))
    return smallest


def _fitted(own: Array, wanted: Array) -> tuple[Array, Flags]:
    """Fit the pairs of each itemset; return the probability of all items and whether all pairs converged."""
    size = own.shape[1]
    both = list(itertools.combinations(range(size), 2))
    law = np.ones((*(2,) * size, len(own)))
    for axis in range(size):
        shape = [1] * size + [len(own)]
        shape[axis] = 2
        law = law * np.stack([1 - own[:, axis], own[:, axis]]).reshape(shape)
    targets = []
    for at, (i, j) in enumerate(both):
        pair, first, second = wanted[:, at], own[:, i], own[:, j]
        table = np.stack([1 - first - second + pair, second - pair, first - pair, pair]).clip(0)
        shape = [2 if axis in (i, j) else 1 for axis in range(size)] + [len(own)]
        targets.append((tuple(axis for axis in range(size) if axis not in (i, j)), table.reshape(shape)))
    off = np.zeros(len(own))
    for _ in range(_SWEEPS):
        off[:] = 0
        for axes, target in targets:
            margin = law.sum(axis=axes, keepdims=True)
            off = np.maximum(off, np.abs(margin - target).max(axis=tuple(range(size))))
            law = law * np.divide(target, margin, out=np.zeros_like(margin), where=margin > 0)
        if (off <= _CLOSE).all():
            break
    return law[(1,) * size].copy(), off <= _FITS


def largest_sets(pairs: Array, known: Mapping[tuple[int, ...], float], least: float) -> Whole:
    """Return the itemsets, one item longer, whose subsets all reach a support: `MOST_COMPLETED` at most.

    Parameters
    ----------
    pairs : ndarray of float, shape (m, m)
        Those of items that cannot go together are NaN.
    known : mapping of itemset to float
        Supports of itemsets of one size, each ascending.
    least : float

    Returns
    -------
    ndarray of int64, shape (found, size + 1)
        In lexicographic order; of too many those whose least frequent subset has most.
    """
    by_start: dict[tuple[int, ...], list[int]] = {}
    for items, value in sorted(known.items()):
        if value >= least:
            by_start.setdefault(items[:-1], []).append(items[-1])
    found: list[tuple[float, tuple[int, ...]]] = []
    for start, ends in by_start.items():
        for first, last in itertools.combinations(ends, 2):
            if pairs[first, last] >= least:
                joined = (*start, first, last)
                parts = (joined[:at] + joined[at + 1 :] for at in range(len(joined)))
                bound = min(known.get(part, 0.0) for part in parts)
                if bound >= least:
                    found.append((-bound, joined))
    best = sorted(items for _, items in sorted(found)[:MOST_COMPLETED])
    return np.array(best, dtype=np.int64) if best else np.empty((0, 0), dtype=np.int64)
