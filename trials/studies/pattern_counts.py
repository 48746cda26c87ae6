"""Yes/no rows as counts by pattern: drawn, disguised and estimated a million rows at a time.

A pattern of m items is a number from 0 to 2^m - 1, its first item the highest bit. The counts have the law of
rows drawn and disguised one by one; the tests prove it against `privacy.survey.grouping` by enumeration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Array, Whole
from surveys.errors.error import SurveyError

__all__ = ["Groups", "bits", "comonotone", "decoys", "itemsets_of", "send", "superset_sums"]


def bits(m: int) -> Whole:
    """Return the items of each pattern, shape (2^m, m).

    >>> bits(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return (np.arange(1 << m)[:, None] >> np.arange(m)[::-1]) & 1


def itemsets_of(m: int, longest: int) -> list[tuple[int, ...]]:
    """Return all itemsets of up to `longest` of m items, shorter ones first."""
    return [items for size in range(1, min(m, longest) + 1) for items in combinations(range(m), size)]


def superset_sums(m: int, itemsets: Sequence[tuple[int, ...]]) -> Array:
    """Return the matrix that turns counts by pattern into counts by itemset, shape (itemsets, 2^m)."""
    table = bits(m)
    return np.array([table[:, items].all(axis=1) for items in itemsets], dtype=np.float64)


def comonotone(prevalences: Sequence[float], dependence: float) -> Array:
    """Return the chance of each pattern under the law of `mining.simulation.true_rows`.

    Examples
    --------
    >>> comonotone([0.5, 0.5], 0.0).tolist()
    [0.25, 0.25, 0.25, 0.25]
    >>> comonotone([0.5, 0.2], 1.0).round(3).tolist()
    [0.5, 0.0, 0.3, 0.2]
    """
    shares = np.asarray(prevalences, dtype=np.float64)
    table = bits(len(shares))
    alone = np.where(table, shares, 1 - shares).prod(axis=1)
    # One uniform number below the smallest prevalence of the items held, above the largest of the others.
    high = np.where(table, shares, 1.0).min(axis=1)
    low = np.where(table, 0.0, shares).max(axis=1)
    return np.asarray((1 - dependence) * alone + dependence * np.maximum(high - low, 0.0), dtype=np.float64)


def decoys(m: int, theta: float) -> Array:
    """Return the chance q that a decoy shows each pattern, one coin per question."""
    return np.asarray(np.where(bits(m), theta, 1 - theta).prod(axis=1), dtype=np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Groups:
    """Rows by pattern in both groups, shape (2^m,) each, as they were sent."""

    direct: Whole
    protected: Whole


def send(true: Whole, k: float, p: float, decoy: ArrayLike, rng: np.random.Generator) -> Groups:
    """Let rows choose a group and disguise those of the protected one.

    Parameters
    ----------
    true : int array, shape (2^m,)
        True rows by pattern.
    k : float
        Chance to be direct, of each row for itself.
    p : float
        Truth probability.
    decoy : array_like, shape (2^m,)
        q.
    rng : numpy.random.Generator
    """
    q = np.asarray(decoy, dtype=np.float64)
    if not np.isclose(q.sum(), 1):
        raise SurveyError("decoys", float(q.sum()), total=q.sum())
    direct = rng.binomial(true, k)
    retained = rng.binomial(true - direct, p)
    away = int(true.sum() - direct.sum() - retained.sum())
    return Groups(direct=direct, protected=retained + rng.multinomial(away, q))
