"""A fitted logistic regression: coefficients and their covariance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.effective_rows import few_effective_text
from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.sampling_units import SamplingUnits
from privacy.policy import (
    LEAST_EFFECTIVE_ROWS,
    LEAST_EVENTS_PER_COEFFICIENT,
    MOST_ROW_INFORMATION,
    SURE_CLUSTERS,
)
from privacy.printed import UNCHECKED, Measured, limited_log_odds
from privacy.regression.corrected_score import CorrectedLogit, Derivatives, Name, inverse
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.score_intervals import ScoreTest


@dataclass(frozen=True, kw_only=True)
class Coefficient(Measured):
    """One row of a regression table: a difference in log odds with its interval.

    Parameters
    ----------
    equation, term : str
    near_no_end : bool
        Whether an end of the interval exists only because the answers came out well, see
        `privacy.regression.score_intervals.ScoreTest.is_near_no_end`.
    """

    standard_error: float
    equation: str
    term: str
    near_no_end: bool

    @property
    def shown_because_estimable(self) -> bool:
        """Whether it has a point, but its interval has both ends only because answers came out well."""
        return self.basis == "estimate" and self.near_no_end

    @property
    def odds_ratio(self) -> Measured:
        """The exponential of the coefficient and of the ends of its interval.

        It is NaN if the log odds lack an end: then one of the two odds may be 0.
        """
        return Measured(
            value=float(exponential(self.point)),
            low=float(exponential(self.low)),
            high=float(exponential(self.high)),
            standard_error=None,
            estimable=self.estimable,
            n=self.n,
            effective_n=self.effective_n,
            level=self.level,
            possible=(0.0, math.inf),
            method=self.method,
            # Rows that move the coefficient by this much raise the ratio more than they lower it.
            shift=None
            if self.shift is None
            else float(exponential(self.point + self.shift) - exponential(self.point)),
            origin=self.origin,
        )


def exponential(log_odds: npt.ArrayLike) -> Array:
    """Return odds, which are infinite if log odds are too large for a number.

    Parameters
    ----------
    log_odds : array_like of float

    Examples
    --------
    >>> exponential([0.0, 1000.0]).tolist()
    [1.0, inf]
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(log_odds))


