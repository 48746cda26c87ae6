"""Linear regression of a number, from unbiased scores of disguised answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.shares import Figure


@dataclass(frozen=True, kw_only=True, eq=False)
class NumberScores:
    """Unbiased scores of a number, one of each for each row.

    Parameters
    ----------
    total : ndarray of float64, shape (rows,)
        Score of the number times "answered", in the unit of the number.
    answered : ndarray of float64, shape (rows,)
        Score of "answered"; 1 if the question cannot be skipped.
    """

    total: Array
    answered: Array

    @property
    def may_be_skipped(self) -> bool:
        """Whether `answered` is not always 1."""
        return bool((self.answered != 1).any())


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearFit:
    """Coefficients of a linear regression of a number on predictors.

    Parameters
    ----------
    terms : sequence of str
        Names of the coefficients.
    designs : ndarray of float64, shape (rows, answers, coefficients)
        Predictors of each row, for each possible answer to a disguised predictor. One answer if there is
        none.
    chances : ndarray of float64, shape (rows, answers)
        Unbiased score of each of these answers; all 1 if no predictor is disguised.
    number : NumberScores
        Scores of the response. Its disguise must be independent of the predictor's.
    mass : ndarray of float64, shape (rows,)
        Weights.
    units : SamplingUnits, optional
        None if rows are independent.

    Raises
    ------
    PrivacyError
        ``regression``: fewer rows than coefficients, or no information about some of them.

    Notes
    -----
    With weights w, scores s_g of the answers g to the predictor, predictors x_g, scores a of "answered" and u
    of the number times "answered", the coefficients solve

        sum_i w_i sum_g s_ig x_ig (u_i - a_i x_ig' b) = 0.

    All disguises draw their own coins, so each product of scores is unbiased for that of the true values, and
    the sum for the normal equations of those who answered. Least squares on the scores alone would count a
    skip as a number: with skips, its slopes are too small.

    A combination c'b solves sum_i l'psi_i(b) = 0 with l = M^-1 c, where psi are the terms of the sum above
    and M their matrix, since l'M = c'. Along b + v (t - c'b) with v = M^-1 c / (c'M^-1 c) all other equations
    stay solved, so the combination is a ratio of means, constant + slope t, and its interval is that of any
    ratio here: by empirical likelihood. The term of row i has the weight g_i = w_i |l'x_i| in it. With
    h = g / sum g, residuals are divided by 1 - h and the quantile is that of t, as for rows with unequal
    weights: see `privacy.estimation.cluster_count.ClusterCount`.

    References
    ----------
    Fuller 1987 (moments of predictors with error); Owen 2001, chapter 4; MacKinnon and White 1985;
    Satterthwaite 1946.

    Examples
    --------
    Without disguise it is least squares: means 2 and 5, so the difference is 3.

    >>> fit = LinearFit(
    ...     terms=["Intercept", "group"],
    ...     designs=np.array([[[1, 0]], [[1, 0]], [[1, 1]], [[1, 1]]], dtype=float), chances=np.ones((4, 1)),
    ...     number=NumberScores(total=np.array([1.0, 3.0, 4.0, 6.0]), answered=np.ones(4)), mass=np.ones(4))
    >>> fit.coefficients.round(9).tolist()
    [2.0, 3.0]
    """

    terms: Sequence[str]
    designs: Array
    chances: Array
    number: NumberScores
    mass: Array
    units: SamplingUnits | None = None

    def __post_init__(self) -> None:
        rows, _, coefficients = self.designs.shape
        if rows < coefficients:
            raise PrivacyError("regression.fewer_rows", rows, number=coefficients)
        # Products of scores are unbiased, but their sum need not be positive definite.
        scale = np.sqrt(np.abs(np.diag(self._matrix)))
        if (
            not scale.all()
            or np.linalg.eigvalsh(self._matrix / np.outer(scale, scale))[0] <= _LEAST_EIGENVALUE
        ):
            raise PrivacyError("regression.no_information", ", ".join(self.terms))

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.mass)

    @cached_property
    def effective_n(self) -> float:
        """Number of rows of equal weight that would be as precise: (sum w)^2 / sum w^2."""
        return float(self.mass.sum() ** 2 / (self.mass @ self.mass))

    @cached_property
    def _matrix(self) -> Array:
        weights = self.chances * (self.mass * self.number.answered)[:, None]
        matrix: Array = np.einsum("ig,igj,igk->jk", weights, self.designs, self.designs, optimize=True)
        return matrix

    @cached_property
    def coefficients(self) -> Array:
        """The coefficients, shape (coefficients,)."""
        weights = self.chances * (self.mass * self.number.total)[:, None]
        sums = np.einsum("ig,igj->j", weights, self.designs, optimize=True)
        solution: Array = np.linalg.solve(self._matrix, sums)
        return solution

    def combination(self, factors: Array, name: str) -> Figure:
        """Return a linear combination of the coefficients, with its interval.

        Parameters
        ----------
        factors : ndarray of float64, shape (coefficients,)
        name : str
        """
        inverse = np.linalg.solve(self._matrix, factors)
        direction = inverse / (factors @ inverse)
        value = float(factors @ self.coefficients)
        by_answer = self.designs @ inverse
        weights = self.mass[:, None] * self.chances * by_answer
        rest = self.designs @ (self.coefficients - direction * value)
        answered = self.number.answered[:, None]
        constant = (weights * (self.number.total[:, None] - answered * rest)).sum(axis=1)
        slope = -(weights * answered * (self.designs @ direction)).sum(axis=1)
        pull = np.abs(weights).sum(axis=1)
        clusters = ClusterCount.of(pull)
        if self.units is not None:
            (constant, slope), clusters = self.units.sums(np.stack([constant, slope]), pull)
        return Figure(
            name=name,
            design="disguised reports",
            value=value,
            counts=np.ones(len(constant), dtype=np.int64),
            constant=constant,
            slope=slope,
            possible=(-np.inf, np.inf),
            clipped=True,
            smallest_cell=self.n,
            n=self.n,
            effective_n=self.effective_n,
            clusters=clusters,
        )

    def figures(self) -> list[Figure]:
        """Return each coefficient with its interval."""
        rows = np.eye(len(self.terms))
        return [self.combination(row, str(term)) for row, term in zip(rows, self.terms, strict=True)]


def p_value(figure: Figure) -> float:
    """Return the two-sided p-value of "the value is 0", by empirical likelihood and t.

    Parameters
    ----------
    figure : Figure
        A combination of coefficients.
    """
    ratio = float(likelihood_ratio(figure.counts, figure.constant))
    if figure.clusters is None:
        return float(scipy.special.chdtrc(1, ratio))
    return figure.clusters.p_value(ratio, figure.constant)


def largest_pull(figure: Figure) -> float:
    """Return the largest share of a coefficient's information that one row, or one cluster, holds.

    Parameters
    ----------
    figure : Figure
        A combination of coefficients.

    Notes
    -----
    With the weights g of rows (see `LinearFit`), the largest g^2 / sum g^2. A row that holds much of it can
    make the interval miss its level, because its error is not averaged with others.
    """
    shares = np.ones(1) if figure.clusters is None else figure.clusters.shares
    return float((shares**2).max() / (shares @ shares))


_LEAST_EIGENVALUE: Final = 1e-9
"""Smallest eigenvalue, relative to the scales of the predictors, for which the equations have a solution."""
