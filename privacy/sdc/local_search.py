"""Local search over classes: records that cost less elsewhere move or change places, and classes dissolve.

A greedy search makes its last classes of what the others left. Three moves mend that, each taken only when
the sum over classes of size times cost falls: a record moves to another class; two records of two classes
change places; a class is dissolved and its records join others. No move leaves a class with fewer than k
records or fewer than L sensitive values. Nothing is drawn: the same records give the same classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import CategoricalAxis, Space, distinct_rows

__all__ = ["local_search"]

Whole = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Real = npt.NDArray[np.float64]

# One record's full cost: whole numbers, so that equal costs are equal on every machine.
_SCALE: Final = 2**26
_NEAR: Final = 16
"""Classes that a record is tried in: those that it costs least."""
_ROUNDS: Final = 12
_NOWHERE: Final = 2**62
_CELLS: Final = 2**17
"""Costs held at once while records are compared with classes."""
_PARTNERS: Final = 160
"""Records that one may change places with, those of its nearest classes."""
_PAIRS: Final = 2**18
"""Pairs of records held at once."""


def local_search(
    space: Space,
    weights: Real,
    classes: Classes,
    *,
    size: int,
    values: Whole,
    l_value: int = 1,
    watch: Callable[[], None] | None = None,
) -> Classes:
    """Lower the loss of a partition by dissolving classes and by moving and exchanging records.

    Parameters
    ----------
    space : Space
        The records.
    weights : float64 array, shape (d,)
        In the order of ``space.axes``, summing to 1.
    classes : Classes
        Where to begin: each class has `size` records and `l_value` distinct values.
    size : int
        Fewest records of a class.
    values : int64 array, shape (n,)
        Sensitive codes.
    l_value : int
        Fewest distinct sensitive values of a class.
    watch : callable or None
        Called now and then; it may raise to stop.

    Returns
    -------
    Classes
        No costlier, and as large and as diverse as asked.

    Examples
    --------
    Two classes of ages (20, 50) and (21, 51): the ages 50 and 21 change places.

    >>> from privacy.sdc.table import ColumnRule, Table
    >>> rule = ColumnRule(name="age", role="quasi_identifier", kind="numeric")
    >>> table = Table.from_rows(["age"], [["20"], ["50"], ["21"], ["51"]], [rule])
    >>> begin = Classes.from_numbers(np.array([0, 0, 1, 1]))
    >>> found = local_search(
    ...     Space.of(table, {}), np.array([1.0]), begin, size=2, values=np.zeros(4, dtype=np.int64)
    ... )
    >>> found.number.tolist()
    [1, 0, 1, 0]
    """
    search = _Search(space, weights, classes.number, size, values, l_value)
    search.find_near(watch)
    search.exchange(watch)
    search.find_near(watch)
    search.dissolve()
    search.exchange(watch)
    return Classes.from_numbers(distinct_rows([search.number])[1])


class _NumericCost:
    """Costs of intervals of numbers: the difference of scaled coordinates."""

    def __init__(self, numbers: Real, weight: float) -> None:
        extent = float(numbers[-1] - numbers[0])
        part = (numbers - numbers[0]) / extent if extent else np.zeros(len(numbers))
        self._place = np.rint(part * (weight * _SCALE)).astype(np.int32)

    def cost(self, low: Small, high: Small) -> Small:
        return self._place[high] - self._place[low]

    def rows(self, low: Small, high: Small) -> Callable[[Small], Small]:
        """Costs of boxes widened to given codes, shape (codes, boxes)."""
        first, last = self._place[low], self._place[high]

        def of(codes: Small) -> Small:
            at = self._place[codes][:, None]
            return np.asarray(np.maximum(last, at) - np.minimum(first, at))

        return of


class _TreeCost:
    """Costs of sets of leaves from the first and the last in an order where leaves of a node are neighbours:
    the two have the same closest common ancestor as all of them."""

    def __init__(self, axis: CategoricalAxis, weight: float) -> None:
        tree = axis.hierarchy.node
        order = np.lexsort(tuple(tree))
        self.rank = np.empty(len(order), dtype=np.int32)
        self.rank[order] = np.arange(len(order))
        units = np.rint(axis.penalties * (weight * _SCALE)).astype(np.int32)
        self._ancestor = np.full((len(order), len(order)), units[-1])
        for level in range(len(tree) - 1, -1, -1):
            node = tree[level, order]
            same = node[:, None] == node[None, :]
            costs = units[axis.offsets[level] + node]
            self._ancestor[same] = np.broadcast_to(costs, same.shape)[same]

    def cost(self, low: Small, high: Small) -> Small:
        return self._ancestor[low, high]

    def rows(self, low: Small, high: Small) -> Callable[[Small], Small]:
        """Costs of boxes widened to given leaves, shape (leaves, boxes)."""
        leaf = np.arange(len(self._ancestor), dtype=np.int32)[:, None]
        every = self._ancestor[np.minimum(low, leaf), np.maximum(high, leaf)]
        return lambda codes: every[codes]


class _Search:
    """The partition while it changes."""

    def __init__(
        self, space: Space, weights: Real, number: Whole, size: int, values: Whole, l_value: int
    ) -> None:
        numbers = len(space.numeric)
        self.number = number.astype(np.int64)
        self._count = int(number.max()) + 1
        self._least, self._l = size, l_value
        self._values = np.unique(values, return_inverse=True)[1].astype(np.int64)
        self._width = int(self._values.max()) + 1
        trees = [_TreeCost(axis, weights[numbers + at]) for at, axis in enumerate(space.categorical)]
        lines = [_NumericCost(axis.numbers, weights[at]) for at, axis in enumerate(space.numeric)]
        self._axes: list[_NumericCost | _TreeCost] = [*lines, *trees]
        columns = [space.codes[:, at] for at in range(numbers)]
        columns += [tree.rank[space.codes[:, numbers + at]] for at, tree in enumerate(trees)]
        self._codes = np.stack(columns).astype(np.int32)
        self._first, self._combination = distinct_rows(list(self._codes))
        self._measure()

    def _measure(self) -> None:
        """Box, size and cost of each class, and the box that each record would leave behind."""
        number, codes = self.number, self._codes
        order = np.argsort(number, kind="stable")
        self._sizes = np.bincount(number, minlength=self._count)
        self._starts = np.r_[0, np.cumsum(self._sizes)]
        self._members = order
        full = self._sizes > 0
        first = self._starts[:-1][full]
        self._low = np.zeros((len(codes), self._count), dtype=np.int32)
        self._high = np.zeros_like(self._low)
        self._low_without = np.empty_like(codes)
        self._high_without = np.empty_like(codes)
        for axis, code in enumerate(codes):
            inside = order[np.lexsort((code[order], number[order]))]
            last = first + self._sizes[full] - 1
            second = np.minimum(first + 1, last)
            before = np.maximum(last - 1, first)
            self._low[axis, full] = code[inside[first]]
            self._high[axis, full] = code[inside[last]]
            self._low_without[axis] = self._low[axis, number]
            self._low_without[axis, inside[first]] = code[inside[second]]
            self._high_without[axis] = self._high[axis, number]
            self._high_without[axis, inside[last]] = code[inside[before]]
        self._cost = self._cost_of(self._low, self._high)
        self._without = self._cost_of(self._low_without, self._high_without)
        key, self._held = np.unique(number * self._width + self._values, return_counts=True)
        self._pairs = key
        self._distinct = np.bincount(key // self._width, minlength=self._count)

    def _cost_of(self, low: Small, high: Small) -> Whole:
        total = np.zeros(low.shape[1:], dtype=np.int64)
        for axis, unit in enumerate(self._axes):
            total += unit.cost(low[axis], high[axis])
        return total

    def _times_held(self, classes: Whole, values: Whole) -> Whole:
        """How often classes hold values."""
        key = classes * self._width + values
        at = np.minimum(np.searchsorted(self._pairs, key), len(self._pairs) - 1)
        return np.asarray(np.where(self._pairs[at] == key, self._held[at], 0))

    def _stays_diverse(self, classes: Whole, out: Whole, into: Whole) -> npt.NDArray[np.bool_]:
        """Whether classes still have L values when a record of value `out` leaves for one of `into`."""
        change = (self._times_held(classes, into) == 0).astype(np.int64)
        change -= self._times_held(classes, out) == 1
        return np.asarray((out == into) | (self._distinct[classes] + change >= self._l))

    def find_near(self, watch: Callable[[], None] | None) -> None:
        """For each combination of codes, find the classes that one more such record costs least."""
        full = np.flatnonzero(self._sizes)
        near = min(_NEAR, len(full))
        rows = [
            unit.rows(self._low[axis, full], self._high[axis, full]) for axis, unit in enumerate(self._axes)
        ]
        sizes = self._sizes[full]
        before = sizes * self._cost[full]
        # Where a class has no cost, none of its records gains by leaving; only the others ask.
        asking = np.unique(self._combination[self._cost[self.number] > 0])
        self._near = np.zeros((len(self._first), near), dtype=np.int64)
        for some in np.array_split(asking, max(1, len(asking) * len(full) // _CELLS)):
            if watch is not None:
                watch()
            codes = self._codes[:, self._first[some]]
            joined = rows[0](codes[0])
            for code, row in zip(codes[1:], rows[1:], strict=True):
                joined = joined + row(code)
            added = joined * (sizes + 1)
            added -= before
            closest = np.argpartition(added, near - 1, axis=1)[:, :near]
            closest.sort(axis=1)
            self._near[some] = full[closest]

    def _joining(self, records: Whole) -> tuple[Whole, Whole]:
        """Near classes of each record, and what it adds to the total in each, shape (records, near)."""
        near = self._near[self._combination[records]]
        code = self._codes[:, records, None]
        joined = self._cost_of(np.minimum(self._low[:, near], code), np.maximum(self._high[:, near], code))
        added = (self._sizes[near] + 1) * joined - self._sizes[near] * self._cost[near]
        added[(self._sizes[near] == 0) | (near == self.number[records, None])] = _NOWHERE
        return near, added

    def dissolve(self) -> None:
        """Empty each class whose records cost less in others, the largest saving first."""
        asking = np.flatnonzero(self._cost[self.number] > 0)
        least = self._joining(asking)[1].min(axis=1, initial=_NOWHERE)
        saving = self._sizes * self._cost
        # A class with a record that has nowhere to go stays.
        np.subtract.at(saving, self.number[asking], np.minimum(least, _NOWHERE // len(self.number)))
        for emptied in np.argsort(-saving, kind="stable").tolist():
            if saving[emptied] <= 0:
                break
            self._empty(emptied)
        self._measure()

    def _empty(self, emptied: int) -> None:
        """Place the records of a class one after the other, or leave it when that saves nothing."""
        records = np.flatnonzero(self.number == emptied)
        saved = int(self._sizes[emptied] * self._cost[emptied])
        kept = []
        size, self._sizes[emptied] = self._sizes[emptied], 0
        for record in records.tolist():
            near, added = (row[0] for row in self._joining(np.array([record])))
            best = int(added.argmin())
            saved -= int(added[best])
            if saved <= 0:
                break
            at = near[best]
            kept.append((record, at, self._low[:, at].copy(), self._high[:, at].copy(), self._cost[at]))
            self._low[:, at] = np.minimum(self._low[:, at], self._codes[:, record])
            self._high[:, at] = np.maximum(self._high[:, at], self._codes[:, record])
            self._cost[at] = self._cost_of(self._low[:, at], self._high[:, at])
            self._sizes[at] += 1
            self.number[record] = at
        if saved <= 0:
            for record, at, low, high, cost in reversed(kept):
                self._low[:, at], self._high[:, at], self._cost[at] = low, high, cost
                self._sizes[at] -= 1
                self.number[record] = emptied
            self._sizes[emptied] = size

    def exchange(self, watch: Callable[[], None] | None) -> None:
        """Move records, or let two change places, in rounds of moves that touch no class twice."""
        records = np.arange(len(self.number))
        for _ in range(_ROUNDS):
            # An improving exchange makes at least one of its two classes smaller; that record asks.
            asking = records[self._without[records] < self._cost[self.number[records]]]
            moves = []
            for some in np.array_split(asking, len(asking) * _PARTNERS // _PAIRS + 1):
                if watch is not None:
                    watch()
                moves.append(self._best_moves(some))
            taken, again = self._take(*(np.concatenate(part) for part in zip(*moves, strict=True)))
            if not taken.any():
                break
            self._measure()
            taken = taken[self.number]
            taken[again] = True
            records = np.flatnonzero(taken)

    def _take(
        self, delta: Whole, mover: Whole, target: Whole, partner: Whole
    ) -> tuple[npt.NDArray[np.bool_], list[int]]:
        """Make the best moves, each class in one only: (classes changed, records that ask again)."""
        taken = np.zeros(self._count, dtype=bool)
        again: list[int] = []
        for at in np.lexsort((mover, delta)).tolist():
            if delta[at] >= 0:
                break
            here, there = int(self.number[mover[at]]), int(target[at])
            if taken[here] or taken[there]:
                again.append(int(mover[at]))
                continue
            taken[here] = taken[there] = True
            self.number[mover[at]] = there
            if partner[at] >= 0:
                self.number[partner[at]] = here
        return taken, again

    def _best_moves(self, records: Whole) -> tuple[Whole, Whole, Whole, Whole]:
        """The best move of each record: (change of the total, record, class, partner or -1)."""
        own = self.number[records]
        near, added = self._joining(records)
        rows = np.arange(len(records))
        best = added.argmin(axis=1) if near.size else rows
        target = near[rows, best]
        delta = added[rows, best] + (self._sizes[own] - 1) * self._without[records]
        delta -= self._sizes[own] * self._cost[own]
        alone = self._times_held(own, self._values[records]) == 1
        delta[(self._sizes[own] <= self._least) | (self._distinct[own] - alone < self._l)] = 0
        partner = np.full(len(records), -1)
        # Each record with each member of its nearest classes.
        rank = np.empty_like(near)
        np.put_along_axis(rank, added.argsort(axis=1, kind="stable"), np.arange(near.shape[1])[None], axis=1)
        tried = (added < _NOWHERE) & (self._sizes[near] <= 4 * self._least)
        row, place = np.nonzero(tried & (rank < max(2, _PARTNERS // self._least)))
        there = near[row, place]
        times = self._sizes[there]
        row, there = np.repeat(row, times), np.repeat(there, times)
        step = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
        partners = self._members[self._starts[there] + step]
        change = self._sizes[own[row]] * (self._swapped(records[row], partners) - self._cost[own[row]])
        # The other class cannot gain more than its whole cost.
        kept = change < self._sizes[there] * self._cost[there] + delta[row]
        row, there, partners, change = row[kept], there[kept], partners[kept], change[kept]
        change += self._sizes[there] * (self._swapped(partners, records[row]) - self._cost[there])
        kept = change < delta[row]
        row, there, partners, change = row[kept], there[kept], partners[kept], change[kept]
        mine, theirs = self._values[records[row]], self._values[partners]
        kept = self._stays_diverse(own[row], mine, theirs) & self._stays_diverse(there, theirs, mine)
        row, there, partners, change = row[kept], there[kept], partners[kept], change[kept]
        order = np.lexsort((partners, change, row))
        row, first = np.unique(row[order], return_index=True)
        least = order[first]
        delta[row], target[row], partner[row] = change[least], there[least], partners[least]
        return delta, records, target, partner

    def _swapped(self, leaving: Whole, coming: Whole) -> Whole:
        """Cost of the class of each leaving record once the coming one has its place."""
        total = np.zeros(len(leaving), dtype=np.int64)
        for axis, unit in enumerate(self._axes):
            code = self._codes[axis, coming]
            total += unit.cost(
                np.minimum(self._low_without[axis, leaving], code),
                np.maximum(self._high_without[axis, leaving], code),
            )
        return total
