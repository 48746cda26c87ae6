"""Local search over classes: move or exchange records that cost less elsewhere, and dissolve classes.

A greedy search builds its last classes from leftovers. Three moves improve them, each applied only if it
lowers the sum over classes of size times cost: move a record to another class; exchange two records of two
classes; dissolve a class and let its records join others. No move leaves a class with fewer than k records
or fewer than L sensitive values. The search is deterministic, and its limit is a number of attempted moves
rather than a time, so the same records always give the same classes.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from privacy.arrays import Codes, Flags, Whole
from privacy.sdc.partition import (
    FAR,
    BoxTable,
    Lines,
    Partition,
    changed_cost,
    cheapest,
    count_value,
    least_cost,
    measure,
    members_of,
    relink,
    stays_diverse,
)

UNKNOWN: Final = -2
_NO_CLASS: Final = -1

# Positions in the counters of a queue: its start, its length, and the remaining number of tries.
BEGIN: Final = 0
LENGTH: Final = 1
TRIES: Final = 2


class Around(NamedTuple):
    """Classes near each combination, computed when first needed.

    Parameters
    ----------
    items : BoxTable
        The classes at the start of the search.
    classes : int64 array, shape (items,)
        The class of each item.
    item : int64 array, shape (classes,)
        The item of each class.
    corners : int32 array, shape (m, d)
        The distinct rows of `positions`.
    combination : int64 array, shape (n,)
        The row of `corners` of each record.
    near : int64 array, shape (m, c)
        The cheapest classes for one more record with this row; -1 if there are fewer, -2 if not yet computed.
    """

    items: BoxTable
    classes: Whole
    item: Whole
    corners: Codes
    combination: Whole
    near: Whole


class Queue(NamedTuple):
    """Queue of records that may have a better class.

    Parameters
    ----------
    waiting : int64 array, shape (n,)
        The queue, as a ring buffer.
    is_queued : bool array, shape (n,)
        Whether each record is in the queue.
    counters : int64 array, shape (3,)
    """

    waiting: Whole
    is_queued: Flags
    counters: Whole


def find_near(lines: Lines, around: Around, combination: Any, own_class: Any) -> Any:
    """Find the near classes of a combination unless they are known already.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    around : Around
        Near classes of each combination; changed in place.
    combination : int
        Number of the combination of quasi-identifiers.
    own_class : int
        Number of the class at which the search starts.
    """
    near = around.near
    if near[combination, 0] != UNKNOWN:
        return
    corner = np.asarray(around.corners)[combination]
    mask = np.full(1, np.uint64(1))
    nearest, _ = cheapest(lines, around.items, corner, corner, mask, near.shape[1], around.item[own_class])
    for place in range(near.shape[1]):
        near[combination, place] = around.classes[nearest[place]] if place < len(nearest) else _NO_CLASS


def rise(lines: Lines, state: Partition, other_class: Any, record: Any, most: Any) -> Any:
    """Compute how much one more record raises the total of a class, and the new cost of the class.

    Both are exact if the rise is below `most`; otherwise the rise is at least `most`.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        The classes.
    other_class : int
        Number of a class.
    record : int
        Record to add.
    most : int
        Rise from which the exact value is not needed.
    """
    size = state.sizes[other_class]
    before = size * state.costs[other_class]
    enough = 1 + (most + before) // (size + 1)
    new_cost = changed_cost(lines, state.positions, state.ends, other_class, -1, record, enough)
    return (size + 1) * new_cost - before, new_cost


def best_exchange(
    lines: Lines, state: Partition, record: Any, other_class: Any, l_value: int, cost_without: Any, best: Any
) -> Any:
    """Find the best member of a class for an exchange with a record; return (change, partner).

    Ties go to the first member in list order. If no exchange beats `best`, the result is (`best`, -1).

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        The classes.
    record : int
        Record to exchange.
    other_class : int
        Number of another class.
    l_value : int
        Smallest number of distinct values in a class.
    cost_without : int
        Cost of the record's own class without it.
    best : int
        Change of the total to beat.
    """
    positions, ends, own_class, partner = state.positions, state.ends, state.number[record], -1
    own_size, other_size, value = state.sizes[own_class], state.sizes[other_class], state.values[record]
    before = own_size * state.costs[own_class] + other_size * state.costs[other_class]
    # A lower bound on the other class's part of the change, whichever record leaves it.
    enough = -((own_size * cost_without - before - best) // other_size)
    bound = other_size * least_cost(lines, positions, ends, other_class, record, enough) - before
    if own_size * cost_without + bound >= best:
        return best, partner
    other = state.first[other_class]
    while other >= 0:
        coming = changed_cost(
            lines, positions, ends, own_class, record, other, 1 + (best - bound) // own_size
        )
        if own_size * coming + bound < best:
            swap_cost = changed_cost(lines, positions, ends, other_class, other, record, FAR)
            change = own_size * coming + other_size * swap_cost - before
            new_value = state.values[other]
            if (
                change < best
                and stays_diverse(state, own_class, value, new_value, l_value)
                and stays_diverse(state, other_class, new_value, value, l_value)
            ):
                best, partner = change, other
        other = state.next[other]
    return best, partner


def best_move(lines: Lines, state: Partition, around: Around, record: Any, size: int, l_value: int) -> Any:
    """Find the best move of a record; return (change of the total, class, partner or -1).

    Ties go to the first option: near classes in order, and for each class, a move before exchanges.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        The classes.
    around : Around
        Near classes of each combination.
    record : int
        Record to move.
    size : int
        Smallest number of records in a class.
    l_value : int
        Smallest number of distinct values in a class.
    """
    own_class = state.number[record]
    cost_without = changed_cost(lines, state.positions, state.ends, own_class, record, -1, FAR)
    best, target, partner = 0, -1, -1
    if cost_without >= state.costs[own_class]:
        # Every improving exchange makes at least one class cheaper. The search finds it when it tries the
        # record that leaves this class.
        return best, target, partner
    own_size = state.sizes[own_class]
    saving = own_size * state.costs[own_class] - (own_size - 1) * cost_without
    value = state.values[record]
    free = (
        own_size > size and state.distinct[own_class] - (count_value(state, own_class, value) == 1) >= l_value
    )
    combination = around.combination[record]
    find_near(lines, around, combination, own_class)
    for place in range(around.near.shape[1]):
        other_class = around.near[combination, place]
        if other_class < 0 or other_class == own_class or state.sizes[other_class] == 0:
            continue
        if free:
            # The rise need not be exact once it is too large to beat the best move.
            added, _ = rise(lines, state, other_class, record, best + saving)
            if added - saving < best:
                best, target, partner = added - saving, other_class, -1
        if 2 <= state.sizes[other_class] <= 4 * size:
            change, other = best_exchange(lines, state, record, other_class, l_value, cost_without, best)
            if other >= 0:
                best, target, partner = change, other_class, other
    return best, target, partner


def requeue(state: Partition, queue: Queue, number: Any) -> Any:
    """Queue the members of a class again.

    Parameters
    ----------
    state : Partition
        The classes.
    queue : Queue
        Queue of records; changed in place.
    number : int
        Number of a class.
    """
    record = state.first[number]
    while record >= 0:
        if not queue.is_queued[record]:
            queue.is_queued[record] = True
            end = queue.counters[BEGIN] + queue.counters[LENGTH]
            queue.waiting[end % len(queue.waiting)] = record
            queue.counters[LENGTH] += 1
        record = state.next[record]


def exchange(
    lines: Lines, state: Partition, around: Around, queue: Queue, size: int, l_value: int, tries: int
) -> Any:
    """Move or swap records of a queue, one after another, until it is empty or `tries` are used up.

    Return the reduction of the total cost.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        Changed in place.
    around : Around
        Near classes of each combination.
    queue : Queue
        Queue of records; changed in place.
    size : int
        Smallest number of records in a class.
    l_value : int
        Smallest number of distinct values in a class.
    tries : int
        Largest number of records to try.
    """
    gain = 0
    counters = queue.counters
    while counters[LENGTH] > 0 and counters[TRIES] > 0 and tries > 0:
        record = queue.waiting[counters[BEGIN]]
        counters[BEGIN] = (counters[BEGIN] + 1) % len(queue.waiting)
        counters[LENGTH] -= 1
        queue.is_queued[record] = False
        own_class = state.number[record]
        if state.costs[own_class] == 0:
            continue
        tries -= 1
        counters[TRIES] -= 1
        change, target, partner = best_move(lines, state, around, record, size, l_value)
        if target < 0:
            continue
        relink(state, record, target)
        if partner >= 0:
            relink(state, partner, own_class)
        gain -= change
        for changed in (own_class, target):
            measure(lines, state, changed)
            requeue(state, queue, changed)
    return gain


def cheapest_near(
    lines: Lines, state: Partition, around: Around, record: Any, own_class: Any, most: Any
) -> Any:
    """Find the near class whose total rises least by one more record; return (rise, class, new cost).

    The class is -1 if no total rises by less than `most`.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        The classes.
    around : Around
        Near classes of each combination.
    record : int
        Record to add.
    own_class : int
        Number of the record's class.
    most : int
        Rise to beat.
    """
    best, target, cost = most, -1, 0
    combination = around.combination[record]
    find_near(lines, around, combination, own_class)
    for place in range(around.near.shape[1]):
        other_class = around.near[combination, place]
        if other_class < 0 or other_class == own_class or state.sizes[other_class] == 0:
            continue
        added, new_cost = rise(lines, state, other_class, record, best)
        if added < best:
            best, target, cost = added, other_class, new_cost
    return best, target, cost


def targets_of(
    lines: Lines, state: Partition, around: Around, number: Any, members: Whole, targets: Whole
) -> Any:
    """Find a near class for each member of a class to dissolve; return the reduction of the total, or 0.

    Each member sees the classes as changed by earlier ones; finally, all changes are undone.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        The classes.
    around : Around
        Near classes of each combination.
    number : int
        Number of the class.
    members : ndarray of int
        Records of the class.
    targets : ndarray of int
        Receives a class for each of them.
    """
    saving = state.sizes[number] * state.costs[number]
    ends = np.empty((len(members), 2, state.positions.shape[1]), dtype=np.int32)
    costs = np.empty(len(members), dtype=np.int64)
    n_placed = 0
    for record in members:
        added, target, cost = cheapest_near(lines, state, around, record, number, saving)
        if target < 0:
            break
        targets[n_placed], costs[n_placed] = target, state.costs[target]
        for axis in range(ends.shape[2]):
            low, high = state.ends[target, 0, axis], state.ends[target, 3, axis]
            ends[n_placed, 0, axis], ends[n_placed, 1, axis] = low, high
            state.ends[target, 0, axis] = min(low, state.positions[record, axis])
            state.ends[target, 3, axis] = max(high, state.positions[record, axis])
        state.costs[target] = cost
        state.sizes[target] += 1
        saving -= added
        n_placed += 1
    for place in range(n_placed - 1, -1, -1):
        target = targets[place]
        for axis in range(ends.shape[2]):
            state.ends[target, 0, axis], state.ends[target, 3, axis] = (
                ends[place, 0, axis],
                ends[place, 1, axis],
            )
        state.costs[target] = costs[place]
        state.sizes[target] -= 1
    return saving if n_placed == len(members) else 0


def dissolve(lines: Lines, state: Partition, around: Around, queue: Queue, order: Whole) -> Any:
    """Dissolve each class whose records cost less in others, in a given order; return the reduction.

    The records of classes that grow are queued again.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        Changed in place.
    around : Around
        Near classes of each combination.
    queue : Queue
        Queue of records; changed in place.
    order : ndarray of int
        Numbers of classes.
    """
    gain = 0
    targets = np.empty(len(state.number), dtype=np.int64)
    for source in order:
        if state.sizes[source] * state.costs[source] == 0:
            break
        members = members_of(state, source)
        saving = targets_of(lines, state, around, source, members, targets)
        if saving == 0:
            continue
        gain += saving
        for place in range(len(members)):
            relink(state, members[place], targets[place])
        for place in range(len(members)):
            measure(lines, state, targets[place])
            requeue(state, queue, targets[place])
        state.costs[source] = 0
    return gain
