"""Amplification gamma of a channel, exactly, and the epsilon that is its logarithm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from privacy import validation
from privacy.policy import EPSILON_HIGHEST, EPSILON_LOWEST

__all__ = ["amplification_below", "effective_epsilon", "largest_ratio", "retained"]

_SCALE: Final = 1 << 20

Number = TypeVar("Number", Fraction, float)


def largest_ratio(rows: Iterable[Sequence[Number]]) -> Number | Fraction | None:
    """Return gamma, the largest ratio of two entries of one row of a channel; None where it is infinite.

    Parameters
    ----------
    rows : iterable of sequence of Fraction, or of float
        Of each observed value the chances from the true ones; a row that holds all of its different entries
        will do. Rows of zeros are never observed and count for nothing.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003, definition of gamma-amplifying.

    Examples
    --------
    >>> largest_ratio([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)], [Fraction(0)]])
    Fraction(3, 1)
    >>> largest_ratio([[Fraction(1), Fraction(0)]])
    """
    worst: Number | Fraction = Fraction(1)
    for row in rows:
        high, low = max(row), min(row)
        if high == 0:
            continue
        if low == 0:
            return None
        worst = max(worst, high / low)
    return worst


def retained(p: Fraction, decoy: Fraction) -> Fraction | None:
    """Return gamma of a value that is kept with chance p, and else shown with chance q: 1 + p/((1 - p) q).

    Parameters
    ----------
    p : Fraction
        Retention probability; below 0 for a design that lies more often than it tells the truth.
    decoy : Fraction
        q, the chance of the value where none is kept. The least one gives gamma of the channel.

    Examples
    --------
    >>> retained(Fraction(1, 2), Fraction(1, 8)), retained(Fraction(-1, 2), Fraction(1, 2))
    (Fraction(9, 1), Fraction(3, 1))
    """
    drawn = (1 - p) * decoy
    return largest_ratio([(drawn, p + drawn)])


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
    try:
        return math.log(amplification)
    except OverflowError:
        # The least likely row of a very long block is beyond all floats.
        return math.log(amplification.numerator) - math.log(amplification.denominator)