@dataclass(frozen=True, kw_only=True, eq=False)
class FittedLogit:
    """Coefficients of a logistic regression, with their errors.

    Parameters
    ----------
    names : tuple of (str, str)
        Equation ("response", "predictor", "skipped", "predictor skipped") and term of each coefficient.
    answers : LatentAnswers
        The latent answers in the model; they exclude skips if too few people skip.
    model : CorrectedLogit
    coefficients : float array
    at : Derivatives
        Derivatives at the coefficients.
    events : float
        Expected number of events or failures of the response, whichever is smaller, after the loss of
        information due to the disguise.
    clusters : ClusterCount, optional
        Set if errors are cluster-robust.
    units : SamplingUnits, optional
        The sampling unit of each cell, with `clusters`.
    """

    names: tuple[Name, ...]
    answers: LatentAnswers
    model: CorrectedLogit
    coefficients: Array
    at: Derivatives
    events: float = np.inf
    clusters: ClusterCount | None = None
    units: SamplingUnits | None = None

    @property
    def few_events(self) -> bool:
        """Whether fewer than ten events are expected for each coefficient of the response."""
        return round(self.events, 6) < LEAST_EVENTS_PER_COEFFICIENT * len(self.of("response"))

    @cached_property
    def score_test(self) -> ScoreTest:
        """The test whose inversion gives all intervals and p-values."""
        return ScoreTest(model=self.model, coefficients=self.coefficients, units=self.units)

    @property
    def n(self) -> float:
        """Sum of the weights; without weights, the number of rows."""
        return float(self.model.counts.sum())

    @property
    def effective_n(self) -> float:
        """Number of rows of equal weight that would be as precise: (sum w)^2 / sum w^2."""
        return float(self.model.counts.sum() ** 2 / self.model.squares.sum())

    @property
    def largest_row(self) -> Array:
        """Largest share of each coefficient's information that one row holds, shape (coefficients,).

        Notes
        -----
        With H the Hessian and x a row's terms, its information about coefficient j is
        w g (1 - g) ((H^-1 x)_j)^2, up to a factor. For a disguised predictor it is the mean over its answers.
        """
        g = scipy.special.expit(self.model.logits(self.coefficients))
        each = ((g * (1 - g))[..., None] * (self.model.designs @ self.bread) ** 2).mean(axis=1)
        weights, squares = self.model.counts.sum(axis=1), self.model.squares.sum(axis=1)
        largest: Array = (each * (squares / weights)[:, None]).max(axis=0) / (weights @ each)
        return largest

    def labels(self, n: int) -> str:
        """Return warnings about the fit, each after a line break.

        Parameters
        ----------
        n : int
            Number of rows.
        """
        lines = ["few events: intervals may miss their level"] if self.few_events else []
        lines += [label] if (label := few_effective_text(n, self.effective_n)) else []
        for (_, term), share in zip(self.names, self.largest_row, strict=True):
            if share > MOST_ROW_INFORMATION:
                lines.append(
                    f"one row: {share:.0%} of what is known about {term}; its interval may miss its level"
                )
        if self.clusters is not None and self.clusters.effective < SURE_CLUSTERS:
            lines.append(f"few clusters: as many as {self.clusters.effective:.1f} of one size")
        return "".join(f"\n{line}" for line in lines)

    @property
    def bread(self) -> Array:
        """Inverse of the negative Hessian."""
        return inverse(-self.at.hessian)

    def covariance(self) -> Array:
        """Return the robust covariance of the coefficients.

        It is H^-1 B H^-1, with H the Hessian and B the sum of the outer products of the scores.
        """
        return self.bread @ self.at.outer @ self.bread

    def standard_errors(self) -> Array:
        """Return the standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance()))

    def interval(self, factors: Array, level: float) -> tuple[float, float]:
        """Return the interval of a linear combination of the coefficients.

        It has no ends if the odds ratio may be both less than 1 in 3 million and more than 3 million, for
        example because one unit of a column is many times the range of its values.

        Parameters
        ----------
        factors : float array, shape (coefficients,)
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``level``.
        """
        error = float(np.sqrt(factors @ self.covariance() @ factors))
        return limited_log_odds(*self.score_test.interval(self.score_test.coefficient(factors), error, level))

    def is_near_no_end(self, factors: Array) -> bool:
        """Return whether an end of a linear combination's interval exists only because answers came out well.

        Parameters
        ----------
        factors : float array, shape (coefficients,)
        """
        return self.score_test.is_near_no_end(self.score_test.coefficient(factors))

    def p_value(self, factors: Array) -> float:
        """Return the two-sided p-value of "this linear combination of the coefficients is 0".

        Parameters
        ----------
        factors : float array, shape (coefficients,)
        """
        return self.score_test.p_value(self.score_test.coefficient(factors), 0.0)

    def of(self, equation: str) -> NDArray[np.intp]:
        """Return the positions of an equation's coefficients."""
        return np.flatnonzero([name[0] == equation for name in self.names])

    def table(self, level: float = 0.95) -> list[Coefficient]:
        """Return the coefficients with errors and intervals.

        Raises
        ------
        PrivacyError
            ``level``.
        """
        errors, n = self.standard_errors().tolist(), round(self.n)
        each = np.eye(len(errors))
        ends = [self.interval(factors, level) for factors in each]
        near = [self.is_near_no_end(factors) for factors in each]
        figures = zip(self.names, self.coefficients.tolist(), errors, ends, near, strict=True)
        return [
            Coefficient(
                equation=equation,
                term=term,
                near_no_end=near,
                value=value,
                standard_error=error,
                low=low,
                high=high,
                estimable=self.effective_n >= LEAST_EFFECTIVE_ROWS,
                n=n,
                effective_n=self.effective_n,
                level=level,
                possible=(-math.inf, math.inf),
                method="regression",
                shift=None,
                origin=UNCHECKED,
            )
            for (equation, term), value, error, (low, high), near in figures
        ]
