"""The estimating equation of each measure: mean(h) = 0, h linear in the measure's value.

From scores to measures with intervals: the test of each target, inverted.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.empirical_likelihood import ConfidenceSets, likelihood_sets, score_test_sets
from privacy.estimation.estimates import MeasuredArray
from privacy.estimation.moments import DrawnTables, Scores, Target
from privacy.estimation.shapes import BOTH, FIRST, SECOND, Chances, Shape
from privacy.policy import RELIABLE_ERRORS

__all__ = [
    "MEASURES",
    "Equation",
    "Measure",
    "MovedVariance",
    "Moves",
    "Triple",
    "inversion_intervals",
    "kind_slopes",
    "moved_sets",
    "product_moves",
    "square_slopes",
    "variances_at_hypothesis",
]


def variances_at_hypothesis(scores: Scores, cells: DrawnTables) -> tuple[Array, Array, Array]:
    """Return V_0, V_1, V_2, each of shape (R,): the variance of the estimate is V_0 + 2 t V_1 + t^2 V_2 at t.

    Parameters
    ----------
    scores : Scores
        Scores of `cells`; the first event is the itemset, or the union of a pair.
    cells : DrawnTables

    Notes
    -----
    As in `privacy.estimation.events.event_interval`: with h what a row counts for, weighted, P the
    estimate, s the slope of `square_slopes` over both groups, D = sum of w_g d_g^2 and
    T = w_0 w_1 ((A_0 - A_1)/a)^2, which are 1 and 0 if stratified,

        n (V(t) - V(P)) = (s - D + T) (t - P) - T (t^2 - P^2).

    Where complete rows alone count, the variance stays that at the estimate.

    References
    ----------
    Wilson 1927.
    """
    weights, value = scores.weights[:, 0], scores.value[0]
    slope = sum(
        share * square_slopes(cells.shape, cells.chances, group, cells.groups[group].rows, own[0] ** 2)
        for group, (share, own) in enumerate(zip(scores.shares, scores.by_group, strict=True))
    )
    # Pooled weights differ from the groups' shares; the weights of both groups are 1 if stratified.
    drawn = scores.shares.prod(axis=0) * (weights[0] - weights[1]) ** 2
    linear = np.where(cells.all_rows, slope - (scores.shares * weights**2).sum(axis=0) + drawn, 0.0)
    squared = np.where(cells.all_rows, -drawn, 0.0)
    at_zero = scores.n * scores.respondents_covariance[0, 0] - linear * value - squared * value**2
    return at_zero / scores.n, linear / 2 / scores.n, squared / scores.n


def square_slopes(shape: Shape, chances: Chances, group: int, rows: Whole, squares: Array) -> Array:
    """Return the mean of a number of a row for who has all items, minus that for others, shape (R,).

    Parameters
    ----------
    shape : Shape
    chances : Chances
    group : int
    rows : int array, shape (R, cells)
        Rows of the group: the share that was asked each set.
    squares : float array, shape (R, cells)
        The number by cell.

    Notes
    -----
    All other respondents are spread evenly over the remaining combinations of items.

    Examples
    --------
    One question that half are asked, p = 1/2, decoys say yes with 1/4: the share of "yes" among the asked is
    5/8 for who has the item, else 1/8.

    >>> from privacy.estimation.shapes import Axis
    >>> shape = Shape(axes=(Axis(0, (0,), (0,), True),), n_sides=1, n_blocks=1,
    ...               excluded=frozenset())
    >>> half, ones = np.full((2, 1, 1), 0.5), np.ones((1, 1))
    >>> law = Chances(p=half, answering=ones, q=ones / 4)
    >>> square_slopes(shape, law, 1, np.array([[2, 1, 1]]), np.array([[0.0, 0.0, 1.0]]))
    array([0.25])
    """
    every = range(len(shape.axes))
    slope: Array = np.zeros(len(rows))
    for number, own in _asked_alike(shape, rows, squares.T):
        inside, evenly = (_mean(shape, chances, group, matching, own) for matching in (every, ()))
        slope = slope + number * (inside - evenly).reshape(-1)
    # Matching all axes is one of 2^axes cases: the mean over the others follows from the mean over all.
    cases = 2 ** len(shape.axes)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference: Array = np.nan_to_num(slope / rows.sum(axis=1)) * cases / (cases - 1)
    return difference


def kind_slopes(
    shape: Shape, chances: Chances, group: int, rows: Whole, numbers: Array
) -> tuple[Array, Array]:
    """Return how means of numbers of a row differ by who has both sides of a pair, one of them, or neither.

    Parameters
    ----------
    shape, chances, group, rows
        As for `square_slopes`; of pairs.
    numbers : float array, shape (K, R, cells)

    Returns
    -------
    float array, shape (K, R)
        Mean over respondents with both sides, minus that over respondents with only the first.
    float array, shape (K, R)
        The same, minus the corresponding difference between only the second side and neither.

    Notes
    -----
    Respondents without a side are spread evenly over the remaining combinations of its items. If both sides
    share an item, nothing can move and both results are 0.
    """
    sides = [[at for at, axis in enumerate(shape.axes) if side in axis.sides] for side in (0, 1)]
    first, second = np.zeros((2, *numbers.shape[:2]))
    if set(sides[0]) & set(sides[1]):
        return first, second
    cases = [2 ** len(own) for own in sides]
    of_others = [count / (count - 1) for count in cases]
    # Cells come first, as axes of their own.
    for number, own in _asked_alike(shape, rows, np.moveaxis(numbers, -1, 0)):
        both, first_alone, second_alone, neither = (
            _mean(shape, chances, group, matching, own).reshape(first.shape)
            for matching in (range(len(shape.axes)), sides[0], sides[1], ())
        )
        first += number * (both - first_alone) * of_others[1]
        second += number * (both - first_alone - second_alone + neither) * of_others[0] * of_others[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        n = rows.sum(axis=1)
        return np.nan_to_num(first / n), np.nan_to_num(second / n)


def _asked_alike(shape: Shape, rows: Whole, values: Array) -> Iterator[tuple[Array, Array]]:
    """Yield, for each set of axes that may have been asked, its rows and the values of their cells."""
    states, axes = tuple(axis.states for axis in shape.axes), tuple(range(len(shape.axes)))
    counts = np.asarray(rows, dtype=np.float64).T.reshape(*states, -1)
    table = np.asarray(values, dtype=np.float64).reshape(*states, *values.shape[1:])
    choices = [(slice(0, 1), slice(1, None)) if axis.drawn else (slice(None),) for axis in shape.axes]
    for chosen in itertools.product(*choices):
        yield counts[chosen].sum(axis=axes), table[chosen]


def _mean(shape: Shape, chances: Chances, group: int, matching: Collection[int], values: Array) -> Array:
    """Return the mean over cells of respondents who match some axes and evenly match the others or not."""
    seen = [axis for axis in range(len(shape.axes)) if values.shape[axis] == 2]
    for block in dict.fromkeys(shape.axes[axis].block for axis in seen):
        here = tuple(axis for axis in seen if shape.axes[axis].block == block)
        values = _sent_by(shape, chances, group, block, here, values, matching=matching)
    return values


def _sent_by(
    shape: Shape,
    chances: Chances,
    group: int,
    block: int | None,
    axes: tuple[int, ...],
    values: Array,
    *,
    matching: Collection[int],
) -> Array:
    """Return the mean over a block's cells of respondents who match some axes, and the others evenly."""
    matched = tuple(axis for axis in axes if axis in matching)
    as_it_is = values.mean(axis=tuple(axis for axis in axes if axis not in matching), keepdims=True)
    as_it_is = _at(as_it_is, dict.fromkeys(matched, 1))
    if block is None:
        return as_it_is
    decoys = values
    for axis in axes:
        q = chances.q[:, axis]
        decoys = q * _at(decoys, {axis: 1}) + (1 - q) * _at(decoys, {axis: 0})
    answering, p = chances.answering[:, block], chances.p[group, :, block]
    decoys = answering * decoys + (1 - answering) * _at(values, dict.fromkeys(axes, 0))
    sent: Array = p * as_it_is + (1 - p) * decoys
    return sent


def _at(values: Array, states: Mapping[int, int]) -> Array:
    """Return the values where some axes have these states; the axes stay."""
    for axis, state in states.items():
        values = np.take(values, [state], axis=axis)
    return values


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
    (`privacy.estimation.equations.kind_slopes`); d(E) d(F) of it are the true share of E and F. Pooled
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
