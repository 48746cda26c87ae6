"""Test random behaviour with a fixed false-alarm rate and a known power, using exact quantiles.

An assertion on a sample fails by chance at most once in a million runs, and states which drift it detects
with probability .999. No tolerance is guessed.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import stats

FALSE_ALARM: Final = 1e-6
POWER: Final = 0.999


def binomial_range(n: int, probability: float, alarm: float = FALSE_ALARM) -> tuple[int, int]:
    """Return the range (low, high) that a binomial count leaves with probability at most `alarm`."""
    law = stats.binom(n, probability)
    low, high = int(law.ppf(alarm / 2)), int(law.isf(alarm / 2))
    return low, high


def binomial_power(n: int, probability: float, drift: float, alarm: float = FALSE_ALARM) -> float:
    """Return the probability that `binomial_range` detects a probability that is off by `drift`."""
    low, high = binomial_range(n, probability, alarm)
    law = stats.binom(n, probability + drift)
    return float(law.cdf(low - 1) + law.sf(high))


def chi_square(counts: Sequence[int], probabilities: Sequence[float]) -> float:
    """Return Pearson's chi-square statistic of the counts, given the probabilities of all cells."""
    observed = np.asarray(counts, dtype=float)
    expected = np.asarray(probabilities, dtype=float) * observed.sum()
    if not np.isclose(np.sum(probabilities), 1) or expected.min() < 5:
        raise ValueError("chi-square needs all cells, each with at least 5 expected")
    return float(((observed - expected) ** 2 / expected).sum())


def chi_square_limit(cells: int, alarm: float = FALSE_ALARM) -> float:
    """Return the critical value for `cells` cells, exceeded with probability `alarm`."""
    return float(stats.chi2.isf(alarm, cells - 1))


def chi_square_power(
    n: int, probabilities: Sequence[float], drifted: Sequence[float], alarm: float = FALSE_ALARM
) -> float:
    """Return the probability that n draws from the `drifted` probabilities exceed the critical value."""
    fair, off = np.asarray(probabilities), np.asarray(drifted)
    noncentrality = n * ((off - fair) ** 2 / fair).sum()
    return float(stats.ncx2.sf(chi_square_limit(len(fair), alarm), len(fair) - 1, noncentrality))
