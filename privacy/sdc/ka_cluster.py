"""KACLUK: clusters of sensitive values, then random matching within each (Zhu et al. 2010, 2 and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.sdc.bottom_up import check_k, merge_rounds
from privacy.sdc.class_growth import cluster_values
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.table import Column
from privacy.sdc.utility_matrix import utility_matrix

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

    def pair(waiting: Whole, _sizes: Whole) -> tuple[Whole, Whole]:
        shuffled = rng.permutation(waiting)
        half = len(shuffled) // 2
        return shuffled[:half], shuffled[half : 2 * half]

    return merge_rounds(n, k, pair, lambda _last, others, _sizes: int(rng.choice(others)))
