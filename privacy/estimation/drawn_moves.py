"""Variance of a rule's measure for these respondents at a hypothesis, if devices draw the questions.

Taken at the estimate, the variance is too small where the estimate is too low, for a rule as for an itemset
(`privacy.estimation.drawn_slopes`): of triples that rotate .927 to .941 of its intervals held the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from privacy.arrays import Array, Flags
from privacy.estimation.contingency_table import DrawnTables
from privacy.estimation.drawn_slopes import kind_slopes
from privacy.estimation.fieller import ConfidenceSets, score_test_sets
from privacy.estimation.moments import Scores
from privacy.estimation.shapes import BOTH, FIRST, SECOND

__all__ = ["MovedVariance", "Moves", "Triple", "moved_sets", "product_moves"]

Triple: TypeAlias = tuple[Array, Array, Array]
"""V_0, V_1, V_2 of V_0 + 2 t V_1 + t^2 V_2, each of shape (R,)."""

_WITHIN_UNION: Final = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 0]])
"""Which products of two events are the union's."""

_STEPS: Final = 8
"""Tangents that are taken: each doubles the digits of an end that hold."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Moves:
    """Growth of covariances about these respondents with the share of the union.

    Parameters
    ----------
    within : float array, shape (events, events, R)
        People with A alone become people with both; what holds B is left out of it.
    crossed : float array, shape (events, events, R)
        As many with B alone become people with neither: the shares of A and of B stay.
    cells : DrawnTables
    """

    within: Array
    crossed: Array
    cells: DrawnTables


def product_moves(scores: Scores, cells: DrawnTables) -> Moves:
    """Return by how much covariances about these respondents grow with the share of the union.

    Parameters
    ----------
    scores : Scores
        Scores of the pairs (A, B) of `cells`; of itemsets nothing moves.
    cells : DrawnTables

    Notes
    -----
    With z the weighted scores and T the kind of a person (both, A alone, B alone, neither), the mean of
    z(E) z(F) moves by its means of the kinds that gain, minus those of the kinds that lose
    (`privacy.estimation.drawn_slopes.kind_slopes`); d(E) d(F) of it are the true share of E and F. Pooled
    adds what drawing the groups contributes, at the estimate. Where complete rows alone count nothing moves.
    """
    shares, weights, value = scores.shares, scores.weights, scores.value
    within, crossed = np.zeros((2, 3, 3, len(scores.n)))
    if len(value) == 1:
        return Moves(within=within, crossed=crossed, cells=cells)
    for group, own in enumerate(scores.by_group):
        products = (own[:, None] * own[None, :]).reshape(9, *own.shape[1:])
        slopes = kind_slopes(cells.shape, cells.chances, group, cells.groups[group].rows, products)
        true = (weights[group][:, None] * weights[group][None, :]) * _WITHIN_UNION[:, :, None]
        for total, slope in zip((within, crossed), slopes, strict=True):
            total += shares[group] * (slope.reshape(3, 3, -1) - true)
    tilt = weights[0] - weights[1]
    lot = np.zeros_like(crossed)
    lot[BOTH, BOTH] = 1 - 2 * value[BOTH]
    for side in (FIRST, SECOND):
        lot[BOTH, side] = lot[side, BOTH] = 1 - value[side]
    lot[FIRST, SECOND] = lot[SECOND, FIRST] = 1
    drawn = shares.prod(axis=0) * tilt[:, None] * tilt[None, :] * lot
    counted = np.where(cells.all_rows, 1 / scores.n, 0.0)
    within, crossed = (within + drawn) * counted, (crossed + drawn) * counted
    within[SECOND] = within[:, SECOND] = 0.0
    return Moves(within=within, crossed=crossed, cells=cells)


@dataclass(frozen=True, kw_only=True, eq=False)
class MovedVariance:
    """Variance of the mean of h = constant + slope t where the measure is t.

    Parameters
    ----------
    held : Triple
        At the shares that the rows show.
    rates : Triple
        Its slope in the share of the union.
    union : callable
        By how much that share is moved where the measure is t, and the derivative.
    """

    held: Triple
    rates: Triple
    union: Callable[[Array], tuple[Array, Array]]

    def at(self, t: Array) -> Array:
        """Return the variance at t, shape (R,)."""
        more, _ = self._more(t)
        return _value(self.held, t) + more

    def tangent(self, t: Array) -> Triple:
        """Return a quadratic that is the variance, and has its slope, at t."""
        more, slope = self._more(t)
        start = np.where(np.isfinite(t), t, 0.0)
        return self.held[0] + more - start * slope, self.held[1] + slope / 2, self.held[2]

    def _more(self, t: Array) -> tuple[Array, Array]:
        """Return how much the variance at t exceeds that at the estimate, and its derivative; else 0."""
        with np.errstate(all="ignore"):
            moved, by_t = self.union(t)
            rate = _value(self.rates, t)
            more, slope = moved * rate, by_t * rate + moved * 2 * (self.rates[1] + t * self.rates[2])
        is_known = np.isfinite(more) & np.isfinite(slope)
        return np.where(is_known, more, 0.0), np.where(is_known, slope, 0.0)


def _value(triple: Triple, t: Array) -> Array:
    value: Array = triple[0] + 2 * t * triple[1] + t**2 * triple[2]
    return value


def moved_sets(
    means: tuple[Array, Array], moved: MovedVariance, value: Array, threshold: float
) -> ConfidenceSets:
    """Return the values t with (mean h)^2 at most the threshold times the variance at t.

    Parameters
    ----------
    means : tuple of two float arrays, shape (R,)
        Means of constant and slope.
    moved : MovedVariance
    value : float array, shape (R,)
        The estimates.
    threshold : float

    Notes
    -----
    Each end is that of a quadratic set whose variance is tangent to the true one at that end. The iteration
    starts from the tangent at the estimate and continues from the end of the last set. An end without a
    solution stays.
    """
    # An end far out means that there is none: stop where values overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        sets = score_test_sets(*means, moved.tangent(value), threshold)
        low, high = sets.low, sets.high
        for _ in range(_STEPS):
            below = score_test_sets(*means, moved.tangent(low), threshold)
            above = score_test_sets(*means, moved.tangent(high), threshold)
            low = np.where(_is_next(below, below.low, low), below.low, low)
            high = np.where(_is_next(above, above.high, high), above.high, high)
    return ConfidenceSets(low=low, high=high, outside=sets.outside, whole=sets.whole)


def _is_next(sets: ConfidenceSets, end: Array, last: Array) -> Flags:
    is_next: Flags = np.isfinite(end) & np.isfinite(last) & ~sets.whole
    return is_next
