"""Intervals of a share that are valid at every look, past and future.

A 95% interval is valid for one look that was fixed in advance. Someone who looks after every batch and stops
when they like the result is misled far more often. Always-valid intervals are wider, and hold at all looks
together.
"""

from __future__ import annotations

import math

from privacy import validation
from privacy.policy import SHARPEST_AT


def always_valid_half_width(standard_error: float, n: int, *, level: float = 0.95) -> float:
    """Return the half-width of the interval around an estimate that is valid at every look, past and future.

    Parameters
    ----------
    standard_error : float
        Standard error of the estimate from the first n rows; 0 or more.
    n : int
        Number of rows so far.
    level : float
        Probability that the intervals at all looks contain the truth, above .5.

    Raises
    ------
    PrivacyError
        ``out_of_range``: n is below 1. ``level``.

    Notes
    -----
    With s = standard_error sqrt(n) and a = 1 - level, the half-width is
    s sqrt((n + r) ln((n + r)/(r a^2)))/n. A Gaussian mixture of likelihood ratios reaches this boundary with
    probability at most a, for sums of rows with variance s^2 (asymptotically if s^2 is estimated). The
    mixture's r = n0/(-2 ln a + ln(-2 ln a) + 1) makes the interval sharpest at
    n0 = `privacy.policy.SHARPEST_AT` rows. It is the same for all surveys, because it must not depend on the
    data.

    References
    ----------
    Robbins 1970.

    Examples
    --------
    With 1,000 rows, the interval is 1.55 times as wide as for a single look:

    >>> round(always_valid_half_width(0.01, 1_000) / (1.959964 * 0.01), 2)
    1.55
    """
    validation.whole_number(n, "rows", low=1, high=1 << 40)
    miss = 1 - validation.real_number(level, "level", low=0.5, high=1, open_ends=True, code="level")
    reach = -2 * math.log(miss)
    mixture = SHARPEST_AT / (reach + math.log(reach) + 1)
    n_total = n + mixture
    return standard_error * math.sqrt(n_total / n * math.log(n_total / (mixture * miss**2)))


def always_valid_interval(value: float, standard_error: float, n: int) -> tuple[float, float]:
    """Return the interval around an estimated share that is valid at every look.

    Parameters
    ----------
    value : float
        The estimate.
    standard_error : float
        0 or more.
    n : int
        Number of rows, 1 or more.

    Notes
    -----
    The error of an undisguised share p is sqrt(p (1 - p)/n), so it is 0 if none or all of the respondents
    gave the answer. The interval of an undisguised share therefore uses the error at each candidate p instead
    of the estimated error (the score interval). A disguised share without an error is outside 0 to 1, because
    all devices sent the same answer. Its distance from the truth is unknown, so the interval has no ends.

    References
    ----------
    Robbins 1970; Wilson 1927.

    Examples
    --------
    >>> [round(end, 3) for end in always_valid_interval(0.02, 0.01, 1_000)]
    [-0.01, 0.05]
    >>> [round(end, 3) for end in always_valid_interval(0.0, 0.0, 1_000)]
    [0.0, 0.009]
    >>> always_valid_interval(1.3, 0.0, 2)
    (-inf, inf)
    """
    if standard_error == 0 and not 0 <= value <= 1:
        return -math.inf, math.inf
    reach = always_valid_half_width(standard_error, n)
    low, high = value - reach, value + reach
    if standard_error**2 * n <= value * (1 - value) * (1 + 1e-9):
        widening = always_valid_half_width(1.0, n) ** 2 / n
        middle = (value + widening / 2) / (1 + widening)
        reach = math.sqrt(widening * (value * (1 - value) + widening / 4)) / (1 + widening)
        low, high = middle - reach, middle + reach
    return low, high
