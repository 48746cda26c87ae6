"""Classes of at least k records by bottom-up matching.

Bottom-up matching (Zhu et al. 2010, section 4.3, after Xu and others): each record starts as its own class.
In each round, every class below k, in order, is paired with the unmatched class below k that is cheapest to
join. There are ceil(log2 k) rounds, and sometimes one or two more for odd classes (five records at k = 4 can
need three). A class grows to 2^ceil(log2 k): eight records for k = 5. Thousands of records share a few
hundred intervals on each axis, so the cost of joining two intervals is computed only once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from privacy.arrays import Array, Codes, Whole
from privacy.sdc.box_costs import WeightedAxis, box_costs, weighted_axes
from privacy.sdc.check_k import check_k
from privacy.sdc.classes import Classes
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.generalisation import Boxes, Space

_NEVER: Final = 2**62
_ROWS_KEPT: Final = 1_000
"""Number of intervals per axis whose costs with all others are cached; most look-ups need few intervals."""


def bottom_up(space: Space, k: int, weights: Mapping[str, float] | None = None) -> Classes:
    """Group all records of a space into classes of at least k.

    Parameters
    ----------
    space : Space
        The records.
    k : int
        Smallest class size, 1 <= k <= n.
    weights : mapping or None
        Weights by axis; None means equal weights.

    Notes
    -----
    A pair (G, G') costs ILP(G u G') = (|G| + |G'|) sum_i w_i NCP_i(box). Ties go to the lowest position. An
    unpaired class goes to the end of the next round. If one class below k remains at the end, it joins the
    class that is cheapest to join.
    """
    check_k(k, len(space))
    return match_rounds(space, k, space.weights(weights))


def merge_rounds(
    n: int,
    k: int,
    pair: Callable[[Whole, Whole], tuple[Whole, Whole]],
    absorb: Callable[[int, Whole, Whole], int],
) -> Classes:
    """Join classes below k in pairs, round by round.

    Parameters
    ----------
    n, k : int
        Number of records, and smallest class size.
    pair : callable
        Receives the numbers of the classes below k and the sizes of all classes; returns the first and the
        second class of each pair. New classes get the next free numbers, in the order of the pairs. Unpaired
        classes wait for the next round.
    absorb : callable
        Receives the last class below k, the numbers of all other classes and the sizes of all; returns the
        class that it joins.
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
    """Run the rounds of bottom-up matching on at least k records, which may be one cluster of a table.

    Parameters
    ----------
    space : Space
        Positions of the records.
    k : int
        Smallest class size.
    weights : ndarray of float, shape (axes,)
        Weights of the quasi-identifiers.
    """
    axes = weighted_axes(space, weights)
    boxes = Boxes(low=space.codes, high=space.codes)

    def pair(waiting: Whole, sizes: Whole) -> tuple[Whole, Whole]:
        nonlocal boxes
        left, right = _match_classes(axes, boxes.take(waiting), sizes[waiting])
        first, second = waiting[left], waiting[right]
        unions = boxes.join(first, second)
        boxes = Boxes(
            low=np.concatenate([boxes.low, unions.low]), high=np.concatenate([boxes.high, unions.high])
        )
        return first, second

    def absorb(last: int, others: Whole, sizes: Whole) -> int:
        cost = (sizes[others] + sizes[last]) * box_costs(axes, boxes.join(others, last))
        return int(others[cost.argmin()])

    return merge_rounds(len(space), k, pair, absorb)


def _match_classes(axes: tuple[WeightedAxis, ...], boxes: Boxes, sizes: Whole) -> tuple[Whole, Whole]:
    """Pair the waiting classes in order and return both sides of the pairs; an odd one stays unpaired."""
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
            # Drop the paired classes from the search whenever they make up a quarter of it.
            alive = alive[waiting[alive]]
            numbers, alive_sizes = [each.number[alive] for each in intervals], sizes[alive]
        cost = np.zeros(len(alive), dtype=np.int64)
        for each, number in zip(intervals, numbers, strict=True):
            cost += each.join_cost(int(each.number[seeker]))[number]
        cost *= alive_sizes + sizes[seeker]
        cost[~waiting[alive]] = _NEVER
        partner = int(alive[cost.argmin()])
        waiting[partner] = False
        left.append(seeker)
        right.append(partner)
    return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)


class _Intervals:
    """Distinct intervals of the boxes on one axis, and the costs of joining them."""

    def __init__(self, own: WeightedAxis, low: Codes, high: Codes) -> None:
        first, self.number = distinct_rows([low, high])
        low, high = low[first], high[first]

        @lru_cache(maxsize=_ROWS_KEPT)
        def join(number: int) -> Whole:
            return own.cost(np.minimum(low, low[number]), np.maximum(high, high[number]))

        self.join_cost = join
