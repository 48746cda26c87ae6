"""Boxes on lines, what they cost, and which of many boxes a given one is cheapest to join.

Each quasi-identifier is a line: a number is its own place, the leaves of a tree stand in an order in which
those of a node are neighbours. A box is an interval on each line. The same sentences run interpreted, where
numpy does the work, and compiled (`privacy.sdc.classes_numba`), where loops leave early; both find the
same.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from privacy.arrays import Array, Codes, Whole, Words
from privacy.sdc.generalisation_cost import NumericAxis, Space

__all__ = [
    "FAR",
    "Boxed",
    "Lines",
    "box_cost",
    "boxed",
    "cheapest",
    "joined_cost",
    "lines_of",
    "span_cost",
]

Lines = npt.NDArray[np.int32]
"""Costs of intervals: of each axis where its table begins (-1 for numbers, whose cost is the difference of
their places) and how many leaves its tree has; then the tables, the cost of each pair of first and last leaf,
row after row. One array, since compiled code may count who holds each one that it hands on."""

FAR: Final = 2**62
"""More than anything costs."""
_SCALE: Final = 2**26
"""One record's full cost: whole numbers, so that equal costs are equal on every machine."""


class Boxed(NamedTuple):
    """Boxes to choose among, in lexicographic order of their ends.

    Parameters
    ----------
    low, high : int32 arrays, shape (d, m)
        Ends on each line.
    sizes, costs : int64 arrays, shape (m,)
        Records that are inside already, and the cost of the box of one of them.
    has : uint64 array, shape (words, m)
        Bits, of which a wanted box has at least one.
    fewest : int
        No box has fewer records.
    rows : int32 array, shape (m, 2 d)
        The ends of each box side by side.
    nodes : int32 array, shape (nodes, 5)
        A tree that reads one axis after the other, parents before children: boxes that agree on the first
        axes are below one node. Of each node the axis, the ends on it, the next node that is not below it,
        and the box, -1 where there are several: nodes with one box have no children.
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
    """Lay the records of a space out on lines: (costs, places of shape (n, d)).

    Axes with few values come first, so that many boxes agree on the first axes: a search leaves them
    together. With many values first classes grow along these, which loses one to three in a hundred less.

    Parameters
    ----------
    space : Space
        Positions of the records.
    weights : ndarray of float, shape (axes,)
        Of the quasi-identifiers.
    longest_first : bool, optional
        Whether axes with many values come first.
    """
    axes = []
    for at, axis in enumerate(space.axes):
        unit, places = weights[at] * _SCALE, space.codes[:, at]
        if isinstance(axis, NumericAxis):
            scaled = np.rint(axis.line * unit).astype(np.int32)
            axes.append((len(scaled), at, scaled[places], np.zeros(0, dtype=np.int32)))
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
    """Cost of intervals of one axis: of a single one, or of arrays of them.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    axis : int
        Of the intervals.
    low, high : int or ndarray of int
        Ends of the intervals, both within.
    """
    begin = lines[2 * axis]
    if begin < 0:
        return high - low
    return lines[begin + low * lines[2 * axis + 1] + high]


def box_cost(lines: Lines, low: Any, high: Any) -> Any:
    """Cost of a box, or of boxes whose ends are arrays by axis.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    low, high : sequence, by axis
        Ends of the box or boxes, both within.
    """
    total: Any = np.int64(0)
    for axis in range(len(low)):
        total += span_cost(lines, axis, low[axis], high[axis])
    return total


def joined_cost(lines: Lines, low: Any, high: Any, other_low: Any, other_high: Any, enough: Any) -> Any:
    """Cost of the smallest box around two; as soon as the first axes cost `enough`, what these cost.

    Parameters
    ----------
    lines : Lines
        Costs along each axis.
    low, high, other_low, other_high : sequence, by axis
        Ends of the two boxes, both within.
    enough : int
        Cost from which on the exact one is not wanted.
    """
    total: Any = np.int64(0)
    for axis in range(len(low)):
        total += span_cost(lines, axis, min(low[axis], other_low[axis]), max(high[axis], other_high[axis]))
        if total >= enough:
            break
    return total


def boxed(low: Codes, high: Codes, sizes: Whole, costs: Whole, has: Words) -> Boxed:
    """Build the tree of boxes that stand in lexicographic order.

    Parameters
    ----------
    low, high : ndarray of shape (axes, boxes)
        Ends, both within.
    sizes : ndarray of int
        Records of each box.
    costs : ndarray of int
        Of each box.
    has : ndarray of uint64
        Which sensitive values each box has, as bits.
    """
    d, m = low.shape
    # On how many of the first axes a box agrees with the one before.
    shared = np.zeros(m + 1, dtype=np.int64)
    same = np.ones(m - 1, dtype=np.bool_)
    after = np.full((m, d + 1), m)
    for axis in range(d):
        same &= (low[axis, 1:] == low[axis, :-1]) & (high[axis, 1:] == high[axis, :-1])
        shared[1:m] += same
        begins = np.flatnonzero(np.append(True, ~same))
        ends = np.append(begins[1:], m)
        after[:, axis] = np.repeat(ends, ends - begins)
    alone = np.maximum(shared[:-1], shared[1:])
    begin = np.append(0, np.cumsum(alone - shared[:-1] + 1))
    item = np.repeat(np.arange(m), np.diff(begin))
    axis = np.arange(begin[-1]) - begin[item] + shared[item]
    nodes = np.empty((len(item), 5), dtype=np.int32)
    inner = np.minimum(axis, d - 1)
    nodes[:, 0], nodes[:, 1], nodes[:, 2] = axis, low[inner, item], high[inner, item]
    leaf = begin[1:] - 1
    nodes[:, 4] = -1
    nodes[leaf, 4] = np.arange(m)
    nodes[:, 3] = begin[after[item, axis]]
    return Boxed(
        low, high, sizes, costs, has, int(sizes.min()), np.concatenate([low, high]).T.copy(), nodes, leaf
    )


def cheapest(
    lines: Lines, items: Boxed, low: Codes, high: Codes, wanted: Words, most: int, start: int
) -> tuple[Whole, Whole]:
    """Find the boxes that one more record, or a box without records, is cheapest to join with.

    Parameters
    ----------
    lines : Lines
    items : Boxed
        m boxes of `sizes` s and `costs` c.
    low, high : int32 arrays, shape (d,)
        The box that joins.
    wanted : uint64 array, shape (words,)
        Only boxes that have one of these bits are looked at.
    most : int
        How many at most.
    start : int
        Where compiled code begins to look; the sooner it comes to what is cheap, the less it looks at.

    Returns
    -------
    (int64 array, int64 array)
        Boxes by added cost (s + 1) c' - s c, c' being the cost of the union, the first of equals first;
        and c'.
    """
    joined = np.zeros(len(items.sizes), dtype=np.int64)
    for axis in range(len(low)):
        joined += span_cost(
            lines, axis, np.minimum(items.low[axis], low[axis]), np.maximum(items.high[axis], high[axis])
        )
    looked = np.flatnonzero((items.has & wanted[:, None]).any(axis=0))
    added = (items.sizes[looked] + 1) * joined[looked] - items.sizes[looked] * items.costs[looked]
    if most < len(added):
        limit = np.partition(added, most - 1)[most - 1]
        near = np.flatnonzero(added <= limit)
        looked, added = looked[near], added[near]
    cheapest_first = looked[np.argsort(added, kind="stable")[:most]]
    return cheapest_first, joined[cheapest_first]
