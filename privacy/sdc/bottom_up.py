"""Bottom-up k-anonymity by rounds of matching (Zhu et al. 2010, section 4.3, after Xu and others).

Each record begins as its own class. In a round, every class below k, in order, is paired with the unmatched
class below k that costs least to join; the pair waits for the next round. There are ceil(log2 k) rounds, and
sometimes one or two more for odd classes (five records at k = 4 can need three). A class grows to
2^ceil(log2 k): eight records for k = 5.

Intervals repeat: thousands of records share a few hundred on each axis. So the cost of joining two of them is
computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from privacy.arrays import Array, Codes, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import (
    UNIT,
    Boxes,
    CategoricalAxis,
    NumericAxis,
    Space,
    distinct_rows,
)

_NEVER: Final = 2**62
_ROWS_KEPT: Final = 1_000
"""Intervals whose costs with all others are remembered: most seekers have few."""


class WeighedAxis(NamedTuple):
    """An axis, its position among all axes, and the cost per unit of width."""

    position: int
    axis: NumericAxis | CategoricalAxis
    factor: float

    def cost(self, low: Codes, high: Codes) -> Whole:
        """Return the cost of intervals of codes, ceil(w NCP UNIT)."""
        return np.ceil(self.axis.width(low, high) * self.factor).astype(np.int64)


def weighed_axes(space: Space, weights: Array) -> tuple[WeighedAxis, ...]:
    """Return the axes that cost anything: neither constant nor without weight.

    Parameters
    ----------
    space : Space
        The axes.
    weights : float64 array, shape (d,)
        In the order of ``space.axes``, summing to 1.
    """
    return tuple(
        WeighedAxis(position, axis, float(weight) * UNIT / axis.extent)
        for position, (axis, weight) in enumerate(zip(space.axes, weights, strict=True))
        if axis.extent > 0 and weight > 0
    )


def box_costs(axes: tuple[WeighedAxis, ...], boxes: Boxes) -> Whole:
    """Return the cost per record of each of some boxes.

    Parameters
    ----------
    axes : tuple of WeighedAxis
    boxes : Boxes

    Notes
    -----
    The cost of a box is sum over axes of ceil(w NCP UNIT): a whole number, 0 only when no axis of positive
    weight changes, so that equal costs are exactly equal and ties do not depend on the machine. ILP is that
    number divided by UNIT, with an error below d / UNIT per record.
    """
    total = np.zeros(len(boxes), dtype=np.int64)
    for own in axes:
        total += own.cost(boxes.low[:, own.position], boxes.high[:, own.position])
    return total


_LARGEST_K = 2**18


def check_k(k: int, n: int) -> None:
    """Refuse a k that no table of n records can have.

    Parameters
    ----------
    k : int
        People of a class at least.
    n : int
        Records.

    Raises
    ------
    PrivacyError
        When k < 1, k > n or k is too large for exact costs.
    """
    if k < 1:
        raise PrivacyError("k.low", k)
    if k > n:
        raise PrivacyError("k.records", k, n=n)
    if k > _LARGEST_K:
        raise PrivacyError("k.high", k, most=_LARGEST_K)


def bottom_up(space: Space, k: int, weights: Mapping[str, float] | None = None) -> Classes:
    """Group all records of a space into classes of at least k.

    Parameters
    ----------
    space : Space
        The records.
    k : int
        1 <= k <= n.
    weights : mapping or None
        By axis; None weighs alike.

    Notes
    -----
    A pair (G, G') costs ILP(G u G') = (|G| + |G'|) sum_i w_i NCP_i(box). Ties go to the lowest position. A
    class left over goes to the end of the next round; the very last one joins the cheapest class of at least
    k.
    """
    check_k(k, len(space))
    return match_rounds(space, k, space.weights(weights))


def merge_rounds(
    n: int,
    k: int,
    pair: Callable[[Whole, Whole], tuple[Whole, Whole]],
    absorb: Callable[[int, Whole, Whole], int],
) -> Classes:
    """Join classes below k two by two, round after round.

    Parameters
    ----------
    n, k : int
        Records, and records of a class at least.
    pair : callable
        Gets the numbers of the classes below k and the sizes of all; returns two numbers per pair. New
        classes are numbered in the order of the pairs, after the last. Unpaired classes wait for the next
        round.
    absorb : callable
        Gets the very last class without a partner, the numbers of the others and the sizes of all; returns
        the one that it joins.
    """
    class_of = np.arange(n)
    sizes = np.ones(n, dtype=np.int64)
    waiting = np.arange(n) if k > 1 else np.arange(0)
    while len(waiting) > 1:
        first, second = pair(waiting, sizes)
        base = len(sizes)
        successor = np.arange(base)
        successor[first] = successor[second] = base + np.arange(len(first))
        class_of = successor[class_of]
        merged = sizes[first] + sizes[second]
        sizes = np.concatenate([sizes, merged])
        left_over = np.setdiff1d(waiting, np.concatenate([first, second]))
        waiting = np.concatenate([base + np.flatnonzero(merged < k), left_over])
    if len(waiting):
        last = int(waiting[0])
        others = np.unique(class_of[class_of != last])
        class_of[class_of == last] = absorb(last, others, sizes)
    return Classes.from_numbers(class_of)


def match_rounds(space: Space, k: int, weights: Array) -> Classes:
    """Run the rounds on a space of at least k records, which may be one cluster of a larger table.

    Parameters
    ----------
    space : Space
        Positions of the records.
    k : int
        Records of a class at least.
    weights : ndarray of float, shape (axes,)
        Weights of the quasi-identifiers.
    """
    axes = weighed_axes(space, weights)
    boxes = Boxes(low=space.codes, high=space.codes)

    def pair(waiting: Whole, sizes: Whole) -> tuple[Whole, Whole]:
        nonlocal boxes
        left, right = _matched(axes, boxes.take(waiting), sizes[waiting])
        first, second = waiting[left], waiting[right]
        joined = boxes.joined(first, second)
        boxes = Boxes(
            low=np.concatenate([boxes.low, joined.low]), high=np.concatenate([boxes.high, joined.high])
        )
        return first, second

    def absorb(last: int, others: Whole, sizes: Whole) -> int:
        cost = (sizes[others] + sizes[last]) * box_costs(axes, boxes.joined(others, last))
        return int(others[cost.argmin()])

    return merge_rounds(len(space), k, pair, absorb)


def _matched(axes: tuple[WeighedAxis, ...], boxes: Boxes, sizes: Whole) -> tuple[Whole, Whole]:
    """Match waiting classes in their order, all but one if they are odd: first partners, second partners."""
    intervals = [_Intervals(own, boxes.low[:, own.position], boxes.high[:, own.position]) for own in axes]
    alive, waiting = np.arange(len(boxes)), np.ones(len(boxes), dtype=np.bool_)
    numbers, alive_sizes = [each.number for each in intervals], sizes
    left: list[int] = []
    right: list[int] = []
    for seeker in range(len(boxes)):
        if not waiting[seeker]:
            continue
        waiting[seeker] = False
        if 2 * len(left) + 1 == len(boxes):
            break
        if 4 * (len(boxes) - 2 * len(left)) < 3 * len(alive):
            # A quarter of the classes is matched: they need not be looked at any more.
            alive = alive[waiting[alive]]
            numbers, alive_sizes = [each.number[alive] for each in intervals], sizes[alive]
        cost = np.zeros(len(alive), dtype=np.int64)
        for each, number in zip(intervals, numbers, strict=True):
            cost += each.joined(int(each.number[seeker]))[number]
        cost *= alive_sizes + sizes[seeker]
        cost[~waiting[alive]] = _NEVER
        partner = int(alive[cost.argmin()])
        waiting[partner] = False
        left.append(seeker)
        right.append(partner)
    return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)


class _Intervals:
    """Different intervals of some boxes on one axis, and what joining two of them costs."""

    def __init__(self, own: WeighedAxis, low: Codes, high: Codes) -> None:
        first, self.number = distinct_rows([low, high])
        low, high = low[first], high[first]

        @lru_cache(maxsize=_ROWS_KEPT)
        def joined(number: int) -> Whole:
            return own.cost(np.minimum(low, low[number]), np.maximum(high, high[number]))

        self.joined = joined
