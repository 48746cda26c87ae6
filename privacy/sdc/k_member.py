"""Tight classes of k records with L sensitive values built in: dense-seed k-member, recommended.

A class grows around the most frequent remaining combination of quasi-identifiers and takes the combination
that widens its box least until it has exactly k records; the last L - have places go only to new sensitive
values. Records left at the end join the class that they cost least. Then a local search lets records move,
change places, and leave classes that are dearer than their neighbours. No sensitive value is changed, and
most classes are k, not 2^r.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from privacy.errors import PrivacyError
from privacy.sdc.bottom_up import check_k, join_boxes
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation_cost import Boxes, Space, distinct_rows
from privacy.sdc.local_search import local_search
from privacy.sdc.table import Column
from privacy.sdc.union_cost import NEVER, UnionCost

__all__ = ["k_member"]

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]


def k_member(
    space: Space,
    k: int,
    weights: Mapping[str, float] | None = None,
    *,
    sensitive: Column | None = None,
    l_value: int = 1,
    watch: Callable[[int, int], None] | None = None,
) -> Classes:
    """Group all records into classes of at least k with at least `l_value` distinct sensitive values.

    Parameters
    ----------
    space : Space
        The records.
    k : int
        1 <= k <= n; classes have max(k, L) records, a few of them more.
    weights : mapping or None
        By axis; None weighs alike.
    sensitive : Column or None
        Needed when ``l_value > 1``.
    l_value : int
        Distinct sensitive values in each class.
    watch : callable or None
        Called with (records placed, records) now and then; it may raise to stop.

    Raises
    ------
    PrivacyError
        When k > n, L exceeds the number of values, or no class with L values can be made.
    """
    size = max(k, l_value)
    check_k(size, len(space))
    if l_value < 1:
        raise PrivacyError("l.low", l_value)
    if l_value > 1 and sensitive is None:
        raise PrivacyError("l.no_sensitive")
    values = np.zeros(len(space), dtype=np.int64) if sensitive is None else sensitive.codes.astype(np.int64)
    held = len(np.unique(values))
    if l_value > held:
        name = "" if sensitive is None else sensitive.name
        raise PrivacyError("l.values", l_value, held=held, name=name)
    axis_weights = space.weights(weights)
    grown = _Growth(space, axis_weights, values, size, l_value).classes(watch)
    stop = None if watch is None else partial(watch, len(space), len(space))
    return local_search(space, axis_weights, grown, size=size, values=values, l_value=l_value, watch=stop)


class _Growth:
    """The state while classes grow: which records of which combination and value are still free."""

    def __init__(self, space: Space, weights: Real, values: Whole, size: int, l_value: int) -> None:
        self._space, self._weights, self._size, self._l = space, weights, size, l_value
        self._values = values
        first, combination = distinct_rows(space.codes)
        numbers = len(space.numeric)
        codes = space.codes[first]
        self._boxes = Boxes(
            low=codes[:, :numbers], high=codes[:, :numbers], node=codes[:, numbers:].astype(np.int64)
        )
        self._cost = UnionCost(space, weights, self._boxes)
        self._combination = combination
        # Runs of records with the same combination and value, and the runs of each combination.
        order = np.lexsort((values, combination))
        starts = np.flatnonzero(
            np.r_[True, (np.diff(combination[order]) != 0) | (np.diff(values[order]) != 0)]
        )
        self._records = order.tolist()
        self._at = starts.tolist()
        self._end = np.r_[starts[1:], len(order)].tolist()
        self._run_value = values[order[starts]].tolist()
        run_combination = combination[order[starts]]
        self._runs = np.searchsorted(run_combination, np.arange(len(first) + 1)).tolist()
        self._free = np.bincount(combination, minlength=len(first)).tolist()
        self._words = int(values.max()) // 64 + 1
        self._has = np.zeros((self._words, len(first)), dtype=np.uint64)
        run_values = np.array(self._run_value)
        np.bitwise_or.at(
            self._has,
            (run_values // 64, run_combination),
            np.uint64(1) << (run_values % 64).astype(np.uint64),
        )
        self._numeric = self._cost.numeric_cell.copy()
        self._categorical = self._cost.categorical_cell.copy()
        self._alive = np.arange(len(first))
        self._place = np.arange(len(first))
        self._dead = 0
        self._number = np.full(len(space), -1, dtype=np.int64)

    def classes(self, watch: Callable[[int, int], None] | None = None) -> Classes:
        heap = [(-count, combination) for combination, count in enumerate(self._free)]
        heapq.heapify(heap)
        left_over: list[int] = []
        remaining = len(self._number)
        count = 0
        while heap and remaining >= self._size:
            most, seed = heapq.heappop(heap)
            if self._free[seed] != -most:
                if self._free[seed]:
                    heapq.heappush(heap, (-self._free[seed], seed))
                continue
            members = self._grow(seed)
            remaining -= len(members)
            if watch is not None and count % 64 == 0:
                watch(len(self._number) - remaining, len(self._number))
            complete = len(members) == self._size and self._distinct(members) >= self._l
            if complete:
                self._number[members] = count
                count += 1
            else:
                left_over += members
            if self._free[seed]:
                heapq.heappush(heap, (-self._free[seed], seed))
        left_over += np.flatnonzero(self._number < 0).tolist()
        if count == 0:
            raise PrivacyError("l.class", self._l, size=self._size)
        self._place_left_over(sorted(set(left_over)), count)
        return Classes.from_numbers(self._number)

    def _distinct(self, members: list[int]) -> int:
        return len(np.unique(self._values[members])) if self._l > 1 else 1

    def _grow(self, seed: int) -> list[int]:
        """Take records around a seed until the class is full or nothing fits."""
        low = self._boxes.low[seed].tolist()
        high = self._boxes.high[seed].tolist()
        node = self._boxes.node[seed].tolist()
        held: set[int] = set()
        members = self._draw(seed, self._size, held)
        box_cost = self._cost.box_cost(low, high, node)
        cost: Whole | None = None
        while len(members) < self._size:
            only_new = self._size - len(members) <= self._l - len(held)
            if cost is None or len(cost) != len(self._alive):
                numeric, categorical = self._cost.scan(low, high, node)
                cost = numeric.take(self._numeric) + categorical.take(self._categorical)
            candidates = np.where(self._offers(held), cost, NEVER) if only_new else cost
            best = int(candidates.argmin())
            least = int(candidates[best])
            if least >= NEVER:
                break
            chosen = int(self._alive[best])
            taken = self._draw(chosen, self._size - len(members), held)
            members += taken
            if not self._free[chosen]:
                cost[best] = NEVER
            if least > box_cost:
                self._widen(low, high, node, chosen)
                box_cost = least
                cost = None
            elif not taken:
                cost[best] = NEVER
            self._compact()
        return members

    def _widen(self, low: list[int], high: list[int], node: list[int], chosen: int) -> None:
        for position in range(len(low)):
            rank = int(self._boxes.low[chosen, position])
            low[position] = min(low[position], rank)
            high[position] = max(high[position], rank)
        for position, tree in enumerate(self._space.categorical):
            node[position] = int(tree.join_row(node[position])[self._boxes.node[chosen, position]])

    def _offers(self, held: set[int]) -> npt.NDArray[np.bool_]:
        """Which combinations still have a value that the class lacks."""
        found = np.zeros(len(self._alive), dtype=bool)
        for word in range(self._words):
            mask = 0
            for value in held:
                if value // 64 == word:
                    mask |= 1 << (value % 64)
            found |= (self._has[word, self._alive] & ~np.uint64(mask)) != 0
        return found

    def _draw(self, combination: int, places: int, held: set[int]) -> list[int]:
        """Take up to `places` records of a combination: new values first, then the fullest run, never a place
        that a new value still needs."""
        taken: list[int] = []
        runs = range(self._runs[combination], self._runs[combination + 1])
        if self._l > 1:
            for run in runs:
                if (
                    len(taken) < places
                    and self._at[run] < self._end[run]
                    and self._run_value[run] not in held
                ):
                    held.add(self._run_value[run])
                    taken.append(self._pop(run, combination))
        while len(taken) < places - max(0, self._l - len(held) if self._l > 1 else 0):
            run = max(runs, key=lambda number: self._end[number] - self._at[number])
            if self._at[run] == self._end[run]:
                break
            taken.append(self._pop(run, combination))
        return taken

    def _pop(self, run: int, combination: int) -> int:
        record: int = self._records[self._at[run]]
        self._at[run] += 1
        self._free[combination] -= 1
        if self._at[run] == self._end[run]:
            value = self._run_value[run]
            self._has[value // 64, combination] &= ~(np.uint64(1) << np.uint64(value % 64))
        if not self._free[combination]:
            self._numeric[self._place[combination]] = self._cost.nowhere
            self._dead += 1
        return record

    def _compact(self) -> None:
        if self._dead * 8 > len(self._alive):
            alive = np.flatnonzero(self._numeric != self._cost.nowhere)
            self._numeric = self._numeric[alive]
            self._categorical = self._categorical[alive]
            self._alive = self._alive[alive]
            self._place[self._alive] = np.arange(len(alive))
            self._dead = 0

    def _place_left_over(self, records: list[int], count: int) -> None:
        """Give each remaining record to the class whose ILP it raises least, the first of equals."""
        if not records:
            return
        placed = np.flatnonzero(self._number >= 0)
        boxes = self._space.take(placed).boxes(self._number[placed], count)
        sizes = np.bincount(self._number[placed], minlength=count)
        unit = UnionCost(self._space, self._weights, boxes)
        now = unit.costs(boxes)
        for record in records:
            one = self._boxes
            at = int(self._combination[record])
            numeric, categorical = unit.scan(
                one.low[at].tolist(), one.low[at].tolist(), one.node[at].tolist()
            )
            joined = numeric[unit.numeric_cell] + categorical[unit.categorical_cell]
            target = int(((sizes + 1) * joined - sizes * now).argmin())
            self._number[record] = target
            sizes[target] += 1
            if joined[target] > now[target]:
                boxes = _widened(self._space, boxes, target, one, at)
                unit = UnionCost(self._space, self._weights, boxes)
                now = unit.costs(boxes)


def _widened(space: Space, boxes: Boxes, target: int, others: Boxes, at: int) -> Boxes:
    both = Boxes(
        low=np.stack([boxes.low[target], others.low[at]]),
        high=np.stack([boxes.high[target], others.high[at]]),
        node=np.stack([boxes.node[target], others.node[at]]),
    )
    joined = join_boxes(space, both, np.array([0]), np.array([1]))
    low, high, node = boxes.low.copy(), boxes.high.copy(), boxes.node.copy()
    low[target], high[target], node[target] = joined.low[0], joined.high[0], joined.node[0]
    return Boxes(low=low, high=high, node=node)
