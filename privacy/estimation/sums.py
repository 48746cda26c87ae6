"""Estimates and variances from sums over rows of scores and of their squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.estimates import Estimates
from privacy.estimation.scores import Estimator, check_information

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
    numerators, squares : float array, shape (g,)
        Sums over the protected rows of N and N^2, N = prod over touched blocks of ([match] - (1-p) q). The
        score of such a row is z = N / prod(p), that of a direct row 0 or 1.

    Raises
    ------
    PrivacyError
        ``truth_probability``: p = 0, and the estimator cannot do without it.
    """

    estimator: Estimator
    n_direct: Whole
    n_protected: Whole
    matches: Whole
    truth: Array
    one_block: bool
    numerators: Array
    squares: Array

    def __post_init__(self) -> None:
        check_information(self.truth == 0, self.n_direct, self.n_protected, self.estimator)

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
        """a = k + (1-k) prod(p); 1 for stratified. A direct row's weighted score is [match]/a."""
        k = self.direct_share
        return k + (1 - k) * self.truth if self.estimator == "pooled" else np.ones(len(k))

    @cached_property
    def divisor(self) -> Array:
        """A protected row's weighted score is N by this: prod(p), or a for pooled."""
        return self.scale if self.estimator == "pooled" else np.where(self.truth == 0, 1.0, self.truth)

    @cached_property
    def value(self) -> Array:
        """Estimates P, NaN without rows."""
        return _ratio(self.matches[:, 0] / self.scale + self.numerators / self.divisor, self.n)

    @property
    def population_variance(self) -> Array:
        """Variances of P, rows an iid sample of the population."""
        direct, protected = self.matches[:, 0] / self.scale, self.numerators / self.divisor
        if self.estimator == "stratified":
            centre = (direct + protected) * self.value
        else:
            # Within each group about its own mean.
            centre = np.nan_to_num(_ratio(direct**2, self.n_direct))
            centre += np.nan_to_num(_ratio(protected**2, self.n_protected))
        return (direct / self.scale + self.squares / self.divisor**2 - centre) / self.n**2

    @property
    def respondents_variance(self) -> Array:
        """Variances of P about these respondents, with the substitute of `Scores` where negative."""
        factor = 1 / (self.divisor * self.n) ** 2
        own = factor * (self.squares - self.truth * self.numerators)
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
        table.protected[places] = _ratio(self.numerators, self.n_protected * self.truth)
        if self.estimator == "pooled" and self.one_block:
            table.standard_error_eq6[places] = np.sqrt(share * (1 - share) / self.n) / self.scale


def _ratio(above: Array | Whole, below: Array | Whole) -> Array:
    """Quotients; NaN where divided by 0."""
    quotients: Array = np.divide(above, below, out=np.full(len(below), np.nan), where=below != 0)
    return quotients
