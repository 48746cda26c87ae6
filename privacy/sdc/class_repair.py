"""Give each class enough different values, after it was grown."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from privacy.arrays import Whole
from privacy.sdc.partition import (
    FAR,
    BoxTable,
    Lines,
    Partition,
    changed_cost,
    cheapest,
    count_value,
    joined_cost,
    measure,
    members_of,
    relink,
)

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
