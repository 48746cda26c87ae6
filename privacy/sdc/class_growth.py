"""Grow classes around dense seeds (greedy k-member clustering).

A class grows around the most frequent remaining combination of quasi-identifiers and adds the combination
that widens its box least until it has exactly k records. Remaining records join the class with the lowest
added cost. Later steps take care of all other requirements on classes.

Classes grow without regard to sensitive values, which keeps them small and compact. Classes with fewer than
L values are repaired afterwards, each by the cheapest of three steps: take a record from a near class, swap
records with it, or join it. Growing classes with L values from the start would use up scarce values in the
first classes, and the last ones would span the table to find some.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from privacy.arrays import Codes, Whole
from privacy.sdc.partition import BoxTable, Lines, box_cost, cheapest

# Positions in the array of counters: exhausted combinations, free records, finished classes, the number of
# free records of the next seed, and the combination from which to look for it.
DEAD: Final = 0
FREE: Final = 1
MADE: Final = 2
_LEVEL: Final = 3
_CURSOR: Final = 4


class Free(NamedTuple):
    """Records without a class, by combination.

    Parameters
    ----------
    records : int64 array, shape (n,)
        Records ordered by combination.
    begin, end : int64 arrays, shape (combinations,)
        Range of each combination's free records in `records`; `begin` advances as records are assigned.
    number : int64 array, shape (n,)
        Class of each record, -1 for none.
    """

    records: Whole
    begin: Whole
    end: Whole
    number: Whole


def free_records(combination: Whole) -> tuple[Free, Whole]:
    """Sort records by combination; return (free records, counters).

    Parameters
    ----------
    combination : ndarray of int, shape (n,)
        Number of each record's combination of quasi-identifiers.
    """
    sizes = np.bincount(combination)
    end = np.cumsum(sizes)
    counters = np.zeros(5, dtype=np.int64)
    counters[FREE] = len(combination)
    return Free(
        records=np.argsort(combination, kind="stable"),
        begin=end - sizes,
        end=end,
        number=np.full(len(combination), -1, dtype=np.int64),
    ), counters


def take(
    free: Free, items: BoxTable, counters: Whole, combination: Any, at: Any, members: Whole, count: Any
) -> Any:
    """Move records of a combination into a class until it is full, and return its size.

    Parameters
    ----------
    free, items, counters
        Records without a class, their combinations as boxes, and the counters; all are changed in place.
    combination : int
    at : int
        Position of the combination among the items.
    members : ndarray of int
        Records of the class; changed in place.
    count : int
        Number of members before the call.
    """
    n_moved = min(len(members) - count, free.end[combination] - free.begin[combination])
    for _ in range(n_moved):
        members[count] = free.records[free.begin[combination]]
        free.begin[combination] += 1
        count += 1
    counters[FREE] -= n_moved
    if free.begin[combination] == free.end[combination]:
        items.has[0, at] = 0
        counters[DEAD] += 1
    return count


def next_seed(free: Free, counters: Whole) -> Any:
    """Find the combination with the most free records; among equals, the first after the previous seed.

    Parameters
    ----------
    free, counters
        As in `take`.
    """
    while True:
        level, most = counters[_LEVEL], np.int64(0)
        for combination in range(counters[_CURSOR], len(free.end)):
            if free.end[combination] - free.begin[combination] == level and level > 0:
                counters[_CURSOR] = combination
                return combination
        for combination in range(len(free.end)):
            # No combination has this many free records any more, so find the largest number left.
            most = max(most, free.end[combination] - free.begin[combination])
        counters[_LEVEL] = most
        counters[_CURSOR] = 0


def grow(
    lines: Lines,
    items: BoxTable,
    combinations: Whole,
    where: Whole,
    free: Free,
    counters: Whole,
    size: int,
    pause: int,
) -> None:
    """Make classes until `pause` are finished, a third of the items is exhausted or too few records are free.

    Parameters
    ----------
    lines : Lines
    items : BoxTable
        The remaining combinations, without sizes and costs; `has` is 1 while records are free.
    combinations, where : int64 arrays
        The combination of each item, and the item of each combination.
    free : Free
    counters : int64 array
    size : int
        Class size.
    pause : int
    """
    low = np.empty(len(items.low), dtype=np.int32)
    high = np.empty(len(items.low), dtype=np.int32)
    members = np.empty(size, dtype=np.int64)
    alive = np.full(1, np.uint64(1))
    begin = counters[MADE]
    while (
        counters[FREE] >= size and counters[MADE] < begin + pause and counters[DEAD] * 3 <= len(items.sizes)
    ):
        seed = next_seed(free, counters)
        at = where[seed]
        for axis in range(len(low)):
            low[axis], high[axis] = items.low[axis, at], items.high[axis, at]
        n_members = take(free, items, counters, seed, at, members, 0)
        while n_members < size:
            nearest, _ = cheapest(lines, items, low, high, alive, 1, at)
            at = nearest[0]
            for axis in range(len(low)):
                low[axis] = min(low[axis], items.low[axis, at])
                high[axis] = max(high[axis], items.high[axis, at])
            n_members = take(free, items, counters, combinations[at], at, members, n_members)
        for record in members:
            free.number[record] = counters[MADE]
        counters[MADE] += 1


def assign(
    lines: Lines, low: Codes, high: Codes, sizes: Whole, positions: Codes, records: Whole, number: Whole
) -> None:
    """Assign each record to the class whose cost rises least; update the ends and sizes of classes.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    low, high : ndarray of shape (axes, classes)
        Ends of the classes; changed in place.
    sizes : ndarray of int
        Number of records in each class; changed in place.
    positions : ndarray of shape (n, axes)
        Positions of each record on the axes.
    records : ndarray of int
        Records without a class.
    number : ndarray of int, shape (n,)
        Class of each record; changed in place.
    """
    costs = box_cost(lines, low, high)
    for record in records:
        here = positions[record][:, None]
        new_costs = box_cost(lines, np.minimum(low, here), np.maximum(high, here))
        target = int(np.argmin((sizes + 1) * new_costs - sizes * costs))
        number[record] = target
        sizes[target] += 1
        costs[target] = new_costs[target]
        low[:, target] = np.minimum(low[:, target], here[:, 0])
        high[:, target] = np.maximum(high[:, target], here[:, 0])
