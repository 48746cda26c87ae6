"""Quantiles of a confidence level: of the likelihood ratio, and of the normal distribution."""

from __future__ import annotations

import scipy

from privacy import validation

__all__ = ["chi_square_quantile", "normal_quantile"]


def chi_square_quantile(level: float) -> float:
    """Return what -2 log of a likelihood ratio stays below with this chance: chi-square of one degree.

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
    return float(scipy.special.chdtri(1, 1 - _checked(level)))


def normal_quantile(level: float) -> float:
    """Return how many standard errors an interval of this level reaches to each side.

    Examples
    --------
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    return float(scipy.special.ndtri((1 + _checked(level)) / 2))


def _checked(level: float) -> float:
    return validation.real_number(level, "level", low=0, high=1, open_ends=True, code="level")
