"""Regression of lying on covariates, with a lie detector's design."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.levels import normal_quantile
from privacy.library.answers import answer_codes, report_index
from privacy.library.designs import YES_NO
from privacy.library.frames import pick
from privacy.library.probabilities import Probability, probability
from privacy.library.shown_tables import Shown, data_frame
from privacy.printed import UNCHECKED, PrintedEstimates, limited_log_odds
from privacy.tables.cell_text import cell_text
from privacy.tables.decisions import Decisions
from privacy.tables.estimation import estimation_frame

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


_MOST_STEPS: Final = 500
_CLOSE: Final = 1e-9
_DIVERGED: Final = 15.0
_FARTHEST: Final = 30.0
"""Difference in log odds for a standard deviation above which a coefficient counts as infinite."""
_NEAR_LAST: Final = 1e-7
_EXACT: Final = 1e-3
"""Precision of an end, in standard errors."""
_LEAST_GAIN: Final = 1e-8
"""Gain of a step in log-likelihood below which a profile counts as found."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LieDetectorRegression(Shown):
    """Coefficients of the property, and the honesty of people who have it.

    Parameters
    ----------
    terms : tuple
        ``constant``, then the predictors.
    coefficients : float array, shape (terms + 1,)
        Coefficients of the terms, then t.
    covariance : float array, shape (terms + 1, terms + 1)
        Inverse of the negative Hessian.
    log_likelihood : float
    n : int
    model : LieDetectorModel
        The likelihood, from which intervals come.
    decisions : Decisions
        What was decided about the texts of the table.
    """

    terms: tuple[Hashable, ...]
    coefficients: Array
    covariance: Array
    log_likelihood: float
    n: int
    model: LieDetectorModel
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def honesty(self) -> float:
        """Estimate of t, the probability that a person with the property says "yes"."""
        return float(self.coefficients[-1])

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return one row per coefficient, honesty last.

        An interval contains the values that the likelihood ratio test does not reject, so it may lack an end.
        Columns are those of `privacy.printed.PrintedEstimates`.

        Parameters
        ----------
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``level``.
        """
        errors = np.sqrt(np.diag(self.covariance))
        drop = normal_quantile(level) ** 2 / 2
        low, high = np.transpose(
            [self.model.interval(self.coefficients, each, error, drop) for each, error in enumerate(errors)]
        )
        unbounded = np.full(len(self.terms), np.inf)
        rows = PrintedEstimates(
            value=self.coefficients,
            standard_error=errors,
            low=low,
            high=high,
            n=self.n,
            effective_n=self.n,
            level=level,
            possible=(np.append(-unbounded, 0), np.append(unbounded, 1)),
            method="likelihood",
            shift=0.0,
            origin=UNCHECKED,
        )
        return data_frame(
            rows.columns("estimate"), index=[*self.terms, "honesty"], name="term", about=rows.about
        )

    def __repr__(self) -> str:
        return f"<lie detector regression on {counted(len(self.terms) - 1, 'predictor')}, n = {self.n:,}>"


def lie_detector_regression(
    frame: Any,
    response: Hashable,
    predictors: Sequence[Hashable],
    *,
    sample: Hashable,
    no: Mapping[Hashable, Probability],
) -> LieDetectorRegression:
    """Regress a property on undisguised numbers if some people who have it deny it.

    Parameters
    ----------
    frame : DataFrame, file, or result of `sottovoce.read_table`
        One row per respondent, read as by `privacy.tables.estimation.estimation_frame`.
    response : hashable
        Column of reports: yes and no, True and False, or 1 and 0.
    predictors : sequence
        Columns of finite numbers; for an interaction, a column of products.
    sample : hashable
        Column that names the sample of each row.
    no : mapping of sample to float or Fraction, in (0, 1)
        Probability that a respondent without the property is asked to say "no"; two samples with different
        probabilities.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``, ``chance``; ``paper``: a sample without a probability, equal probabilities,
        predictors that are not numbers or are collinear, or coefficients that diverge.

    Notes
    -----
    P(yes | x) = t g + (1 - g)(1 - p), g = 1/(1 + exp(-x'b)). The fit uses Fisher scoring, and halves a step
    until it does not reduce the likelihood. Standard errors come from the Hessian, intervals from the profile
    of the likelihood.

    References
    ----------
    Moshagen, Musch and Erdfelder 2012; Heck and Moshagen 2018.

    Examples
    --------
    Without predictors, the result equals the estimate from two counts, 373 of 564 and 398 of 692:

    >>> import pandas
    >>> rows = pandas.DataFrame({"yes": [1] * 373 + [0] * 191 + [1] * 398 + [0] * 294,
    ...                          "sample": [1] * 564 + [2] * 692})
    >>> regression = lie_detector_regression(rows, "yes", [], sample="sample", no={1: 2/12, 2: 10/12})
    >>> round(float(1 / (1 + np.exp(-regression.coefficients[0]))), 6), round(regression.honesty, 6)
    (0.870695, 0.635806)
    """
    predictors = [predictors] if isinstance(predictors, str) else predictors
    probabilities = {cell_text(key): probability(share, f"p of sample {key}") for key, share in no.items()}
    frame, decisions = estimation_frame(
        frame,
        reports={
            response: lambda value: report_index(value, YES_NO) is not None,
            sample: lambda value: cell_text(value) in probabilities,
        },
        kinds=dict.fromkeys(map(str, predictors), "numeric"),
    )
    columns = pick(frame, [response, sample, *predictors])
    reports = answer_codes(columns[0], YES_NO)[1].astype(np.float64)
    p_forced = np.empty(len(reports))
    for position, value in enumerate(columns[1].tolist()):
        if (key := cell_text(value)) not in probabilities:
            raise PrivacyError("paper.sample", value, column=sample, known=", ".join(probabilities))
        p_forced[position] = 1 - probabilities[key]
    if len(set(p_forced.tolist())) < 2:
        raise PrivacyError("paper.equal_samples", 1 - p_forced[0])
    covariates = [np.ones(len(reports))]
    for name, column in zip(predictors, columns[2:], strict=True):
        if getattr(column.dtype, "kind", "") not in "biuf" or not np.isfinite(column.to_numpy(float)).all():
            raise PrivacyError("paper.predictor", name)
        covariates.append(column.to_numpy(float))
    design = np.column_stack(covariates)
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise PrivacyError("paper.collinear", ", ".join(map(str, predictors)))
    model = LieDetectorModel(design=design, reports=reports, forced=p_forced)
    coefficients = model.climb()
    hessian = model.hessian(coefficients)
    if not np.linalg.eigvalsh(-hessian)[0] > _CLOSE:
        raise PrivacyError("paper.loose")
    return LieDetectorRegression(
        terms=("constant", *predictors),
        coefficients=coefficients,
        covariance=np.linalg.inv(-hessian).astype(np.float64, copy=False),
        log_likelihood=model.log_likelihood(coefficients),
        n=len(reports),
        model=model,
        decisions=decisions,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class LieDetectorModel:
    """The model P(yes) = l = d + g (t - d), with d the probability of a forced "yes"; parameters (b, t).

    Parameters
    ----------
    design : float array, shape (rows, terms)
    reports, forced : float array, shape (rows,)
        1 for "yes", and d of each row.
    """

    design: Array
    reports: Array
    forced: Array

    def parts(self, parameters: Array) -> tuple[Array, Array]:
        """Return g and l for each row."""
        g = scipy.special.expit(self.design @ parameters[:-1])
        return g, self.forced + g * (parameters[-1] - self.forced)

    def log_likelihood(self, parameters: Array) -> float:
        """Return the log-likelihood, or minus infinity if t or a row's l is not a valid probability."""
        _, yes = self.parts(parameters)
        if not 0 < parameters[-1] <= 1 or not ((yes > 0) & (yes < 1)).all():
            return -np.inf
        return float((self.reports * np.log(yes) + (1 - self.reports) * np.log1p(-yes)).sum())

    def slopes(self, parameters: Array) -> tuple[Array, Array, Array]:
        """Return l and its gradient for each row, and u = y/l - (1 - y)/(1 - l)."""
        g, yes = self.parts(parameters)
        by_terms = (g * (1 - g) * (parameters[-1] - self.forced))[:, None] * self.design
        return (yes, np.column_stack([by_terms, g]), self.reports / yes - (1 - self.reports) / (1 - yes))

    def hessian(self, parameters: Array) -> Array:
        """Return the second derivatives of the log-likelihood."""
        g, _ = self.parts(parameters)
        yes, slope, u = self.slopes(parameters)
        bend = self.reports / yes**2 + (1 - self.reports) / (1 - yes) ** 2
        hessian = -(slope * bend[:, None]).T @ slope
        curve = u * g * (1 - g) * (1 - 2 * g) * (parameters[-1] - self.forced)
        hessian[:-1, :-1] += (self.design * curve[:, None]).T @ self.design
        cross = self.design.T @ (u * g * (1 - g))
        hessian[:-1, -1] += cross
        hessian[-1, :-1] += cross
        return hessian

    def interval(self, best: Array, position: int, error: float, drop: float) -> tuple[float, float]:
        """Return the values of one parameter at which the largest log-likelihood is at most `drop` smaller.

        Parameters
        ----------
        best : float array, shape (terms + 1,)
            The most likely parameters.
        position : int
        error : float
            Standard error of the parameter: where the search begins.
        drop : float
            Half of the squared normal quantile.

        Notes
        -----
        A coefficient that may change the log odds by 30 for one standard deviation of its column has no end.
        It has neither end if the odds ratio may be both less than 1 in 3 million and more than 3 million.
        The honesty t is between 0 and 1.
        """
        highest = self.log_likelihood(best)
        is_honesty = position == len(best) - 1
        column = None if is_honesty else self.design[:, position]
        spread = 1.0 if column is None else float(np.std(column) or np.abs(column).max())

        def end(side: int) -> float:
            last = (0.0 if side < 0 else 1.0) if is_honesty else side * _FARTHEST / spread
            without = last if is_honesty else side * math.inf
            start = best

            def excess(value: float) -> float:
                nonlocal start
                # The likelihood is not concave, so the search begins at two places.
                found = [self.profile(each, position, value) for each in (best, start)]
                likelihood, start = max(found, key=lambda own: own[0])
                return highest - likelihood - drop

            inner, step = float(best[position]), 2 * error
            while True:
                outer = inner + side * step
                is_last = side * (last - outer) <= 0
                outer = last - side * _NEAR_LAST if is_last else outer
                if excess(outer) > 0:
                    while abs(outer - inner) > _EXACT * error:
                        middle = (inner + outer) / 2
                        inner, outer = (inner, middle) if excess(middle) > 0 else (middle, outer)
                    return (inner + outer) / 2
                if is_last:
                    return without
                inner = outer

        low, high = end(-1), end(1)
        return (low, high) if is_honesty else limited_log_odds(low, high)

    def profile(self, start: Array, position: int, value: float) -> tuple[float, Array]:
        """Return the largest log-likelihood with one parameter fixed, and the parameters there.

        Parameters
        ----------
        start : float array, shape (terms + 1,)
        position : int
        value : float
        """
        parameters = start.copy()
        parameters[position] = value
        likelihood, last = self.log_likelihood(parameters), len(start) - 1
        for _ in range(_MOST_STEPS):
            yes, slope, u = self.slopes(parameters)
            score = slope.T @ u
            free = np.arange(len(start)) != position
            # A person cannot be more than honest.
            free[last] &= not (parameters[last] >= 1 and score[last] > 0)
            information = (slope / (yes * (1 - yes))[:, None]).T @ slope
            step = np.zeros(len(start))
            step[free] = np.linalg.lstsq(information[np.ix_(free, free)], score[free], rcond=None)[0]
            while True:
                tried = parameters + step
                tried[last] = min(tried[last], 1.0)
                likelihood_tried = self.log_likelihood(tried)
                if likelihood_tried >= likelihood or np.abs(step).max() <= _CLOSE:
                    break
                step = step / 2
            gain = likelihood_tried - likelihood
            if gain > 0:
                parameters, likelihood = tried, likelihood_tried
            # Coefficients may grow without end; their likelihood hardly changes from then on.
            if not gain > _LEAST_GAIN:
                break
        return likelihood, parameters

    def climb(self) -> Array:
        """Return the most likely parameters."""
        parameters = np.zeros(self.design.shape[1] + 1)
        parameters[0], parameters[-1] = 1.0, (1 + float(self.reports.mean())) / 2
        likelihood = self.log_likelihood(parameters)
        for _ in range(_MOST_STEPS):
            yes, slope, u = self.slopes(parameters)
            score = slope.T @ u
            information = (slope / (yes * (1 - yes))[:, None]).T @ slope
            step = np.linalg.lstsq(information, score, rcond=None)[0]
            while (trial := self.log_likelihood(parameters + step)) < likelihood and np.abs(
                step
            ).max() > _CLOSE:
                step = step / 2
            if trial >= likelihood:
                parameters, likelihood = parameters + step, trial
            if np.abs(self.design @ parameters[:-1]).max() > _DIVERGED * 4 or abs(parameters[0]) > _DIVERGED:
                raise PrivacyError("paper.grows")
            if np.abs(step).max() <= _CLOSE:
                return parameters
        raise PrivacyError("paper.steps", _MOST_STEPS)
