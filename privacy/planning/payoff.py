"""Whether protection pays: the hiding that outweighs its noise, and people for two arms.

Asked directly some of those of whom an item is true deny it. A disguise adds noise and, it is hoped, ends
that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import scipy

from privacy import validation
from privacy.errors import PrivacyError
from privacy.planning.power import POWER
from privacy.planning.precision import AskedItem

__all__ = ["TwoArms", "break_even", "people_for_arms", "variance"]

_DETECTED: Final = float(scipy.special.ndtri(0.975) + scipy.special.ndtri(POWER))
"""Standard errors of a difference that a two-sided test at 5 % finds 8 times in 10."""


def variance(item: AskedItem) -> float:
    """Return n times the variance of the estimated share of an item.

    Parameters
    ----------
    item : AskedItem
        Its retention probability, decoy, share, and the share of people who are asked.

    Notes
    -----
    V = lambda (1 - lambda) / (p^2 f), lambda = p pi + (1 - p) theta the share that shows it, f that of the
    people who are asked it.

    Examples
    --------
    p = .6, theta = .5, pi = .2: .32 show it, .32 (.68) / .36.

    >>> round(variance(AskedItem(truth=.6, decoy=.5, share=.2)), 4)
    0.6044
    """
    shown = item.truth * item.share + (1 - item.truth) * item.decoy
    return shown * (1 - shown) / (item.truth**2 * float(item.share_asked))


def break_even(item: AskedItem, n: int) -> float | None:
    """Return the least hiding under direct asking from which on the disguise has the smaller error.

    Parameters
    ----------
    item : AskedItem
        As it is disguised.
    n : int
        Respondents, at least 2.

    Returns
    -------
    float or None
        Share of all people who have the item and would deny it; None where even if all of them did asking
        directly has the smaller error.

    Notes
    -----
    The least b <= pi with b^2 + (pi - b)(1 - pi + b)/n >= V/n: bias squared and variance of asking directly,
    and the variance of the disguise, which is assumed to end all hiding.

    References
    ----------
    Warner 1965 (comparison of mean square errors).

    Examples
    --------
    A fifth has it, p = .6: with 1,000 people it pays from 2.14 points on. Of 2 in 100 it cannot pay with 500.

    >>> round(100 * break_even(AskedItem(truth=.6, decoy=.5, share=.2), 1000), 2)
    2.14
    >>> break_even(AskedItem(truth=.6, decoy=.5, share=.02), 500) is None
    True
    """
    rows = validation.whole_number(n, "number of people", low=2, high=10**12, code="n")
    share = item.share
    # (n - 1) b^2 - (1 - 2 pi) b - (V - pi (1 - pi)) >= 0
    excess = variance(item) - share * (1 - share)
    slope = 1 - 2 * share
    hidden = (slope + math.sqrt(slope**2 + 4 * (rows - 1) * excess)) / (2 * (rows - 1))
    return hidden if hidden <= share else None


@dataclass(frozen=True, kw_only=True)
class TwoArms:
    """People of two arms, best shared out, who show a difference 8 times in 10."""

    people: int
    first: int
    second: int


def people_for_arms(first: AskedItem, second: AskedItem) -> TwoArms:
    """Return how many people show that an item has different shares in two arms.

    Parameters
    ----------
    first, second : AskedItem
        As each arm is asked, with the share that is expected there; p = 1 asks directly.

    Raises
    ------
    PrivacyError
        ``share``: both shares are alike, and no number of people shows that they differ.

    Notes
    -----
    n = ((z_.975 + z_.8)(sqrt V_1 + sqrt V_2) / d)^2, in the proportion sqrt V_1 : sqrt V_2, each
    `variance` at the share of its arm; Wald's test, two-sided at 5%.

    References
    ----------
    Neyman 1934 (allocation).

    Examples
    --------
    .20 under p = .6 against .15 asked directly.

    >>> people_for_arms(AskedItem(truth=.6, decoy=.5, share=.2), AskedItem(truth=1, decoy=0, share=.15))
    TwoArms(people=4042, first=2770, second=1272)
    """
    difference = first.share - second.share
    if difference == 0:
        raise PrivacyError("share.arms", first.share)
    spreads = [math.sqrt(variance(item)) for item in (first, second)]
    people = math.ceil((_DETECTED * sum(spreads) / difference) ** 2 - 1e-9)
    own = round(people * spreads[0] / sum(spreads))
    return TwoArms(people=people, first=own, second=people - own)
