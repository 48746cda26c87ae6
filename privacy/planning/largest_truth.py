"""The largest probability of a true answer whose odds stay within a ratio."""

from __future__ import annotations

from fractions import Fraction

from privacy.coins import SCALE


def largest_truth(ratio: Fraction) -> int:
    """Return the largest p, in ten-thousandths, with p / (1 - p) at most a ratio.

    Parameters
    ----------
    ratio : Fraction
        0 or more.

    Examples
    --------
    >>> largest_truth(Fraction(3, 2))
    6000
    """
    return largest_truth_of(ratio.numerator, ratio.denominator)


def largest_truth_of(numerator: int, denominator: int) -> int:
    """Return `largest_truth` of a ratio that need not be reduced.

    Parameters
    ----------
    numerator, denominator : int
        The denominator is positive.

    Examples
    --------
    >>> largest_truth_of(6, 4)
    6000
    """
    return SCALE * numerator // (numerator + denominator)
