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
        By equation the expected true events, the rarer side, after the loss by the disguise.
    skips : {"covariates", "constant", "none"}
        What skipping was regressed on; "none" where it is not reckoned with.
    """

    corrected: FittedLogit
    events: dict[str, float]
    skips: Literal["covariates", "constant", "none"]

    @property
    def n(self) -> float:
        """Sum of the weights; without weights the rows."""
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
        rows for a coefficient, by the design alone.

    Notes
    -----
    The corrected score estimates that of the undisguised answers without bias, whatever these follow (see
    `CorrectedLogit`): its root tends to their fit. Skips have an
    equation of their own, on the covariates; where they are too few for that, they are regressed on a
    constant, and where they are too few for that as well, all of them count as decoys.

    References
    ----------
    Nakamura 1990; White 1982; Peduzzi et al. 1996.

    Examples
    --------
    Forced response, 1/6 each; 40 of 100 men and 50 of 100 women say yes, which is .35 and .5 of them:

    >>> from fractions import Fraction
    >>> from privacy.channels import Retention
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> regression = regress(
    ...     LatentAnswers.of(response=[die]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
    ...     np.array([[600.0, 400.0], [500.0, 500.0]]))
    >>> np.exp(regression.corrected.coefficients).round(6).tolist()  # 35/65, and 1 over it
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
    raise AssertionError("the last way raises or returns")


def check_covariates(covariates: Array, counts: Array, terms: Sequence[str]) -> None:
    """Refuse no rows, values that are not finite, and covariates that follow from each other.

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
    """Return the names of the coefficients, and the row of each logit of each cell."""
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
        # Figures of the response are never chosen by its answers; skips are modelled as well as can be.
        if "skipped" in equation:
            check_events(expected, equation, sum(name[0] == equation for name in names))
    fit = FittedLogit(
        names=names, answers=answers, model=model, coefficients=coefficients, at=at, events=events["response"]
    )
    return Regression(corrected=fit, events=events, skips=skips)


def _events(model: CorrectedLogit, coefficients: Array, equations: Sequence[str]) -> dict[str, float]:
    """Return by equation the expected events, or failures where they are fewer, that the disguise leaves.

    Notes
    -----
    Rows of unequal weight count as Kish's effective number of rows.
    """
    g, p_tried, information = model.information_retained(coefficients)
    rows = model.counts.sum(axis=1, keepdims=True) * model.counts.sum() / model.squares.sum()
    left = rows * p_tried * information
    # Of each logit, events and failures.
    expected = np.stack([(left * g).sum(axis=0), (left * (1 - g)).sum(axis=0)])
    return {
        equation: float(expected[:, np.array(equations) == equation].sum(axis=1).min())
        for equation in dict.fromkeys(equations)
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class Setting:
    """Predictor value fixed for all.

    Parameters
    ----------
    covariates : float array, shape (cells, covariates), optional
        The covariates as they shall be in the equation of the response; as they are if not given.
    predictor : {0, 1}, optional
        The true answer to the disguised predictor.
    """

    covariates: Array | None = None
    predictor: int | None = None


@dataclass(frozen=True, kw_only=True)
class StandardisedShare:
    """A share of the response, and how far it is from the first one.

    Parameters
    ----------
    value, standard_error, low, high : float
        The interval is Wald's on the scale of log odds, and so lies in (0, 1).
    difference, difference_low, difference_high : float
        From the first setting; 0 for that.
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
    """Return the shares of "yes", among those who do not skip, standardised to the sample.

    Parameters
    ----------
    fit : FittedLogit
    settings : sequence of Setting
        The first is what the others are compared with.
    level : float, in (0, 1)

    Raises
    ------
    PrivacyError
        ``level``.

    Notes
    -----
    A share is the average over the sample of g = expit(x'b), its gradient that of g (1 - g) x; the delta
    method makes the robust error of a share and of a difference. The sample of covariates is taken as it is.
    A disguised predictor that is not set is averaged over its estimated chances.

    Examples
    --------
    Forced response, 1/6 each; 40 of 100 men and 50 of 100 women say yes, which is .35 and .5 of them:

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
    """Return a share, and its derivatives by the coefficients."""
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
    """Return by cell the chance of the disguised predictor's "yes", and its derivatives."""
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
        Their coins are independent; one of them holds the response.
    response : int
    designs : float array, shape (cells, settings, terms)
        By cell and setting of the items that are no response, the last changing fastest; the constant first.
    terms : sequence of str
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights; the reports are the product of those of the parts, in order.
    group : int array, shape (cells,)

    Raises
    ------
    PrivacyError
        ``regression``: a part that says nothing, coefficients that grow without end, too few rows for a
        coefficient.

    Notes
    -----
    With W the product of the inverses of the channels, sum over reports of counts W is unbiased for the
    rows of each true letter, and the score sum x (y - g(x b)) of these for that of the undisguised
    answers, whatever they follow (`CorrectedLogit`). Rows of a letter that skips a part are left out, without
    bias. Errors are robust. Events are those of undisguised rows times the least share that the
    disguise leaves of any coefficient's information.

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
    """Return the expected events or failures, the fewer of them, that the disguise leaves."""
    branches = model.branches
    successes, failed = (
        float(model.letter_counts.sum(axis=0) @ (branches == own).any(axis=1)) for own in (1, 0)
    )
    plain_variance = np.diag(inverse(-fit.at.hessian))
    left = min(1.0, float((plain_variance / np.diag(fit.covariance())).min()))
    weighting = model.counts.sum() / model.squares.sum()
    return float(min(successes, failed) * left * weighting)
