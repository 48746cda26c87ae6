"""Precision of a share or of a change before anyone has answered, and how many people it needs."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from privacy import validation
from privacy.planning.power import NEVER_ENOUGH, REACH, AskedItem, AskedPair
from privacy.policy import LEAST_COMPLETE_ROWS, USELESS_WIDTH


def change_half_width(pair: AskedPair, n: int) -> float:
    """Return the half-width of the 95% interval of the net change between both items of a pair.

    Parameters
    ----------
    pair : AskedPair
        What people did then and do now; unrelated answers are assumed. People who stay the same make the
        interval narrower.
    n : int
        Number of respondents, of whom the share `AskedPair.together` is asked both.

    Notes
    -----
    The net change is the mean of the score h with K'h = (0, 1, -1, 0) over (neither, now, then, both), with
    the channel K of the pair. Its variance is E[h^2] - (E h)^2, over the reports of the pair.

    References
    ----------
    McNemar 1947.

    Examples
    --------
    One coin with p = .6 for both, which 10 and 8 of 100 people do: h is 1/.6 or -1/.6 for reports that
    differ, .6 (.1 (.92) + .08 (.9)) + .4 (1/2) = .2984 of all, so with 1,000 people
    1.96 sqrt((.2984/.36 - .02^2) / 1000):

    >>> then, now = (AskedItem(truth=.6, decoy=.5, share=share) for share in (.1, .08))
    >>> round(change_half_width(AskedPair(first=then, second=now, skipped=0.0), 1000), 4)
    0.0564
    """
    channel = pair.channel()
    first, second = (np.array([1 - item.share, item.share]) for item in pair.items)
    score = np.linalg.solve(channel.T, np.array([0.0, 1.0, -1.0, 0.0]))
    reports = channel @ np.kron(first, second)
    variance = float(reports @ score**2) - (pair.second.share - pair.first.share) ** 2
    return REACH * math.sqrt(variance / (validation.number_of_rows(n) * float(pair.together)))


def half_width(item: AskedItem, n: int) -> float:
    """Return the half-width of the 95% interval of an item's share.

    Parameters
    ----------
    item : AskedItem
    n : int
        Number of respondents, of whom the share `AskedItem.share_asked` is asked the question.

    Notes
    -----
    The half-width is 1.96 sqrt(lambda (1 - lambda) / (n f)) / p, where lambda = p pi + (1 - p) theta is the
    share of reports with the item, and f the share of people who are asked.

    References
    ----------
    Greenberg et al. 1969 (variance of the unrelated question model).

    Examples
    --------
    400 people, p = .6 and a share of one half: 1.96 (1/2) / (.6 20).

    >>> round(half_width(AskedItem(truth=.6, decoy=.5, share=.5), 400), 4)
    0.0817
    """
    return _unit_half_width(item) / math.sqrt(validation.number_of_rows(n) * item.share_asked)


def _unit_half_width(item: AskedItem) -> float:
    p_shown = item.truth * item.share + (1 - item.truth) * item.decoy
    return REACH * math.sqrt(p_shown * (1 - p_shown)) / item.truth


def people_needed(n: int, *, widths: Collection[float], rates: Collection[float]) -> int:
    """Return the smallest number of people with whom every figure can be shown within 25 points.

    Parameters
    ----------
    n : int
        Number of people for which the half-widths were computed.
    widths : collection of float
        Half-widths of all intervals. They fall with the square root of the number of people.
    rates : collection of float
        Shares of people who are asked each question, and both questions of a starred pair. Each must amount
        to 100 people.

    Examples
    --------
    44% more people reduce ±30 points to ±25, which is also enough if only a third are asked a question:

    >>> people_needed(400, widths=[.3, .1], rates=[1, 1 / 3]), people_needed(100, widths=[.3], rates=[1])
    (576, 144)
    """
    least = min(rates, default=1.0)
    if least <= 0:
        return NEVER_ENOUGH
    people = LEAST_COMPLETE_ROWS / least
    narrow = n * (max(widths, default=0.0) / USELESS_WIDTH) ** 2
    return math.ceil(min(NEVER_ENOUGH, max(LEAST_COMPLETE_ROWS, people, narrow)) - 1e-6)


def people_to_show_share(variance: float, share_asked: float) -> float:
    """Return the number of people, not rounded, with whom one share can be shown within 25 points.

    Parameters
    ----------
    variance : float
        Of the estimated share with one respondent who is asked.
    share_asked : float, in (0, 1]

    Examples
    --------
    An undisguised answer of one half that a quarter of people are asked: 100 people must be asked.

    >>> people_to_show_share(.25, .25)
    400.0
    """
    return max(float(LEAST_COMPLETE_ROWS), variance * (REACH / USELESS_WIDTH) ** 2) / share_asked
