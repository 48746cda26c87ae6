"""KACLUK: group at random within clusters of sensitive values (Zhu et al. 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.sdc.bottom_up import merge_rounds
from privacy.sdc.check_k import check_k
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space
from privacy.sdc.table import Column
from privacy.sdc.utility_matrix import utility_matrix
from privacy.sdc.value_clusters import cluster_values

CLUSTERS: Final = 3
"""Number of clusters, as in Zhu et al. 2010; a cluster may have any number of values."""


@dataclass(frozen=True, kw_only=True, eq=False)
class KaClusterRelease:
    """Classes, and the cluster of each sensitive value."""

    classes: Classes
    value_cluster: Whole


def ka_cluster(
    space: Space, sensitive: Column, k: int, *, rng: np.random.Generator, matrix: Array | None = None
) -> KaClusterRelease:
    """Group records into classes of at least k, at random within clusters of sensitive values.

    Parameters
    ----------
    space, sensitive : Space, Column
        The records.
    k : int
        Smallest class size, 1 <= k <= n.
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
    """Pair classes below k at random, round after round, in O(n log k).

    An unpaired class waits for the next round. If one class below k remains, it joins a random other class.

    Parameters
    ----------
    n : int
        Number of records.
    k : int
        Smallest class size.
    rng : numpy.random.Generator
        Draws the partners.
    """

    def pair(waiting: Whole, _sizes: Whole) -> tuple[Whole, Whole]:
        order = rng.permutation(waiting)
        half = len(order) // 2
        return order[:half], order[half : 2 * half]

    return merge_rounds(n, k, pair, lambda _last, others, _sizes: int(rng.choice(others)))
