"""Standardised shares: what a fitted regression predicts for everyone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.levels import normal_quantile
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import UNCHECKED, Measured
from privacy.regression.latent_answers import SKIPPED_REPORT, YES
from privacy.regression.logistic import FittedLogit
from privacy.regression.regression import PREDICTOR


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
        With its Wald interval on the scale of log odds, which lies in (0, 1).
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
    fixed. A disguised predictor that is not set is averaged over its estimated probabilities.

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
        of_difference = math.sqrt(max(float(between @ covariance @ between), 0.0))
        share = Measured(
            value=value,
            standard_error=error,
            low=float(scipy.special.expit(scipy.special.logit(value) - on_odds)),
            high=float(scipy.special.expit(scipy.special.logit(value) + on_odds)),
            estimable=fit.effective_n >= LEAST_EFFECTIVE_ROWS,
            n=round(fit.n),
            effective_n=fit.effective_n,
            level=level,
            possible=(0.0, 1.0),
            method="regression",
            shift=None,
            origin=UNCHECKED,
        )
        difference = replace(
            share,
            value=value - first,
            standard_error=of_difference,
            low=value - first - reach * of_difference,
            high=value - first + reach * of_difference,
            possible=(-1.0, 1.0),
        )
        shares.append(StandardisedShare(share=share, difference=difference))
    return shares


def _share(fit: FittedLogit, setting: Setting) -> tuple[float, Array]:
    """Return a share, and its derivatives with respect to the coefficients."""
    model, logits = fit.model, fit.answers.logits
    rows = model.counts.sum(axis=1) / model.counts.sum()
    share, gradient = 0.0, np.zeros(len(fit.coefficients))
    columns = fit.of("response")
    has, slope = _predict_latent(fit)
    for position, (equation, z) in enumerate(logits):
        if equation != "response" or z == SKIPPED_REPORT:
            continue
        design = model.designs[:, position].copy()
        if setting.covariates is not None:
            design[:, columns[: setting.covariates.shape[1]]] = setting.covariates
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
