"""Quantiles of the likelihood ratio, the normal distribution and Student's t at a level."""

from __future__ import annotations

import math

import scipy

from privacy import validation


def chi_square_quantile(level: float) -> float:
    """Return the quantile of -2 log of a likelihood ratio, chi-square with one degree of freedom.

    Parameters
    ----------
    level : float, in (0, 1)

    Raises
    ------
    PrivacyError
        ``level``.

    Examples
    --------
    >>> round(chi_square_quantile(0.95), 4)
    3.8415
    """
    return float(scipy.special.chdtri(1, 1 - _check_level(level)))


def normal_quantile(level: float) -> float:
    """Return the half-width, in standard errors, of a normal interval at this level.

    Parameters
    ----------
    level : float
        In (0, 1), such as .95.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    return float(scipy.special.ndtri((1 + _check_level(level)) / 2))


def t_quantile(level: float, degrees: float) -> float:
    """Return the half-width, in standard errors, of a t interval at this level.

    Parameters
    ----------
    level : float, in (0, 1)
    degrees : float
        Degrees of freedom; infinity gives the normal quantile.

    Examples
    --------
    >>> round(t_quantile(0.95, 10), 3), round(t_quantile(0.95, math.inf), 3)
    (2.228, 1.96)
    """
    if not math.isfinite(degrees):
        return normal_quantile(level)
    return float(scipy.special.stdtrit(degrees, (1 + _check_level(level)) / 2))


def _check_level(level: float) -> float:
    return validation.real_number(level, "level", low=0, high=1, open_ends=True, code="level")
