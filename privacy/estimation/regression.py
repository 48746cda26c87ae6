"""Logistic regression with disguised answers, by maximum likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.errors import PrivacyError
from privacy.estimation.latent_answers import YES, LatentAnswers
from privacy.estimation.latent_logit import Array, Derivatives, LatentLogit
from privacy.levels import normal_quantile
from privacy.policy import LARGEST_LOGIT, LEAST_EVENTS_PER_COEFFICIENT

__all__ = ["PREDICTOR", "Coefficient", "Errors", "Regression", "maximum", "regress"]

Errors: TypeAlias = Literal["robust", "information", "outer product"]
Name: TypeAlias = tuple[str, str]

PREDICTOR: Final = "predictor"
"""Name of the disguised predictor's term, and of its own equation."""

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
class Regression:
    """Coefficients of a logistic regression, with their errors.

    Parameters
    ----------
    names : tuple of (str, str)
        Equation ("response", "predictor", "skipped") and term of each coefficient.
    coefficients : float array
    model : LatentLogit
    answers : LatentAnswers
        Those reckoned with: without skips where too few people skip.
    at : Derivatives
        At the coefficients.
    events : mapping of str to float
        By equation the expected true events, the rarer side, after the loss by the disguise.
    skips : {"covariates", "constant", "none"}
        What skipping was regressed on; "none" where it is not reckoned with.
    """

    names: tuple[Name, ...]
    coefficients: Array
    model: LatentLogit
    answers: LatentAnswers
    at: Derivatives
    events: dict[str, float]
    skips: Literal["covariates", "constant", "none"]

    @property
    def n(self) -> float:
        """Sum of the weights; without weights the rows."""
        return float(self.model.counts.sum())

    @property
    def log_likelihood(self) -> float:
        """Of the coefficients."""
        return self.at.log_likelihood

    def covariance(self, errors: Errors = "robust") -> Array:
        """Return the covariance of the coefficients.

        Parameters
        ----------
        errors : {"robust", "information", "outer product"}
            H^-1 B H^-1, -H^-1 and B^-1, with H the second derivatives and B the sum of the outer products of
            the scores. With weights only the first is right.
        """
        if errors == "outer product":
            return _inverse(self.at.outer)
        bread = _inverse(-self.at.hessian)
        return bread if errors == "information" else bread @ self.at.outer @ bread

    def standard_errors(self, errors: Errors = "robust") -> Array:
        """Return the standard errors of the coefficients."""
        return np.sqrt(np.diag(self.covariance(errors)))

    def of(self, equation: str) -> NDArray[np.intp]:
        """Return the positions of an equation's coefficients."""
        return np.flatnonzero([name[0] == equation for name in self.names])

    def table(self, level: float = 0.95, errors: Errors = "robust") -> list[Coefficient]:
        """Return the coefficients with errors and intervals.

        Raises
        ------
        PrivacyError
            ``level``.
        """
        quantile = normal_quantile(level)
        figures = zip(
            self.names, self.coefficients.tolist(), self.standard_errors(errors).tolist(), strict=True
        )
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


