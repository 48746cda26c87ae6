"""From an epsilon to the fraction that devices reckon with, and back."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from privacy import validation
from privacy.policy import EPSILON_HIGHEST, EPSILON_LOWEST

__all__ = ["amplification_below", "effective_epsilon"]

_SCALE: Final = 1 << 20


def amplification_below(epsilon: float) -> Fraction:
    """Return e^epsilon, rounded down to a fraction of 2^20.

    Parameters
    ----------
    epsilon : float, 0.01 to 20

    Returns
    -------
    Fraction
        floor(e^epsilon 2^20 (1 - 2^-40)) / 2^20. The factor makes up for a power that the machine rounds up:
        the logarithm of the fraction, which is what a design publishes, never exceeds epsilon.

    Raises
    ------
    PrivacyError
        ``epsilon``.

    Examples
    --------
    >>> amplification_below(1.0)
    Fraction(2850325, 1048576)
    >>> 0 < 1 - effective_epsilon(amplification_below(1.0)) < 1e-6
    True
    """
    epsilon = validation.real_number(
        epsilon, "epsilon", low=EPSILON_LOWEST, high=EPSILON_HIGHEST, code="epsilon"
    )
    return Fraction(math.floor(math.exp(epsilon) * _SCALE * (1 - 2.0**-40)), _SCALE)


def effective_epsilon(amplification: Fraction | None) -> float:
    """Return ln gamma; infinite where gamma is."""
    if amplification is None:
        return math.inf
    # Two logarithms of whole numbers: fractions of very large ones do not fit a float.
    return math.log(amplification.numerator) - math.log(amplification.denominator)
