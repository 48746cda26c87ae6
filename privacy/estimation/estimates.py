"""What is said about a support: the estimate, its errors, and what each group says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.estimation.lattice import FIRST
from privacy.estimation.scores import Estimator, Scores

__all__ = ["Estimate", "Estimates", "blank_estimates", "summarise"]

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """The estimated support of one itemset, with its errors.

    Parameters
    ----------
    estimator : {"stratified", "pooled"}
    value : float
        Share of all asked who have the itemset; may lie outside [0, 1].
    standard_error : float
        Of `value` as an estimate for the *population*: rows an iid sample, group size random.
    standard_error_respondents : float
        Of `value` as an estimate of the true share among *these respondents*: the disguise alone.
    n, n_direct, n_protected : int
        Rows used, and rows of each group.
    observed_share : float
        Share of received rows that match, in both groups together.
    direct : float or None
        P0, the share in the direct group; None without direct rows.
    protected : float or None
        P1, the estimate from the protected group; None without protected rows and where p = 0.
    standard_error_eq6 : float or None
        The source's equation 6, for comparison: sqrt(P*(1-P*)/n)/a. It takes k as known and is too
        large. None for the stratified estimate and for itemsets of several protected blocks.
    """

    estimator: Estimator
    value: float
    standard_error: float
    standard_error_respondents: float
    n: int
    n_direct: int
    n_protected: int
    observed_share: float
    direct: float | None
    protected: float | None
    standard_error_eq6: float | None

    @property
    def direct_share(self) -> float:
        """Share of direct rows, k = n0/n."""
        return self.n_direct / self.n


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimates:
    """Estimates of many itemsets as arrays of one length; item `i` is the `Estimate` of itemset `i`.

    Parameters are those of `Estimate`, as arrays, with NaN for None.
    """

    estimator: Estimator
    value: Array
    standard_error: Array
    standard_error_respondents: Array
    n: NDArray[np.int64]
    n_direct: NDArray[np.int64]
    n_protected: NDArray[np.int64]
    observed_share: Array
    direct: Array
    protected: Array
    standard_error_eq6: Array

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, position: int) -> Estimate:
        return Estimate(
            estimator=self.estimator,
            value=float(self.value[position]),
            standard_error=float(self.standard_error[position]),
            standard_error_respondents=float(self.standard_error_respondents[position]),
            n=int(self.n[position]),
            n_direct=int(self.n_direct[position]),
            n_protected=int(self.n_protected[position]),
            observed_share=float(self.observed_share[position]),
            direct=_present(self.direct[position]),
            protected=_present(self.protected[position]),
            standard_error_eq6=_present(self.standard_error_eq6[position]),
        )


def _present(number: np.float64) -> float | None:
    return None if np.isnan(number) else float(number)


def blank_estimates(size: int, estimator: Estimator) -> Estimates:
    """Return arrays to be filled."""
    real, whole = np.full((7, size), np.nan), np.zeros((3, size), dtype=np.int64)
    return Estimates(
        estimator=estimator,
        value=real[0],
        standard_error=real[1],
        standard_error_respondents=real[2],
        n=whole[0],
        n_direct=whole[1],
        n_protected=whole[2],
        observed_share=real[3],
        direct=real[4],
        protected=real[5],
        standard_error_eq6=real[6],
    )


def summarise(scores: Scores) -> Estimates:
    """Return what the scores say about the first itemset of each pair, the second being empty."""
    part, n = scores.cells, scores.n
    share = ((part.direct * part.direct_match[FIRST]).sum(axis=1) + part.protected[:, -1]) / n
    error_eq6 = np.full(len(n), np.nan)
    if scores.estimator == "pooled" and part.n_blocks <= 1:
        error_eq6 = np.sqrt(share * (1 - share) / n) / scores.scale[FIRST]
    return Estimates(
        estimator=scores.estimator,
        value=scores.value[FIRST],
        standard_error=np.sqrt(scores.population_covariance[FIRST, FIRST]),
        standard_error_respondents=np.sqrt(scores.respondents_variance[FIRST]),
        n=n,
        n_direct=part.n_direct,
        n_protected=part.n_protected,
        observed_share=share,
        direct=scores.value_direct[FIRST],
        protected=scores.value_protected[FIRST],
        standard_error_eq6=error_eq6,
    )
