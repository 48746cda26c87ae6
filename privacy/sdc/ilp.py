"""ILP l-diversity: merge classes within clusters of values, then change some values (Zhu et al. 2010)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.blocks import in_blocks
from privacy.sdc.bottom_up import match_rounds
from privacy.sdc.check_k import check_k
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Space
from privacy.sdc.table import Column
from privacy.sdc.utility_matrix import axis_weights, utility_matrix
from privacy.sdc.value_clusters import cluster_values

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
