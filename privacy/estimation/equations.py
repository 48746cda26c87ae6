"""The estimating equation of each measure: mean(h) = 0, h linear in the measure's value.

From scores to measures with intervals: the test of each target, inverted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np

from privacy.arrays import Array
from privacy.estimation.contingency_table import DrawnTables
from privacy.estimation.drawn_moves import MovedVariance, Moves, Triple, moved_sets, product_moves
from privacy.estimation.drawn_slopes import variances_at_hypothesis
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.fieller import ConfidenceSets, score_test_sets
from privacy.estimation.measures import MeasuredArray
from privacy.estimation.moments import Scores, Target
from privacy.policy import RELIABLE_ERRORS

__all__ = ["MEASURES", "Equation", "Measure", "inversion_intervals"]

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
    With z the scores and P their weighted means, for d = 1 (stratified):

    ==========  =====================================================
    support     z(AB) - t
    confidence  z(AB) - t z(A)
    lift        z(AB) - t (P(A) z(B) + P(B) z(A) - P(A) P(B))
    leverage    z(AB) - P(A) z(B) - P(B) z(A) + P(A) P(B) - t
    conviction  (1-P(B)) z(A) - P(A) z(B) + P(A) P(B) - t (z(A) - z(AB))
    ==========  =====================================================

    For lift, leverage and conviction these are the influence values of P(AB) - t P(A) P(B),
    P(AB) - P(A) P(B) - t and P(A) (1-P(B)) - t (P(A) - P(AB)). With weights d (pooled) each z(E)
    enters as d(E) (z(E) - P(E)), and P(AB) is what the hypothesis t makes of P(A) and P(B): for
    support, and for confidence within one block, the equation is then exact whatever P(A) is.
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
        """Factors of d z, then of d, in the constant; the same in the slope; each of shape (events, R)."""
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
        scores_in_constant, weights_in_constant, scores_in_slope, weights_in_slope = np.array(rows)
        return scores_in_constant, weights_in_constant, scores_in_slope, weights_in_slope

    @cached_property
    def cells(self) -> tuple[Array, Array]:
        """Constant and slope by cell, direct cells first, each of shape (R, cells); 0 in an empty group."""
        z_constant, d_constant, z_slope, d_slope = self._coefficients
        return _by_cell(z_constant, d_constant, self.scores), _by_cell(z_slope, d_slope, self.scores)

    @cached_property
    def means(self) -> tuple[Array, Array]:
        """Means of constant and slope over the rows, each of shape (R,); the mean of d is 1."""
        z_constant, d_constant, z_slope, d_slope = self._coefficients
        value = self.scores.value
        return (z_constant * value + d_constant).sum(axis=0), (z_slope * value + d_slope).sum(axis=0)

    def union(self, t: Array) -> tuple[Array, Array]:
        """Return what P(AB) gains where the measure is t and P(A), P(B) stay, and the derivative."""
        both, first, second = self.scores.value
        product, other = first * second, first * (1 - second)
        match self.measure:
            case "confidence":
                return t * first - both, first
            case "lift":
                return t * product - both, product
            case "leverage":
                return t + product - both, np.ones_like(t)
            case _:
                return first - other / t - both, other / t**2

    def variances(self, covariance: Array) -> tuple[Array, Array, Array]:
        """Variance of the mean constant, covariance with the mean slope, variance of that."""
        z_constant, _, z_slope, _ = self._coefficients
        pairs = ((z_constant, z_constant), (z_constant, z_slope), (z_slope, z_slope))
        first, mixed, last = (np.einsum("ir,ijr,jr->r", a, covariance, b) for a, b in pairs)
        return first, mixed, last


def _by_cell(z_factor: Array, d_factor: Array, scores: Scores) -> Array:
    parts = []
    groups = zip(scores.cells.groups, scores.by_group, scores.weights, scores.n_by_group, strict=True)
    for cells, own, weights, n in groups:
        part = (z_factor[:, :, None] * own).sum(axis=0) + (d_factor * weights).sum(axis=0)[:, None]
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
    measures: Sequence[Measure],
    scores: Scores,
    target: Target,
    threshold: float,
) -> dict[Measure, MeasuredArray]:
    """Return value, interval and delta standard error of each measure of the scored pairs.

    Parameters
    ----------
    measures : sequence of {"support", "confidence", "lift", "leverage", "conviction"}
    scores : Scores
    target : {"population", "respondents"}
    threshold : float
        Quantile of chi-square with one degree of freedom.

    Notes
    -----
    All measures go through one search together. A delta standard error is
    sd(mean h at the estimate) / |mean slope|, given where |mean slope| exceeds 5 of its own errors.

    Where rows count that were asked a part, the test about these respondents has the variance of the
    hypothesis.
    """
    equations = [Equation(measure=measure, scores=scores) for measure in measures]
    covariance = scores.covariance(target)
    variances = [equation.variances(covariance) for equation in equations]
    size = len(scores.n)
    if target == "population":
        sets = likelihood_sets(
            np.tile(scores.cells.rows, (len(measures), 1)),
            np.concatenate([equation.cells[0] for equation in equations]),
            np.concatenate([equation.cells[1] for equation in equations]),
            threshold,
        )
        by_measure = [sets.part(slice(at * size, (at + 1) * size)) for at in range(len(measures))]
    else:
        moves = covariance_moves(scores, target)
        by_measure = [
            _tested(equation, own, moves, threshold)
            for equation, own in zip(equations, variances, strict=True)
        ]
    return {
        equation.measure: _measured(equation, own, sets)
        for equation, own, sets in zip(equations, variances, by_measure, strict=True)
    }


def covariance_moves(scores: Scores, target: Target) -> Moves | None:
    """Return by how much covariances grow with P(AB); None where they are held at the estimate."""
    cells = scores.cells
    if target == "population" or not isinstance(cells, DrawnTables) or not cells.all_rows.any():
        return None
    return product_moves(scores, cells)


def moved_variance(equation: Equation, held: Triple, moves: Moves) -> MovedVariance:
    """Return the variance of a rule's measure at each hypothesis.

    Parameters
    ----------
    equation : Equation
        Of confidence, lift, leverage or conviction.
    held : Triple
        At the estimate, from `Equation.variances`.
    moves : Moves
        From `covariance_moves`.
    """
    rates = equation.variances(moves.within if equation.measure == "confidence" else moves.crossed)
    return MovedVariance(held=held, rates=rates, union=equation.union)


def _tested(equation: Equation, held: Triple, moves: Moves | None, threshold: float) -> ConfidenceSets:
    """Return the values that the score test accepts."""
    if moves is None:
        return score_test_sets(*equation.means, held, threshold)
    if equation.measure == "support":
        at_hypothesis = variances_at_hypothesis(equation.scores, moves.cells)
        return score_test_sets(*equation.means, at_hypothesis, threshold)
    return moved_sets(equation.means, moved_variance(equation, held, moves), equation.value, threshold)


def _measured(
    equation: Equation, variances: tuple[Array, Array, Array], sets: ConfidenceSets
) -> MeasuredArray:
    measure, value = equation.measure, equation.value
    if measure in RANGES:
        interval = sets.inside(*RANGES[measure])
        low, high, estimable = interval.low, interval.high, interval.estimable
    else:
        low, high, estimable = sets.low, sets.high, sets.inside(*POSSIBLE[measure]).estimable
    # A set that is one point, computed by another way than the value, is that value.
    low, high = (np.where(np.isclose(end, value, rtol=SAME, atol=SAME), value, end) for end in (low, high))
    denominator = equation.means[1]
    of_constant, mixed, of_slope = variances
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
