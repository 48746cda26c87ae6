"""A logistic regression's coefficients with their covariance, and the way to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.comparison import ClusterCount
from privacy.levels import t_quantile
from privacy.policy import LARGEST_LOGIT, LEAST_EVENTS_PER_COEFFICIENT
from privacy.regression.corrected_logit import CorrectedLogit, Derivatives
from privacy.regression.latent_answers import LatentAnswers

Name: TypeAlias = tuple[str, str]

_CLOSE: Final = 1e-9
"""Of logits: a step smaller than this is the last."""
_LONGEST: Final = 4.0
"""Of logits: no step goes farther than this, or it might leap over the maximum to where nothing changes."""
_NEAR: Final = 0.5
"""Of logits: once Fisher's steps are smaller than this, Newton's follow."""
_MOST_STEPS: Final = 500
_DEPENDENT: Final = 1e-12


@dataclass(frozen=True, kw_only=True)
class Coefficient:
    """One line of the table of a regression.

    Parameters
    ----------
    equation, term : str
    value, standard_error : float
        The coefficient, a difference in log odds.
    odds_ratio, low, high : float
        Its exponential, with Wald's interval.
    """

    equation: str
    term: str
    value: float
    standard_error: float
    odds_ratio: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class FittedLogit:
    """Coefficients of a logistic regression, with their errors.

    Parameters
    ----------
    names : tuple of (str, str)
        Equation ("response", "predictor", "skipped", "predictor skipped") and term of each coefficient.
    answers : LatentAnswers
        Those reckoned with: without skips where too few people skip.
    model : CorrectedLogit
    coefficients : float array
    at : Derivatives
        At the coefficients.
    events : float
        Expected events of the response, or failures where they are fewer, that the disguise leaves.
    clusters : ClusterCount, optional
        Where errors are those of clusters.
    """

    names: tuple[Name, ...]
    answers: LatentAnswers
    model: CorrectedLogit
    coefficients: Array
    at: Derivatives
    events: float = np.inf
    clusters: ClusterCount | None = None

    @property
    def few_events(self) -> bool:
        """Whether fewer than ten events are expected for each coefficient of the response."""
        return round(self.events, 6) < LEAST_EVENTS_PER_COEFFICIENT * len(self.of("response"))

    @property
    def degrees(self) -> float:
        """Degrees of t of intervals and tests; infinite where rows are independent."""
        return np.inf if self.clusters is None else self.clusters.degrees

    @property
    def n(self) -> float:
        """Sum of the weights; without weights the rows."""
        return float(self.model.counts.sum())

    @property
    def bread(self) -> Array:
        """The inverse of the negative second derivatives."""
        return inverse(-self.at.hessian)

    def covariance(self) -> Array:
        """Return the robust covariance of the coefficients.

        H^-1 B H^-1, with H the second derivatives and B the sum of the outer products of the scores.
        """
        return self.bread @ self.at.outer @ self.bread

    def standard_errors(self) -> Array:
        """Return the standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance()))

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
        quantile = t_quantile(level, self.degrees)
        errors = self.standard_errors().tolist()
        figures = zip(self.names, self.coefficients.tolist(), errors, strict=True)
        return [
            Coefficient(
                equation=equation,
                term=term,
                value=value,
                standard_error=error,
                odds_ratio=float(np.exp(value)),
                low=float(np.exp(value - quantile * error)),
                high=float(np.exp(value + quantile * error)),
            )
            for (equation, term), value, error in figures
        ]


def maximum(
    model: CorrectedLogit, equations: Sequence[str], names: Sequence[Name]
) -> tuple[Array, Derivatives]:
    """Return the coefficients at which the likelihood is largest, and its derivatives there.

    Parameters
    ----------
    model : CorrectedLogit
    equations : sequence of str
        That each logit belongs to, for the refusal.
    names : sequence of (str, str)
        Of the coefficients, likewise.

    Raises
    ------
    PrivacyError
        ``regression``: too few rows for the coefficients of a response, by the design alone; a logit grows
        without end, or there is no single maximum.
    """
    _check_rows(model, [name for name in names if name[0] == "response"])
    coefficients = np.zeros(model.designs.shape[2])
    at, moved = model.derivatives(coefficients), np.inf
    for _ in range(_MOST_STEPS):
        step = _step(at, newton=moved < _NEAR)
        coefficients, moved = model.climb(at, coefficients, step, _LONGEST)
        _check_logits(model, coefficients, equations, names)
        at = model.derivatives(coefficients)
        if moved < _CLOSE:
            break
    else:
        raise PrivacyError("regression.no_maximum", _MOST_STEPS)
    if _solved(-at.hessian, at.score) is None:
        raise PrivacyError("regression.no_maximum", _MOST_STEPS)
    return coefficients, at


