"""Strengths of protection: limits on odds, in one wave or in several."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from privacy.coins import SCALE
from privacy.planning.largest_truth import largest_truth
from privacy.risk.promise import Figures


@dataclass(frozen=True, kw_only=True)
class Protection:
    """Three limits on odds O; at a prior of 1/2, the certainty is O / (1 + O).

    Parameters
    ----------
    everything : Fraction
        Limit for everything that one device sends.
    answer : Fraction
        Limit for one answer, without the others.
    skip : Fraction, optional
        Limit for "skipped". A limit as low as that of an answer would widen every interval by 12 to 14%.

    Examples
    --------
    95% from everything, 80% from one answer: for a yes/no question, p / (1 - p) <= (4 - 1) / 2.

    >>> Protection(everything=Fraction(19), answer=Fraction(4)).truth_of_one(Fraction(1, 2))
    6000
    """

    everything: Fraction
    answer: Fraction
    skip: Fraction = Fraction(9)

    def allows(self, figures: Figures) -> bool:
        """Return whether everything, one answer and a skip are within their limits."""
        return (
            figures.everything <= self.everything
            and figures.answer <= self.answer
            and (figures.skip is None or figures.skip <= self.skip)
        )

    def truth_of_one(self, rarest: Fraction, *, refusal: int = 0) -> int:
        """Return the largest p, in ten-thousandths, given the probability of the rarest random answer."""
        answering = 1 - Fraction(refusal, SCALE)
        return largest_truth((self.answer - 1) * answering * rarest)

    def root(self, waves: int) -> Protection:
        """Return limits that a device can reach in each of several waves without passing these in all.

        Examples
        --------
        >>> half = Protection(everything=Fraction(19), answer=Fraction(4), skip=Fraction(9)).root(2)
        >>> half.answer, half.skip, float(half.everything)
        (Fraction(2, 1), Fraction(3, 1), 4.358898)
        """
        return Protection(
            everything=root_below(self.everything, waves),
            answer=root_below(self.answer, waves),
            skip=root_below(self.skip, waves),
        )


MEDIUM: Final = "medium"

PROTECTIONS: Final[Mapping[str, Protection]] = {
    "light": Protection(everything=Fraction(19), answer=Fraction(9)),
    MEDIUM: Protection(everything=Fraction(19), answer=Fraction(4)),
    "strong": Protection(everything=Fraction(22, 3), answer=Fraction(7, 3), skip=Fraction(4)),
}
"""Limits on odds by strength: 95, 95 and 88% from everything; 90, 80 and 70% from one answer alone;
90, 90 and 80% from a skip."""


_PARTS: Final = 10**6
"""Denominator of roots."""


def root_below(odds: Fraction, degree: int) -> Fraction:
    """Return the largest fraction in millionths whose power is at most some odds.

    Parameters
    ----------
    odds : Fraction
        0 or more.
    degree : int
        At least 1.

    Examples
    --------
    >>> root_below(Fraction(9), 2), root_below(Fraction(2), 2)
    (Fraction(3, 1), Fraction(1414213, 1000000))
    """
    most = math.floor(odds * _PARTS**degree)
    # Integer search, because floating-point roots can be rounded up.
    low, high = 0, most + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= most else (low, middle)
    return Fraction(low, _PARTS)
