"""Variance of a support about these respondents at a hypothesis, where devices draw the questions.

Taken at the estimate, the variance is too small where the estimate is too low: intervals of rare itemsets end
below the truth more often than they say.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping

import numpy as np

from privacy.arrays import Array, Whole
from privacy.estimation.contingency_table import DrawnTables
from privacy.estimation.moments import Scores
from privacy.estimation.shapes import Chances, Shape

__all__ = ["kind_slopes", "square_slopes", "variances_at_hypothesis"]


def variances_at_hypothesis(scores: Scores, cells: DrawnTables) -> tuple[Array, Array, Array]:
    """Return V_0, V_1, V_2, each of shape (R,): the variance of the estimate is V_0 + 2 t V_1 + t^2 V_2 at t.

    Parameters
    ----------
    scores : Scores
        Scores of `cells`; the first event is the itemset, or the union of a pair.
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
