"""The estimating equation of each measure: mean(h) = 0, h linear in the measure's value.

From scores to measures with intervals: the test of each value, inverted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np

from privacy.arrays import Array
from privacy.estimation.empirical_likelihood import ConfidenceSets, likelihood_sets
from privacy.estimation.estimates import MeasuredArray
from privacy.estimation.moments import Scores
from privacy.policy import RELIABLE_ERRORS

Measure: TypeAlias = Literal["support", "confidence", "lift", "leverage", "conviction"]
MEASURES: Final[tuple[Measure, ...]] = ("support", "confidence", "lift", "leverage", "conviction")


@dataclass(frozen=True, kw_only=True, eq=False)
class Equation:
    """h = constant + slope t for a measure t of `R` pairs (A, B).

    Parameters
    ----------
    measure : {"support", "confidence", "lift", "leverage", "conviction"}
    scores : Scores
        Scores of the pairs (A, B).

    Notes
    -----
    With z the stratified scores and P their means:

    ==========  =====================================================
    support     z(AB) - t
    confidence  z(AB) - t z(A)
    lift        z(AB) - t (P(A) z(B) + P(B) z(A) - P(A) P(B))
    leverage    z(AB) - P(A) z(B) - P(B) z(A) + P(A) P(B) - t
    conviction  (1-P(B)) z(A) - P(A) z(B) + P(A) P(B) - t (z(A) - z(AB))
    ==========  =====================================================

    For lift, leverage and conviction these are the influence values of P(AB) - t P(A) P(B),
    P(AB) - P(A) P(B) - t and P(A) (1-P(B)) - t (P(A) - P(AB)).
    """

    measure: Measure
    scores: Scores

    @cached_property
    def value(self) -> Array:
        """Raw estimates of the measure, shape (R,); NaN for 0/0."""
        if self.measure == "support":
            whole: Array = self.scores.value[0]
            return whole
        both, first, second = self.scores.value
        with np.errstate(divide="ignore", invalid="ignore"):
            value: Array = {
                "confidence": lambda: both / first,
                "lift": lambda: both / (first * second),
                "leverage": lambda: both - first * second,
                "conviction": lambda: first * (1 - second) / (first - both),
            }[self.measure]()
        return value

    @cached_property
    def _coefficients(self) -> tuple[Array, Array, Array, Array]:
        """Factors of z, then of 1, in the constant; the same in the slope; each of shape (events, R)."""
        if self.measure == "support":
            whole = np.zeros_like(self.scores.value)
            whole[0] = 1
            nothing_of_it = np.zeros_like(whole)
            return whole, nothing_of_it, nothing_of_it, -whole
        _, first, second = self.scores.value
        ones, none = np.ones_like(first), np.zeros_like(first)
        product = first * second
        union, nothing = (ones, none, none), (none, none, none)
        rows: tuple[tuple[Array, Array, Array], ...]
        match self.measure:
            case "confidence":
                rows = union, nothing, (none, -ones, none), (-first, first, none)
            case "lift":
                rows = union, nothing, (none, -second, -first), (-product, product, product)
            case "leverage":
                rows = (ones, -second, -first), (-product, product, product), nothing, (-ones, none, none)
            case "conviction":
                other = first * (1 - second)
                rows = (
                    (none, 1 - second, -first),
                    (other, -other, product),
                    (ones, -ones, none),
                    (-first, first, none),
                )
        scores_in_constant, ones_in_constant, scores_in_slope, ones_in_slope = np.array(rows)
        return scores_in_constant, ones_in_constant, scores_in_slope, ones_in_slope

    @cached_property
    def cells(self) -> tuple[Array, Array]:
        """Constant and slope by cell, direct cells first, each of shape (R, cells); 0 in an empty group."""
        z_constant, one_constant, z_slope, one_slope = self._coefficients
        return _by_cell(z_constant, one_constant, self.scores), _by_cell(z_slope, one_slope, self.scores)

    @cached_property
    def means(self) -> tuple[Array, Array]:
        """Means of constant and slope over the rows, each of shape (R,)."""
        z_constant, one_constant, z_slope, one_slope = self._coefficients
        value = self.scores.value
        return (z_constant * value + one_constant).sum(axis=0), (z_slope * value + one_slope).sum(axis=0)

    def variances(self, covariance: Array) -> tuple[Array, Array, Array]:
        """Variance of the mean constant, covariance with the mean slope, variance of that."""
        z_constant, _, z_slope, _ = self._coefficients
        pairs = ((z_constant, z_constant), (z_constant, z_slope), (z_slope, z_slope))
        first, mixed, last = (np.einsum("ir,ijr,jr->r", a, covariance, b) for a, b in pairs)
        return first, mixed, last


def _by_cell(z_factor: Array, constant: Array, scores: Scores) -> Array:
    parts = []
    for cells, own, n in zip(scores.cells.groups, scores.by_group, scores.n_by_group, strict=True):
        part = (z_factor[:, :, None] * own).sum(axis=0) + constant.sum(axis=0)[:, None]
        # Without a row of the group its cells say nothing about who could answer.
        parts.append(np.where((n > 0)[:, None] & cells.possible, part, 0.0))
    return np.concatenate(parts, axis=1)


SAME: Final = 1e-12
"""Difference, absolute or relative, that is rounding."""

RANGES: Final[dict[Measure, tuple[float, float]]] = {
    "confidence": (0.0, 1.0),
    "lift": (0.0, np.inf),
    "conviction": (0.0, np.inf),
}
"""Intervals of ratios are intersected with these."""

POSSIBLE: Final[dict[Measure, tuple[float, float]]] = {"support": (0.0, 1.0), "leverage": (-0.25, 0.25)}
"""Intervals of these stay raw; one that leaves all of the range says nothing."""


def inversion_intervals(
    measures: Sequence[Measure], scores: Scores, threshold: float
) -> dict[Measure, MeasuredArray]:
    """Return value, interval and delta standard error of each measure of the scored pairs.

    Parameters
    ----------
    measures : sequence of {"support", "confidence", "lift", "leverage", "conviction"}
    scores : Scores
    threshold : float
        Quantile of chi-square with one degree of freedom.

    Notes
    -----
    All measures go through one search together. A delta standard error is
    sd(mean h at the estimate) / |mean slope|, given where |mean slope| exceeds 5 of its own errors.
    """
    equations = [Equation(measure=measure, scores=scores) for measure in measures]
    size = len(scores.n)
    sets = likelihood_sets(
        np.tile(scores.cells.rows, (len(measures), 1)),
        np.concatenate([equation.cells[0] for equation in equations]),
        np.concatenate([equation.cells[1] for equation in equations]),
        threshold,
    )
    return {
        equation.measure: _measured(equation, sets.part(slice(at * size, (at + 1) * size)))
        for at, equation in enumerate(equations)
    }


def _measured(equation: Equation, sets: ConfidenceSets) -> MeasuredArray:
    measure, value = equation.measure, equation.value
    if measure in RANGES:
        interval = sets.inside(*RANGES[measure])
        low, high, estimable = interval.low, interval.high, interval.estimable
    else:
        low, high, estimable = sets.low, sets.high, sets.inside(*POSSIBLE[measure]).estimable
    # A set that is one point, computed by another way than the value, is that value.
    low, high = (np.where(np.isclose(end, value, rtol=SAME, atol=SAME), value, end) for end in (low, high))
    denominator = equation.means[1]
    of_constant, mixed, of_slope = equation.variances(equation.scores.population_covariance)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(of_constant + 2 * value * mixed + value**2 * of_slope) / np.abs(denominator)
        reliable = np.abs(denominator) > RELIABLE_ERRORS * np.sqrt(of_slope)
    return MeasuredArray(
        value=value,
        low=low,
        high=high,
        standard_error=np.where(reliable, error, np.nan),
        estimable=estimable,
    )
