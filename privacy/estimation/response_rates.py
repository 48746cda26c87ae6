"""Response rates of groups that invitations divided: how many of those invited to each answered."""

from __future__ import annotations

import math
from collections.abc import Sequence

import scipy

from privacy.estimation.arm_effects import pearson
from privacy.levels import normal_quantile

__all__ = ["rate_difference", "response_test"]


def rate_difference(
    answered: tuple[int, int], invited: tuple[int, int], *, level: float = 0.95
) -> tuple[float, float, float]:
    """Return by how much the second group's response rate exceeds the first's, with both ends.

    Parameters
    ----------
    answered, invited : tuple of int
        Of the first and the second group; no one answered who was not invited.
    level : float, in (0, 1)

    Notes
    -----
    From Wilson's intervals (l, u) of both rates r: d - sqrt((r2 - l2)^2 + (u1 - r1)^2) and
    d + sqrt((u2 - r2)^2 + (r1 - l1)^2).

    References
    ----------
    Newcombe 1998, method 10.

    Examples
    --------
    His first example, 56 of 70 and 48 of 80 the other way round:

    >>> [round(end, 4) for end in rate_difference((48, 56), (80, 70))]
    [0.2, 0.0524, 0.3339]
    """
    z = float(normal_quantile(level))
    (first, low1, high1), (second, low2, high2) = (
        _wilson(count, n, z) for count, n in zip(answered, invited, strict=True)
    )
    difference = second - first
    return (
        difference,
        difference - math.hypot(second - low2, high1 - first),
        difference + math.hypot(high2 - second, first - low1),
    )


def _wilson(count: int, n: int, z: float) -> tuple[float, float, float]:
    rate, shrunk = count / n, n + z * z
    middle = (count + z * z / 2) / shrunk
    half = z * math.sqrt(rate * (1 - rate) * n + z * z / 4) / shrunk
    return rate, middle - half, middle + half


def response_test(answered: Sequence[int], invited: Sequence[int]) -> float:
    """Return the p-value of "all groups have the same response rate".

    Parameters
    ----------
    answered, invited : sequence of int
        People of each group.

    Notes
    -----
    Pearson's chi-square of who answered and who did not, by group: that of the numbers of answers against
    the shares of those invited, over 1 - r, r the rate of all together.

    References
    ----------
    Pearson 1900.

    Examples
    --------
    40 and 60 of 100 each: 10^2/50 four times.

    >>> round(response_test([40, 60], [100, 100]), 4), response_test([7, 7], [7, 7])
    (0.0047, 1.0)
    """
    silent = 1 - sum(answered) / sum(invited)
    if not silent:
        return 1.0
    statistic = pearson(answered, [n / sum(invited) for n in invited]) / silent
    return float(scipy.special.chdtrc(len(invited) - 1, statistic))
