"""Logistic regression of a property that some of those who have it deny (stochastic lie detector)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.designs import YES_NO, Chance
from privacy.library.frames import Tabled, answer_codes, data_frame, pick
from privacy.library.study import chance

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


_MOST_STEPS: Final = 500
_CLOSE: Final = 1e-9
_GROWN: Final = 15.0


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LieDetectorRegression(Tabled):
    """Coefficients of the property, and the honesty of those who have it.

    Parameters
    ----------
    terms : tuple
        ``constant``, then the predictors.
    coefficients : float array, shape (terms + 1,)
        Those of the terms, then t.
    covariance : float array, shape (terms + 1, terms + 1)
        The inverse of the negative second derivatives.
    log_likelihood : float
    n : int
    """

    terms: tuple[Hashable, ...]
    coefficients: Array
    covariance: Array
    log_likelihood: float
    n: int

    @property
    def honesty(self) -> float:
        """The estimate of t: the probability that a person with the property says "yes"."""
        return float(self.coefficients[-1])

    def to_frame(self) -> DataFrame:
        """Return a row per coefficient, the honesty last: estimate, standard_error."""
        columns = {"estimate": self.coefficients, "standard_error": np.sqrt(np.diag(self.covariance))}
        return data_frame(columns, index=[*self.terms, "honesty"], name="term")

    def __repr__(self) -> str:
        return f"<lie detector regression on {len(self.terms) - 1} predictors, n = {self.n:,}>"


def lie_detector_regression(
    frame: DataFrame,
    response: Hashable,
    predictors: Sequence[Hashable],
    *,
    sample: Hashable,
    no: Mapping[Hashable, Chance],
) -> LieDetectorRegression:
    """Regress a property on undisguised numbers, with liars among those who have it.

    Parameters
    ----------
    frame : DataFrame
        One row per respondent.
    response : hashable
        Column of reports: yes and no, True and False, or 1 and 0.
    predictors : sequence
        Columns of finite numbers; for an interaction their product.
    sample : hashable
        Column that says which sample a row is of.
    no : mapping of sample to float or Fraction, in (0, 1)
        Probability that a respondent without the property is asked to say "no"; two samples with different
        probabilities.

    Raises
    ------
    PrivacyError
        ``frame``, ``answers``, ``chance``; ``paper``: a sample without a probability, equal probabilities,
        predictors that are not numbers or follow from each other, coefficients that grow without end.

    Notes
    -----
    P(yes | x) = t g + (1 - g)(1 - p), g = 1/(1 + exp(-x'b)). Fisher's steps from the estimate without
    predictors, halved until the likelihood does not fall; errors from the second derivatives.

    References
    ----------
    Moshagen, Musch and Erdfelder 2012; Heck and Moshagen 2018.

    Examples
    --------
    Without predictors it is the estimate from two counts, 373 of 564 and 398 of 692:

    >>> import pandas
    >>> rows = pandas.DataFrame({"yes": [1] * 373 + [0] * 191 + [1] * 398 + [0] * 294,
    ...                          "sample": [1] * 564 + [2] * 692})
    >>> regression = lie_detector_regression(rows, "yes", [], sample="sample", no={1: 2/12, 2: 10/12})
    >>> round(float(1 / (1 + np.exp(-regression.coefficients[0]))), 6), round(regression.honesty, 6)
    (0.870695, 0.635806)
    """
    columns = pick(frame, [response, sample, *predictors])
    reports = answer_codes(columns[0], YES_NO)[1].astype(np.float64)
    chances = {key: chance(share, f"p of sample {key}") for key, share in no.items()}
    forced = np.empty(len(reports))
    for position, key in enumerate(columns[1].tolist()):
        if key not in chances:
            raise PrivacyError("paper.sample", key, column=sample, known=", ".join(map(str, chances)))
        forced[position] = 1 - chances[key]
    if len(set(forced.tolist())) < 2:
        raise PrivacyError("paper.equal_samples", 1 - forced[0])
    covariates = [np.ones(len(reports))]
    for name, column in zip(predictors, columns[2:], strict=True):
        if getattr(column.dtype, "kind", "") not in "biuf" or not np.isfinite(column.to_numpy(float)).all():
            raise PrivacyError("paper.predictor", name)
        covariates.append(column.to_numpy(float))
    design = np.column_stack(covariates)
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise PrivacyError("paper.collinear", ", ".join(map(str, predictors)))
    model = _Model(design=design, reports=reports, forced=forced)
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
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Model:
    """The likelihood l = d + g (t - d), d the probability that "yes" is forced; parameters b, then t."""

    design: Array
    reports: Array
    forced: Array

    def parts(self, at: Array) -> tuple[Array, Array]:
        """Return g and l of each row."""
        g = scipy.special.expit(self.design @ at[:-1])
        return g, self.forced + g * (at[-1] - self.forced)

    def log_likelihood(self, at: Array) -> float:
        """Return it, or minus infinity if t is outside [0, 1]."""
        _, yes = self.parts(at)
        if not 0 < at[-1] <= 1 or not ((yes > 0) & (yes < 1)).all():
            return -np.inf
        return float((self.reports * np.log(yes) + (1 - self.reports) * np.log1p(-yes)).sum())

    def slopes(self, at: Array) -> tuple[Array, Array, Array]:
        """Return l, its gradient by row, and u = y/l - (1 - y)/(1 - l)."""
        g, yes = self.parts(at)
        by_terms = (g * (1 - g) * (at[-1] - self.forced))[:, None] * self.design
        return (
            yes,
            np.column_stack([by_terms, g]),
            self.reports / yes - (1 - self.reports) / (1 - yes),
        )

    def hessian(self, at: Array) -> Array:
        """Return the second derivatives of the log-likelihood."""
        g, _ = self.parts(at)
        yes, slope, u = self.slopes(at)
        bend = self.reports / yes**2 + (1 - self.reports) / (1 - yes) ** 2
        hessian = -(slope * bend[:, None]).T @ slope
        curve = u * g * (1 - g) * (1 - 2 * g) * (at[-1] - self.forced)
        hessian[:-1, :-1] += (self.design * curve[:, None]).T @ self.design
        cross = self.design.T @ (u * g * (1 - g))
        hessian[:-1, -1] += cross
        hessian[-1, :-1] += cross
        return hessian

    def climb(self) -> Array:
        """Return the most likely parameters."""
        at = np.zeros(self.design.shape[1] + 1)
        at[0], at[-1] = 1.0, (1 + float(self.reports.mean())) / 2
        likelihood = self.log_likelihood(at)
        for _ in range(_MOST_STEPS):
            yes, slope, u = self.slopes(at)
            score = slope.T @ u
            information = (slope / (yes * (1 - yes))[:, None]).T @ slope
            step = np.linalg.lstsq(information, score, rcond=None)[0]
            while (tried := self.log_likelihood(at + step)) < likelihood and np.abs(step).max() > _CLOSE:
                step = step / 2
            if tried >= likelihood:
                at, likelihood = at + step, tried
            if np.abs(self.design @ at[:-1]).max() > _GROWN * 4 or abs(at[0]) > _GROWN:
                raise PrivacyError("paper.grows")
            if np.abs(step).max() <= _CLOSE:
                return at
        raise PrivacyError("paper.steps", _MOST_STEPS)
