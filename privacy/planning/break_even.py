"""The smallest hidden share at which a disguise is more exact than direct questions."""

from __future__ import annotations

import math

from privacy import validation
from privacy.planning.power import (
    AskedItem,
)


def variance(item: AskedItem) -> float:
    """Return n times the variance of the estimated share of an item.

    Parameters
    ----------
    item : AskedItem
        How the item is asked.

    Notes
    -----
    V = lambda (1 - lambda) / (p^2 f), where lambda = p pi + (1 - p) theta is the share of reports with the
    item, and f the share of people who are asked.

    Examples
    --------
    p = .6, theta = .5, pi = .2: .32 of reports have the item, and V = .32 (.68) / .36.

    >>> round(variance(AskedItem(truth=.6, decoy=.5, share=.2)), 4)
    0.6044
    """
    p_shown = item.truth * item.share + (1 - item.truth) * item.decoy
    return p_shown * (1 - p_shown) / (item.truth**2 * float(item.share_asked))


def break_even(item: AskedItem, n: int) -> float | None:
    """Return the smallest hidden share at which the disguise has a smaller error than direct questions.

    Parameters
    ----------
    item : AskedItem
        How the disguised item is asked.
    n : int
        Number of respondents, at least 2.

    Returns
    -------
    float or None
        Share of all people who have the item but would deny it if asked directly; None if direct questions
        have the smaller error even if everyone with the item denies it.

    Notes
    -----
    This is the smallest b <= pi with b^2 + (pi - b)(1 - pi + b)/n >= V/n. The left side is the squared bias
    plus the variance of direct questions. V/n is the variance of the disguise, which is assumed to end all
    hiding.

    References
    ----------
    Warner 1965 (comparison of mean square errors).

    Examples
    --------
    With p = .6, 1,000 people and a share of 20%, the disguise pays if 2.14 points or more are hidden. With
    500 people and a share of 2%, it never pays.

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
    threshold = (slope + math.sqrt(slope**2 + 4 * (rows - 1) * excess)) / (2 * (rows - 1))
    return threshold if threshold <= share else None
