"""Classes of at least k records by k-member clustering (recommended).

k-member clustering builds tight classes of k records with L sensitive values. Classes grow around the most
frequent combinations. Classes with fewer than L values then take records from their neighbours, swap records
with them or join them (`privacy.sdc.class_growth`). Finally, a local search moves and swaps records and
dissolves expensive classes (`privacy.sdc.local_search`). Sensitive values never change, and most classes have
k records, not 2^r. If numba is installed, compiled code searches large tables; it finds the same classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from privacy.arrays import Codes, Flags, Whole
from privacy.errors import PrivacyError
from privacy.sdc import class_growth
from privacy.sdc.check_k import check_k
from privacy.sdc.class_growth import DEAD, FREE, free_records
from privacy.sdc.classes import Classes
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.generalisation import Space
from privacy.sdc.local_search import LENGTH, TRIES, UNKNOWN, Around, Queue
from privacy.sdc.partition import BoxTable, Lines, Partition, box_tree, lines_of, partition_of
from privacy.sdc.search_kernels import kernels_for, pays_to_compile
from privacy.sdc.table import Column

_SMALL: Final = 3_000
"""Below this number of records the search is more thorough: it grows classes along columns with many values
first, tries twice as many near classes, and repeats the local search. In larger tables this would take five
times as long."""
_SMALLEST: Final = 1_000
"""Below this number of records the local search runs from both ends and keeps the better result."""
_ROUNDS: Final = 3
"""Largest number of local searches in a small table; each recomputes the near classes."""
_NEAR: Final = 8
"""Number of cheapest classes to try for a record; twice as many in small tables."""
_PARTNERS: Final = 160
"""Number of records, from the nearest classes, to try for an exchange with a record."""
_TRIES: Final = 4
"""Attempted moves per record, on average."""
_PAUSE: Final = 256
"""Number of finished classes, or hundreds of attempted moves, between progress reports."""


def k_member(
    space: Space,
    k: int,
    weights: Mapping[str, float] | None = None,
    *,
    sensitive: Column | None = None,
    l_value: int = 1,
    compiled: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Classes:
    """Group all records into classes of at least k with at least `l_value` distinct sensitive values.

    Parameters
    ----------
    space : Space
        The records.
    k : int
        Smallest class size, 1 <= k <= n. Most classes have max(k, L) records; a few have more.
    weights : mapping or None
        Weights by axis; None means equal weights.
    sensitive : Column or None
        Needed when ``l_value > 1``.
    l_value : int
        Distinct sensitive values in each class.
    compiled : bool or None
        Whether to use code compiled by numba, which must be installed; the classes are the same. None lets
        `pays_to_compile` decide. Callers that split a table into blocks decide once for the whole table.
    progress : callable or None
        Called regularly with (placed records, records); it may raise an exception to stop.

    Raises
    ------
    PrivacyError
        If k > n or L exceeds the number of values.
    """
    check_k(k, len(space), l_value)
    if l_value > 1 and sensitive is None:
        raise PrivacyError("l.no_sensitive")
    values = np.zeros(len(space), dtype=np.int64)
    if sensitive is not None and l_value > 1:
        values = np.unique(sensitive.codes, return_inverse=True)[1].astype(np.int64)
        n_values = int(values.max()) + 1
        if l_value > n_values:
            raise PrivacyError("l.values", l_value, held=n_values, name=sensitive.name)
    lines, positions = lines_of(space, space.weights(weights), longest_first=len(space) < _SMALL)
    if compiled is None:
        compiled = pays_to_compile(len(distinct_rows(positions)[0]), len(space), l_value)
    search = Search(lines, positions, max(k, l_value), kernels=kernels_for(compiled), progress=progress)
    state = partition_of(search.grow(), values, positions)
    search.kernels.measure_all(lines, state)
    state = _improve_classes(search, state, np.ones(len(positions), dtype=np.bool_), 1)
    if l_value > 1:
        state = _improve_classes(search, state, search.diversify(state, l_value), l_value)
    return Classes.from_numbers(state.number)


def _improve_classes(search: Search, state: Partition, begin: Flags, l_value: int) -> Partition:
    """Improve classes by local search and return the best result.

    Small tables are searched until nothing improves, at most `_ROUNDS` times; the smallest from both ends.
    """
    ends = []
    for backwards in (False, True) if len(begin) < _SMALLEST else (False,):
        trial, queue = Partition._make(part.copy() for part in state), begin
        for _ in range(_ROUNDS if len(begin) < _SMALL else 1):
            if not search.improve(trial, queue, l_value, backwards=backwards):
                break
            queue = np.ones_like(begin)
        ends.append(trial)
    return min(ends, key=lambda end: int((end.sizes * end.costs).sum()))


class Search:
    """Search for classes among records with positions on the axes.

    Parameters
    ----------
    lines : Lines
    positions : int32 array, shape (n, d)
    size : int
        Smallest number of records in a class.
    kernels : module or namespace
        The search functions, interpreted or compiled.
    progress : callable or None
        Called regularly with (placed records, records).
    """

    def __init__(
        self,
        lines: Lines,
        positions: Codes,
        size: int,
        *,
        kernels: Any,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.lines, self.positions, self.size = lines, positions, size
        self.kernels, self.progress = kernels, progress
        # The distinct rows of positions, and the row of each record.
        first, self.combination = distinct_rows(positions)
        self.corners = positions[first]
        # Classes near each row; `improve` recomputes them for the records that it queues first.
        most = 2 * _NEAR if len(positions) < _SMALL else _NEAR
        self.near = np.full((len(first), min(most, max(2, _PARTNERS // size))), UNKNOWN)

    def _report(self, done: int) -> None:
        if self.progress is not None:
            self.progress(done, len(self.positions))

    def grow(self) -> Whole:
        """Grow classes until too few records are free, then assign these; return the class of each record."""
        free, counters = free_records(self.combination)
        where = np.zeros(len(self.corners), dtype=np.int64)
        alive = np.arange(len(self.corners))
        size = self.size
        while counters[FREE] >= size:
            alive = alive[free.begin[alive] < free.end[alive]]
            where[alive] = np.arange(len(alive))
            box, zeros = np.ascontiguousarray(self.corners[alive].T), np.zeros(len(alive), dtype=np.int64)
            items = box_tree(box, box, zeros, zeros, np.ones((1, len(alive)), dtype=np.uint64))
            counters[DEAD] = 0
            while counters[FREE] >= size and counters[DEAD] * 3 <= len(alive):
                self.kernels.grow(self.lines, items, alive, where, free, counters, size, _PAUSE)
                self._report(len(self.positions) - int(counters[FREE]))
        self._assign(free.number)
        return free.number

    def _assign(self, number: Whole) -> None:
        """Assign each record without a class to the class whose cost rises least."""
        left_over = np.flatnonzero(number < 0)
        if not len(left_over):
            return
        indices = np.flatnonzero(number >= 0)
        order = indices[np.argsort(number[indices], kind="stable")]
        sizes = np.bincount(number[indices])
        starts = np.cumsum(sizes) - sizes
        low = np.ascontiguousarray(np.minimum.reduceat(self.positions[order], starts, axis=0).T)
        high = np.ascontiguousarray(np.maximum.reduceat(self.positions[order], starts, axis=0).T)
        class_growth.assign(self.lines, low, high, sizes, self.positions, left_over, number)

    def diversify(self, state: Partition, l_value: int) -> Flags:
        """Raise each class to L sensitive values; return a mask of the records in changed classes."""
        before = state.number.copy()
        poor = np.flatnonzero((state.sizes > 0) & (state.distinct < l_value))
        # Start with the most expensive classes, because they have the fewest choices.
        poor = poor[np.argsort(-state.costs[poor], kind="stable")]
        full, item, items = _class_boxes(state)
        has = np.zeros((int(state.values.max()) // 64 + 1, len(full)), dtype=np.uint64)
        bits = np.uint64(1) << (state.values % 64).astype(np.uint64)
        np.bitwise_or.at(has, (state.values // 64, item[state.number]), bits)
        items = items._replace(has=has)
        for some in np.array_split(poor, len(poor) // _PAUSE + 1):
            self.kernels.diversify(self.lines, state, items, full, some, self.size, l_value)
            self._report(len(self.positions))
        movers = np.flatnonzero(before != state.number)
        changed = np.zeros(len(state.sizes), dtype=np.bool_)
        changed[before[movers]] = changed[state.number[movers]] = True
        return changed[state.number]

    def improve(self, state: Partition, begin: Flags, l_value: int, *, backwards: bool = False) -> int:
        """Reduce the total of size times cost by local search, in place; return the reduction.

        Parameters
        ----------
        state : Partition
            Each class has at least `size` records and `l_value` distinct values, before and after.
        begin : bool array, shape (n,)
            Records to queue first; records of changed classes are queued again.
        l_value : int
        backwards : bool
            Whether to start with the last records.

        Notes
        -----
        Records move and change places until this no longer improves the total. Then expensive classes are
        dissolved, and the records of changed classes are queued again. Each record is tried in the classes
        that were near it at the start.
        """
        n = len(self.positions)
        full, item, items = _class_boxes(state)
        # A class without cost cannot improve; only records of other classes are queued.
        in_queue = begin & (state.costs[state.number] > 0)
        self.near[self.combination[in_queue]] = UNKNOWN
        around = Around(items, full, item, self.corners, self.combination, self.near)
        order = np.flatnonzero(in_queue)[:: -1 if backwards else 1]
        waiting = np.zeros(n, dtype=np.int64)
        waiting[: len(order)] = order
        queue = Queue(waiting, in_queue, np.array([0, len(order), _TRIES * n], dtype=np.int64))
        gain = 0
        for dissolving in (False, True):
            if dissolving:
                # Dissolve the most expensive classes first.
                order = np.argsort(-state.sizes * state.costs, kind="stable")
                gain += int(self.kernels.dissolve(self.lines, state, around, queue, order))
            while queue.counters[LENGTH] and queue.counters[TRIES]:
                gain += int(
                    self.kernels.exchange(self.lines, state, around, queue, self.size, l_value, 100 * _PAUSE)
                )
                self._report(n)
        return gain


def _class_boxes(state: Partition) -> tuple[Whole, Whole, BoxTable]:
    """Build the boxes of the non-empty classes; return (class of each box, box of each class, boxes)."""
    full = np.flatnonzero(state.sizes)
    low, high = state.ends[full, 0].T, state.ends[full, 3].T
    order = np.lexsort([row for axis in range(len(low) - 1, -1, -1) for row in (high[axis], low[axis])])
    full = full[order]
    item = np.zeros(len(state.sizes), dtype=np.int64)
    item[full] = np.arange(len(full))
    return (
        full,
        item,
        box_tree(
            np.ascontiguousarray(low[:, order]),
            np.ascontiguousarray(high[:, order]),
            state.sizes[full],
            state.costs[full],
            np.ones((1, len(full)), dtype=np.uint64),
        ),
    )
