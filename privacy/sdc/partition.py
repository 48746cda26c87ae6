"""Classes while they change: members, the ends of their boxes, costs and sensitive values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from privacy.arrays import Codes, Whole
from privacy.sdc.diversity_frontier import Lines, box_cost, span_cost


class Partition(NamedTuple):
    """Classes while they change; the members of a class are a chain of records.

    Parameters
    ----------
    number, values : int64 arrays, shape (n,)
        Class and sensitive value of each record.
    positions : int32 array, shape (n, d)
    ends : int32 array, shape (classes, 4, d)
        On each line the first position of a class, the second, the last but one and the last.
    sizes, costs, distinct : int64 arrays, shape (classes,)
        Records, cost of one of them, and distinct sensitive values.
    first : int64 array, shape (classes,)
    next, before : int64 arrays, shape (n,)
        The chains; -1 ends them.
    """

    number: Whole
    values: Whole
    positions: Codes
    ends: Codes
    sizes: Whole
    costs: Whole
    distinct: Whole
    first: Whole
    next: Whole
    before: Whole


def partition_of(number: Whole, values: Whole, positions: Codes) -> Partition:
    """Chain the members of each class; nothing is measured yet.

    Parameters
    ----------
    number : ndarray of int, shape (n,)
        Class of each record.
    values : ndarray of int, shape (n,)
        Sensitive value of each record.
    positions : ndarray of shape (n, axes)
        Positions of each record on the lines.
    """
    count = int(number.max()) + 1
    order = np.argsort(number, kind="stable")
    sizes = np.bincount(number, minlength=count)
    starts = np.cumsum(sizes) - sizes
    following = np.append(order[1:], -1)
    following[(starts + sizes - 1)[sizes > 0]] = -1
    previous = np.append(-1, order[:-1])
    previous[starts[sizes > 0]] = -1
    chain, back = np.empty(len(number), dtype=np.int64), np.empty(len(number), dtype=np.int64)
    chain[order], back[order] = following, previous
    return Partition(
        number=number,
        values=values,
        positions=positions,
        ends=np.zeros((count, 4, positions.shape[1]), dtype=np.int32),
        sizes=sizes,
        costs=np.zeros(count, dtype=np.int64),
        distinct=np.zeros(count, dtype=np.int64),
        first=np.where(sizes > 0, order[np.minimum(starts, len(order) - 1)], -1),
        next=chain,
        before=back,
    )


def members_of(state: Partition, chosen: Any) -> Any:
    """List the records of a class.

    Parameters
    ----------
    state : Partition
        Classes as chains of records.
    chosen : int
        Number of a class.
    """
    members = np.empty(state.sizes[chosen], dtype=np.int64)
    record = state.first[chosen]
    for at in range(len(members)):
        members[at] = record
        record = state.next[record]
    return members


def ends_of(positions: Codes, members: Whole, ends: Codes) -> Any:
    """Write down first, second, last but one and last position of some records on each line.

    Parameters
    ----------
    positions : ndarray of shape (n, axes)
        Positions of each record on the lines.
    members : ndarray of int
        Records.
    ends : ndarray of shape (4, axes)
        Written into.
    """
    for axis in range(positions.shape[1]):
        corner = positions[members[0], axis]
        first, last = corner, corner
        second, last_but_one = np.int32(2**31 - 1), np.int32(-(2**31))
        for member in members[1:]:
            corner = positions[member, axis]
            if corner < first:
                first, second = corner, first
            elif corner < second:
                second = corner
            if corner > last:
                last, last_but_one = corner, last
            elif corner > last_but_one:
                last_but_one = corner
        alone = len(members) == 1
        ends[0, axis], ends[3, axis] = first, last
        ends[1, axis] = first if alone else second
        ends[2, axis] = first if alone else last_but_one


def measure(lines: Lines, state: Partition, chosen: Any) -> Any:
    """Measure a class whose members changed.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        Written into.
    chosen : int
        Number of a class.
    """
    members = members_of(state, chosen)
    ends_of(state.positions, members, state.ends[chosen])
    state.costs[chosen] = box_cost(lines, state.ends[chosen, 0], state.ends[chosen, 3])
    costs = np.empty(len(members), dtype=np.int64)
    held = 0
    for record in members:
        value = state.values[record]
        at = 0
        while at < held and costs[at] != value:
            at += 1
        costs[at] = value
        held = max(held, at + 1)
    state.distinct[chosen] = held


def measure_all(lines: Lines, state: Partition) -> Any:
    """Measure every class that has records.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        Written into.
    """
    for chosen in range(len(state.sizes)):
        if state.sizes[chosen] > 0:
            measure(lines, state, chosen)


def relink(state: Partition, record: Any, target: Any) -> Any:
    """Take a record out of its chain and put it before another's; the classes are to be measured.

    Parameters
    ----------
    state : Partition
        Written into.
    record : int
        That moves.
    target : int
        Record of another class, before which it comes.
    """
    own, previous, following = state.number[record], state.before[record], state.next[record]
    if previous < 0:
        state.first[own] = following
    else:
        state.next[previous] = following
    if following >= 0:
        state.before[following] = previous
    state.sizes[own] -= 1
    head = state.first[target]
    state.next[record], state.before[record] = head, -1
    if head >= 0:
        state.before[head] = record
    state.first[target] = record
    state.sizes[target] += 1
    state.number[record] = target


def times_held(state: Partition, chosen: Any, value: Any) -> Any:
    """Count the records of a class that have a value.

    Parameters
    ----------
    state : Partition
        Classes as chains of records.
    chosen : int
        Number of a class.
    value : int
        A sensitive value.
    """
    times = 0
    record = state.first[chosen]
    while record >= 0:
        times += state.values[record] == value
        record = state.next[record]
    return times


def stays_diverse(state: Partition, chosen: Any, out: Any, into: Any, l_value: int) -> Any:
    """Return whether a class still has L values when a record of value `out` leaves for one of `into`.

    Parameters
    ----------
    state : Partition
        Classes as chains of records.
    chosen : int
        Number of a class.
    out, into : int
        Sensitive values of the record that leaves and of the one that comes.
    l_value : int
        Distinct values that a class must have.
    """
    if out == into or l_value <= 1:
        return True
    left = state.distinct[chosen] - (times_held(state, chosen, out) == 1)
    return left >= l_value or left + (times_held(state, chosen, into) == 0) >= l_value


def changed_cost(
    lines: Lines, positions: Codes, ends: Codes, chosen: Any, out: Any, into: Any, enough: Any
) -> Any:
    """Return the cost of a class when one of two or more records leaves and one comes, -1 for none.

    As soon as the first axes cost `enough`, what these cost.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    positions : ndarray of shape (n, axes)
        Positions of each record on the lines.
    ends : ndarray
        First, second, last but one and last position of each class on each line.
    chosen : int
        Number of a class.
    out, into : int
        The record that leaves, and the one that comes.
    enough : int
        Cost from which on the exact one is not wanted.
    """
    total: Any = np.int64(0)
    for axis in range(positions.shape[1]):
        low, high = ends[chosen, 0, axis], ends[chosen, 3, axis]
        if out >= 0:
            value = positions[out, axis]
            if value == low:
                low = ends[chosen, 1, axis]
            if value == high:
                high = ends[chosen, 2, axis]
        if into >= 0:
            value = positions[into, axis]
            low, high = min(low, value), max(high, value)
        total += span_cost(lines, axis, low, high)
        if total >= enough:
            break
    return total


def least_cost(lines: Lines, positions: Codes, ends: Codes, chosen: Any, into: Any, enough: Any) -> Any:
    """Return the least cost of a class when any one of two or more records leaves and a given one comes.

    As soon as the first axes cost `enough`, what these cost.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    positions : ndarray of shape (n, axes)
        Positions of each record on the lines.
    ends : ndarray
        First, second, last but one and last position of each class on each line.
    chosen : int
        Number of a class.
    into : int
        The record that comes.
    enough : int
        Cost from which on the exact one is not wanted.
    """
    total: Any = np.int64(0)
    for axis in range(positions.shape[1]):
        value = positions[into, axis]
        low, high = min(ends[chosen, 1, axis], value), max(ends[chosen, 2, axis], value)
        total += span_cost(lines, axis, low, high)
        if total >= enough:
            break
    return total
