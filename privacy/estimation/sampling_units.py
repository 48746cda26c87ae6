"""Sampling units: the clusters that were drawn independently, within strata or not."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.cluster_count import ClusterCount


@dataclass(frozen=True, kw_only=True, eq=False)
class SamplingUnits:
    """The sampling unit of each row, and the stratum of each unit.

    Parameters
    ----------
    members : ndarray of int64, shape (rows,)
        Number of each row's unit, such as its school.
    strata : ndarray of int64, shape (units,), optional
        Number of each unit's stratum. Units of a stratum are a sample of its units.
    """

    members: Whole
    strata: Whole | None = None

    def part(self, rows: Whole | Flags) -> SamplingUnits:
        """Return the units of some rows; units and strata keep their numbers.

        Parameters
        ----------
        rows : ndarray of int64 or bool
        """
        return replace(self, members=self.members[rows])

    def sums(self, scores: Array, mass: Array) -> tuple[Array, ClusterCount]:
        """Sum scores over units.

        Units without weight are omitted. With strata they stay: a stratum's units were all sampled, even if
        some have no row that a figure uses.

        Parameters
        ----------
        scores : ndarray of float64, shape (scores, rows)
        mass : ndarray of float64, shape (rows,)
            Weights of the rows.

        Returns
        -------
        (float array, shape (scores, units), ClusterCount)

        Examples
        --------
        >>> units = SamplingUnits(members=np.array([0, 0, 1, 2]), strata=np.array([0, 0, 1]))
        >>> sums, count = units.sums(np.array([[1.0, 2.0, 4.0, 8.0]]), np.array([1.0, 1.0, 0.0, 1.0]))
        >>> sums.tolist(), count.count
        ([[3.0, 4.0, 8.0]], 3)
        """
        size = int(self.members.max()) + 1 if self.strata is None else len(self.strata)
        sums = np.zeros((len(scores), size))
        np.add.at(sums.T, self.members, scores.T)
        masses = np.bincount(self.members, weights=mass, minlength=size)
        if self.strata is not None:
            return sums, ClusterCount.of(masses, self.strata)
        return sums[:, masses > 0], ClusterCount.of(masses[masses > 0])
