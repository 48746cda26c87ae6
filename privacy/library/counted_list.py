"""List experiments and item sums: how much larger they are where the sensitive item is among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.study import ModelTest, PaperStudy, Quantity

__all__ = ["item_sum", "list_experiment"]

_CLOSED_FORM: Final = 3


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
    F0(y) - F1(y), and F1(y) - F0(y - 1): none may be negative. For each of the two sets the distance
    min (x - t)' S^-1 (x - t) over x >= 0 is compared with its distribution, a mixture of chi-squares, after
    leaving out what lies more than sqrt(log n) of its own errors above 0 (generalised moment selection). Of
    more than three that stay the largest p-value of any mixture is given.

    R's package list divides there by the variance of the estimates among each other, leaves out all that are
    positive, and so prints smaller p-values.

    References
    ----------
    Blair and Imai 2012; Kudo 1963; Perlman 1969; Andrews and Soares 2010.

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
    n0, n1 = control.sum(), treated.sum()
    f0, f1 = np.cumsum(control)[:-1] / n0, np.cumsum(treated)[:-2] / n1
    g0, g1 = np.concatenate([[0.0], np.cumsum(control)[:-1] / n0]), np.cumsum(treated)[:-1] / n1
    limit = float(np.sqrt(np.log(n0 + n1)))
    names = ("nobody counts fewer with the sensitive item", "nobody counts two more with it")
    tests = [
        _one_sided(name, estimate, _covariance(first) / n0 + _covariance(second) / n1, limit)
        for name, estimate, first, second in (
            (names[0], f0 - f1, f0, f1),
            (names[1], g1[1:] - g0[1:], g0[1:], g1[1:]),
        )
    ]
    least = min(test.p_value for test in tests)
    both = ModelTest(
        name="both", statistic=max(test.statistic for test in tests), p_value=min(1.0, 2 * least)
    )
    return (*tests, both)


def _covariance(distribution: Array) -> Array:
    """Return the covariance of one row's indicators y <= 0, 1, ...: F(min) (1 - F(max))."""
    low: Array = np.minimum.outer(distribution, distribution)
    either: Array = low * (1 - np.maximum.outer(distribution, distribution))
    return either


def _one_sided(name: str, estimate: Array, covariance: Array, limit: float) -> ModelTest:
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    # What does not vary tells nothing; what lies far above 0 cannot be the one that fails.
    active = (errors > 0) & (estimate <= limit * errors)
    value, spread = estimate[active], covariance[np.ix_(active, active)]
    if not active.any() or (value >= 0).all():
        return ModelTest(name=name, statistic=0.0, p_value=1.0)
    root = np.linalg.cholesky(np.linalg.inv(spread)).T
    # The nearest x >= 0 in the metric of the inverse.
    _, distance = scipy.optimize.nnls(root, root @ value)
    statistic = float(distance) ** 2
    weights = _weights(spread)
    tail = scipy.special.chdtrc(np.arange(1, len(value) + 1), statistic)
    return ModelTest(name=name, statistic=statistic, p_value=float(weights @ tail))


def _weights(covariance: Array) -> Array:
    """Return the weights of chi-squares with 1, 2, ... degrees of freedom; bounds from above beyond three."""
    size = len(covariance)
    errors = np.sqrt(np.diag(covariance))
    angles = np.arccos(np.clip(covariance / np.outer(errors, errors), -1, 1))
    if size == 1:
        return np.array([0.5])
    if size == 2:
        return np.array([0.5, angles[0, 1] / (2 * np.pi)])
    if size == _CLOSED_FORM:
        inside = (2 * np.pi - angles[0, 1] - angles[0, 2] - angles[1, 2]) / (4 * np.pi)
        inverse = np.linalg.inv(covariance)
        scale = np.sqrt(np.diag(inverse))
        partial = np.arccos(np.clip(-inverse / np.outer(scale, scale), -1, 1))
        edge = (3 * np.pi - partial[0, 1] - partial[0, 2] - partial[1, 2]) / (4 * np.pi)
        return np.array([edge, 0.5 - inside, 0.5 - edge])
    bound = np.zeros(size)
    bound[-2:] = 0.5
    return bound
