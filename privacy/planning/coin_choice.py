"""Choose the coin of a block: p, and the share of skips among its random answers."""

from __future__ import annotations

import math
from fractions import Fraction

from privacy.coins import SCALE
from privacy.planning.protection import Protection, largest_truth


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
