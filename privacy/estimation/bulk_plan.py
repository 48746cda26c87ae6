"""From the counts of very many itemsets to their estimates, by what `bulk.Bulk` planned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.estimates import Estimates, blank_estimates
from privacy.estimation.scores import Estimator, check_estimator
from privacy.estimation.sums import Sums

__all__ = ["BulkPlan", "PlanGroup"]

Array: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanGroup:
    """Itemsets of one shape with t touched blocks.

    Attributes
    ----------
    members : int array, shape (g,)
    counted : int array, shape (g, 2^t)
        Where the counts of each sub-itemset are; the last one is the itemset itself.
    truth, decoy : float array, shape (g, t)
        p and (1-p) q of each touched block.
    """

    members: Whole
    counted: Whole
    truth: Array
    decoy: Array

    def taken(self, places: NDArray[np.intp]) -> PlanGroup:
        return PlanGroup(
            members=self.members[places],
            counted=self.counted[places],
            truth=self.truth[places],
            decoy=self.decoy[places],
        )

    @cached_property
    def whole_truth(self) -> Array:
        """Product of p over the touched blocks."""
        product: Array = self.truth.prod(axis=1)
        return product

    def moments(self, protected: Whole) -> tuple[Array, Array]:
        """Sum of N and of N^2 over the protected rows, from the counts of all sub-itemsets.

        N = prod over blocks of ([match] - d), d = (1-p) q, is the score z without its division by the p of
        each block; N^2 = prod of ([match] (1 - 2d) + d^2). Multiplied out, each is a sum over sub-itemsets of
        their counts.
        """
        first = second = np.ones((len(self.members), 1))
        for place in range(self.decoy.shape[1]):
            d = self.decoy[:, place, None]
            first = np.concatenate([first * -d, first], axis=1)
            second = np.concatenate([second * d**2, second * (1 - 2 * d)], axis=1)
        counts = protected[self.counted].astype(np.float64)
        return (first * counts).sum(axis=1), (second * counts).sum(axis=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class BulkPlan:
    """What to count, and how to estimate from it.

    Attributes
    ----------
    requests : ndarray of int64, shape (r, width)
        Columns to count, `bulk.BLANK` where a request names fewer. The first ones name the rows to use: one
        for all itemsets, or one for each where not everybody was asked.
    own_rows : bool
        Whether each itemset has rows of its own.
    n_itemsets : int
    groups : tuple
        The itemsets, by shape.
    """

    requests: Whole
    own_rows: bool
    n_itemsets: int
    groups: tuple[PlanGroup, ...]

    def values(self, counts: Whole, estimator: Estimator) -> Array:
        """Estimate the supports alone.

        Parameters
        ----------
        counts : ndarray of int64, shape (r, 2)
            Of the requests: direct group, protected group.
        estimator : {"stratified", "pooled"}

        Returns
        -------
        ndarray of float64, shape (n_itemsets,)
            As `Estimates.value`; NaN for an itemset with a question that nobody was asked.
        """
        check_estimator(estimator)
        values = np.full(self.n_itemsets, np.nan)
        for group in self.groups:
            values[group.members] = self._sums(group, counts, estimator).value
        return values

    def estimates(self, counts: Whole, estimator: Estimator, which: Whole) -> Estimates:
        """Estimate some of the itemsets with all errors, as `supports.estimates` does one by one.

        Parameters
        ----------
        counts, estimator
            As for `values`.
        which : ndarray of int64
            Positions of itemsets whose questions somebody was asked.
        """
        check_estimator(estimator)
        place = np.full(self.n_itemsets, -1, dtype=np.int64)
        place[which] = np.arange(len(which))
        table = blank_estimates(len(which), estimator)
        for group in self.groups:
            wanted = np.flatnonzero(place[group.members] >= 0)
            if len(wanted):
                some = group.taken(wanted)
                self._sums(some, counts, estimator).fill(table, place[some.members])
        return table

    def _sums(self, group: PlanGroup, counts: Whole, estimator: Estimator) -> Sums:
        rows = counts[group.members] if self.own_rows else counts[np.zeros_like(group.members)]
        numerators, squares = group.moments(counts[:, 1])
        return Sums(
            estimator=estimator,
            n_direct=rows[:, 0],
            n_protected=rows[:, 1],
            matches=counts[group.counted[:, -1]],
            truth=group.whole_truth,
            one_block=group.truth.shape[1] <= 1,
            numerators=numerators,
            squares=squares,
        )
