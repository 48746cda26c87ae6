"""ILP-based L-diversity: clusters of sensitive values, bottom-up in each, the L step.

It is here because it is the algorithm of Zhu et al. 2010 (section 4). It is never the default, for two
reasons that its result states: the L step changes sensitive values, and grouping by clusters of sensitive
values makes a class say more about them than the loss shows (on Adult at k = 10 I(S; class) is 1.91 bits,
against 1.09 for Bottom-up).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import check_k, match_rounds, plain_pair_evaluations
from privacy.sdc.class_growth import cluster_values
from privacy.sdc.classes import Classes, in_blocks
from privacy.sdc.generalisation_cost import Space
from privacy.sdc.table import Column
from privacy.sdc.utility_matrix import axis_weights, utility_matrix, value_weights

__all__ = ["WARNING", "IlpRelease", "diversify", "ilp_l_diversity"]

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
    first_round_pairs : int
        Pairs a plain scan evaluates in the first rounds of all clusters.
    warning : str
        What the report must say.
    """

    classes: Classes
    values: npt.NDArray[np.int32]
    changed: Flags
    value_cluster: Whole
    weights: dict[str, float]
    first_round_pairs: int
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
        first_round_pairs=sum(plain_pair_evaluations(len(rows)) for rows in clusters),
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
