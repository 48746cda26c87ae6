"""Complete supports: the supports of all sets of items that fit the estimated ones."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole

MOST_COMPLETED: Final = 2_000
"""Largest number of itemsets of one size to complete; itemsets with the largest bounds have priority."""

_SWEEPS: Final = 200
_CLOSE: Final = 1e-9
_FITS: Final = 1e-6
_HALVINGS: Final = 12


def complete_supports(shares: Array, pairs: Array, itemsets: Whole) -> Array:
    """Estimate supports of itemsets from those of their pairs, assuming no higher interactions.

    Parameters
    ----------
    shares : ndarray of float, shape (m,)
        Shares of the items, in [0, 1].
    pairs : ndarray of float, shape (m, m)
        Symmetric supports of pairs, each within the bounds that follow from its shares.
    itemsets : ndarray of int64, shape (N, size)
        Positions of items, three or more in each row.

    Notes
    -----
    The supports come from iterative proportional fitting of the pairs, starting from independence. If no
    distribution has these pairs (such as three shares of one half whose pairs are all 0), the pairs are moved
    towards independence, no more than necessary, by bisection. A support is at most the smallest of its
    pairs.

    Examples
    --------
    >>> pairs = np.array([[0.5, 0.4, 0.4], [0.4, 0.5, 0.4], [0.4, 0.4, 0.5]])
    >>> complete_supports(np.full(3, 0.5), pairs, np.array([[0, 1, 2]])).round(4).tolist()
    [0.35]
    """
    item_shares = shares[itemsets]
    both = list(itertools.combinations(range(itemsets.shape[1]), 2))
    targets = np.stack([pairs[itemsets[:, i], itemsets[:, j]] for i, j in both], axis=1)
    alone = np.stack([item_shares[:, i] * item_shares[:, j] for i, j in both], axis=1)
    support, fits = _fit_pairs(item_shares, targets)
    if not fits.all():
        unfitted = np.flatnonzero(~fits)
        low, high = np.zeros(len(unfitted)), np.ones(len(unfitted))
        support[unfitted] = item_shares[unfitted].prod(axis=1)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            blend = alone[unfitted] + middle[:, None] * (targets[unfitted] - alone[unfitted])
            found, good = _fit_pairs(item_shares[unfitted], blend)
            support[unfitted[good]] = found[good]
            low, high = np.where(good, middle, low), np.where(good, high, middle)
    smallest: Array = np.minimum(support, targets.min(axis=1))
    return smallest


def _fit_pairs(item_shares: Array, goals: Array) -> tuple[Array, Flags]:
    """Fit the pairs of each itemset; return the probability of all items, and whether the fit converged."""
    size = item_shares.shape[1]
    both = list(itertools.combinations(range(size), 2))
    joint = np.ones((*(2,) * size, len(item_shares)))
    for axis in range(size):
        shape = [1] * size + [len(item_shares)]
        shape[axis] = 2
        joint = joint * np.stack([1 - item_shares[:, axis], item_shares[:, axis]]).reshape(shape)
    targets = []
    for pair_number, (i, j) in enumerate(both):
        pair, first, second = goals[:, pair_number], item_shares[:, i], item_shares[:, j]
        table = np.stack([1 - first - second + pair, second - pair, first - pair, pair]).clip(0)
        shape = [2 if axis in (i, j) else 1 for axis in range(size)] + [len(item_shares)]
        targets.append((tuple(axis for axis in range(size) if axis not in (i, j)), table.reshape(shape)))
    off = np.zeros(len(item_shares))
    for _ in range(_SWEEPS):
        off[:] = 0
        for axes, target in targets:
            margin = joint.sum(axis=axes, keepdims=True)
            off = np.maximum(off, np.abs(margin - target).max(axis=tuple(range(size))))
            joint = joint * np.divide(target, margin, out=np.zeros_like(margin), where=margin > 0)
        if (off <= _CLOSE).all():
            break
    return joint[(1,) * size].copy(), off <= _FITS


def largest_sets(pairs: Array, supports: Mapping[tuple[int, ...], float], least: float) -> Whole:
    """Return itemsets with one more item whose subsets all reach a support, at most `MOST_COMPLETED`.

    Parameters
    ----------
    pairs : ndarray of float, shape (m, m)
        NaN for items that exclude each other.
    supports : mapping of itemset to float
        Supports of itemsets of one size, with items in ascending order.
    least : float
        The support that all subsets must reach.

    Returns
    -------
    ndarray of int64, shape (found, size + 1)
        In lexicographic order. If there are too many, itemsets with the most frequent rarest subset are
        kept.
    """
    by_start: dict[tuple[int, ...], list[int]] = {}
    for items, value in sorted(supports.items()):
        if value >= least:
            by_start.setdefault(items[:-1], []).append(items[-1])
    found: list[tuple[float, tuple[int, ...]]] = []
    for start, ends in by_start.items():
        for first, last in itertools.combinations(ends, 2):
            if pairs[first, last] >= least:
                candidate = (*start, first, last)
                parts = (candidate[:dropped] + candidate[dropped + 1 :] for dropped in range(len(candidate)))
                bound = min(supports.get(part, 0.0) for part in parts)
                if bound >= least:
                    found.append((-bound, candidate))
    best = sorted(items for _, items in sorted(found)[:MOST_COMPLETED])
    return np.array(best, dtype=np.int64) if best else np.empty((0, 0), dtype=np.int64)
