"""Clusters of sensitive values that the quasi-identifiers serve alike (Zhu et al. 2010, section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError

__all__ = ["cluster_values", "lloyd"]

_STARTS_TO_ENUMERATE: Final = 5000
_RESTARTS: Final = 100


def lloyd(
    matrix: Array,
    start: Sequence[int],
    *,
    seen: dict[bytes, tuple[Whole, float] | None] | None = None,
) -> tuple[Whole, float] | None:
    """Run Lloyd's iteration under the L1 distance from chosen values as centres, then medians of clusters.

    With means, which minimise squares, the search for clusters of L values never succeeds on Adult.

    Parameters
    ----------
    matrix : float64 array, shape (m, d)
        One row per sensitive value.
    start : sequence of int
        Rows that are the first centres.
    seen : dict or None
        Ends of partitions walked through before, shared between calls with the same matrix and number
        of clusters: what follows depends on the partition alone, and most starts soon meet a known one.

    Returns
    -------
    tuple or None
        Cluster of each value and the total distance to the centres; None when a cluster runs empty.

    Examples
    --------
    >>> cluster, total = lloyd(np.array([[0.0], [0.1], [0.9], [1.0]]), [0, 3])
    >>> cluster.tolist(), round(total, 12)
    ([0, 0, 1, 1], 0.2)
    """
    known = {} if seen is None else seen
    centres = matrix[list(start)]
    walked: list[bytes] = []
    end: tuple[Whole, float] | None = None
    while True:
        distance = np.abs(matrix[:, None, :] - centres[None, :, :]).sum(axis=2)
        nearest = distance.argmin(axis=1)
        name = nearest.tobytes()
        if name in known:
            end = known[name]
            break
        if name in walked:
            end = nearest, float(distance[np.arange(len(matrix)), nearest].sum())
            break
        walked.append(name)
        if len(np.unique(nearest)) < len(centres):
            break
        centres = np.stack([np.median(matrix[nearest == index], axis=0) for index in range(len(centres))])
    for name in walked:
        known[name] = end
    return end


def cluster_values(
    matrix: Array,
    *,
    least_values: int,
    record_counts: Whole,
    least_records: int,
    n_clusters: int | None = None,
    rng: np.random.Generator | None = None,
) -> Whole:
    """Cluster sensitive values by the L1 distance of their utilities.

    Parameters
    ----------
    matrix : float64 array, shape (m, d)
        Utilities.
    least_values : int
        L: every cluster must hold at least this many values; 1 for KACLUK.
    record_counts : int64 array, shape (m,)
        Records of each value.
    least_records : int
        A cluster with fewer records is joined to that of the nearest centre, or no class of it could be large
        enough.
    n_clusters : int or None
        Number to begin with; floor(m/L) by default. When no start ends with `least_values` everywhere, one
        less.
    rng : numpy Generator or None
        Needed above 5,000 possible starts, of which 100 are then drawn; below, all are tried.

    Returns
    -------
    int64 array, shape (m,)
        Cluster of each value, numbered in order of first appearance. Of all feasible ends the one with the
        least total distance is taken, the first of equals.

    Raises
    ------
    PrivacyError
        When there are fewer values than L, fewer records than needed, or random starts without a generator.

    Examples
    --------
    >>> utilities = np.array([[0.0], [0.1], [0.9], [1.0]])
    >>> records = np.array([5, 5, 5, 5])
    >>> cluster_values(utilities, least_values=2, record_counts=records, least_records=4).tolist()
    [0, 0, 1, 1]
    """
    m = len(matrix)
    if m < least_values:
        raise PrivacyError("l.column", least_values, held=m)
    if record_counts.sum() < least_records:
        raise PrivacyError("k.clusters", least_records, total=int(record_counts.sum()))
    wanted = max(1, m // least_values) if n_clusters is None else min(n_clusters, m)
    for count in range(wanted, 0, -1):
        best: tuple[Whole, float] | None = None
        seen: dict[bytes, tuple[Whole, float] | None] = {}
        for start in _starts(m, count, rng):
            clusters = lloyd(matrix, start, seen=seen)
            if clusters is None or np.bincount(clusters[0]).min() < least_values:
                continue
            if best is None or clusters[1] < best[1] - 1e-12:
                best = clusters
        if best is not None:
            return _without_small(matrix, best[0], record_counts, least_records)
    raise AssertionError("one cluster of all values is always feasible")


def _starts(m: int, count: int, rng: np.random.Generator | None) -> Iterable[Sequence[int]]:
    if math.comb(m, count) <= _STARTS_TO_ENUMERATE:
        return combinations(range(m), count)
    if rng is None:
        raise PrivacyError("generator.clusters", count, values=m)
    return [sorted(rng.choice(m, size=count, replace=False).tolist()) for _ in range(_RESTARTS)]


def _without_small(matrix: Array, cluster: Whole, record_counts: Whole, least_records: int) -> Whole:
    cluster = cluster.copy()
    while True:
        labels = np.unique(cluster)
        records = np.array([record_counts[cluster == label].sum() for label in labels])
        if len(labels) == 1 or records.min() >= least_records:
            break
        small = int(records.argmin())
        centres = np.stack([np.median(matrix[cluster == label], axis=0) for label in labels])
        distance = np.abs(centres - centres[small]).sum(axis=1)
        distance[small] = np.inf
        cluster[cluster == labels[small]] = labels[int(distance.argmin())]
    _, first, number = np.unique(cluster, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return np.asarray(order[number], dtype=np.int64)
