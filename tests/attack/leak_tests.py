"""Exact tests for leaks in storage and figures: compare them with the promised distribution.

An attack that assumes the promised distribution cannot detect that another one was applied. These tests use
people whose true answers are known, and compare the stored data with the promise. Each returns a valid
p-value: with a threshold of one in a million, at most one attack in a million is a false alarm.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import binom, hypergeom

from privacy.arrays import Array, Flags, Whole

__all__ = ["association_p_value", "channel_p_value", "constant_bits_p_value", "order_p_value", "sum_tail"]

_MOST_EXACT = 50


def channel_p_value(counts: Whole, channel: Array) -> float:
    """Test whether reports follow a channel, given the truths.

    Parameters
    ----------
    counts : int array, shape (reports, truths)
        Number of respondents by report and truth.
    channel : array, shape (reports, truths)
        channel[y, x] = P(report y, true x).

    Returns
    -------
    float, in (0, 1]
        The smallest exact two-sided binomial p-value of all cells, times their number (Bonferroni).

    Notes
    -----
    Of the n_x respondents with truth x, the number who report y is distributed as B(n_x, K[y, x]), whatever
    the others do. The test therefore needs no assumption about the sample.

    Examples
    --------
    Twenty people with K[yes, yes] = 3/4 all report "yes": (3/4)^20 = .0032, two-sided, for one of four cells:

    >>> channel = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> round(channel_p_value(np.array([[0, 0], [0, 20]]), channel), 4)
    0.0254
    >>> channel_p_value(np.array([[15, 5], [5, 15]]), channel)
    1.0
    """
    people = np.broadcast_to(counts.sum(axis=0), counts.shape)
    both = np.minimum(binom.cdf(counts, people, channel), binom.sf(counts - 1, people, channel))
    return float(min(1.0, 2 * both.min() * counts.size))


def order_p_value(orders: Sequence[Sequence[int]]) -> float:
    """Test whether storage order is independent of the order of arrival.

    Parameters
    ----------
    orders : sequence of sequences of int
        For each batch, the arrival numbers of its rows in storage order, without duplicates.

    Returns
    -------
    float, in (0, 1]
        The exact two-sided p-value of the total number of inversions.

    Notes
    -----
    Kendall's test, without normal approximation: the number of inversions in a random permutation of n is a
    sum of independent numbers, uniform on 0..i for i < n (Kendall, A new measure of rank correlation, 1938).

    Examples
    --------
    Three rows in order of arrival: one of six permutations, two-sided.

    >>> round(order_p_value([[4, 5, 9]]), 4)
    0.3333
    >>> round(order_p_value([range(20), range(20)]) * math.factorial(20) ** 2, 6)
    2.0
    """
    chances, inversions = np.ones(1), 0
    for order in orders:
        numbers = np.asarray(order)
        inversions += sum(int((numbers[:at] > number).sum()) for at, number in enumerate(numbers))
        for possible in range(2, len(numbers) + 1):
            chances = np.convolve(chances, np.full(possible, 1 / possible))
    few, many = chances[: inversions + 1].sum(), chances[inversions:].sum()
    return float(min(1.0, 2 * min(few, many)))


def association_p_value(stored: Flags, secret: Flags) -> tuple[float, int, int]:
    """Test whether any stored bit is associated with any secret bit, across people.

    Parameters
    ----------
    stored : bool array, shape (people, a)
    secret : bool array, shape (people, b)

    Returns
    -------
    p : float, in (0, 1]
        The smallest exact two-sided p-value of all pairs' tables, times the number of pairs.
    stored, secret : int
        Indices of that pair's bits.

    Notes
    -----
    If two bits are independent, the number of people with both is hypergeometric given the margins (Fisher's
    exact test). Only the fifty pairs with the largest correlation are computed. If another pair has the
    smallest p-value, the result is too large, which raises no false alarm.

    Examples
    --------
    A bit that equals a secret one in all twelve people, six each: 2 of 924 tables, and one pair.

    >>> half = np.arange(12) % 2 == 0
    >>> p, *_pair = association_p_value(half[:, None], half[:, None])
    >>> round(p, 6), round(2 / 924, 6)
    (0.002165, 0.002165)
    """
    people = len(stored)
    first, other = stored.astype(np.float64), secret.astype(np.float64)
    both = first.T @ other
    n_first, n_other = first.sum(axis=0), other.sum(axis=0)
    spread = np.sqrt(np.outer(n_first * (people - n_first), n_other * (people - n_other)))
    excess = np.abs(people * both - np.outer(n_first, n_other))
    correlation = np.divide(excess, spread, out=np.zeros_like(excess), where=spread > 0)
    best = (1.0, 0, 0)
    for flat in np.argsort(correlation, axis=None)[::-1][:_MOST_EXACT].tolist():
        row, column = divmod(flat, correlation.shape[1])
        table = round(both[row, column]), people, round(n_first[row]), round(n_other[column])
        chance = min(hypergeom.cdf(*table), hypergeom.sf(table[0] - 1, *table[1:]))
        best = min(best, (float(min(1.0, 2 * chance * correlation.size)), row, column))
    return best


def constant_bits_p_value(values: Flags) -> float:
    """Test whether each bit of random-looking values is 0 or 1 with probability one half.

    Parameters
    ----------
    values : bool array, shape (values, bits)

    Returns
    -------
    float, in (0, 1]
        The smallest exact two-sided binomial p-value of all bits, times their number.

    Notes
    -----
    At a level of 1e-6, the test detects a constant bit from 20 + log2(bits) + 1 values.

    Examples
    --------
    Ten values with a bit that is always 1: 2 / 2^10.

    >>> round(constant_bits_p_value(np.ones((10, 1), dtype=bool)) * 512, 9)
    1.0
    """
    ones, number = values.sum(axis=0), len(values)
    both = np.minimum(binom.cdf(ones, number, 0.5), binom.sf(ones - 1, number, 0.5))
    return float(min(1.0, 2 * both.min() * values.shape[1]))


def sum_tail(successes: int, expected: float, trials: int) -> float:
    """Return an upper bound for the probability of at least this many successes in independent trials.

    Parameters
    ----------
    successes : int
    expected : float
        Sum of the trials' success probabilities.
    trials : int

    Notes
    -----
    With a = successes/n and m = expected/n it is exp(-n (a ln(a/m) + (1-a) ln((1-a)/(1-m)))), or 1 if a <= m
    (Hoeffding, Probability inequalities for sums of bounded random variables, 1963, theorem 1).

    Examples
    --------
    Ten successes in ten fair trials: exactly (1/2)^10.

    >>> sum_tail(10, 5.0, 10) * 2**10
    1.0
    >>> sum_tail(4, 5.0, 10)
    1.0
    """
    share, mean = successes / trials, expected / trials
    if share <= mean:
        return 1.0
    if mean <= 0:
        return 0.0
    divergence = share * math.log(share / mean)
    if share < 1:
        divergence += (1 - share) * math.log((1 - share) / (1 - mean))
    return math.exp(-trials * divergence)
