"""Independently sampled units: rows of one cluster, within strata."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError, plain
from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.frames import pick
from privacy.policy import FEW_CLUSTERS

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitSums:
    """Independently sampled units: rows, or clusters of rows.

    Parameters
    ----------
    scores : float array, shape (true answers, units)
        Sums of weight times score. Their total divided by the total of `base` estimates an answer's share.
    base : float array, shape (units,)
        Sums of weights.
    respondents, smallest_cell : int
        Number of rows, and of rows with the rarest report.
    effective_n : float
        (sum w)^2 / sum w^2 over the weights of the rows.
    clusters : ClusterCount, optional
        Set for clusters, and for rows with unequal weights.
    """

    scores: Array
    base: Array
    respondents: int
    smallest_cell: int
    effective_n: float
    clusters: ClusterCount | None = None

    @property
    def counts(self) -> Whole:
        """A count of 1 for each unit."""
        return np.ones(len(self.base), dtype=np.int64)

    @classmethod
    def of(cls, scores: Array, codes: Whole, mass: Array | None, units: SamplingUnits | None) -> UnitSums:
        """Sum rows into units.

        Parameters
        ----------
        scores : float array, shape (true answers, rows)
        codes : int array, shape (rows,)
            The report of each row.
        mass : float array, shape (rows,), optional
            Weights.
        units : SamplingUnits, optional
            None if rows are independent.
        """
        mass = np.ones(len(codes)) if mass is None else mass
        totals, weighted = np.concatenate([scores, np.ones((1, len(codes)))]) * mass, ClusterCount.of(mass)
        clusters = None if math.isclose(weighted.effective, weighted.count) else weighted
        if units is not None:
            totals, clusters = units.sums(totals, mass)
        least = int(np.unique(codes, return_counts=True)[1].min())
        return cls(
            scores=totals[:-1],
            base=totals[-1],
            respondents=len(codes),
            smallest_cell=least,
            effective_n=weighted.effective,
            clusters=clusters,
        )


def sampling_units(clusters: Series | None, strata: Series | None) -> SamplingUnits | None:
    """Return the sampling units of rows; None if rows were drawn independently.

    Parameters
    ----------
    clusters : Series or None
        The cluster of each row; without clusters each row is a unit.
    strata : Series or None
        The stratum of each row, in which its unit was drawn.

    Raises
    ------
    PrivacyError
        ``clusters``: rows without a cluster or a stratum, too few clusters, a cluster in two strata, or a
        stratum with a single cluster or row.

    Examples
    --------
    >>> import pandas
    >>> town = pandas.Series([*"aabcdefghij"], name="town")
    >>> units = sampling_units(town, pandas.Series([*"xxxxxyyyyyy"], name="region"))
    >>> units.members.tolist(), units.strata.tolist()
    ([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    """
    members: Whole | None = None
    if clusters is not None:
        codes, names = clusters.factorize()
        if (codes < 0).any() or len(names) < FEW_CLUSTERS:
            missing = int((codes < 0).sum())
            raise PrivacyError(
                "clusters", clusters.name, count=len(names), missing=missing, least=FEW_CLUSTERS
            )
        members = np.asarray(codes, dtype=np.int64)
    if strata is None:
        return None if members is None else SamplingUnits(members=members)
    if members is None:
        members = np.arange(len(strata), dtype=np.int64)
    stratum, kinds = strata.factorize()
    if (stratum < 0).any():
        raise PrivacyError("clusters.no_stratum", strata.name, missing=int((stratum < 0).sum()))
    size = int(members.max()) + 1
    of_unit = np.zeros(size, dtype=np.int64)
    of_unit[members] = stratum
    if (astray := np.flatnonzero(of_unit[members] != stratum)).size:
        lost = clusters.iloc[int(astray[0])] if clusters is not None else None
        raise PrivacyError("clusters.two_strata", plain(lost), strata=strata.name)
    if (alone := np.flatnonzero(np.bincount(of_unit, minlength=len(kinds)) < 2)).size:
        raise PrivacyError("clusters.lone", plain(kinds[int(alone[0])]), strata=strata.name)
    return SamplingUnits(members=members, strata=of_unit)


def units_of(frame: DataFrame, clusters: Hashable | None, strata: Hashable | None) -> SamplingUnits | None:
    """Return the sampling units of a table's rows, see `sampling_units`.

    Parameters
    ----------
    frame : DataFrame
    clusters, strata : hashable or None
        Names of columns.

    Raises
    ------
    PrivacyError
        As for `pick` and `sampling_units`.
    """
    columns = {name: pick(frame, [name])[0] for name in (clusters, strata) if name is not None}
    return sampling_units(
        None if clusters is None else columns[clusters], None if strata is None else columns[strata]
    )
