"""List experiments and item sums: how much larger they are where the sensitive item is among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.study import ModelTest, PaperStudy, Quantity

__all__ = ["item_sum", "list_experiment"]


def list_experiment(control: Sequence[int], treated: Sequence[int]) -> PaperStudy:
    """Estimate a share from counts of list items, and test what the list takes for granted.

    Parameters
    ----------
    control : sequence of int, length J + 1, J at least 1
        ``control[y]``: people shown the J harmless items alone who count y of them.
    treated : sequence of int, length J + 2
        ``treated[y]``: people shown the sensitive item too who count y of all.

    Returns
    -------
    PaperStudy
        ``share``; the tests that the sensitive item makes nobody count fewer, and nobody two more, each with
        its p-value, and both together by Bonferroni.

    Raises
    ------
    PrivacyError
        ``paper``: counts of other lengths, counts that are none, fewer than two people in a group.

    Notes
    -----
    pi = mean of the treated - mean of the control, variance s1^2/n1 + s0^2/n0 with n - 1 in each. With F the
    distributions, the share who count y harmless items and have (have not) the property is
    F0(y) - F1(y), and F1(y) - F0(y - 1): none may be negative. Each inequality is a difference of two
    binomials, tested exactly (Fisher, one-sided); the smallest p-value times the number of inequalities is
    that of all of them (Bonferroni). The statistic is that number.

    References
    ----------
    Blair and Imai 2012; Fisher 1935.

    Examples
    --------
    A list of one harmless item that half have, and a sensitive one that a fifth have:

    >>> study = list_experiment([50, 50], [40, 50, 10])
    >>> round(study["share"].value, 3), round(study["share"].standard_error, 3)
    (0.2, 0.082)
    """
    without, shown = _counts(control, "control"), _counts(treated, "treated")
    if len(without) < 2 or len(shown) != len(without) + 1:
        raise PrivacyError("paper.items", len(shown), control=len(without))
    (m0, v0, n0), (m1, v1, n1) = (
        _moments(np.arange(len(group), dtype=np.float64), group) for group in (without, shown)
    )
    share = Quantity(name="share", value=m1 - m0, standard_error=float(np.sqrt(v0 / n0 + v1 / n1)))
    tests = _list_tests(without, shown)
    return PaperStudy(
        method=f"list experiment of {len(without) - 1} items and one",
        n=int(n0 + n1),
        quantities=(share,),
        tests=tests,
    )


def item_sum(control: Sequence[float], treated: Sequence[float]) -> PaperStudy:
    """Estimate the mean of a sensitive quantity reported in one sum with a harmless one.

    Parameters
    ----------
    control : sequence of float, length 2 or more
        The harmless quantity alone.
    treated : sequence of float, length 2 or more
        The sum of both.

    Raises
    ------
    PrivacyError
        ``paper``: fewer than two numbers in a group, or what is no finite number.

    Notes
    -----
    Mean of the treated - mean of the control, variance s1^2/n1 + s0^2/n0 with n - 1 in each.

    References
    ----------
    Trappmann et al. 2014.

    Examples
    --------
    >>> mean = item_sum([1, 3], [4, 6])["mean"]
    >>> mean.value, round(mean.standard_error, 3)
    (3.0, 1.414)
    """
    parts = []
    for name, given in (("the group without", control), ("the group with", treated)):
        numbers = np.array(given, dtype=np.float64)
        if numbers.ndim != 1 or len(numbers) < 2 or not np.isfinite(numbers).all():
            wrong = len(numbers) if numbers.ndim == 1 and np.isfinite(numbers).all() else "what is no number"
            raise PrivacyError("paper.numbers", wrong, name=name)
        parts.append((float(numbers.mean()), float(numbers.var(ddof=1)), len(numbers)))
    (m0, v0, n0), (m1, v1, n1) = parts
    return PaperStudy(
        method="item sum",
        n=n0 + n1,
        quantities=(
            Quantity(
                name="mean",
                value=m1 - m0,
                standard_error=float(np.sqrt(v0 / n0 + v1 / n1)),
                possible=(-np.inf, np.inf),
            ),
        ),
    )


def _counts(counts: Sequence[int], group: str) -> Array:
    given = [
        validation.number_of_rows(count, f"count of the {group} group", low=0, code="paper")
        for count in counts
    ]
    validation.number_of_rows(sum(given), f"rows of the {group} group", low=2, code="paper")
    return np.array(given, dtype=np.float64)


def _moments(values: Array, counts: Array) -> tuple[float, float, float]:
    n = counts.sum()
    mean = counts @ values / n
    return float(mean), float(counts @ (values - mean) ** 2 / (n - 1)), float(n)


def _list_tests(control: Array, treated: Array) -> tuple[ModelTest, ...]:
    n0, n1 = int(control.sum()), int(treated.sum())
    c0, c1 = np.cumsum(control)[:-1].astype(int), np.cumsum(treated)[:-1].astype(int)
    # Counts of y or fewer: the sensitive item makes none of them likelier, and moves nobody by two.
    fewer = [_fisher(own, n1, other, n0) for own, other in zip(c1[:-1], c0, strict=True)]
    more = [_fisher(other, n0, own, n1) for own, other in zip(c1[1:], c0, strict=True)]
    names = ("nobody counts fewer with the sensitive item", "nobody counts two more with it")
    tests = [
        ModelTest(name=name, statistic=float(len(found)), p_value=min(1.0, len(found) * min(found)))
        for name, found in zip(names, (fewer, more), strict=True)
    ]
    every = fewer + more
    p_value = min(1.0, len(every) * min(every))
    return (*tests, ModelTest(name="both", statistic=float(len(every)), p_value=p_value))


def _fisher(first: int, n: int, second: int, m: int) -> float:
    """Return the p-value of "the share of the first is no larger": P(first or more), both margins fixed."""
    every = first + second
    last = min(every, n)
    counts = np.arange(max(0, every - m), last + 1)

    gamma = scipy.special.gammaln
    # Of n choose y, without what is the same of every y.
    log_law = -gamma(counts + 1) - gamma(n - counts + 1)
    log_law -= gamma(every - counts + 1) + gamma(m - every + counts + 1)
    law = np.exp(log_law - log_law.max())
    return float(law[counts >= first].sum() / law.sum())
