"""KACLUK: clusters of sensitive values, then random matching within each (Zhu et al. 2010, 2 and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.sdc.bottom_up import check_k
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.table import Column
from privacy.sdc.utility_matrix import utility_matrix
from privacy.sdc.value_clusters import cluster_values

__all__ = ["KaClusterRelease", "ka_cluster", "random_rounds"]

CLUSTERS: Final = 3
"""As many as in the source, with no least number of values in a cluster."""


@dataclass(frozen=True, kw_only=True, eq=False)
class KaClusterRelease:
    """Classes, and the cluster of each sensitive value."""

    classes: Classes
    value_cluster: Whole


def ka_cluster(
    space: Space,
    sensitive: Column,
    k: int,
    *,
    rng: np.random.Generator,
    matrix: Array | None = None,
) -> KaClusterRelease:
    """Group records into classes of at least k, at random within clusters of sensitive values.

    Parameters
    ----------
    space, sensitive : Space, Column
        The records.
    k : int
        1 <= k <= n.
    rng : numpy Generator
        Draws the partners.
    matrix : float64 array or None
        Utility matrix; computed from the records by default.
    """
    check_k(k, len(space))
    cluster = cluster_values(
        utility_matrix(space, sensitive) if matrix is None else matrix,
        least_values=1,
        record_counts=np.bincount(sensitive.codes, minlength=len(sensitive.values)),
        least_records=k,
        n_clusters=CLUSTERS,
        rng=rng,
    )
    clusters = [np.flatnonzero(cluster[sensitive.codes] == label) for label in range(int(cluster.max()) + 1)]
    classes = Classes.of_parts((rows, random_rounds(len(rows), k, rng)) for rows in clusters)
    return KaClusterRelease(classes=classes, value_cluster=cluster)


def random_rounds(n: int, k: int, rng: np.random.Generator) -> Classes:
    """Match classes below k at random, round after round, in O(n log k).

    A class left over waits; the very last one joins a random class of at least k.

    Parameters
    ----------
    n : int
        Records.
    k : int
        Records of a class at least.
    rng : numpy.random.Generator
        Decides the partners.
    """
    class_of = np.arange(n)
    sizes = np.ones(n, dtype=np.int64)
    waiting = np.arange(n) if k > 1 else np.arange(0)
    while len(waiting) > 1:
        shuffled = rng.permutation(waiting)
        half = len(shuffled) // 2
        first, second = shuffled[:half], shuffled[half : 2 * half]
        base = len(sizes)
        successor = np.arange(base)
        successor[first] = successor[second] = base + np.arange(half)
        class_of = successor[class_of]
        merged = sizes[first] + sizes[second]
        sizes = np.concatenate([sizes, merged])
        waiting = np.concatenate([base + np.flatnonzero(merged < k), shuffled[2 * half :]])
    if len(waiting):
        large = np.unique(class_of[class_of != waiting[0]])
        class_of[class_of == waiting[0]] = rng.choice(large)
    return Classes.from_numbers(class_of)
