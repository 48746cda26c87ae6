"""Logistic regression with disguised answers: coefficients, their covariance, and standardised shares."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.comparison import ClusterCount
from privacy.levels import normal_quantile, t_quantile
from privacy.policy import LEAST_EVENTS_PER_COEFFICIENT
from privacy.regression.corrected_score import (
    SKIPPED,
    YES,
    CorrectedLogit,
    Derivatives,
    LatentAnswers,
    LatentPart,
    Name,
    inverse,
    maximum,
)


@dataclass(frozen=True, kw_only=True)
class Coefficient:
    """One row of a regression table.

    Parameters
    ----------
    equation, term : str
    value, standard_error : float
        The coefficient, a difference in log odds, and its standard error.
    odds_ratio, low, high : float
        Exponential of the coefficient, with its Wald interval.
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
        """Degrees of freedom of t for intervals and tests; infinite if rows are independent."""
        return np.inf if self.clusters is None else self.clusters.degrees

    @property
    def n(self) -> float:
        """Sum of the weights; without weights, the number of rows."""
        return float(self.model.counts.sum())

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


def check_events(expected: float, equation: str, number: int) -> None:
    """Refuse an equation with too few events for its coefficients.

    Parameters
    ----------
    expected : float
        Expected number of true events or failures, whichever is smaller, after the loss of information due to
        the disguise.
    equation : str
    number : int
        Number of coefficients.

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


PREDICTOR: Final = "predictor"
"""Name of the disguised predictor's term, and of its own equation."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Regression:
    """A logistic regression of disguised answers, by the corrected score.

    Parameters
    ----------
    corrected : FittedLogit
        The coefficients that undisguised answers would have, within their errors.
    events : mapping of str to float
        For each equation, the expected number of events or failures, whichever is smaller, after the loss of
        information due to the disguise.
    skips : {"covariates", "constant", "none"}
        What skips were regressed on; "none" if they are not modelled.
    """

    corrected: FittedLogit
    events: dict[str, float]
    skips: Literal["covariates", "constant", "none"]

    @property
    def n(self) -> float:
        """Sum of the weights; without weights, the number of rows."""
        return self.corrected.n


def regress(
    answers: LatentAnswers,
    covariates: Array,
    terms: Sequence[str],
    counts: Array,
    *,
    group: NDArray[np.intp] | None = None,
    squares: Array | None = None,
) -> Regression:
    """Regress a response on covariates and, optionally, a disguised predictor.

    Parameters
    ----------
    answers : LatentAnswers
    covariates : float array, shape (cells, covariates)
        The constant comes first.
    terms : sequence of str
        Names of the covariates.
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights; without weights, both are counts of rows.
    group : int array, shape (cells,), optional
        The channel that disguised the rows of each cell.

    Raises
    ------
    PrivacyError
        ``regression``: collinear covariates, coefficients that diverge, or too few rows for the coefficients
        (which depends only on the design).

    Notes
    -----
    The corrected score is unbiased for the score of the undisguised answers, whatever their distribution (see
    `CorrectedLogit`), so its root converges to their fit. Skips have their own equation on the covariates. If
    skips are too few for that, they are regressed on a constant. If they are too few even for a constant, all
    skips count as decoys.

    References
    ----------
    Nakamura 1990; White 1982; Peduzzi et al. 1996.

    Examples
    --------
    40% of men and 50% of women say yes under forced response, 1/6 each. The estimated shares are .35 and .5:

    >>> from fractions import Fraction
    >>> from privacy.channels import Retention
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> regression = regress(
    ...     LatentAnswers.of(response=[die]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
    ...     np.array([[600.0, 400.0], [500.0, 500.0]]))
    >>> np.exp(regression.corrected.coefficients).round(6).tolist()  # 35/65 and its inverse
    [0.538462, 1.857143]
    >>> [(line.term, round(line.standard_error, 4)) for line in regression.corrected.table()]
    [('constant', 0.1021), ('woman', 0.1394)]
    """
    where = np.zeros(len(counts), dtype=np.intp) if group is None else group
    check_covariates(covariates, counts, terms)
    weights = counts if squares is None else squares
    skips: Literal["covariates", "constant", "none"]
    for skips in ("covariates", "constant", "none") if answers.may_skip else ("none",):
        latent = answers.without_skips() if skips == "none" and answers.may_skip else answers
        names, designs = _designs(latent, covariates, terms, constant_skips=skips == "constant")
        model = CorrectedLogit(
            channels=latent.channels,
            unbiased=latent.unbiased,
            branches=latent.branches,
            designs=designs,
            group=where,
            counts=counts,
            squares=weights,
        )
        try:
            return _fit_model(model, latent, names, skips)
        except PrivacyError as error:
            if skips == "none" or "skipped" not in str(error.fields.get("equation")):
                raise
    raise AssertionError("the last iteration raises or returns")


