"""Variance of a support about these respondents at a hypothesis, where devices draw the questions.

Taken at the estimate, the variance is too small where the estimate is too low: intervals of rare itemsets end
below the truth more often than they say.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from privacy.arrays import Array, Whole
from privacy.channels.near_truth import near_scores
from privacy.estimation.drawn_plan import DrawnTables
from privacy.estimation.drawn_shapes import Chances, DrawnShape
from privacy.estimation.moments import Scores

__all__ = ["square_slopes", "variances_at_hypothesis"]


def variances_at_hypothesis(scores: Scores, cells: DrawnTables) -> tuple[Array, Array, Array]:
    """Return V_0, V_1, V_2, each of shape (R,): the variance of the estimate is V_0 + 2 t V_1 + t^2 V_2 at t.

    Parameters
    ----------
    scores : Scores
        Of `cells`; the first event is the itemset, or the union of a pair.
    cells : DrawnTables

    Notes
    -----
    As in `privacy.estimation.event_interval.event_interval`: with h what a row counts for, weighted, P the
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


def square_slopes(shape: DrawnShape, chances: Chances, group: int, rows: Whole, squares: Array) -> Array:
    """Return the mean of a number of a row for who has all items, minus that for others, shape (R,).

    Parameters
    ----------
    shape : DrawnShape
    chances : Chances
    group : int
    rows : int array, shape (R, cells)
        Of the group: what share of it was asked what.
    squares : float array, shape (R, cells)
        The number by cell.

    Notes
    -----
    Others are spread evenly over what they can have of the items.

    Examples
    --------
    One question that half are asked, p = 1/2, decoys say yes with 1/4: the share of "yes" among the asked is
    5/8 for who has the item, else 1/8.

    >>> from privacy.estimation.drawn_shapes import Axis
    >>> shape = DrawnShape(axes=(Axis(0, (0,), (0,), True),), n_sides=1, n_blocks=1, near=frozenset(),
    ...                    excluded=frozenset())
    >>> half, ones = np.full((2, 1, 1), 0.5), np.ones((1, 1))
    >>> law = Chances(p=half, answering=ones, q=ones / 4, inverse_factors=np.ones((2, 1, 1, 1)))
    >>> square_slopes(shape, law, 1, np.array([[2, 1, 1]]), np.array([[0.0, 0.0, 1.0]]))
    array([0.25])
    """
    states, axes = tuple(axis.states for axis in shape.axes), range(len(shape.axes))
    tables = [np.asarray(own, dtype=np.float64).T.reshape(*states, -1) for own in (rows, squares)]
    choices = [(slice(0, 1), slice(1, None)) if axis.drawn else (slice(None),) for axis in shape.axes]
    slope: Array = np.zeros(len(rows))
    for chosen in itertools.product(*choices):
        number, own = (table[chosen] for table in tables)
        inside: Array
        evenly: Array
        seen = [axis for axis in axes if own.shape[axis] == 2]
        inside = evenly = own
        for block in dict.fromkeys(shape.axes[axis].block for axis in seen):
            here = tuple(axis for axis in seen if shape.axes[axis].block == block)
            inside = _sent_by(shape, chances, group, block, here, inside, evenly=False)
            evenly = _sent_by(shape, chances, group, block, here, evenly, evenly=True)
        slope = slope + number.sum(axis=tuple(axes)) * (inside - evenly).reshape(-1)
    # Who has all is one of 2^axes cases: the mean over the others follows from that over all.
    cases = 2 ** len(shape.axes)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference: Array = np.nan_to_num(slope / rows.sum(axis=1)) * cases / (cases - 1)
    return difference


def _sent_by(
    shape: DrawnShape,
    chances: Chances,
    group: int,
    block: int | None,
    axes: tuple[int, ...],
    values: Array,
    *,
    evenly: bool,
) -> Array:
    """Return the mean over what a block's axes show: of who matches all of them, or evenly matches or not."""

    mean: Array = values.mean(axis=axes, keepdims=True)
    if block in shape.near:
        return mean if evenly else _near_match(chances.inverse_factors[group, :, block].T, axes, values)
    as_it_is = mean if evenly else _at(values, dict.fromkeys(axes, 1))
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


def _near_match(inverse_factors: Array, axes: tuple[int, ...], values: Array) -> Array:
    """Return the mean over what is sent near a row that matches all."""
    # The chance of u turned answers is the score of u with b_a in place of 1/b_a.
    factors = [np.divide(1, own, out=np.zeros_like(own), where=own > 0) for own in inverse_factors]
    chances = near_scores(factors, len(axes))
    total: Array = np.zeros(())
    for shown in itertools.product((0, 1), repeat=len(axes)):
        total = total + chances[len(axes) - sum(shown)] * _at(values, dict(zip(axes, shown, strict=True)))
    return total


def _at(values: Array, states: Mapping[int, int]) -> Array:
    """Return the values where some axes have these states; the axes stay."""
    for axis, state in states.items():
        values = np.take(values, [state], axis=axis)
    return values
