"""Estimating equations of the measures of a rule: mean(h) = 0, with h linear in the measure's value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np

from privacy.arrays import Array
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
        """Estimates of the measure, not clipped, shape (R,); NaN for 0/0."""
        if self.measure == "support":
            whole: Array = self.scores.value[0]
            return whole
        both, first, second = self.scores.value
        return value_of_measure(self.measure, both, first, second)

    @cached_property
    def _coefficients(self) -> tuple[Array, Array, Array, Array]:
        """Coefficients of z and of 1 in the constant, then in the slope, each of shape (events, R)."""
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
        """Return the variances of the mean constant and slope, with their covariance between them."""
        z_constant, _, z_slope, _ = self._coefficients
        pairs = ((z_constant, z_constant), (z_constant, z_slope), (z_slope, z_slope))
        first, cross_term, last = (np.einsum("ir,ijr,jr->r", a, covariance, b) for a, b in pairs)
        return first, cross_term, last


def value_of_measure(measure: Measure, both: Array, first: Array, second: Array) -> Array:
    """Return estimates of a measure from the shares of its sides.

    Parameters
    ----------
    measure : {"support", "confidence", "lift", "leverage", "conviction"}
    both, first, second : float array, shape (R,)
        P(AB), P(A) and P(B), not clipped.

    Returns
    -------
    float array, shape (R,)
        Not clipped; NaN for 0/0.

    Examples
    --------
    >>> both, first, second = (np.array([share]) for share in (0.25, 0.5, 0.25))
    >>> [float(value_of_measure(measure, both, first, second)[0]) for measure in MEASURES]
    [0.25, 0.5, 2.0, 0.125, 1.5]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        value: Array
        match measure:
            case "support":
                value = both
            case "confidence":
                value = both / first
            case "lift":
                value = both / (first * second)
            case "leverage":
                value = both - first * second
            case "conviction":
                value = first * (1 - second) / (first - both)
    return value


def _by_cell(z_factor: Array, constant: Array, scores: Scores) -> Array:
    parts = []
    for cells, own, n in zip(scores.cells.groups, scores.by_group, scores.n_by_group, strict=True):
        part = (z_factor[:, :, None] * own).sum(axis=0) + constant.sum(axis=0)[:, None]
        # A group without rows contributes no possible cells.
        parts.append(np.where((n > 0)[:, None] & cells.possible, part, 0.0))
    return np.concatenate(parts, axis=1)


def delta_error(equation: Equation) -> Array:
    """Return the delta-method error of a measure.

    Parameters
    ----------
    equation : Equation
        h of the measure, for `R` pairs.

    Returns
    -------
    float array, shape (R,)
        NaN unless the mean slope exceeds 5 of its own errors (`privacy.policy.RELIABLE_ERRORS`).
    """
    value, denominator = equation.value, equation.means[1]
    of_constant, cross_term, of_slope = equation.variances(equation.scores.population_covariance)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(of_constant + 2 * value * cross_term + value**2 * of_slope) / np.abs(denominator)
        reliable = np.abs(denominator) > RELIABLE_ERRORS * np.sqrt(of_slope)
    return np.where(reliable, error, np.nan)