def _check_rows(model: CorrectedLogit, names: Sequence[Name]) -> None:
    """Refuse a response with too few rows for its coefficients: by the design, so that no answer decides it.

    A row that reports through a channel counts as the square of its p: the smallest eigenvalue, which is the
    product of those of the response and of the disguised predictor.
    """
    kept = np.array([np.abs(np.linalg.eigvals(own)).min() for own in _square(model)])
    rows = model.counts.sum(axis=1) * model.counts.sum() / model.squares.sum()
    worth = float(np.bincount(model.group, weights=rows, minlength=len(kept)) @ kept**2)
    least = LEAST_EVENTS_PER_COEFFICIENT * len(names)
    if names and round(worth, 6) < least:
        raise PrivacyError("regression.few_rows", worth, number=len(names), least=least)


def _square(model: CorrectedLogit) -> Array:
    """Return the channels; of reports that skip nothing where nobody is taken to skip."""
    answered = (model.unbiased != 0).any(axis=(0, 1))
    return model.channels[:, answered]


def check_events(expected: float, equation: str, number: int) -> None:
    """Refuse an equation with too few events for its coefficients.

    Parameters
    ----------
    expected : float
        True events, or failures where they are fewer, that the disguise leaves.
    equation : str
    number : int
        Of coefficients.

    Raises
    ------
    PrivacyError
        ``regression``.

    References
    ----------
    Peduzzi et al. 1996.
    """
    least = LEAST_EVENTS_PER_COEFFICIENT * number
    if round(expected, 6) < least:
        raise PrivacyError("regression.few_events", expected, equation=equation, number=number, least=least)


def _step(at: Derivatives, *, newton: bool) -> Array:
    step = _solved(-at.hessian, at.score) if newton else None
    if step is None:
        step = _solved(at.information, at.score)
    if step is None:
        raise PrivacyError("regression.no_information", 0)
    return step


def _check_logits(
    model: CorrectedLogit, coefficients: Array, equations: Sequence[str], names: Sequence[Name]
) -> None:
    logits = model.logits(coefficients)
    for position, largest in enumerate(np.abs(logits).max(axis=0).tolist()):
        if largest > LARGEST_LOGIT:
            cell = int(np.argmax(np.abs(logits[:, position])))
            shares = model.designs[cell, position] * coefficients * np.sign(logits[cell, position])
            raise PrivacyError(
                "regression.separation",
                largest,
                equation=equations[position],
                term=names[int(np.argmax(shares))][1],
                most=LARGEST_LOGIT,
            )


def _solved(matrix: Array, vector: Array) -> Array | None:
    """Solve a positive definite system whose columns may have any units; None where it is not definite.

    Parameters
    ----------
    matrix : float array, shape (k, k)
        Symmetric.
    vector : float array, shape (k,) or (k, columns)
    """
    scale = np.sqrt(np.maximum(matrix.diagonal(), 0.0))
    if not (scale > 0).all():
        return None
    scaled = matrix / np.outer(scale, scale)
    try:
        factor = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError:
        return None
    if factor.diagonal().min(initial=1.0) ** 2 < _DEPENDENT:
        return None
    solution: Array = (np.linalg.solve(scaled, (vector.T / scale).T).T / scale).T
    return solution


def inverse(matrix: Array) -> Array:
    """Return the inverse of an information matrix.

    Parameters
    ----------
    matrix : ndarray of shape (k, k)
        Symmetric.

    Raises
    ------
    PrivacyError
        ``regression``: it is not positive definite.
    """
    solution = _solved(matrix, np.eye(len(matrix)))
    if solution is None:
        raise PrivacyError("regression.no_maximum", 0)
    return (solution + solution.T) / 2
