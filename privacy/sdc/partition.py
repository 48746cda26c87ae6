"""Mutable classes, the costs of their boxes, and the search for the cheapest boxes to join."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Codes, Whole, Words
from privacy.sdc.generalisation import NumericAxis, Space

Lines = npt.NDArray[np.int32]
"""Costs of intervals on all axes. A header holds, for each axis, the start of its table and its number of
leaves; the start is -1 for numbers, whose cost is the difference of positions. The tables follow, row by row,
with the cost of each pair of first and last leaf. Everything is in one array because compiled code may count
references to each array that it passes on."""

FAR: Final = 2**62
"""Larger than any cost."""
_SCALE: Final = 2**26
"""Cost of a completely generalised record. Costs are integers, so equal costs are equal on every machine."""


class BoxTable(NamedTuple):
    """Boxes to choose among, in lexicographic order of their ends.

    Parameters
    ----------
    low, high : int32 arrays, shape (d, m)
        Ends on each axis.
    sizes, costs : int64 arrays, shape (m,)
        Number of records inside, and the box's cost per record.
    has : uint64 array, shape (words, m)
        Bits of each box, such as its sensitive values; a search accepts boxes with any of the wanted bits.
    fewest : int
        Smallest number of records in a box.
    rows : int32 array, shape (m, 2 d)
        The ends of each box side by side.
    nodes : int32 array, shape (nodes, 5)
        A tree that splits by one axis after the other, with parents before children. Boxes that agree on the
        first axes share a node. Each node holds its axis, the ends on that axis, the next node outside its
        subtree, and its box (-1 if it has several). Nodes with one box have no children.
    leaf : int64 array, shape (m,)
        The node of each box.
    """

    low: Codes
    high: Codes
    sizes: Whole
    costs: Whole
    has: Words
    fewest: int
    rows: Codes
    nodes: Codes
    leaf: Whole


def lines_of(space: Space, weights: Array, *, longest_first: bool = False) -> tuple[Lines, Codes]:
    """Map the records of a space to positions on the axes; return (costs, positions of shape (n, d)).

    Axes with few values come first, so that many boxes agree on the first axes and a search prunes them
    together. If axes with many values come first, classes grow along them, which reduces the loss by 1 to 3%.

    Parameters
    ----------
    space : Space
        Positions of the records.
    weights : ndarray of float, shape (axes,)
        Weights of the quasi-identifiers.
    longest_first : bool, optional
        Whether axes with many values come first.
    """
    axes = []
    for at, axis in enumerate(space.axes):
        unit, places = weights[at] * _SCALE, space.codes[:, at]
        if isinstance(axis, NumericAxis):
            points = np.rint(axis.line * unit).astype(np.int32)
            axes.append((len(points), at, points[places], np.zeros(0, dtype=np.int32)))
        else:
            leaves = np.arange(len(axis.line), dtype=np.int32)
            table = np.rint(axis.width(leaves[:, None], leaves[None, :]) * unit).astype(np.int32)
            axes.append((len(leaves), at, places, table.ravel()))
    axes.sort(key=lambda entry: (-entry[0] if longest_first else entry[0], entry[1]))
    lengths = [len(entry[3]) for entry in axes]
    starts = 2 * len(axes) + np.cumsum([0, *lengths[:-1]])
    header = np.stack([np.where(lengths, starts, -1), [entry[0] for entry in axes]], axis=1)
    lines = np.concatenate([header.ravel(), *(entry[3] for entry in axes)]).astype(np.int32)
    return lines, np.stack([entry[2] for entry in axes], axis=1)


def span_cost(lines: Lines, axis: int, low: Any, high: Any) -> Any:
    """Return the cost of one interval, or of arrays of intervals, on one axis.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    axis : int
        Axis of the intervals.
    low, high : int or ndarray of int
        Ends of the intervals, inclusive.
    """
    begin = lines[2 * axis]
    if begin < 0:
        return high - low
    return lines[begin + low * lines[2 * axis + 1] + high]


def box_cost(lines: Lines, low: Any, high: Any) -> Any:
    """Return the cost of a box, or of several boxes whose ends are arrays by axis.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    low, high : sequence, by axis
        Ends of the box or boxes, inclusive.
    """
    total: Any = np.int64(0)
    for axis in range(len(low)):
        total += span_cost(lines, axis, low[axis], high[axis])
    return total


def joined_cost(lines: Lines, ends: Codes, number: Any, there: Any, enough: Any) -> Any:
    """Return the cost of two classes as one, or of its first axes once they cost `enough`.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    ends : ndarray
        First, second, second-last and last position of each class on each axis.
    number, there : int
        Numbers of the classes.
    enough : int
        Cost at which to stop adding axes.
    """
    total: Any = 0
    for axis in range(ends.shape[2]):
        low = min(ends[number, 0, axis], ends[there, 0, axis])
        total += span_cost(lines, axis, low, max(ends[number, 3, axis], ends[there, 3, axis]))
        if total >= enough:
            break
    return total


def box_tree(low: Codes, high: Codes, sizes: Whole, costs: Whole, has: Words) -> BoxTable:
    """Build the tree of boxes, which must be in lexicographic order.

    Parameters
    ----------
    low, high : ndarray of shape (axes, boxes)
        Ends, inclusive.
    sizes : ndarray of int
        Number of records in each box.
    costs : ndarray of int
        Cost per record of each box.
    has : ndarray of uint64
        Bits of each box, as in `BoxTable`.
    """
    d, m = low.shape
    # Number of leading axes on which a box agrees with the previous one.
    n_shared = np.zeros(m + 1, dtype=np.int64)
    same = np.ones(m - 1, dtype=np.bool_)
    after = np.full((m, d + 1), m)
    for axis in range(d):
        same &= (low[axis, 1:] == low[axis, :-1]) & (high[axis, 1:] == high[axis, :-1])
        n_shared[1:m] += same
        begins = np.flatnonzero(np.append(True, ~same))
        ends = np.append(begins[1:], m)
        after[:, axis] = np.repeat(ends, ends - begins)
    alone = np.maximum(n_shared[:-1], n_shared[1:])
    begin = np.append(0, np.cumsum(alone - n_shared[:-1] + 1))
    item = np.repeat(np.arange(m), np.diff(begin))
    axis = np.arange(begin[-1]) - begin[item] + n_shared[item]
    nodes = np.empty((len(item), 5), dtype=np.int32)
    inner = np.minimum(axis, d - 1)
    nodes[:, 0], nodes[:, 1], nodes[:, 2] = axis, low[inner, item], high[inner, item]
    leaf = begin[1:] - 1
    nodes[:, 4] = -1
    nodes[leaf, 4] = np.arange(m)
    nodes[:, 3] = begin[after[item, axis]]
    return BoxTable(
        low, high, sizes, costs, has, int(sizes.min()), np.concatenate([low, high]).T.copy(), nodes, leaf
    )


def cheapest(
    lines: Lines, items: BoxTable, low: Codes, high: Codes, values: Words, most: int, start: int
) -> tuple[Whole, Whole]:
    """Find the cheapest boxes to join with one more record, or with an empty box.

    Parameters
    ----------
    lines : Lines
    items : BoxTable
        m boxes with `sizes` s and `costs` c.
    low, high : int32 arrays, shape (d,)
        The box to join.
    values : uint64 array, shape (words,)
        Only boxes with one of these bits are considered.
    most : int
        Largest number of results.
    start : int
        Box at which the compiled search starts; it inspects fewer boxes if it finds cheap ones early.

    Returns
    -------
    (int64 array, int64 array)
        Boxes in ascending order of added cost (s + 1) c' - s c, where c' is the cost of the union, with ties
        in box order; and their c'.
    """
    lines, union_costs = np.asarray(lines), np.zeros(len(items.sizes), dtype=np.int64)
    for axis in range(len(low)):
        union_costs += span_cost(
            lines, axis, np.minimum(items.low[axis], low[axis]), np.maximum(items.high[axis], high[axis])
        )
    boxes = np.flatnonzero((items.has & values[:, None]).any(axis=0))
    added = (items.sizes[boxes] + 1) * union_costs[boxes] - items.sizes[boxes] * items.costs[boxes]
    if most < len(added):
        limit = np.partition(added, most - 1)[most - 1]
        near = np.flatnonzero(added <= limit)
        boxes, added = boxes[near], added[near]
    cheapest_first = boxes[np.argsort(added, kind="stable")[:most]]
    return cheapest_first, union_costs[cheapest_first]


class Partition(NamedTuple):
    """Mutable classes, whose members form linked lists of records.

    Parameters
    ----------
    number, values : int64 arrays, shape (n,)
        Class and sensitive value of each record.
    positions : int32 array, shape (n, d)
    ends : int32 array, shape (classes, 4, d)
        First, second, second-last and last position of each class on each axis.
    sizes, costs, distinct : int64 arrays, shape (classes,)
        Number of records, cost per record, and number of distinct sensitive values.
    first : int64 array, shape (classes,)
        First record of each class, -1 for none.
    next, before : int64 arrays, shape (n,)
        Neighbours of each record in its list, -1 for none.
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
    """Link the members of each class; `measure` computes the ends, costs and distinct values.

    Parameters
    ----------
    number : ndarray of int, shape (n,)
        Class of each record.
    values : ndarray of int, shape (n,)
        Sensitive value of each record.
    positions : ndarray of shape (n, axes)
        Positions of each record on the axes.
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


def members_of(state: Partition, number: Any) -> Any:
    """List the records of a class.

    Parameters
    ----------
    state : Partition
        The classes.
    number : int
        Number of a class.
    """
    members = np.empty(state.sizes[number], dtype=np.int64)
    record = state.first[number]
    for at in range(len(members)):
        members[at] = record
        record = state.next[record]
    return members


def measure(lines: Lines, state: Partition, number: Any) -> Any:
    """Measure a class whose members changed.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        Changed in place.
    number : int
        Number of a class.
    """
    members, ends = members_of(state, number), state.ends
    for axis in range(ends.shape[2]):
        corner = state.positions[members[0], axis]
        first, last = corner, corner
        second, last_but_one = np.int32(2**31 - 1), np.int32(-(2**31))
        for member in members[1:]:
            corner = state.positions[member, axis]
            if corner < first:
                first, second = corner, first
            elif corner < second:
                second = corner
            if corner > last:
                last, last_but_one = corner, last
            elif corner > last_but_one:
                last_but_one = corner
        alone = len(members) == 1
        ends[number, 0, axis], ends[number, 3, axis] = first, last
        ends[number, 1, axis] = first if alone else second
        ends[number, 2, axis] = first if alone else last_but_one
    state.costs[number] = changed_cost(lines, state.positions, state.ends, number, -1, -1, FAR)
    seen = np.empty(len(members), dtype=np.int64)
    count = 0
    for record in members:
        value = state.values[record]
        at = 0
        while at < count and seen[at] != value:
            at += 1
        seen[at] = value
        count = max(count, at + 1)
    state.distinct[number] = count


def measure_all(lines: Lines, state: Partition) -> Any:
    """Measure every class that has records.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    state : Partition
        Changed in place.
    """
    for number in range(len(state.sizes)):
        if state.sizes[number] > 0:
            measure(lines, state, number)


def relink(state: Partition, record: Any, target: Any) -> Any:
    """Move a record to the front of another class's list; both classes must be measured afterwards.

    Parameters
    ----------
    state : Partition
        Changed in place.
    record : int
        Record to move.
    target : int
        Number of the class that receives it.
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


