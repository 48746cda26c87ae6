"""Clusters of sensitive values by their utilities (k-means)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError

_STARTS_TO_ENUMERATE: Final = 5000
_RESTARTS: Final = 100


def lloyd(
    matrix: Array, start: Sequence[int], *, seen: dict[bytes, tuple[Whole, float] | None] | None = None
) -> tuple[Whole, float] | None:
    """Run Lloyd's algorithm for the L1 distance: begin at chosen values, then use cluster medians as centres.

    With means, which minimise squares, the search for clusters of L values never succeeds on the Adult data.

    Parameters
    ----------
    matrix : float64 array, shape (m, d)
        One row per sensitive value.
    start : sequence of int
        Rows to use as first centres.
    seen : dict or None
        Results for partitions of earlier calls with the same matrix and number of clusters. The result
        depends on the partition alone, and most starts soon reach a known partition.

    Returns
    -------
    tuple or None
        Cluster of each value and the total distance to the centres; None if a cluster becomes empty.

    Examples
    --------
    >>> cluster, total = lloyd(np.array([[0.0], [0.1], [0.9], [1.0]]), [0, 3])
    >>> cluster.tolist(), round(total, 12)
    ([0, 0, 1, 1], 0.2)
    """
    cache = {} if seen is None else seen
    centres = matrix[list(start)]
    trail: list[bytes] = []
    end: tuple[Whole, float] | None = None
    while True:
        distance = np.abs(matrix[:, None, :] - centres[None, :, :]).sum(axis=2)
        nearest = distance.argmin(axis=1)
        name = nearest.tobytes()
        if name in cache:
            end = cache[name]
            break
        if name in trail:
            end = nearest, float(distance[np.arange(len(matrix)), nearest].sum())
            break
        trail.append(name)
        if len(np.unique(nearest)) < len(centres):
            break
        centres = np.stack([np.median(matrix[nearest == index], axis=0) for index in range(len(centres))])
    for name in trail:
        cache[name] = end
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
        Number of records with each value.
    least_records : int
        A cluster with fewer records is joined to the one with the nearest centre, because it could not form a
        large enough class.
    n_clusters : int or None
        Number of clusters to try first, floor(m/L) by default. It is reduced by one while no start gives
        every cluster `least_values`.
    rng : numpy Generator or None
        Draws 100 starts if there are more than 5,000; otherwise all are tried.

    Returns
    -------
    int64 array, shape (m,)
        Cluster of each value, numbered in order of first appearance. Among feasible clusterings, the one with
        the smallest total distance is chosen; ties go to the first.

    Raises
    ------
    PrivacyError
        If there are fewer values than L, fewer records than needed, or random starts without a generator.

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
    n_initial = max(1, m // least_values) if n_clusters is None else min(n_clusters, m)
    for count in range(n_initial, 0, -1):
        best: tuple[Whole, float] | None = None
        seen: dict[bytes, tuple[Whole, float] | None] = {}
        for start in _starts(m, count, rng):
            clusters = lloyd(matrix, start, seen=seen)
            if clusters is None or np.bincount(clusters[0]).min() < least_values:
                continue
            if best is None or clusters[1] < best[1] - 1e-12:
                best = clusters
        if best is not None:
            return _merge_small_clusters(matrix, best[0], record_counts, least_records)
    raise AssertionError("one cluster of all values is always feasible")


def _starts(m: int, count: int, rng: np.random.Generator | None) -> Iterable[Sequence[int]]:
    if math.comb(m, count) <= _STARTS_TO_ENUMERATE:
        return combinations(range(m), count)
    if rng is None:
        raise PrivacyError("generator.clusters", count, values=m)
    return [sorted(rng.choice(m, size=count, replace=False).tolist()) for _ in range(_RESTARTS)]


def _merge_small_clusters(matrix: Array, cluster: Whole, record_counts: Whole, least_records: int) -> Whole:
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
