"""The utility matrix of Zhu et al. 2010 and the two ways to group by it: ILP l-diversity and KACLUK."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import check_k, match_rounds, merge_rounds
from privacy.sdc.class_growth import cluster_values
from privacy.sdc.classes import Classes, in_blocks
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.table import Column
from privacy.validation import one_of

READINGS: Final = ("literal", "complement", "inverse", "uniform")
LEVELS: Final = {"very high": 1.0, "high": 0.8, "medium": 0.6, "low": 0.4, "very low": 0.2}


def utility_matrix(space: Space, sensitive: Column) -> Array:
    """Compute u[value, axis] from the records, each in [0, 1].

    Parameters
    ----------
    space : Space
        Quasi-identifiers; columns of the result are in the order of ``space.axes``.
    sensitive : Column
        Its values are the rows.

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


def value_weights(matrix: Array, *, reading: str = "literal") -> Array:
    """Return tau[value, axis] of section 5.2, which the source leaves undefined.

    Parameters
    ----------
    matrix : float64 array, shape (m, d)
        Utilities.
    reading : str
        ``literal``: tau = u (the matrix is called utility and summed as a weight). ``complement``: 1 - u and
        ``inverse``: 1 / u follow the sentence "the lower the probability, the more evident the utility".
        ``uniform``: 1.

    Raises
    ------
    PrivacyError
        When ``inverse`` meets a utility of 0, or all weights vanish.
    """
    one_of(reading, "reading of tau", allowed=READINGS, code="reading")
    if reading == "literal":
        tau = matrix.copy()
    elif reading == "complement":
        tau = 1 - matrix
    elif reading == "uniform":
        tau = np.ones_like(matrix)
    else:
        if (matrix == 0).any():
            value, axis = np.argwhere(matrix == 0)[0].tolist()
            raise PrivacyError("reading.infinite", 0.0, row=value, axis=axis)
        tau = 1 / matrix
    if tau.sum() == 0:
        raise PrivacyError("reading.vanish", reading)
    return np.asarray(tau)


def axis_weights(tau: Array, space: Space) -> dict[str, float]:
    """Return w[axis]: tau summed over the sensitive values, normalised over the whole matrix.

    The weights sum to 1, so that all algorithms share one ILP; this is the w_i that section 5.2 gives
    Bottom-up.

    Parameters
    ----------
    tau : ndarray of shape (values, axes)
        Utility of each quasi-identifier for each sensitive value, 0 or more.
    space : Space
        Whose axes they are.
    """
    total = tau.sum()
    return {
        axis.name: float(weight) for axis, weight in zip(space.axes, tau.sum(axis=0) / total, strict=True)
    }


def own_weights(tau: Array, factors: Sequence[float]) -> Array:
    """Return the weights of the axes for the records of each sensitive value, shape (m, d); rows sum to 1.

    Parameters
    ----------
    tau : float64 array, shape (m, d)
        As `value_weights` returns it.
    factors : sequence of float
        By which each axis counts more, at least 0.

    Raises
    ------
    PrivacyError
        ``reading.vanish``: all weights of a value are 0.

    Notes
    -----
    Zhu et al. 2010 sum their weights over all sensitive values (section 3.2), so every record has the same.
    The reason for them, that an axis is of more use for one value than for another (section 3.1), speaks
    for the record's own: ILP(t) = sum_i w'[s(t), i] NCP_i(t).

    Examples
    --------
    >>> own_weights(np.array([[0.5, 0.5], [0.25, 0.75]]), [1, 1]).tolist()
    [[0.5, 0.5], [0.25, 0.75]]
    """
    weighed = tau * np.asarray(factors, dtype=float)
    totals = weighed.sum(axis=1, keepdims=True)
    if not totals.all():
        raise PrivacyError("reading.vanish", "own values")
    return np.asarray(weighed / totals)


WARNING: Final = (
    "Classes lie within clusters of sensitive values, so each class excludes the values of the other "
    "clusters: this raises the mutual information between class and sensitive value. Where the L step ran, "
    "sensitive values were changed and the column no longer holds what people answered."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class IlpRelease:
    """Result of the ILP-based algorithm.

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
        What the report must say.
    """

    classes: Classes
    values: npt.NDArray[np.int32]
    changed: Flags
    value_cluster: Whole
    weights: dict[str, float]
    warning: str = WARNING

    @property
    def change_ratio(self) -> float:
        """R_man of the source: changed records / n."""
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
    """Group records by the source's algorithm and change sensitive values until each class has L.

    Parameters
    ----------
    space, sensitive : Space, Column
        The records.
    k, l_value : int
        A class has L distinct values and max(k, L) records: the source plots k = 2 with 3-diversity,
        which no class of two records can have.
    rng : numpy Generator
        Draws the changed records and their new values, and starts when there are too many to try.
    matrix : float64 array or None
        Utility matrix, from an expert or (by default) from the records.
    weights : mapping or None
        Weights of the axes in place of those of the matrix.
    Raises
    ------
    PrivacyError
        When k > n or L exceeds the number of sensitive values.
    """
    if l_value < 1:
        raise PrivacyError("l.low", l_value)
    size = max(k, l_value)
    check_k(size, len(space))
    utilities = utility_matrix(space, sensitive) if matrix is None else matrix
    used = axis_weights(value_weights(utilities), space) if weights is None else dict(weights)
    cluster = cluster_values(
        utilities,
        least_values=l_value,
        record_counts=np.bincount(sensitive.codes, minlength=len(sensitive.values)),
        least_records=size,
        rng=rng,
    )
    axes = space.weights(used)
    clusters = [np.flatnonzero(cluster[sensitive.codes] == label) for label in range(int(cluster.max()) + 1)]
    classes = Classes.of_parts(
        (rows, in_blocks(space.take(rows), lambda block, _: match_rounds(block, size, axes)))
        for rows in clusters
    )
    values, changed = diversify(classes, sensitive.codes, cluster, l_value, rng)
    return IlpRelease(
        classes=classes,
        values=values,
        changed=changed,
        value_cluster=cluster,
        weights=used,
    )


def diversify(
    classes: Classes,
    values: npt.NDArray[np.int32],
    value_cluster: Whole,
    l_value: int,
    rng: np.random.Generator,
) -> tuple[npt.NDArray[np.int32], Flags]:
    """Run the L step: give records other values of their cluster until each class has min(L, |E|) of them.

    Each change takes a record whose value the class has at least twice and gives it a value the class lacks,
    both drawn uniformly, so every change adds exactly one value. The source takes any record and any value of
    the cluster: that may add nothing, or even remove the last record of a value.

    Parameters
    ----------
    classes : Classes
        Each within one cluster of values that has at least `l_value` values.
    values : int32 array, shape (n,)
        Sensitive codes.
    value_cluster : int64 array, shape (m,)
        Cluster of each value.
    l_value : int
        L.
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
            repeated = members[counts[new[members]] >= 2]
            absent = family[counts[family] == 0]
            if not len(absent):
                raise PrivacyError("l.cluster", l_value)
            record = int(rng.choice(repeated))
            value = int(rng.choice(absent))
            counts[new[record]] -= 1
            counts[value] += 1
            new[record] = value
            changed[record] = True
    return new, changed


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