def regress(
    answers: LatentAnswers,
    covariates: Array,
    terms: Sequence[str],
    counts: Array,
    *,
    group: NDArray[np.intp] | None = None,
    squares: Array | None = None,
) -> Regression:
    """Regress a response on covariates, and on a disguised predictor.

    Parameters
    ----------
    answers : LatentAnswers
    covariates : float array, shape (cells, covariates)
        The constant first.
    terms : sequence of str
        Names of the covariates.
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights; without weights both are counts of rows.
    group : int array, shape (cells,), optional
        Which channel disguised the rows of a cell.

    Raises
    ------
    PrivacyError
        ``regression``: covariates that follow from each other, coefficients that grow without end, too few
        expected events for a coefficient.

    Notes
    -----
    P(reports | x) = sum over z, y of K[reports, (z, y)] P(z | x) P(y | z, x), all P logistic. Skips have an
    equation of their own, on the covariates; where they are too few for that, they are regressed on a
    constant, and where they are too few for that as well, all of them count as decoys.

    Steps are Fisher's, halved until the likelihood does not fall, then Newton's: the maximum that expectation
    and maximisation climb to, without their thousands of steps, from one start.

    References
    ----------
    Maddala 1983; Blair, Imai and Zhou 2015; White 1982; Peduzzi et al. 1996.

    Examples
    --------
    Forced response, 1/6 each; 40 of 100 men and 50 of 100 women say yes, which is .35 and .5 of them:

    >>> from fractions import Fraction
    >>> from privacy.channels.retention import Retention
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> regression = regress(
    ...     LatentAnswers.of(response=[die]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
    ...     np.array([[600.0, 400.0], [500.0, 500.0]]))
    >>> np.exp(regression.coefficients).round(6).tolist()  # 35/65, and 1 over it
    [0.538462, 1.857143]
    >>> [(line.term, round(line.standard_error, 4)) for line in regression.table()]
    [('constant', 0.1021), ('woman', 0.1394)]
    """
    where = np.zeros(len(counts), dtype=np.intp) if group is None else group
    _check_covariates(covariates, counts, terms)
    weights = counts if squares is None else squares
    skips: Literal["covariates", "constant", "none"]
    for skips in ("covariates", "constant", "none") if answers.may_skip else ("none",):
        used = answers.without_skips() if skips == "none" and answers.may_skip else answers
        names, designs = _designs(used, covariates, terms, constant_skips=skips == "constant")
        model = LatentLogit(
            channels=used.channels,
            branches=used.branches,
            designs=designs,
            group=where,
            counts=counts,
            squares=weights,
        )
        try:
            return _fitted(model, used, names, skips)
        except PrivacyError as error:
            if skips == "none" or "skipped" not in str(error.fields.get("equation")):
                raise
    raise AssertionError("the last way raises or returns")


def _check_covariates(covariates: Array, counts: Array, terms: Sequence[str]) -> None:
    rows = covariates[counts.sum(axis=1) > 0]
    if not len(rows):
        raise PrivacyError("regression.no_rows", 0)
    for position in np.flatnonzero(~np.isfinite(rows).all(axis=0)).tolist():
        raise PrivacyError("regression.finite", terms[position])
    lengths = np.sqrt((rows**2).sum(axis=0))
    _, triangle = np.linalg.qr(rows / np.where(lengths > 0, lengths, 1.0))
    for term, rest in zip(terms, np.abs(np.diag(triangle)), strict=False):
        if rest < 1e-8:
            raise PrivacyError("regression.collinear", term)
    if len(rows) < covariates.shape[1]:
        raise PrivacyError("regression.collinear", terms[len(rows)])


def _designs(
    answers: LatentAnswers, covariates: Array, terms: Sequence[str], *, constant_skips: bool
) -> tuple[tuple[Name, ...], Array]:
    """Return the names of the coefficients, and the row of each logit of each cell."""
    names: list[Name] = []
    blocks: list[Array] = []
    for equation in dict.fromkeys(name for name, _ in answers.logits):
        constant = constant_skips and "skipped" in equation
        own = 1 if constant else len(terms)
        given = [] if constant else [z for name, z in answers.logits if name == equation and z]
        names += [(equation, term) for term in terms[:own]]
        names += [(equation, PREDICTOR if z == YES else f"{PREDICTOR} skipped") for z in given]
        block = np.zeros((len(covariates), len(answers.logits), own + len(given)))
        for position, (name, z) in enumerate(answers.logits):
            if name == equation:
                block[:, position, :own] = covariates[:, :own]
                block[:, position, own:] = [z == level for level in given]
        blocks.append(block)
    return tuple(names), np.concatenate(blocks, axis=2)


