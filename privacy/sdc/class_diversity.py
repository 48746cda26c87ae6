"""Diversity of classes with too few sensitive values: records of near classes, exchanges, or joins.

Classes grow without regard to sensitive values, which leaves them small and near. Those with fewer than L
values are mended afterwards, each by the cheapest of a few steps. Growing them with L values built in takes
scarce values for the first classes, and the last ones stretch over the table to find some.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from privacy.sdc.box_search import FAR, Boxed, Lines, Whole, cheapest, joined_cost
from privacy.sdc.partition import Partition, changed_cost, measure, members_of, relink, times_held

__all__ = ["best_gift", "distinct_together", "diversify", "nearest_class"]

_GIVERS: Final = 8
"""Classes near each member that are asked for a sensitive value."""


def best_gift(
    lines: Lines, state: Partition, chosen: Any, there: Any, size: int, l_value: int
) -> tuple[Any, Any, Any]:
    """Find how another class best gives a sensitive value to one that needs it.

    Returns
    -------
    (int, int, int)
        The change of the total; the record that comes, -1 when the classes are joined instead; the record
        that goes for it, -1 for none. The first of equals: joining before records that come, in the order of
        their chain; each for none before those that go. `FAR` when neither is possible.
    """
    mine, theirs = state.sizes[chosen], state.sizes[there]
    before = mine * state.costs[chosen] + theirs * state.costs[there]
    positions, boxes = state.positions, state.ends
    ends, others = boxes[chosen], boxes[there]
    best, came, went = np.int64(FAR), np.int64(-1), np.int64(-1)
    if distinct_together(state, chosen, there) >= l_value:
        joined = joined_cost(lines, ends[0], ends[3], others[0], others[3], FAR)
        best = (mine + theirs) * joined - before
    if mine < 2 or theirs < 2:
        return best, came, went
    # Neither class gets poorer in values than it has to be.
    distinct = min(l_value, state.distinct[there])
    member = state.first[there]
    while member >= 0:
        given = state.values[member]
        if times_held(state, chosen, given) == 0:
            stays = state.distinct[there] - (times_held(state, there, given) == 1)
            if stays >= distinct and theirs > size:
                left = changed_cost(lines, positions, boxes, there, member, -1, FAR)
                joined = changed_cost(lines, positions, boxes, chosen, -1, member, FAR)
                change = (mine + 1) * joined + (theirs - 1) * left - before
                if change < best:
                    best, came, went = change, member, np.int64(-1)
            other = state.first[chosen]
            while other >= 0:
                enough = 1 + (best + before) // theirs
                swapped = changed_cost(lines, positions, boxes, there, member, other, enough)
                if theirs * swapped - before < best:
                    coming = changed_cost(lines, positions, boxes, chosen, other, member, FAR)
                    change = mine * coming + theirs * swapped - before
                    value = state.values[other]
                    if (
                        change < best
                        and times_held(state, chosen, value) >= 2
                        and stays + (times_held(state, there, value) == 0) >= distinct
                    ):
                        best, came, went = change, member, other
                other = state.next[other]
        member = state.next[member]
    return best, came, went


def distinct_together(state: Partition, chosen: Any, there: Any) -> Any:
    """Count the distinct sensitive values of two classes."""
    both = state.distinct[chosen]
    member = state.first[there]
    while member >= 0:
        # The first of the class that has this value counts.
        value, known = state.values[member], False
        other = state.first[there]
        while other != member and not known:
            known = state.values[other] == value
            other = state.next[other]
        if not known and times_held(state, chosen, value) == 0:
            both += 1
        member = state.next[member]
    return both


def diversify(
    lines: Lines, state: Partition, items: Boxed, classes: Whole, poor: Whole, size: int, l_value: int
) -> None:
    """Give L values to classes that have fewer: by records of near classes, by exchange, or by joining them.

    Parameters
    ----------
    lines : Lines
    state : Partition
    items : Boxed
        Boxes of `classes` as they were, with the sensitive values that each has as bits.
    classes, poor : int64 arrays
        The class of each item; the classes with fewer than L values.
    size, l_value : int

    Notes
    -----
    Each step is the one that costs least among those with the nearest classes that have a missing value. It
    raises the sum over classes of min(L, distinct values) or takes a class away, and so the steps end.
    """
    lacks = np.empty(len(items.has), dtype=np.uint64)
    for chosen in poor:
        while state.sizes[chosen] > 0 and state.distinct[chosen] < l_value:
            members = members_of(state, chosen)
            for word in range(len(lacks)):
                lacks[word] = ~np.uint64(0)
            for record in members:
                value = state.values[record]
                lacks[value >> 6] &= ~(np.uint64(1) << np.uint64(value & 63))
            near = np.empty(len(members) * _GIVERS, dtype=np.int64)
            count = 0
            for record in members:
                corner = state.positions[record]
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
                if there == chosen or state.sizes[there] == 0:
                    continue
                change, coming, going = best_gift(lines, state, chosen, there, size, l_value)
                if change < best or (change == best and change < FAR and item < first):
                    best, first, giver, came, went = change, item, there, coming, going
            if giver < 0:
                giver = nearest_class(lines, state, chosen, l_value)
            if came >= 0:
                relink(state, came, chosen)
                if went >= 0:
                    relink(state, went, giver)
                measure(lines, state, chosen)
            else:
                for record in members:
                    relink(state, record, giver)
                state.costs[chosen] = 0
            measure(lines, state, giver)


def nearest_class(lines: Lines, state: Partition, chosen: Any, l_value: int) -> Any:
    """Find the class that one is cheapest to join with: of those with L values, or of all if none has."""
    ends = state.ends[chosen]
    best: Any = -1
    least: Any = FAR
    for rich in (True, False):
        for there in range(len(state.sizes)):
            if there == chosen or state.sizes[there] == 0 or (rich and state.distinct[there] < l_value):
                continue
            both, before = state.sizes[there] + state.sizes[chosen], state.sizes[there] * state.costs[there]
            others = state.ends[there]
            joined = joined_cost(lines, ends[0], ends[3], others[0], others[3], 1 + (least + before) // both)
            if both * joined - before < least:
                best, least = there, both * joined - before
        if best >= 0:
            break
    return best
