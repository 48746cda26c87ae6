"""Bottom-up k-anonymity by rounds of matching (Zhu et al. 2010, section 4.3, after Xu and others).

Each record begins as a class of its own. In a round every class below k, in order, takes the unmatched class
below k with which it costs least; the pair waits for the next round. There are ceil(log2 k) rounds, now and
then one or two more for what odd numbers leave over (five records at k = 4 can take three). A class grows to
2^ceil(log2 k): eight records for k = 5.

Cost of joining one box with many others, vectorised in numpy.

Boxes repeat: thousands of records share a few hundred numeric cells and a few hundred categorical ones. A
scan computes the cost for each distinct cell once and adds two table look-ups per candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import UNIT, Boxes, Space, distinct_rows

__all__ = [
    "UnionCost",
    "bottom_up",
    "check_k",
    "join_boxes",
    "join_with_one",
    "match_rounds",
    "plain_pair_evaluations",
]

NEVER: Final = 4 * UNIT


class UnionCost:
    """Costs of joining with a fixed collection of boxes.

    Parameters
    ----------
    space : Space
        The axes.
    weights : float64 array, shape (d,)
        In the order of ``space.axes``, summing to 1.
    boxes : Boxes
        The collection; several may be equal.

    Notes
    -----
    The cost of a box is sum over axes of ceil(w NCP UNIT): a whole number, 0 only when no axis of positive
    weight changes, so that equal costs are exactly equal and ties do not depend on the machine. ILP is that
    number divided by UNIT, with an error below d / UNIT per record.
    """

    def __init__(self, space: Space, weights: Array, boxes: Boxes) -> None:
        numbers = len(space.numeric)
        self._numeric = [
            (position, axis.numbers, float(weights[position]) * UNIT / axis.extent)
            for position, axis in enumerate(space.numeric)
            if axis.extent > 0 and weights[position] > 0
        ]
        self._categorical = [
            (position, tree, np.ceil(tree.penalties * weights[numbers + position] * UNIT).astype(np.int64))
            for position, tree in enumerate(space.categorical)
            if weights[numbers + position] > 0
        ]
        self._cost_rows: dict[tuple[int, int], Whole] = {}
        columns = [boxes.low[:, position] for position, _, _ in self._numeric]
        columns += [boxes.high[:, position] for position, _, _ in self._numeric]
        zero = np.zeros(len(boxes), dtype=np.int64)
        first, self.numeric_cell = distinct_rows(columns or [zero])
        self._low = [scale[boxes.low[first, position]] for position, scale, _ in self._numeric]
        self._high = [scale[boxes.high[first, position]] for position, scale, _ in self._numeric]
        nodes = [boxes.node[:, position] for position, _, _ in self._categorical]
        first_node, self.categorical_cell = distinct_rows(nodes or [zero])
        self._nodes = [boxes.node[first_node, position] for position, _, _ in self._categorical]
        # One more place than there are cells: what points to it is never the cheapest.
        self._numeric_cost = np.full(len(first) + 1, NEVER)
        self._categorical_cost = np.full(len(first_node) + 1, NEVER)
        self.nowhere = len(first)

    def scan(self, low: list[int], high: list[int], node: list[int]) -> tuple[Whole, Whole]:
        """Return the cost of the union with a box: by numeric cell and by categorical cell, to be added.

        The arrays are reused by the next scan.
        """
        numeric = np.zeros(len(self._numeric_cost) - 1, dtype=np.int64)
        for (position, scale, factor), lows, highs in zip(self._numeric, self._low, self._high, strict=True):
            width = np.maximum(highs, scale[high[position]])
            width -= np.minimum(lows, scale[low[position]])
            width *= factor
            np.ceil(width, out=width)
            numeric += width.astype(np.int64)
        self._numeric_cost[:-1] = numeric
        categorical = np.zeros(len(self._categorical_cost) - 1, dtype=np.int64)
        for (position, _, _), nodes in zip(self._categorical, self._nodes, strict=True):
            categorical += self._cost_row(position, node[position])[nodes]
        self._categorical_cost[:-1] = categorical
        return self._numeric_cost, self._categorical_cost

    def costs(self, boxes: Boxes) -> Whole:
        """Return the cost per record of each of some boxes."""
        total = np.zeros(len(boxes), dtype=np.int64)
        for position, scale, factor in self._numeric:
            width = scale[boxes.high[:, position]] - scale[boxes.low[:, position]]
            total += np.ceil(width * factor).astype(np.int64)
        for position, _, units in self._categorical:
            total += units[boxes.node[:, position]]
        return total

    def _cost_row(self, position: int, node: int) -> Whole:
        row = self._cost_rows.get((position, node))
        if row is None:
            _, tree, units = next(entry for entry in self._categorical if entry[0] == position)
            row = units[tree.join_row(node)]
            self._cost_rows[position, node] = row
        return row


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


def match_rounds(space: Space, k: int, weights: Array) -> Classes:
    """Run the rounds on a space of at least k records, which may be one cluster of a larger table.

    Parameters
    ----------
    space : Space
        Positions of the records.
    k : int
        Records of a class at least.
    weights : ndarray of float, shape (axes,)
        Of the quasi-identifiers.
    """
    n = len(space)
    numbers = len(space.numeric)
    low = space.codes[:, :numbers]
    current = Boxes(low=low, high=low.copy(), node=space.codes[:, numbers:].astype(np.int64))
    sizes = np.ones(n, dtype=np.int64)
    class_of = np.arange(n)
    waiting = np.arange(n) if k > 1 else np.arange(0)
    while len(waiting) > 1:
        boxes = Boxes(low=current.low[waiting], high=current.high[waiting], node=current.node[waiting])
        left, right, alone = _Round(space, weights, boxes, sizes[waiting]).pairs()
        first, second = waiting[left], waiting[right]
        joined = join_boxes(space, current, first, second)
        base = len(sizes)
        successor = np.arange(base)
        successor[first] = successor[second] = base + np.arange(len(first))
        class_of = successor[class_of]
        current = Boxes(
            low=np.concatenate([current.low, joined.low]),
            high=np.concatenate([current.high, joined.high]),
            node=np.concatenate([current.node, joined.node]),
        )
        merged_sizes = sizes[first] + sizes[second]
        sizes = np.concatenate([sizes, merged_sizes])
        left_over = waiting[alone : alone + 1] if alone is not None else waiting[:0]
        waiting = np.concatenate([base + np.flatnonzero(merged_sizes < k), left_over])
    if len(waiting):
        target = _cheapest_large_class(space, weights, current, sizes, class_of, int(waiting[0]))
        class_of[class_of == waiting[0]] = target
    return Classes.from_numbers(class_of)


def join_boxes(space: Space, boxes: Boxes, first: Whole, second: Whole) -> Boxes:
    """Return the smallest boxes around pairs of boxes.

    Parameters
    ----------
    space : Space
        That the boxes lie in.
    boxes : Boxes
        Of the classes.
    first, second : ndarray of int
        Numbers of the boxes of each pair.
    """
    node = np.empty((len(first), len(space.categorical)), dtype=np.int64)
    for position, tree in enumerate(space.categorical):
        a, b = boxes.node[first, position], boxes.node[second, position]
        pairs, number = np.unique(np.stack([a, b]), axis=1, return_inverse=True)
        meeting = [int(tree.join_row(int(left))[right]) for left, right in pairs.T.tolist()]
        node[:, position] = np.array(meeting, dtype=np.int64)[number.ravel()]
    return Boxes(
        low=np.minimum(boxes.low[first], boxes.low[second]),
        high=np.maximum(boxes.high[first], boxes.high[second]),
        node=node,
    )


def join_with_one(space: Space, boxes: Boxes, others: Whole, box: int) -> Boxes:
    """Return the smallest boxes around one box and each of some others.

    Parameters
    ----------
    space : Space
        That the boxes lie in.
    boxes : Boxes
        Of the classes.
    others : ndarray of int
        Numbers of the other boxes.
    box : int
        Number of the one.
    """
    node = np.empty((len(others), len(space.categorical)), dtype=np.int64)
    for position, tree in enumerate(space.categorical):
        node[:, position] = tree.join_row(int(boxes.node[box, position]))[boxes.node[others, position]]
    return Boxes(
        low=np.minimum(boxes.low[others], boxes.low[box]),
        high=np.maximum(boxes.high[others], boxes.high[box]),
        node=node,
    )


def _cheapest_large_class(
    space: Space, weights: Array, boxes: Boxes, sizes: Whole, class_of: Whole, small: int
) -> int:
    others = np.unique(class_of[class_of != small])
    pair = join_with_one(space, boxes, others, small)
    cost = (sizes[others] + sizes[small]) * UnionCost(space, weights, pair).costs(pair)
    return int(others[cost.argmin()])


class _Round:
    """One round of matching over the waiting classes, in their order.

    Classes of the same box and size are one queue, its head the earliest: a class that looks for a partner
    needs to evaluate each queue once. A class whose box costs nothing and has a twin takes the twin without
    any scan, since no other box costs nothing.
    """

    def __init__(self, space: Space, weights: Array, boxes: Boxes, sizes: Whole) -> None:
        self._cost = UnionCost(space, weights, boxes)
        self._boxes = boxes
        self._sizes = sizes.tolist()
        free = self._cost.costs(boxes) == 0
        cells = [self._cost.numeric_cell, self._cost.categorical_cell]
        _, box = distinct_rows(cells)
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
        self._numeric = self._cost.numeric_cell[first].copy()
        self._categorical = self._cost.categorical_cell[first].copy()
        self._size = sizes[first].copy()
        self._head = order[ends - np.bincount(group)]
        self._position = np.arange(len(first))
        self._queue = np.arange(len(first))
        self._dead = 0

    def pairs(self) -> tuple[Whole, Whole, int | None]:
        """Match all: positions of the seekers, of their partners, and who is left over."""
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
                return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64), seeker
            matched[partner] = 1
            self._advance(self._group[partner])
            left.append(seeker)
            right.append(partner)
        return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64), None

    def _twin(self, group: int) -> int | None:
        shared = self._twins[group]
        if shared is None:
            return None
        heads = [self._members[self._next[twin]] for twin in shared if self._next[twin] < self._end[twin]]
        return min(heads, default=None)

    def _scan(self, seeker: int) -> int | None:
        row = self._boxes
        numeric, categorical = self._cost.scan(
            row.low[seeker].tolist(), row.high[seeker].tolist(), row.node[seeker].tolist()
        )
        cost = numeric.take(self._numeric)
        cost += categorical.take(self._categorical)
        if not len(cost):
            return None
        cost *= self._size + self._sizes[seeker]
        least = cost.min()
        ties = np.flatnonzero(cost == least)
        heads = self._head[ties]
        best = int(heads.min())
        return None if self._numeric[ties[0]] == self._cost.nowhere else best

    def _advance(self, group: int) -> None:
        """Take the head off a queue; compact the arrays when an eighth of the queues has run empty."""
        self._next[group] += 1
        position = self._position[group]
        if self._next[group] < self._end[group]:
            self._head[position] = self._members[self._next[group]]
            return
        self._numeric[position] = self._cost.nowhere
        self._dead += 1
        if self._dead * 8 > len(self._queue):
            alive = np.flatnonzero(self._numeric != self._cost.nowhere)
            self._numeric = self._numeric[alive]
            self._categorical = self._categorical[alive]
            self._size = self._size[alive]
            self._head = self._head[alive]
            self._queue = self._queue[alive]
            self._position[self._queue] = np.arange(len(alive))
            self._dead = 0