def check_covariates(covariates: Array, counts: Array, terms: Sequence[str]) -> None:
    """Refuse an empty table, values that are not finite, and collinear covariates.

    Parameters
    ----------
    covariates : float array, shape (cells, covariates)
    counts : float array, shape (cells, reports)
    terms : sequence of str
        Names of the covariates.

    Raises
    ------
    PrivacyError
        ``regression``.
    """
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
    """Return the names of the coefficients, and the design row of each logit in each cell."""
    names: list[Name] = []
    blocks: list[Array] = []
    for equation in dict.fromkeys(name for name, _ in answers.logits):
        constant = constant_skips and "skipped" in equation
        own = 1 if constant else len(terms)
        logits = [] if constant else [z for name, z in answers.logits if name == equation and z]
        names += [(equation, term) for term in terms[:own]]
        names += [(equation, PREDICTOR if z == YES else f"{PREDICTOR} skipped") for z in logits]
        block = np.zeros((len(covariates), len(answers.logits), own + len(logits)))
        for position, (name, z) in enumerate(answers.logits):
            if name == equation:
                block[:, position, :own] = covariates[:, :own]
                block[:, position, own:] = [z == level for level in logits]
        blocks.append(block)
    return tuple(names), np.concatenate(blocks, axis=2)


def _fit_model(
    model: CorrectedLogit,
    answers: LatentAnswers,
    names: tuple[Name, ...],
    skips: Literal["covariates", "constant", "none"],
) -> Regression:
    equations = [equation for equation, _ in answers.logits]
    coefficients, at = maximum(model, equations, names)
    events = _events(model, coefficients, equations)
    for equation, expected in events.items():
        # Answers must not decide whether the response is reported, but may simplify the model of skips.
        if "skipped" in equation:
            check_events(expected, equation, sum(name[0] == equation for name in names))
    fit = FittedLogit(
        names=names, answers=answers, model=model, coefficients=coefficients, at=at, events=events["response"]
    )
    return Regression(corrected=fit, events=events, skips=skips)


