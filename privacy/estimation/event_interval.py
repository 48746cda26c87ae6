"""Interval of the share of an event of what blocks show: it inverts the test of the share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.estimates import Estimate
from privacy.estimation.measures import Measured
from privacy.estimation.moments import Target
from privacy.estimation.patterns import GROUPS, BlockPatterns
from privacy.levels import chi_square_quantile
from privacy.scales.region_share import Quadratics

__all__ = ["event_interval", "event_numerators"]


def event_numerators(wanted: Array, parts: Sequence[BlockPatterns], group: int) -> Array:
    """Return p times the score of an event over all blocks, by what a row of a group shows.

    Parameters
    ----------
    wanted : ndarray
        Whether a cell is of the event, along an axis for each block.
    parts : sequence of BlockPatterns
        The blocks, in the order of the axes.
    group : int
        0 for direct rows, 1 for protected ones.
    """
    numerators = wanted
    for axis, part in enumerate(parts):
        numerators = part.numerator(numerators, group, axis=axis)
    return numerators


def event_interval(
    share: Estimate,
    wanted: Array,
    rows: Whole,
    parts: Sequence[BlockPatterns],
    *,
    target: Target,
    level: float = 0.95,
) -> Measured:
    """Give the estimated share of an event with its interval.

    Parameters
    ----------
    share : Estimate
        Share of the event, from these rows.
    wanted : ndarray, shape (letters of each block)
        1 where an answer is of the event, else 0.
    rows : ndarray of int, shape (letters of each block, 2)
        Rows by what they show; the last axis is the group.
    parts : sequence of BlockPatterns
    target : {"population", "respondents"}
    level : float, in (0, 1)

    Notes
    -----
    A share t is accepted where (P - t)^2 <= c V(t). V is the variance of the estimate P, moved from P to t.
    With d z the weighted score of a row (`privacy.estimation.moments`), s by how much the mean of (d z)^2
    grows where people move into the event (as the channel has it, people spread evenly in and out of it),
    D = sum of w_g d_g^2 and T = w_0 w_1 ((A_0 - A_1)/a)^2, which are 1 and 0 if stratified,

        n (V(t) - V(P)) = s (t - P) - D (t^2 - P^2)              for the population,
                        = s (t - P) - (D - T) (t - P) - T (t^2 - P^2)    about these respondents.

    In one group and one block that is Wilson's interval of the share that is shown.

    References
    ----------
    Wilson 1927.
    """
    limit, value = chi_square_quantile(level), share.value
    n = float(rows.sum())
    weights = rows.reshape(-1, 2).sum(axis=0) / n
    truth = np.array([math.prod(part.truth[group] for part in parts) for group in GROUPS])
    pooled = share.estimator == "pooled"
    divisor = np.full(2, weights @ truth) if pooled else truth
    possible = reduce(np.logical_and.outer, (part.can_be for part in parts))
    slope = sum(
        float(weights[group])
        * _slope(
            (event_numerators(wanted, parts, group) / divisor[group]) ** 2, wanted, possible, parts, group
        )
        for group in GROUPS
        if weights[group]
    )
    linear, squared, error = 0.0, float(weights @ (truth / divisor) ** 2), share.standard_error
    if target == "respondents":
        drawn = float(weights.prod() * np.diff(truth / divisor)[0] ** 2)
        linear, squared, error = squared - drawn, drawn, share.standard_error_respondents
    # n V at a share of 0.
    start = n * error**2 - (slope - linear) * value + squared * value**2
    low, high = Quadratics(
        c0=np.array([n * value**2 - limit * start]),
        c1=np.array([-2 * n * value - limit * (slope - linear)]),
        c2=np.array([n + limit * squared]),
    ).roots()
    return Measured(
        value=value,
        low=float(np.fmin(low, value)[0]),
        high=float(np.fmax(high, value)[0]),
        standard_error=error,
        estimable=bool(low[0] > 0 or high[0] < 1),
    )


def _slope(
    values: Array, wanted: Array, possible: Flags, parts: Sequence[BlockPatterns], group: int
) -> float:
    """Return the mean of values of what is shown for who is of the event, minus that for who is not."""
    for axis, part in enumerate(parts):
        values = part.backward(values, group, axis=axis)
    inside, outside = possible & (wanted > 0), possible & (wanted == 0)
    if not inside.any() or not outside.any():
        return 0.0
    return float(values[inside].mean() - values[outside].mean())
