"""Bottom-up k-anonymity by rounds of matching (Zhu et al. 2010, section 4.3, after Xu and others).

Each record begins as its own class. In a round, every class below k, in order, is paired with the unmatched
class below k that costs least to join; the pair waits for the next round. There are ceil(log2 k) rounds, and
sometimes one or two more for odd classes (five records at k = 4 can need three). A class grows to
2^ceil(log2 k): eight records for k = 5.

Boxes repeat: thousands of records share a few hundred numeric cells and a few hundred categorical ones. A
scan computes the cost for each distinct cell once and adds two table look-ups per candidate.
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

NEVER: Final = 4 * UNIT
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


class _Cells:
    """Costs of joining a box with the different cells that some boxes have on some of the axes."""

    def __init__(self, axes: tuple[WeighedAxis, ...], boxes: Boxes) -> None:
        columns = [ends[:, own.position] for own in axes for ends in (boxes.low, boxes.high)]
        first, self.number = distinct_rows(columns or [np.zeros(len(boxes), dtype=np.int64)])
        intervals = []
        for own in axes:
            low, high = boxes.low[first, own.position], boxes.high[first, own.position]
            interval, number = distinct_rows([low, high])
            intervals.append((own, low[interval], high[interval], number))

        @lru_cache(maxsize=_ROWS_KEPT)
        def joined(at: int, low: int, high: int) -> Whole:
            own, lows, highs, _ = intervals[at]
            return own.cost(np.minimum(lows, low), np.maximum(highs, high))

        self._axes = [(at, own.position, number) for at, (own, _, _, number) in enumerate(intervals)]
        self._joined = joined
        # One more place than there are cells: what points to it is never the cheapest.
        self._costs = np.full(len(first) + 1, NEVER)
        self.nowhere = len(first)

    def scan(self, low: Codes, high: Codes) -> Whole:
        """Return the cost of the union of each cell with a box; the array is reused by the next scan."""
        costs = self._costs[:-1]
        costs[:] = 0
        for at, position, number in self._axes:
            costs += self._joined(at, int(low[position]), int(high[position]))[number]
        return self._costs


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


def plain_pair_evaluations(n: int) -> int:
    """Return how many pairs one round over n classes evaluates when each scans all that are unmatched.

    The first meets n - 1 candidates, the next n - 3, and so on.

    Parameters
    ----------
    n : int
        Classes.

    Examples
    --------
    >>> plain_pair_evaluations(5)
    6
    """
    half = n // 2
    return half * (n - half)


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
    axes, numbers = weighed_axes(space, weights), len(space.numeric)
    boxes = Boxes(low=space.codes, high=space.codes)

    def pair(waiting: Whole, sizes: Whole) -> tuple[Whole, Whole]:
        nonlocal boxes
        left, right = _Round(axes, numbers, boxes.take(waiting), sizes[waiting]).pairs()
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


class _Round:
    """One round of matching over the waiting classes, in their order.

    Classes of the same box and size form one queue, headed by the earliest, so the search for a partner
    evaluates each queue once. A class whose box has no cost and has a twin is paired with the twin without a
    scan, since no other box is free.
    """

    def __init__(self, axes: tuple[WeighedAxis, ...], numbers: int, boxes: Boxes, sizes: Whole) -> None:
        self._numeric_cells = _Cells(tuple(own for own in axes if own.position < numbers), boxes)
        self._categorical_cells = _Cells(tuple(own for own in axes if own.position >= numbers), boxes)
        self._boxes = boxes
        self._sizes = sizes.tolist()
        free = box_costs(axes, boxes) == 0
        numeric, categorical = self._numeric_cells.number, self._categorical_cells.number
        _, box = distinct_rows([numeric, categorical])
        first, group = distinct_rows([box, sizes])
        self._group = group.tolist()
        order = np.argsort(group, kind="stable")
        ends = np.cumsum(np.bincount(group))
        self._members = order.tolist()
        self._next = (ends - np.bincount(group)).tolist()
        self._end = ends.tolist()
        self._twins: list[list[int] | None] = [None] * len(first)
        by_box: dict[int, list[int]] = {}
        for number, member in enumerate(first.tolist()):
            if free[member]:
                shared = by_box.setdefault(int(box[member]), [])
                shared.append(number)
                self._twins[number] = shared
        self._numeric = numeric[first]
        self._categorical = categorical[first]
        self._size = sizes[first]
        self._head = order[ends - np.bincount(group)]
        self._position = np.arange(len(first))
        self._queue = np.arange(len(first))
        self._dead = 0

    def pairs(self) -> tuple[Whole, Whole]:
        """Match all but one where they are odd: positions of the seekers, and of their partners."""
        matched = bytearray(len(self._group))
        left: list[int] = []
        right: list[int] = []
        for seeker in range(len(self._group)):
            if matched[seeker]:
                continue
            matched[seeker] = 1
            self._advance(self._group[seeker])
            partner = self._twin(self._group[seeker])
            if partner is None:
                partner = self._scan(seeker)
            if partner is None:
                break
            matched[partner] = 1
            self._advance(self._group[partner])
            left.append(seeker)
            right.append(partner)
        return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)

    def _twin(self, group: int) -> int | None:
        shared = self._twins[group]
        if shared is None:
            return None
        heads = [self._members[self._next[twin]] for twin in shared if self._next[twin] < self._end[twin]]
        return min(heads, default=None)

    def _scan(self, seeker: int) -> int | None:
        low, high = self._boxes.low[seeker], self._boxes.high[seeker]
        cost = self._numeric_cells.scan(low, high).take(self._numeric)
        cost += self._categorical_cells.scan(low, high).take(self._categorical)
        if not len(cost):
            return None
        cost *= self._size + self._sizes[seeker]
        least = cost.min()
        ties = np.flatnonzero(cost == least)
        heads = self._head[ties]
        best = int(heads.min())
        return None if self._numeric[ties[0]] == self._numeric_cells.nowhere else best

    def _advance(self, group: int) -> None:
        """Take the head off a queue; compact the arrays when an eighth of the queues has run empty."""
        self._next[group] += 1
        position = self._position[group]
        if self._next[group] < self._end[group]:
            self._head[position] = self._members[self._next[group]]
            return
        self._numeric[position] = self._numeric_cells.nowhere
        self._dead += 1
        if self._dead * 8 > len(self._queue):
            alive = np.flatnonzero(self._numeric != self._numeric_cells.nowhere)
            self._numeric = self._numeric[alive]
            self._categorical = self._categorical[alive]
            self._size = self._size[alive]
            self._head = self._head[alive]
            self._queue = self._queue[alive]
            self._position[self._queue] = np.arange(len(alive))
            self._dead = 0
