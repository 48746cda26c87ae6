"""Strengths of protection: limits on odds, and the coin of a block that uses them best."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from privacy.coins import SCALE
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


def best_coin(
    protection: Protection, *, everything: Fraction, row: Fraction, one: Fraction, skips: bool
) -> tuple[int, int | None]:
    """Return the p and r of a block that give the narrowest intervals within all limits.

    Parameters
    ----------
    protection : Protection
        Its limits for one answer and for a skip.
    everything : Fraction
        Limit on odds for the whole block.
    row, one : Fraction
        Probabilities of the least likely random row, and of the least likely random answer to one question,
        if it is not a skip.
    skips : bool
        Whether the block may be skipped.

    Returns
    -------
    truth, refusal : int and (int or None), ten-thousandths
        p, 0 if none is within the limits; and the share r of skips among random answers.

    Notes
    -----
    With o = p / (1 - p), the limits A for one answer, G for the block and S for a skip are

        o <= a (1 - r),  a = min((A - 1) one, (G - 1) row)
        o <= b r,        b = min(S, G) - 1,

    so the largest p is at r = a / (a + b). It is also the p of the narrowest interval: with a larger r, the
    variance of an estimated share pi with theta is k / p - k^2 with k = pi + theta / a, which grows as p
    falls. With a smaller r, p falls and random answers hide fewer skips. A test compares all r.

    Examples
    --------
    A yes/no question under 80% from one answer, 95% from everything and 90% from a skip; three levels.

    >>> medium = PROTECTIONS["medium"]
    >>> best_coin(medium, everything=Fraction(19), row=Fraction(1, 2), one=Fraction(1, 2), skips=True)
    (5581, 1579)
    >>> best_coin(medium, everything=Fraction(19), row=Fraction(1, 3), one=Fraction(1, 3), skips=True)
    (4705, 1111)
    >>> best_coin(medium, everything=Fraction(19), row=Fraction(1, 2), one=Fraction(1, 2), skips=False)
    (6000, None)
    """
    answered = min((protection.answer - 1) * one, (everything - 1) * row)
    if not skips:
        return max(largest_truth(answered), 0), None
    skipped = min(protection.skip, everything) - 1
    if answered <= 0 or skipped <= 0:
        return 0, 1
    crossing = SCALE * answered / (answered + skipped)

    def truth(refusal: int) -> int:
        share = Fraction(refusal, SCALE)
        return largest_truth(min(answered * (1 - share), skipped * share))

    near = {min(max(whole, 1), SCALE - 1) for whole in (math.floor(crossing), math.ceil(crossing))}
    # With equal p, fewer skips leave more answers.
    best = min(near, key=lambda refusal: (-truth(refusal), refusal))
    return truth(best), best


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
    return min(SCALE - 1, SCALE * ratio.numerator // (ratio.numerator + ratio.denominator))
