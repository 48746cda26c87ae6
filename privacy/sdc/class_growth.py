"""Classes grow around dense seeds: the greedy k-member search.

A class grows around the most frequent remaining combination of quasi-identifiers and takes the combination
that widens its box least until it has exactly k records. Records left at the end join the class that they
cost least. Whatever else classes have to hold is seen to afterwards.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from privacy.sdc.box_search import Boxed, Lines, Small, Whole, box_cost, cheapest

__all__ = ["DEAD", "FREE", "MADE", "Free", "assign", "free_records", "grow"]

# Positions in the array of counters: combinations that are used up, free records, classes made; then of the
# next seed its number of records and where to look for it.
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
        One combination after the other.
    begin, end : int64 arrays, shape (combinations,)
        Free records of each; `begin` moves on as they are taken.
    number : int64 array, shape (n,)
        Class of each record, -1 for none.
    """

    records: Whole
    begin: Whole
    end: Whole
    number: Whole


def free_records(combination: Whole) -> tuple[Free, Whole]:
    """Sort records by combination: (free records, counters)."""
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
    free: Free, items: Boxed, counters: Whole, combination: Any, at: Any, members: Whole, filled: Any
) -> Any:
    """Take records of a combination, the item `at`, until the class is full: how many members there are."""
    taken = min(len(members) - filled, free.end[combination] - free.begin[combination])
    for _ in range(taken):
        members[filled] = free.records[free.begin[combination]]
        free.begin[combination] += 1
        filled += 1
    counters[FREE] -= taken
    if free.begin[combination] == free.end[combination]:
        items.has[0, at] = 0
        counters[DEAD] += 1
    return filled


def next_seed(free: Free, counters: Whole) -> Any:
    """Find the combination with most free records, the first of equals behind the one before."""
    while True:
        level, most = counters[_LEVEL], np.int64(0)
        for combination in range(counters[_CURSOR], len(free.end)):
            if free.end[combination] - free.begin[combination] == level and level > 0:
                counters[_CURSOR] = combination
                return combination
        for combination in range(len(free.end)):
            # The level of before is used up: no combination has more records.
            most = max(most, free.end[combination] - free.begin[combination])
        counters[_LEVEL] = most
        counters[_CURSOR] = 0


def grow(
    lines: Lines,
    items: Boxed,
    combinations: Whole,
    where: Whole,
    free: Free,
    counters: Whole,
    size: int,
    pause: int,
) -> None:
    """Make classes until `pause` are made, a third of the items is used up or too few records are free.

    Parameters
    ----------
    lines : Lines
    items : Boxed
        The combinations that are not used up, without sizes and costs; `has` is 1 while records are free.
    combinations, where : int64 arrays
        The combination of each item, and the item of each combination.
    free : Free
    counters : int64 array
    size : int
        Records of a class.
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
        chosen = next_seed(free, counters)
        at = where[chosen]
        for axis in range(len(low)):
            low[axis], high[axis] = items.low[axis, at], items.high[axis, at]
        filled = take(free, items, counters, chosen, at, members, 0)
        while filled < size:
            nearest, _ = cheapest(lines, items, low, high, alive, 1, at)
            at = nearest[0]
            for axis in range(len(low)):
                low[axis] = min(low[axis], items.low[axis, at])
                high[axis] = max(high[axis], items.high[axis, at])
            filled = take(free, items, counters, combinations[at], at, members, filled)
        for record in members:
            free.number[record] = counters[MADE]
        counters[MADE] += 1


def assign(
    lines: Lines, low: Small, high: Small, sizes: Whole, positions: Small, records: Whole, number: Whole
) -> None:
    """Give each record to the class whose cost it raises least; ends of classes and their sizes follow."""
    costs = box_cost(lines, low, high)
    for record in records:
        here = positions[record][:, None]
        joined = box_cost(lines, np.minimum(low, here), np.maximum(high, here))
        chosen = int(np.argmin((sizes + 1) * joined - sizes * costs))
        number[record] = chosen
        sizes[chosen] += 1
        costs[chosen] = joined[chosen]
        low[:, chosen] = np.minimum(low[:, chosen], here[:, 0])
        high[:, chosen] = np.maximum(high[:, chosen], here[:, 0])
