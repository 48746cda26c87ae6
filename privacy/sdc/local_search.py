"""Local search over classes: records that cost less elsewhere move or change places, and classes dissolve.

A greedy search makes its last classes of what the others left. Three moves mend that, each taken only when
the sum over classes of size times cost falls: a record moves to another class; two records of two classes
change places; a class is dissolved and its records join others. No move leaves a class with fewer than k
records or fewer than L sensitive values. Nothing is drawn, and work is counted in moves that are tried, not
in seconds: the same records give the same classes.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from privacy.sdc.box_search import FAR, Boxed, Lines, Small, Whole, cheapest
from privacy.sdc.partition import (
    Partition,
    changed_cost,
    least_cost,
    measure,
    members_of,
    relink,
    stays_diverse,
    times_held,
)

__all__ = ["UNKNOWN", "Around", "ask", "best_move", "dissolve", "exchange", "find_near"]

Flags = npt.NDArray[np.bool_]

UNKNOWN: Final = -2
_NO_CLASS: Final = -1


class Around(NamedTuple):
    """Which classes are near: found for a combination when it is first asked for.

    Parameters
    ----------
    items : Boxed
        The classes as they were at the beginning.
    classes : int64 array, shape (items,)
        Their numbers.
    item : int64 array, shape (classes,)
        The item of each class.
    corners : int32 array, shape (m, d)
        The distinct rows of places.
    combination : int64 array, shape (n,)
        Which of them each record has.
    near : int64 array, shape (m, c)
        The classes that one more such record costs least, -1 where there are fewer; -2 for not yet found.
    """

    items: Boxed
    classes: Whole
    item: Whole
    corners: Small
    combination: Whole
    near: Whole


def find_near(lines: Lines, around: Around, combination: Any, own: Any) -> Any:
    """Find the near classes of a combination, beginning with the class that one of its records is in."""
    near = around.near
    corner = around.corners[combination]
    wanted = np.full(1, np.uint64(1))
    found, _ = cheapest(lines, around.items, corner, corner, wanted, near.shape[1], around.item[own])
    for at in range(near.shape[1]):
        near[combination, at] = around.classes[found[at]] if at < len(found) else _NO_CLASS


def best_move(lines: Lines, state: Partition, around: Around, record: Any, size: int, l_value: int) -> Any:
    """Find what a record gains most by: (change of the total, class, partner or -1), the first of equals.

    A move to each near class comes before exchanges with its members, in the order of their chain.
    """
    places, ends, sizes, costs = state.places, state.ends, state.sizes, state.costs
    first, following = state.first, state.next
    own = state.number[record]
    left = changed_cost(lines, places, ends, own, record, -1, FAR)
    best, target, partner = np.int64(0), np.int64(-1), np.int64(-1)
    if left >= costs[own]:
        # Of an improving exchange one class becomes smaller at least; the record that leaves it asks.
        return best, target, partner
    mine = sizes[own]
    before_here = mine * costs[own]
    value = state.values[record]
    free = mine > size and state.distinct[own] - (times_held(state, own, value) == 1) >= l_value
    combination = around.combination[record]
    if around.near[combination, 0] == UNKNOWN:
        find_near(lines, around, combination, own)
    for there in around.near[combination]:
        if there < 0 or there == own or sizes[there] == 0:
            continue
        theirs = sizes[there]
        before = before_here + theirs * costs[there]
        if free:
            # No dearer than a class that is as good as the best move.
            enough = 1 + (best + before - (mine - 1) * left) // (theirs + 1)
            joined = changed_cost(lines, places, ends, there, -1, record, enough)
            change = (mine - 1) * left + (theirs + 1) * joined - before
            if change < best:
                best, target, partner = change, there, np.int64(-1)
        if theirs < 2 or theirs > 4 * size:
            continue
        # Whoever leaves the other class, this much of it stays.
        enough = -((mine * left - before - best) // theirs)
        beside = theirs * least_cost(lines, places, ends, there, record, enough) - before
        if mine * left + beside >= best:
            continue
        other = first[there]
        while other >= 0:
            coming = changed_cost(lines, places, ends, own, record, other, 1 + (best - beside) // mine)
            if mine * coming + beside < best:
                swapped = changed_cost(lines, places, ends, there, other, record, FAR)
                change = mine * coming + theirs * swapped - before
                given = state.values[other]
                if (
                    change < best
                    and stays_diverse(state, own, value, given, l_value)
                    and stays_diverse(state, there, given, value, l_value)
                ):
                    best, target, partner = change, there, other
            other = following[other]
    return best, target, partner


def ask(state: Partition, waiting: Whole, asked: Flags, counters: Whole, chosen: Any) -> Any:
    """Let the members of a class ask again; `counters` are where the queue begins and how long it is."""
    record = state.first[chosen]
    while record >= 0:
        if not asked[record]:
            asked[record] = True
            waiting[(counters[0] + counters[1]) % len(waiting)] = record
            counters[1] += 1
        record = state.next[record]


def exchange(
    lines: Lines,
    state: Partition,
    around: Around,
    size: int,
    l_value: int,
    waiting: Whole,
    asked: Flags,
    counters: Whole,
    tries: int,
) -> Any:
    """Let records of a queue move or change places, one after the other, until it is empty or `tries` are
    made.

    Returns how much the total falls. `counters` are where the queue begins, how long it is, and how many
    tries are left in all.
    """
    gained = 0
    while counters[1] > 0 and counters[2] > 0 and tries > 0:
        record = waiting[counters[0]]
        counters[0] = (counters[0] + 1) % len(waiting)
        counters[1] -= 1
        asked[record] = False
        own = state.number[record]
        if state.costs[own] == 0:
            continue
        tries -= 1
        counters[2] -= 1
        change, target, partner = best_move(lines, state, around, record, size, l_value)
        if target < 0:
            continue
        relink(state, record, target)
        if partner >= 0:
            relink(state, partner, own)
        measure(lines, state, own)
        measure(lines, state, target)
        gained -= change
        ask(state, waiting, asked, counters, own)
        ask(state, waiting, asked, counters, target)
    return gained


def dissolve(
    lines: Lines,
    state: Partition,
    around: Around,
    waiting: Whole,
    asked: Flags,
    counters: Whole,
    order: Whole,
) -> Any:
    """Empty each class whose records cost less in others, in a given order: how much the total falls.

    Classes that took records in are asked again.
    """
    gained = 0
    combinations, near = around.combination, around.near
    places, boxes, sizes, now = state.places, state.ends, state.sizes, state.costs
    tried = np.empty(len(state.number), dtype=np.int64)
    for emptied in order:
        saved = sizes[emptied] * now[emptied]
        if saved == 0:
            break
        members = members_of(state, emptied)
        ends = np.empty((len(members), 2, places.shape[1]), dtype=np.int32)
        costs = np.empty(len(members), dtype=np.int64)
        placed = 0
        for record in members:
            here = places[record]
            best, target, cost = saved, -1, 0
            combination = combinations[record]
            if near[combination, 0] == UNKNOWN:
                find_near(lines, around, combination, emptied)
            for there in near[combination]:
                if there < 0 or there == emptied or sizes[there] == 0:
                    continue
                before = sizes[there] * now[there]
                enough = 1 + (best + before) // (sizes[there] + 1)
                joined = changed_cost(lines, places, boxes, there, -1, record, enough)
                added = (sizes[there] + 1) * joined - before
                if added < best:
                    best, target, cost = added, there, joined
            if target < 0:
                break
            tried[placed] = target
            costs[placed] = now[target]
            for axis in range(len(here)):
                ends[placed, 0, axis] = boxes[target, 0, axis]
                ends[placed, 1, axis] = boxes[target, 3, axis]
                boxes[target, 0, axis] = min(boxes[target, 0, axis], here[axis])
                boxes[target, 3, axis] = max(boxes[target, 3, axis], here[axis])
            now[target] = cost
            sizes[target] += 1
            saved -= best
            placed += 1
        if placed == len(members):
            gained += saved
        for at in range(placed - 1, -1, -1):
            target = tried[at]
            for axis in range(places.shape[1]):
                boxes[target, 0, axis] = ends[at, 0, axis]
                boxes[target, 3, axis] = ends[at, 1, axis]
            now[target] = costs[at]
            sizes[target] -= 1
        if placed == len(members):
            for at in range(placed):
                relink(state, members[at], tried[at])
            for at in range(placed):
                measure(lines, state, tried[at])
                ask(state, waiting, asked, counters, tried[at])
            now[emptied] = 0
    return gained
