"""The utility matrix of Zhu et al. 2010, and two algorithms that group by it: ILP l-diversity and KACLUK."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import match_rounds, merge_rounds
from privacy.sdc.classes import Classes, check_k, in_blocks
from privacy.sdc.generalisation import Space
from privacy.sdc.table import Column

LEVELS: Final = {"very high": 1.0, "high": 0.8, "medium": 0.6, "low": 0.4, "very low": 0.2}


def utility_matrix(space: Space, sensitive: Column) -> Array:
    """Compute u[value, axis] from the records, each in [0, 1].

    Parameters
    ----------
    space : Space
        Quasi-identifiers; columns of the result are in the order of ``space.axes``.
    sensitive : Column
        The values of this column are the rows of the result.

    Notes
    -----
    Numeric: range of the axis among the records with the value, divided by its range in the table.
    Categorical: distinct labels among them divided by distinct labels of the table. A constant column gives
    1.
    """
    m = len(sensitive.values)
    matrix = np.ones((m, len(space.axes)))
    for position, axis in enumerate(space.numeric):
        if axis.extent > 0:
            low = np.full(m, np.inf)
            high = np.full(m, -np.inf)
            numbers = axis.numbers[space.codes[:, position]]
            np.minimum.at(low, sensitive.codes, numbers)
            np.maximum.at(high, sensitive.codes, numbers)
            matrix[:, position] = (high - low) / axis.extent
    for offset, tree in enumerate(space.categorical):
        position = len(space.numeric) + offset
        leaves = len(tree.hierarchy.labels[0])
        pairs = np.unique(sensitive.codes.astype(np.int64) * leaves + space.codes[:, position])
        matrix[:, position] = np.bincount(pairs // leaves, minlength=m) / leaves
    return matrix


def axis_weights(matrix: Array, space: Space) -> dict[str, float]:
    """Return w[axis]: the utilities summed over the sensitive values, normalised over the whole matrix.

    The weights sum to 1, so that all algorithms share one ILP. They are the w_i of Bottom-up in section 5.2
    of Zhu et al. 2010. That section does not define its tau; here it is u, since the paper calls the matrix
    utility and sums it to get weights.

    Parameters
    ----------
    matrix : ndarray of shape (values, axes)
        Utility of each quasi-identifier for each sensitive value, 0 or more.
    space : Space
        The space of these axes.

    Raises
    ------
    PrivacyError
        ``weight.none``: all utilities are 0.
    """
    total = matrix.sum()
    if not total:
        raise PrivacyError("weight.none", 0)
    return {
        axis.name: float(weight) for axis, weight in zip(space.axes, matrix.sum(axis=0) / total, strict=True)
    }


def own_weights(matrix: Array, factors: Sequence[float]) -> Array:
    """Return the weights of the axes for the records of each sensitive value, shape (m, d); rows sum to 1.

    Parameters
    ----------
    matrix : float64 array, shape (m, d)
        Utilities.
    factors : sequence of float
        Factor of each axis, at least 0.

    Raises
    ------
    PrivacyError
        ``weight.none``: all weights of a value are 0.

    Notes
    -----
    Zhu et al. 2010 sum their weights over all sensitive values (section 3.2), so all records have the same
    weights. But they justify weights by axes that are more useful for some values than for others (section
    3.1). This is a reason to weight each record by its own value: ILP(t) = sum_i w'[s(t), i] NCP_i(t).

    Examples
    --------
    >>> own_weights(np.array([[0.5, 0.5], [0.25, 0.75]]), [1, 1]).tolist()
    [[0.5, 0.5], [0.25, 0.75]]
    """
    products = matrix * np.asarray(factors, dtype=float)
    totals = products.sum(axis=1, keepdims=True)
    if not totals.all():
        raise PrivacyError("weight.none", 0)
    return np.asarray(products / totals)


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


WARNING: Final = (
    "Classes lie within clusters of sensitive values, so each class excludes the values of the other "
    "clusters: this raises the mutual information between class and sensitive value. Where the L step ran, "
    "sensitive values were changed and the column no longer holds what people answered."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class IlpRelease:
    """Result of the ILP-based algorithm: classes and changed values.

    Parameters
    ----------
    classes : Classes
        The partition.
    values : int32 array, shape (n,)
        Sensitive codes as published.
    changed : bool array, shape (n,)
        Records whose sensitive value the L step changed.
    value_cluster : int64 array, shape (m,)
        Cluster of each sensitive value.
    weights : dict of str to float
        Weights of the axes.
    warning : str
        Notes for the report.
    """

    classes: Classes
    values: npt.NDArray[np.int32]
    changed: Flags
    value_cluster: Whole
    weights: dict[str, float]
    warning: str = WARNING

    @property
    def change_ratio(self) -> float:
        """Changed records / n, called R_man by Zhu et al. 2010."""
        return float(self.changed.mean())


def ilp_l_diversity(
    space: Space,
    sensitive: Column,
    *,
    k: int,
    l_value: int,
    rng: np.random.Generator,
    matrix: Array | None = None,
    weights: Mapping[str, float] | None = None,
) -> IlpRelease:
    """Group records by the algorithm of Zhu et al. 2010; change sensitive values until each class has L.

    Parameters
    ----------
    space, sensitive : Space, Column
        The records.
    k, l_value : int
        A class has at least L distinct values and max(k, L) records. (The paper plots k = 2 with 3-diversity,
        which is impossible in a class of two records.)
    rng : numpy Generator
        Draws the changed records and their new values, and the starts if there are too many to try all.
    matrix : float64 array or None
        Utility matrix, from an expert or (by default) from the records.
    weights : mapping or None
        Weights of the axes in place of those of the matrix.

    Raises
    ------
    PrivacyError
        If k > n or L exceeds the number of sensitive values.
    """
    check_k(k, len(space), l_value)
    size = max(k, l_value)
    utilities = utility_matrix(space, sensitive) if matrix is None else matrix
    by_axis = axis_weights(utilities, space) if weights is None else dict(weights)
    cluster = cluster_values(
        utilities,
        least_values=l_value,
        record_counts=np.bincount(sensitive.codes, minlength=len(sensitive.values)),
        least_records=size,
        rng=rng,
    )
    axes = space.weights(by_axis)
    clusters = [np.flatnonzero(cluster[sensitive.codes] == label) for label in range(int(cluster.max()) + 1)]
    classes = Classes.of_parts(
        (rows, in_blocks(space.take(rows), lambda block, _: match_rounds(block, size, axes)))
        for rows in clusters
    )
    values, changed = diversify(classes, sensitive.codes, cluster, l_value, rng)
    return IlpRelease(classes=classes, values=values, changed=changed, value_cluster=cluster, weights=by_axis)


def diversify(
    classes: Classes,
    values: npt.NDArray[np.int32],
    value_cluster: Whole,
    l_value: int,
    rng: np.random.Generator,
) -> tuple[npt.NDArray[np.int32], Flags]:
    """Run the L step: give records other values of their cluster until each class has min(L, |E|) values.

    Each change takes a record whose value the class has at least twice and gives it a value the class lacks,
    both drawn uniformly, so every change adds exactly one value. Zhu et al. 2010 take any record and any
    value of the cluster, which may add nothing or even remove the last record with a value.

    Parameters
    ----------
    classes : Classes
        Classes, each within one cluster of at least `l_value` values.
    values : int32 array, shape (n,)
        Sensitive codes.
    value_cluster : int64 array, shape (m,)
        Cluster of each value.
    l_value : int
        Smallest number of distinct values in a class, L.
    rng : numpy Generator
        Draws records and values.
    """
    new = values.copy()
    changed = np.zeros(len(values), dtype=bool)
    pairs = np.unique(classes.number * (int(value_cluster.size) + 1) + values)
    distinct = np.bincount(pairs // (int(value_cluster.size) + 1), minlength=classes.count)
    order = np.argsort(classes.number, kind="stable")
    ends = np.cumsum(classes.sizes)
    for short in np.flatnonzero(distinct < np.minimum(l_value, classes.sizes)).tolist():
        members = order[ends[short] - classes.sizes[short] : ends[short]]
        target = min(l_value, len(members))
        counts = np.bincount(new[members], minlength=len(value_cluster))
        family = np.flatnonzero(value_cluster == value_cluster[new[members[0]]])
        while np.count_nonzero(counts) < target:
            duplicates = members[counts[new[members]] >= 2]
            absent = family[counts[family] == 0]
            if not len(absent):
                raise PrivacyError("l.cluster", l_value)
            record = int(rng.choice(duplicates))
            value = int(rng.choice(absent))
            counts[new[record]] -= 1
            counts[value] += 1
            new[record] = value
            changed[record] = True
    return new, changed


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