def count_value(state: Partition, number: Any, value: Any) -> Any:
    """Count the records of a class that have a value.

    Parameters
    ----------
    state : Partition
        The classes.
    number : int
        Number of a class.
    value : int
        A sensitive value.
    """
    times = 0
    record = state.first[number]
    while record >= 0:
        times += state.values[record] == value
        record = state.next[record]
    return times


def stays_diverse(state: Partition, number: Any, out: Any, into: Any, l_value: int) -> Any:
    """Return whether a class still has L values if a record with value `into` replaces one with `out`.

    Parameters
    ----------
    state : Partition
        The classes.
    number : int
        Number of a class.
    out, into : int
        Sensitive values of the record that leaves and of its replacement.
    l_value : int
        Distinct values that a class must have.
    """
    if out == into or l_value <= 1:
        return True
    left = state.distinct[number] - (count_value(state, number, out) == 1)
    return left >= l_value or left + (count_value(state, number, into) == 0) >= l_value


def changed_cost(
    lines: Lines, positions: Codes, ends: Codes, number: Any, out: Any, into: Any, enough: Any
) -> Any:
    """Return the cost of a class of two or more records after replacing, adding or removing one.

    Once the first axes cost `enough`, the result is the cost of these axes.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    positions : ndarray of shape (n, axes)
        Positions of each record on the axes.
    ends : ndarray
        First, second, second-last and last position of each class on each axis.
    number : int
        Number of a class.
    out, into : int
        The records to remove and to add, -1 for none.
    enough : int
        Cost at which to stop adding axes.
    """
    total: Any = 0
    for axis in range(positions.shape[1]):
        low, high = ends[number, 0, axis], ends[number, 3, axis]
        if out >= 0:
            value = positions[out, axis]
            if value == low:
                low = ends[number, 1, axis]
            if value == high:
                high = ends[number, 2, axis]
        if into >= 0:
            value = positions[into, axis]
            low, high = value if value < low else low, value if value > high else high
        total += span_cost(lines, axis, low, high)
        if total >= enough:
            break
    return total


def least_cost(lines: Lines, positions: Codes, ends: Codes, number: Any, into: Any, enough: Any) -> Any:
    """Return a lower bound on the cost of a class after a given record replaces one of two or more.

    Once the first axes cost `enough`, the result is the cost of these axes.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    positions : ndarray of shape (n, axes)
        Positions of each record on the axes.
    ends : ndarray
        First, second, second-last and last position of each class on each axis.
    number : int
        Number of a class.
    into : int
        The record to add.
    enough : int
        Cost at which to stop adding axes.
    """
    total: Any = 0
    for axis in range(positions.shape[1]):
        value = positions[into, axis]
        low, high = ends[number, 1, axis], ends[number, 2, axis]
        low, high = value if value < low else low, value if value > high else high
        total += span_cost(lines, axis, low, high)
        if total >= enough:
            break
    return total