def _events(model: CorrectedLogit, coefficients: Array, equations: Sequence[str]) -> dict[str, float]:
    """Return, for each equation, the smaller expected number of events or failures that the disguise leaves.

    Notes
    -----
    With unequal weights, rows count as Kish's effective number.
    """
    g, p_tried, information = model.information_retained(coefficients)
    rows = model.counts.sum(axis=1, keepdims=True) * model.counts.sum() / model.squares.sum()
    left = rows * p_tried * information
    # Expected events and failures of each logit.
    expected = np.stack([(left * g).sum(axis=0), (left * (1 - g)).sum(axis=0)])
    return {
        equation: float(expected[:, np.array(equations) == equation].sum(axis=1).min())
        for equation in dict.fromkeys(equations)
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class Setting:
    """Values of predictors to set for everyone.

    Parameters
    ----------
    covariates : float array, shape (cells, covariates), optional
        Covariates to use in the equation of the response; by default, the observed ones.
    predictor : {0, 1}, optional
        True answer to the disguised predictor; by default, it is averaged over.
    """

    covariates: Array | None = None
    predictor: int | None = None


@dataclass(frozen=True, kw_only=True)
class StandardisedShare:
    """A standardised share of "yes", and its difference from the first setting.

    Parameters
    ----------
    value, standard_error, low, high : float
        The share with its Wald interval on the scale of log odds, which lies in (0, 1).
    difference, difference_low, difference_high : float
        Difference from the first setting, with its interval; 0 for the first setting.
    """

    value: float
    standard_error: float
    low: float
    high: float
    difference: float
    difference_low: float
    difference_high: float


def standardised_shares(
    fit: FittedLogit, settings: Sequence[Setting], *, level: float = 0.95
) -> list[StandardisedShare]:
    """Return shares of "yes" among respondents who do not skip, standardised to the sample.

    Parameters
    ----------
    fit : FittedLogit
    settings : sequence of Setting
        All are compared with the first one.
    level : float, in (0, 1)

    Raises
    ------
    PrivacyError
        ``level``.

    Notes
    -----
    A share is the average of g = expit(x'b) over the sample, and its gradient is the average of g (1 - g) x.
    The delta method gives the robust error of a share and of a difference, with the covariates treated as
    fixed. A disguised predictor that is not set is averaged over its estimated probabilities.

    Examples
    --------
    40% of men and 50% of women say yes under forced response, 1/6 each. The estimated shares are .35 and .5:

    >>> from fractions import Fraction
    >>> from privacy.channels import Retention
    >>> from privacy.regression.corrected_score import LatentAnswers
    >>> from privacy.regression.regression import regress
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> regression = regress(
    ...     LatentAnswers.of(response=[die]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
    ...     np.array([[600.0, 400.0], [500.0, 500.0]]))
    >>> men, women = standardised_shares(
    ...     regression.corrected, [Setting(covariates=np.array([[1.0, woman]] * 2)) for woman in (0.0, 1.0)])
    >>> round(men.value, 6), round(women.value, 6), round(women.difference, 6)
    (0.35, 0.5, 0.15)
    >>> round(women.standard_error, 6)  # sqrt(.5 * .5 / 1000) / (2/3)
    0.023717
    """
    reach = normal_quantile(level)
    covariance = fit.covariance()
    shares: list[StandardisedShare] = []
    values: list[tuple[float, Array]] = []
    for setting in settings:
        value, gradient = _share(fit, setting)
        values.append((value, gradient))
        error = math.sqrt(gradient @ covariance @ gradient)
        on_odds = reach * error / (value * (1 - value))
        first, first_gradient = values[0]
        between = gradient - first_gradient
        half = reach * math.sqrt(max(float(between @ covariance @ between), 0.0))
        shares.append(
            StandardisedShare(
                value=value,
                standard_error=error,
                low=float(scipy.special.expit(scipy.special.logit(value) - on_odds)),
                high=float(scipy.special.expit(scipy.special.logit(value) + on_odds)),
                difference=value - first,
                difference_low=value - first - half,
                difference_high=value - first + half,
            )
        )
    return shares


def _share(fit: FittedLogit, setting: Setting) -> tuple[float, Array]:
    """Return a share, and its derivatives with respect to the coefficients."""
    model, logits = fit.model, fit.answers.logits
    rows = model.counts.sum(axis=1) / model.counts.sum()
    share, gradient = 0.0, np.zeros(len(fit.coefficients))
    own = fit.of("response")
    has, slope = _predict_latent(fit)
    for position, (equation, z) in enumerate(logits):
        if equation != "response" or z == SKIPPED:
            continue
        design = model.designs[:, position].copy()
        if setting.covariates is not None:
            design[:, own[: setting.covariates.shape[1]]] = setting.covariates
        g = scipy.special.expit(design @ fit.coefficients)
        weights = rows
        if z is not None and setting.predictor is not None:
            weights = rows * float(z == setting.predictor)
        elif z is not None:
            weights = rows * (has if z == YES else 1 - has)
            gradient += (rows * g) @ (slope if z == YES else -slope)
        share += float(weights @ g)
        gradient += (weights * g * (1 - g)) @ design
    return share, gradient


def _predict_latent(fit: FittedLogit) -> tuple[Array, Array]:
    """Return the probability of "yes" to the disguised predictor in each cell, and its derivatives."""
    logits = fit.answers.logits
    if (PREDICTOR, None) not in logits:
        return np.zeros(0), np.zeros((0, 0))
    design = fit.model.designs[:, logits.index((PREDICTOR, None))]
    has = scipy.special.expit(design @ fit.coefficients)
    return has, (has * (1 - has))[:, None] * design


def check_options(options: Mapping[str, object]) -> None:
    """Refuse options that a regression does not have, such as ``errors="HC3"``.

    Parameters
    ----------
    options : mapping of str to object

    Raises
    ------
    PrivacyError
        ``regression``.
    """
    for name, value in options.items():
        raise PrivacyError("regression.option", value, name=name)


def fit_letters(
    parts: Sequence[LatentPart],
    response: int,
    designs: Array,
    terms: Sequence[str],
    counts: Array,
    *,
    group: NDArray[np.intp],
    squares: Array | None = None,
) -> FittedLogit:
    """Regress an item on any terms, which may be products of covariates and the disguised items.

    Parameters
    ----------
    parts : sequence of LatentPart
        The blocks, with independent coins; one of them has the response.
    response : int
    designs : float array, shape (cells, settings, terms)
        Design rows by cell and by setting of the other disguised items, the last of which varies fastest. The
        constant comes first.
    terms : sequence of str
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights. Reports are combinations of the blocks' reports, in order.
    group : int array, shape (cells,)

    Raises
    ------
    PrivacyError
        ``regression``: a block without information, coefficients that diverge, or too few rows for the
        coefficients.

    Notes
    -----
    With W the product of the inverses of the channels, the sum of counts W over reports is unbiased for the
    number of rows with each true letter. So the score sum x (y - g(x b)) is unbiased for the score of the
    undisguised answers, whatever their distribution (`CorrectedLogit`). Letters that skip a block are left
    out, without bias. Errors are robust. The number of events is that of undisguised rows, times the smallest
    share of any coefficient's information that the disguise leaves.

    References
    ----------
    Nakamura 1990; Stefanski 1989; White 1982; Peduzzi et al. 1996.
    """
    channels = zip(*(part.channels for part in parts), strict=True)
    answers = LatentAnswers(letters=(), channels=np.stack([reduce(np.kron, own) for own in channels]))
    predictors = [item for part in parts for item in part.items if item != response]
    settings = list(itertools.product((0, 1), repeat=len(predictors)))
    letters = list(itertools.product(*(part.letters for part in parts)))
    branches = np.full((len(letters), len(settings)), -1)
    for row, letter in enumerate(letters):
        if None in letter:
            continue
        has = {item: on for own in letter if own is not None for item, on in own.items()}
        branches[row, settings.index(tuple(has[item] for item in predictors))] = has[response]
    model = CorrectedLogit(
        channels=answers.channels,
        branches=branches,
        designs=designs,
        group=group,
        counts=counts,
        squares=counts if squares is None else squares,
        unbiased=answers.unbiased,
    )
    names = tuple(("response", term) for term in terms)
    coefficients, at = maximum(model, ["response"] * len(settings), names)
    fit = FittedLogit(names=names, answers=answers, model=model, coefficients=coefficients, at=at)
    return replace(fit, events=_letter_events(model, fit))


def _letter_events(model: CorrectedLogit, fit: FittedLogit) -> float:
    """Return the smaller expected number of events or failures that the disguise leaves."""
    branches = model.branches
    successes, failed = (
        float(model.letter_counts.sum(axis=0) @ (branches == own).any(axis=1)) for own in (1, 0)
    )
    plain_variance = np.diag(inverse(-fit.at.hessian))
    left = min(1.0, float((plain_variance / np.diag(fit.covariance())).min()))
    weighting = model.counts.sum() / model.squares.sum()
    return float(min(successes, failed) * left * weighting)