def _fitted(
    model: LatentLogit,
    answers: LatentAnswers,
    names: tuple[Name, ...],
    skips: Literal["covariates", "constant", "none"],
) -> Regression:
    equations = [equation for equation, _ in answers.logits]
    coefficients, at = maximum(model, equations)
    events = _events(model, coefficients, equations)
    for equation, expected in events.items():
        number = sum(name[0] == equation for name in names)
        least = LEAST_EVENTS_PER_COEFFICIENT * number
        if round(expected, 6) < least:
            raise PrivacyError(
                "regression.few_events", expected, equation=equation, number=number, least=least
            )
    return Regression(
        names=names,
        coefficients=coefficients,
        model=model,
        answers=answers,
        at=at,
        events=events,
        skips=skips,
    )


def maximum(model: LatentLogit, equations: Sequence[str]) -> tuple[Array, Derivatives]:
    """Return the coefficients at which the likelihood is largest, and its derivatives there.

    Parameters
    ----------
    model : LatentLogit
    equations : sequence of str
        That each logit belongs to, for the refusal.

    Raises
    ------
    PrivacyError
        ``regression``: a logit grows without end, or there is no single maximum.
    """
    coefficients = np.zeros(model.designs.shape[2])
    at, moved = model.derivatives(coefficients), np.inf
    if at.log_likelihood == -np.inf:
        raise PrivacyError("regression.impossible", 0)
    for _ in range(_MOST_STEPS):
        step = _step(at, newton=moved < _NEAR)
        coefficients, moved = model.climb(at, coefficients, step, _LONGEST)
        _check_logits(model.logits(coefficients), equations)
        at = model.derivatives(coefficients)
        if moved < _CLOSE:
            break
    else:
        raise PrivacyError("regression.no_maximum", _MOST_STEPS)
    if _solved(-at.hessian, at.score) is None:
        raise PrivacyError("regression.no_maximum", _MOST_STEPS)
    return coefficients, at


def _step(at: Derivatives, *, newton: bool) -> Array:
    step = _solved(-at.hessian, at.score) if newton else None
    if step is None:
        step = _solved(at.information, at.score)
    if step is None:
        raise PrivacyError("regression.no_information", 0)
    return step


def _check_logits(logits: Array, equations: Sequence[str]) -> None:
    for equation, largest in zip(equations, np.abs(logits).max(axis=0).tolist(), strict=True):
        if largest > LARGEST_LOGIT:
            raise PrivacyError("regression.separation", largest, equation=equation, most=LARGEST_LOGIT)


def _events(model: LatentLogit, coefficients: Array, equations: Sequence[str]) -> dict[str, float]:
    """Return by equation the expected events, or failures where they are fewer, that the disguise leaves.

    Notes
    -----
    Rows of unequal weight count as Kish's effective number of rows.
    """
    g, tried, retained = model.information_retained(coefficients)
    rows = model.counts.sum(axis=1, keepdims=True) * model.counts.sum() / model.squares.sum()
    left = rows * tried * retained
    # Of each logit, events and failures.
    expected = np.stack([(left * g).sum(axis=0), (left * (1 - g)).sum(axis=0)])
    return {
        equation: float(expected[:, np.array(equations) == equation].sum(axis=1).min())
        for equation in dict.fromkeys(equations)
    }


def _solved(matrix: Array, vector: Array) -> Array | None:
    """Solve a positive definite system whose columns may have any units; None where it is not definite."""
    scale = np.sqrt(np.maximum(matrix.diagonal(), 0.0))
    if not (scale > 0).all():
        return None
    scaled = matrix / np.outer(scale, scale)
    try:
        factor = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError:
        return None
    if factor.diagonal().min() ** 2 < _DEPENDENT:
        return None
    solution: Array = (np.linalg.solve(scaled, (vector.T / scale).T).T / scale).T
    return solution


def _inverse(matrix: Array) -> Array:
    inverse = _solved(matrix, np.eye(len(matrix)))
    if inverse is None:
        raise PrivacyError("regression.no_maximum", 0)
    return (inverse + inverse.T) / 2
