"""Bounds on a support for every possible non-response."""

from __future__ import annotations

from privacy import validation

__all__ = ["non_response_bounds"]


def non_response_bounds(support: float, response_rate: float) -> tuple[float, float]:
    """Return the least and the greatest support among all invited, whatever those who stay away are like.

    Parameters
    ----------
    support : float
        Among those who answered; raw, cut to [0, 1] here.
    response_rate : float, in (0, 1]
        Answers by invitations.

    Notes
    -----
    P r and P r + (1 - r): nothing is assumed about the missing, and nothing narrower follows from the data.

    References
    ----------
    Manski 1989.

    Examples
    --------
    >>> low, high = non_response_bounds(.3, .6)
    >>> round(low, 3), round(high, 3)
    (0.18, 0.58)
    """
    rate = validation.real_number(response_rate, "response rate", low=0, high=1, code="response_rate")
    inside = min(max(support, 0.0), 1.0)
    return inside * rate, inside * rate + 1 - rate
