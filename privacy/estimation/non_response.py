"""Bounds of a share for any answers of the people who did not respond."""

from __future__ import annotations

from privacy import validation
from privacy.printed import cut_ends


def non_response_bounds(interval: tuple[float, float], response_rate: float) -> tuple[float, float]:
    """Return bounds on the support among all invited people, whatever the nonrespondents would answer.

    Parameters
    ----------
    interval : (float, float)
        Ends of the interval of the support among respondents; clipped to [0, 1] here.
    response_rate : float, in (0, 1]
        Answers divided by invitations.

    Notes
    -----
    For an interval from L to U the bounds are L r and U r + (1 - r). They assume nothing about
    nonrespondents. Each bound misses no more often than the end of the interval does.

    References
    ----------
    Manski 1989.

    Examples
    --------
    >>> low, high = non_response_bounds((.25, .35), .6)
    >>> round(low, 3), round(high, 3)
    (0.15, 0.61)
    """
    rate = validation.real_number(response_rate, "response rate", low=0, high=1, code="response_rate")
    low, high = cut_ends(interval, (0.0, 1.0))
    return low * rate, high * rate + 1 - rate
