"""Standardised shares: what a fitted regression predicts for everyone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import UNCHECKED, Measured
from privacy.regression.latent_answers import SKIPPED_REPORT, YES
from privacy.regression.logistic import FittedLogit
from privacy.regression.regression import PREDICTOR
from privacy.regression.score_intervals import Target


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
    share : Measured
        With an interval in [0, 1].
    difference : Measured
        Difference from the first setting; 0 for the first setting.
    """

    share: Measured
    difference: Measured


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
    fixed. Intervals invert a score test, see `privacy.regression.score_intervals.ScoreTest`. A disguised
    predictor that is not set is averaged over its estimated probabilities.

    Examples
    --------
    40% of men and 50% of women say yes under forced response, 1/6 each. The estimated shares are .35 and .5:

    >>> from fractions import Fraction
    >>> from privacy.channels import Retention
    >>> from privacy.regression.latent_answers import LatentAnswers
    >>> from privacy.regression.regression import regress
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> regression = regress(
    ...     LatentAnswers.of(response=[die]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
    ...     np.array([[600.0, 400.0], [500.0, 500.0]]))
    >>> men, women = standardised_shares(
    ...     regression.corrected, [Setting(covariates=np.array([[1.0, woman]] * 2)) for woman in (0.0, 1.0)])
    >>> round(men.share.value, 6), round(women.share.value, 6), round(women.difference.value, 6)
    (0.35, 0.5, 0.15)
    >>> round(women.share.standard_error, 6)  # sqrt(.5 * .5 / 1000) / (2/3)
    0.023717
    """
    covariance, test = fit.covariance(), fit.score_test
    shares: list[StandardisedShare] = []

    def measured(at: Callable[[Array], tuple[float, Array]], possible: tuple[float, float]) -> Measured:
        value, gradient = at(fit.coefficients)
        error = math.sqrt(max(float(gradient @ covariance @ gradient), 0.0))
        low, high = test.interval(Target(at=at, possible=possible), error, level)
        return Measured(
            value=value,
            standard_error=error,
            low=low,
            high=high,
            estimable=fit.effective_n >= LEAST_EFFECTIVE_ROWS,
            n=round(fit.n),
            effective_n=fit.effective_n,
            level=level,
            possible=possible,
            method="regression",
            shift=None,
            origin=UNCHECKED,
        )

    for setting in settings:
        share = measured(partial(_share, fit, setting), (0.0, 1.0))
        # The first setting's difference from itself is 0 in all populations.
        difference = (
            measured(partial(_difference, fit, setting, settings[0]), (-1.0, 1.0))
            if shares
            else replace(share, value=0.0, standard_error=0.0, low=0.0, high=0.0, possible=(-1.0, 1.0))
        )
        shares.append(StandardisedShare(share=share, difference=difference))
    return shares


def _difference(
    fit: FittedLogit, setting: Setting, first: Setting, coefficients: Array
) -> tuple[float, Array]:
    share, gradient = _share(fit, setting, coefficients)
    other, other_gradient = _share(fit, first, coefficients)
    return share - other, gradient - other_gradient


def _share(fit: FittedLogit, setting: Setting, coefficients: Array) -> tuple[float, Array]:
    """Return a share at some coefficients, and its derivatives with respect to them."""
    model, logits = fit.model, fit.answers.logits
    rows = model.counts.sum(axis=1) / model.counts.sum()
    share, gradient = 0.0, np.zeros(len(coefficients))
    columns = fit.of("response")
    has, slope = _predict_latent(fit, coefficients)
    for position, (equation, z) in enumerate(logits):
        if equation != "response" or z == SKIPPED_REPORT:
            continue
        design = model.designs[:, position].copy()
        if setting.covariates is not None:
            design[:, columns[: setting.covariates.shape[1]]] = setting.covariates
        g = scipy.special.expit(design @ coefficients)
        weights = rows
        if z is not None and setting.predictor is not None:
            weights = rows * float(z == setting.predictor)
        elif z is not None:
            weights = rows * (has if z == YES else 1 - has)
            gradient += (rows * g) @ (slope if z == YES else -slope)
        share += float(weights @ g)
        gradient += (weights * g * (1 - g)) @ design
    return share, gradient


def _predict_latent(fit: FittedLogit, coefficients: Array) -> tuple[Array, Array]:
    """Return the probability of "yes" to the disguised predictor in each cell, and its derivatives."""
    logits = fit.answers.logits
    if (PREDICTOR, None) not in logits:
        return np.zeros(0), np.zeros((0, 0))
    design = fit.model.designs[:, logits.index((PREDICTOR, None))]
    has = scipy.special.expit(design @ coefficients)
    return has, (has * (1 - has))[:, None] * design
