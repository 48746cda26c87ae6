"""Tests of whether the sizes of the arms agree with their probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence

import scipy


def share_test(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Test whether the number of rows in each arm agrees with its probability; return the p-value.

    Parameters
    ----------
    counts : sequence of int
        Number of rows in each arm.
    shares : sequence of float
        Probabilities of the arms, which sum to 1.

    Notes
    -----
    This is Pearson's chi-square. With 100 rows or more, every expected count is at least 10, because no share
    is below .1.

    References
    ----------
    Pearson 1900.

    Examples
    --------
    60 of 100, with 50 expected: 10^2/50 twice.

    >>> round(share_test([60, 40], [.5, .5]), 4), share_test([50, 50], [.5, .5])
    (0.0455, 1.0)
    """
    return float(scipy.special.chdtrc(len(counts) - 1, pearson(counts, shares)))


def pearson(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return Pearson's statistic of counts against expected shares.

    Parameters
    ----------
    counts : sequence of int
        Number of rows in each cell.
    shares : sequence of float
        Expected shares of the cells, which sum to 1.
    """
    expected = [sum(counts) * share for share in shares]
    return math.fsum(
        (count - expected_count) ** 2 / expected_count
        for count, expected_count in zip(counts, expected, strict=True)
    )
