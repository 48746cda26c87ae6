"""Choose the coin of a block: p, and the share of skips among its random answers."""

from __future__ import annotations

from fractions import Fraction

from privacy.coins import SCALE
from privacy.planning.largest_truth import largest_truth_of
from privacy.planning.protection import Protection


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

    >>> from privacy.planning.protection import PROTECTIONS
    >>> medium = PROTECTIONS["medium"]
    >>> best_coin(medium, everything=Fraction(19), row=Fraction(1, 2), one=Fraction(1, 2), skips=True)
    (5581, 1579)
    >>> best_coin(medium, everything=Fraction(19), row=Fraction(1, 3), one=Fraction(1, 3), skips=True)
    (4705, 1111)
    >>> best_coin(medium, everything=Fraction(19), row=Fraction(1, 2), one=Fraction(1, 2), skips=False)
    (6000, None)
    """
    # Whole numbers, because a search compares thousands of coins and fractions would be reduced each time.
    answered = _smaller(_excess(protection.answer, one), _excess(everything, row))
    if not skips:
        return max(largest_truth_of(*answered), 0), None
    skip = protection.skip if protection.skip <= everything else everything
    skipped = skip.numerator - skip.denominator, skip.denominator
    if answered[0] <= 0 or skipped[0] <= 0:
        return 0, 1
    answered_share, skipped_share = answered[0] * skipped[1], skipped[0] * answered[1]
    crossing = SCALE * answered_share // (answered_share + skipped_share)
    best, refusal = -1, 1
    # With equal p, fewer skips leave more answers.
    for near in (crossing, crossing + 1):
        share = min(max(near, 1), SCALE - 1)
        truth = min(
            largest_truth_of(answered[0] * (SCALE - share), answered[1] * SCALE),
            largest_truth_of(skipped[0] * share, skipped[1] * SCALE),
        )
        if truth > best:
            best, refusal = truth, share
    return best, refusal


_Ratio = tuple[int, int]
"""A numerator and a positive denominator, not reduced."""


def _excess(odds: Fraction, share: Fraction) -> _Ratio:
    """Return (odds - 1) share."""
    return (odds.numerator - odds.denominator) * share.numerator, odds.denominator * share.denominator


def _smaller(first: _Ratio, second: _Ratio) -> _Ratio:
    return first if first[0] * second[1] <= second[0] * first[1] else second
