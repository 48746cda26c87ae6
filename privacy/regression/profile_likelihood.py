"""Intervals of regression coefficients from the profile of the likelihood, beside Wald's."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.levels import chi_square_quantile
from privacy.regression.fitted_logit import FittedLogit, solved
from privacy.regression.latent_logit import Derivatives, LatentLogit

__all__ = ["profile_interval"]

_CLOSE: Final = 1e-9
_MOST_STEPS: Final = 200
_FARTHEST: Final = 30.0
"""Of log odds: an end beyond this is told as infinite."""


def profile_interval(fitted: FittedLogit, name: tuple[str, str], level: float = 0.95) -> tuple[float, float]:
    """Return the values of a coefficient that the likelihood ratio test does not reject.

    Parameters
    ----------
    fitted : FittedLogit
        By maximum likelihood and without weights: of weighted rows there is no likelihood.
    name : (str, str)
        Equation and term.
    level : float

    Returns
    -------
    (float, float)
        Log odds; infinite where the likelihood never falls far enough within 30 of the estimate.

    Raises
    ------
    PrivacyError
        ``level``.
    KeyError
        No coefficient has this name.

    Notes
    -----
    The ends solve 2 (l(b) - max over the others of l(b_k = t, others)) = the quantile of chi-square with one
    degree of freedom. Unlike Wald's, the interval need not be symmetric, and is the same whatever the
    coefficient is measured in. It takes the model to be right, as robust errors do not.

    References
    ----------
    Venzon and Moolgavkar 1988.

    Examples
    --------
    Two undisguised answers of 10 are yes: 2 (l(p) - l(t)) = 3.841 where the share is .037 and .500.

    >>> from fractions import Fraction
    >>> from privacy.channels.retention import Retention
    >>> from privacy.regression.latent_answers import LatentAnswers
    >>> from privacy.regression.regression import regress
    >>> plain = Retention.warner(Fraction(1))
    >>> regression = regress(LatentAnswers.of(response=[plain]), np.ones((1, 1)), ["constant"],
    ...                 np.array([[80.0, 20.0]]))
    >>> ends = profile_interval(regression.likelihood, ("response", "constant"))
    >>> [round(1 / (1 + math.exp(-end)), 3) for end in ends]
    [0.13, 0.285]
    """
    threshold = chi_square_quantile(level)
    if name not in fitted.names:
        raise KeyError(name)
    position = fitted.names.index(name)
    width = math.sqrt(threshold) * float(fitted.standard_errors("information")[position])
    return (
        _end(fitted, position, threshold, -width),
        _end(fitted, position, threshold, width),
    )


def _end(fitted: FittedLogit, position: int, threshold: float, width: float) -> float:
    """Walk from the estimate in steps of Wald's width until the ratio is passed, then close in."""
    estimate = float(fitted.coefficients[position])
    fixed = fitted.coefficients.copy()

    def excess(value: float) -> float:
        nonlocal fixed
        fixed, likelihood = _held_at(fitted.model, fixed, position, value)
        return 2 * (fitted.log_likelihood - likelihood) - threshold

    inner, outer = estimate, estimate + width
    while excess(outer) < 0:
        inner, outer = outer, outer + width
        if abs(outer - estimate) > _FARTHEST:
            return math.copysign(math.inf, width)
    low, high = sorted((inner, outer))
    return float(scipy.optimize.brentq(excess, low, high, xtol=1e-10, rtol=1e-12))


def _held_at(model: LatentLogit, start: Array, position: int, value: float) -> tuple[Array, float]:
    """Return the coefficients of the largest likelihood with one of them held, and that likelihood."""
    free = np.delete(np.arange(len(start)), position)
    coefficients = start.copy()
    coefficients[position] = value
    at = model.derivatives(coefficients)
    for _ in range(_MOST_STEPS):
        step: Array = np.zeros(len(start))
        step[free] = _step(at, free)
        coefficients, moved = model.climb(at, coefficients, step)
        at = model.derivatives(coefficients)
        if moved < _CLOSE:
            break
    return coefficients, at.log_likelihood


def _step(at: Derivatives, free: NDArray[np.intp]) -> Array:
    """Newton's step of the free coefficients, or Fisher's where the likelihood is not concave."""
    own = np.ix_(free, free)
    for matrix in (-at.hessian[own], at.information[own]):
        step = solved(matrix, at.score[free])
        if step is not None:
            return step
    return np.zeros(len(free))
