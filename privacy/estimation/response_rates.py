"""Differences between groups' response rates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import scipy

from privacy.estimation.arm_shares import pearson
from privacy.levels import normal_quantile
from privacy.printed import CHECKED, Measured


def rate_difference(
    answers: tuple[int, int], invitations: tuple[int, int], *, level: float = 0.95
) -> Measured:
    """Return the second group's response rate minus the first's.

    Parameters
    ----------
    answers, invitations : tuple of int
        Numbers of answers and invitations in the first and the second group.
    level : float, in (0, 1)

    Notes
    -----
    With Wilson's intervals (l, u) of both rates r, the ends are d - sqrt((r2 - l2)^2 + (u1 - r1)^2) and
    d + sqrt((u2 - r2)^2 + (r1 - l1)^2).

    References
    ----------
    Newcombe 1998, method 10.

    Examples
    --------
    Newcombe's first example, 56 of 70 and 48 of 80, with the groups swapped:

    >>> found = rate_difference((48, 56), (80, 70))
    >>> [round(end, 4) for end in (found.value, found.low, found.high)]
    [0.2, 0.0524, 0.3339]
    """
    z = float(normal_quantile(level))
    (first, low1, high1), (second, low2, high2) = (
        _wilson(count, n, z) for count, n in zip(answers, invitations, strict=True)
    )
    difference = second - first
    return Measured(
        value=difference,
        low=difference - math.hypot(second - low2, high1 - first),
        high=difference + math.hypot(high2 - second, first - low1),
        standard_error=None,
        estimable=True,
        n=invitations[1],
        effective_n=float(min(invitations)),
        level=level,
        possible=(-1.0, 1.0),
        method="formula",
        shift=0.0,
        origin=CHECKED,
    )


def _wilson(count: int, n: int, z: float) -> tuple[float, float, float]:
    rate, shrunk = count / n, n + z * z
    middle = (count + z * z / 2) / shrunk
    half = z * math.sqrt(rate * (1 - rate) * n + z * z / 4) / shrunk
    return rate, middle - half, middle + half


def response_test(answers: Sequence[int], invitations: Sequence[int]) -> float:
    """Test whether all groups have the same response rate; return the p-value.

    Parameters
    ----------
    answers, invitations : sequence of int
        Numbers of answers and invitations in each group.

    Notes
    -----
    This is Pearson's chi-square of answered versus not answered, by group. It equals the statistic of the
    numbers of answers against the shares of invitations, divided by 1 - r, with r the overall rate.

    References
    ----------
    Pearson 1900.

    Examples
    --------
    40 of 100 and 60 of 100: 10^2/50 four times.

    >>> round(response_test([40, 60], [100, 100]), 4), response_test([7, 7], [7, 7])
    (0.0047, 1.0)
    """
    silent = 1 - sum(answers) / sum(invitations)
    if not silent:
        return 1.0
    statistic = pearson(answers, [n / sum(invitations) for n in invitations]) / silent
    return float(scipy.special.chdtrc(len(invitations) - 1, statistic))
