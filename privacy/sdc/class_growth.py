"""Grow classes around dense seeds (greedy k-member clustering), then give each class L sensitive values.

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
from privacy.sdc.partition import (
    FAR,
    BoxTable,
    Lines,
    Partition,
    box_cost,
    changed_cost,
    cheapest,
    count_value,
    joined_cost,
    measure,
    members_of,
    relink,
)

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


_GIVERS: Final = 8
"""Number of near classes to consider as suppliers of a sensitive value, for each member."""


def best_gift(
    lines: Lines, state: Partition, number: Any, there: Any, size: int, l_value: int
) -> tuple[Any, Any, Any]:
    """Find the cheapest way for another class to supply a sensitive value.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        The classes.
    number, there : int
        Number of the class that needs a value, and number of the class to supply it.
    size : int
        Smallest class size.
    l_value : int
        Distinct values that a class must have.

    Returns
    -------
    (int, int, int)
        Change of the total, `FAR` if there is no way; the record to receive, -1 to join the classes instead;
        the record to give in return, -1 for none. Ties go to joining, then to the first record to receive in
        list order, and for each record, to giving none in return.
    """
    mine, theirs = state.sizes[number], state.sizes[there]
    before = mine * state.costs[number] + theirs * state.costs[there]
    positions, ends = state.positions, state.ends
    best, came, went = FAR, -1, -1
    if distinct_together(state, number, there) >= l_value:
        new_cost = joined_cost(lines, ends, number, there, FAR)
        best = (mine + theirs) * new_cost - before
    if mine < 2 or theirs < 2:
        return best, came, went
    # The supplying class must keep L values, or all its values if it has fewer.
    distinct = min(l_value, state.distinct[there])
    member = state.first[there]
    while member >= 0:
        gift = state.values[member]
        if count_value(state, number, gift) == 0:
            stays = state.distinct[there] - (count_value(state, there, gift) == 1)
            if stays >= distinct and theirs > size:
                left = changed_cost(lines, positions, ends, there, member, -1, FAR)
                new_cost = changed_cost(lines, positions, ends, number, -1, member, FAR)
                change = (mine + 1) * new_cost + (theirs - 1) * left - before
                if change < best:
                    best, came, went = change, member, -1
            other = state.first[number]
            while other >= 0:
                enough = 1 + (best + before) // theirs
                swap_cost = changed_cost(lines, positions, ends, there, member, other, enough)
                if theirs * swap_cost - before < best:
                    coming = changed_cost(lines, positions, ends, number, other, member, FAR)
                    change = mine * coming + theirs * swap_cost - before
                    value = state.values[other]
                    if (
                        change < best
                        and count_value(state, number, value) >= 2
                        and stays + (count_value(state, there, value) == 0) >= distinct
                    ):
                        best, came, went = change, member, other
                other = state.next[other]
        member = state.next[member]
    return best, came, went


def distinct_together(state: Partition, number: Any, there: Any) -> Any:
    """Count the distinct sensitive values of two classes together.

    Parameters
    ----------
    state : Partition
        The classes.
    number, there : int
        Numbers of two classes.
    """
    both = state.distinct[number]
    member = state.first[there]
    while member >= 0:
        # Count each value only at its first member.
        value, is_repeat = state.values[member], False
        other = state.first[there]
        while other != member and not is_repeat:
            is_repeat = state.values[other] == value
            other = state.next[other]
        if not is_repeat and count_value(state, number, value) == 0:
            both += 1
        member = state.next[member]
    return both


def diversify(
    lines: Lines, state: Partition, items: BoxTable, classes: Whole, poor: Whole, size: int, l_value: int
) -> None:
    """Raise classes to L values: move records from near classes, exchange records, or join classes.

    Parameters
    ----------
    lines : Lines
    state : Partition
    items : BoxTable
        Initial boxes of `classes`, with their sensitive values as bits.
    classes, poor : int64 arrays
        The class of each item, and the classes with fewer than L values.
    size, l_value : int

    Notes
    -----
    Each step is the cheapest one with a near class that has a missing value. It raises the sum over classes
    of min(L, distinct values) or removes a class, so the procedure terminates.
    """
    lacks = np.empty(len(items.has), dtype=np.uint64)
    for receiver in poor:
        while state.sizes[receiver] > 0 and state.distinct[receiver] < l_value:
            members = members_of(state, receiver)
            for word in range(len(lacks)):
                lacks[word] = ~np.uint64(0)
            for record in members:
                value = state.values[record]
                lacks[value >> 6] &= ~(np.uint64(1) << np.uint64(value & 63))
            near = np.empty(len(members) * _GIVERS, dtype=np.int64)
            count = 0
            for record in members:
                corner = np.asarray(state.positions)[record]
                nearest, _ = cheapest(lines, items, corner, corner, lacks, _GIVERS, 0)
                for item in nearest:
                    at = 0
                    while at < count and near[at] != item:
                        at += 1
                    near[at] = item
                    count = max(count, at + 1)
            best, first, giver, came, went = FAR, -1, -1, -1, -1
            for item in near[:count]:
                there = classes[item]
                if there == receiver or state.sizes[there] == 0:
                    continue
                change, coming, going = best_gift(lines, state, receiver, there, size, l_value)
                if change < best or (change == best and change < FAR and item < first):
                    best, first, giver, came, went = change, item, there, coming, going
            if giver < 0:
                giver = nearest_class(lines, state, receiver, l_value)
            if came >= 0:
                relink(state, came, receiver)
                if went >= 0:
                    relink(state, went, giver)
                measure(lines, state, receiver)
            else:
                for record in members:
                    relink(state, record, giver)
                state.costs[receiver] = 0
            measure(lines, state, giver)


def nearest_class(lines: Lines, state: Partition, number: Any, l_value: int) -> Any:
    """Find the cheapest class to join: among those with L values, or among all if none has.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        The classes.
    number : int
        Number of a class.
    l_value : int
        Distinct values that a class must have.
    """
    best: Any = -1
    least: Any = FAR
    for rich in (True, False):
        for there in range(len(state.sizes)):
            if there == number or state.sizes[there] == 0 or (rich and state.distinct[there] < l_value):
                continue
            both, before = state.sizes[there] + state.sizes[number], state.sizes[there] * state.costs[there]
            total = joined_cost(lines, state.ends, number, there, 1 + (least + before) // both)
            if both * total - before < least:
                best, least = there, both * total - before
        if best >= 0:
            break
    return best
