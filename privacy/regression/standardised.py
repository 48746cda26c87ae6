"""Standardised shares of a response after regression: a predictor fixed at one value for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from privacy.arrays import Array
from privacy.levels import normal_quantile
from privacy.regression.fitted_logit import FittedLogit
from privacy.regression.latent_answers import SKIPPED, YES
from privacy.regression.regression import PREDICTOR

__all__ = ["Setting", "StandardisedShare", "standardised_shares"]


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
    fitted: FittedLogit, settings: Sequence[Setting], *, level: float = 0.95
) -> list[StandardisedShare]:
    """Return the shares of "yes", among those who do not skip, standardised to the sample.

    Parameters
    ----------
    fitted : FittedLogit
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
    >>> from privacy.channels.retention import Retention
    >>> from privacy.regression.latent_answers import LatentAnswers
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
    covariance = fitted.covariance()
    shares: list[StandardisedShare] = []
    values: list[tuple[float, Array]] = []
    for setting in settings:
        value, gradient = _share(fitted, setting)
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


def _share(fitted: FittedLogit, setting: Setting) -> tuple[float, Array]:
    """Return a share, and its derivatives by the coefficients."""
    model, logits = fitted.model, fitted.answers.logits
    rows = model.counts.sum(axis=1) / model.counts.sum()
    share, gradient = 0.0, np.zeros(len(fitted.coefficients))
    own = fitted.of("response")
    has, slope = _predicted(fitted)
    for position, (equation, z) in enumerate(logits):
        if equation != "response" or z == SKIPPED:
            continue
        design = model.designs[:, position].copy()
        if setting.covariates is not None:
            design[:, own[: setting.covariates.shape[1]]] = setting.covariates
        g = scipy.special.expit(design @ fitted.coefficients)
        weights = rows
        if z is not None and setting.predictor is not None:
            weights = rows * float(z == setting.predictor)
        elif z is not None:
            weights = rows * (has if z == YES else 1 - has)
            gradient += (rows * g) @ (slope if z == YES else -slope)
        share += float(weights @ g)
        gradient += (weights * g * (1 - g)) @ design
    return share, gradient


def _predicted(fitted: FittedLogit) -> tuple[Array, Array]:
    """Return by cell the chance of the disguised predictor's "yes", and its derivatives."""
    logits = fitted.answers.logits
    if (PREDICTOR, None) not in logits:
        return np.zeros(0), np.zeros((0, 0))
    design = fitted.model.designs[:, logits.index((PREDICTOR, None))]
    has = scipy.special.expit(design @ fitted.coefficients)
    return has, (has * (1 - has))[:, None] * design
