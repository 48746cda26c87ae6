"""Estimates and variances from the sums of scores and of their squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.reconstruct.estimates import Estimates
from privacy.reconstruct.scores import Estimator

__all__ = ["Sums"]

Array: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """Sums over rows, and what follows from them; with the formulas of `scores.Scores` multiplied out.

    Attributes
    ----------
    n_direct, n_protected : int array, shape (g,)
    matches : int array, shape (g, 2)
        Rows that show the whole itemset: direct group, protected group.
    truth : float array, shape (g,)
        Product of the touched blocks' p.
    one_block : bool
        Whether no more than one block is touched.
    scores, squares : float array, shape (g,)
        Sum of z and of z^2 over the protected rows. A direct row's score is 0 or 1.
    """

    estimator: Estimator
    n_direct: Whole
    n_protected: Whole
    matches: Whole
    truth: Array
    one_block: bool
    scores: Array
    squares: Array

    @cached_property
    def n(self) -> Whole:
        """Rows, shape (g,)."""
        return self.n_direct + self.n_protected

    @cached_property
    def direct_share(self) -> Array:
        """k = n0/n, NaN without rows."""
        return _ratio(self.n_direct, self.n)

    @cached_property
    def scale(self) -> Array:
        """a = k + (1-k) prod(p); 1 for stratified."""
        k = self.direct_share
        return k + (1 - k) * self.truth if self.estimator == "pooled" else np.ones(len(k))

    @cached_property
    def weight(self) -> Array:
        """Weight of a protected row, times a."""
        return self.truth if self.estimator == "pooled" else np.ones(len(self.truth))

    @cached_property
    def value(self) -> Array:
        """Estimates P, NaN without rows."""
        return _ratio(self.matches[:, 0] + self.weight * self.scores, self.scale * self.n)

    @property
    def population_variance(self) -> Array:
        """Variances of P, rows an iid sample of the population."""
        squares = self.matches[:, 0] + self.weight**2 * self.squares
        if self.estimator == "stratified":
            centre = self.value**2 * self.n
        else:
            # Within each group about its own mean.
            centre = np.nan_to_num(_ratio(self.matches[:, 0] ** 2, self.n_direct))
            centre += np.nan_to_num(_ratio((self.weight * self.scores) ** 2, self.n_protected))
        return (squares - centre) / (self.scale * self.n) ** 2

    @property
    def respondents_variance(self) -> Array:
        """Variances of P about these respondents, with the substitute of `Scores` where negative."""
        factor = (self.weight / (self.scale * self.n)) ** 2
        own = factor * (self.squares - self.scores)
        if self.estimator == "pooled":
            k, tilt = self.direct_share, (1 - self.truth) / self.scale
            own += k * (1 - k) * tilt**2 * (self.value - self.value**2) / self.n
        return np.where(own < 0, factor * self.squares, own)

    def fill(self, table: Estimates, places: Whole) -> None:
        """Write the estimates into a table."""
        share = _ratio(self.matches.sum(axis=1), self.n)
        table.value[places] = self.value
        # Where all rows say the same, rounding may leave a variance a little below 0.
        table.standard_error[places] = np.sqrt(np.maximum(self.population_variance, 0))
        table.standard_error_respondents[places] = np.sqrt(self.respondents_variance)
        table.n[places] = self.n
        table.n_direct[places] = self.n_direct
        table.n_protected[places] = self.n_protected
        table.observed_share[places] = share
        table.direct[places] = _ratio(self.matches[:, 0], self.n_direct)
        table.protected[places] = _ratio(self.scores, self.n_protected)
        if self.estimator == "pooled" and self.one_block:
            table.standard_error_eq6[places] = np.sqrt(share * (1 - share) / self.n) / self.scale


def _ratio(above: Array | Whole, below: Array | Whole) -> Array:
    """Quotients; NaN where divided by 0."""
    quotients: Array = np.divide(above, below, out=np.full(len(below), np.nan), where=below != 0)
    return quotients
