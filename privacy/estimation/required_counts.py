"""Counts that itemsets and pairs of itemsets need, and the contingency tables from these counts.

A search estimates thousands of itemsets that differ only in their items. Everything that depends only on
their shape is computed once per shape; the rest is arithmetic on arrays, without a loop over itemsets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Final, TypeAlias

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.estimation.counts import (
    Columns,
    SupportCounts,
    check_cells,
    columns_of,
    of_one_group,
    set_codes,
)
from privacy.estimation.design_index import BLANK, DesignIndex, index_of
from privacy.estimation.incomplete_rows import MOST_DRAWN
from privacy.estimation.moments import ContingencyTables, DrawnTables, GroupCells
from privacy.estimation.reach import EVERYBODY, Reach
from privacy.estimation.shapes import (
    Axis,
    ItemsetShape,
    Positions,
    Probabilities,
    equal_rows,
    first_positions,
    overlaps,
)
from privacy.survey.design import Design


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedEvents:
    """Events of one shape.

    Parameters
    ----------
    index : DesignIndex
    shape : ItemsetShape
    positions : int array, shape (R,)
    nodes : int array, shape (sets, nodes, R)
        Positions of the counts among all requests; -1 for impossible combinations.
    signs : int array, shape (sets,)
        Signs with which the counts of each set of rows are added, see `privacy.estimation.reach.Reach`.
    probabilities : Probabilities
    is_drawn : bool
        Whether devices draw some of the questions.
    """

    index: DesignIndex
    shape: ItemsetShape
    positions: Whole
    nodes: Whole
    signs: Whole
    probabilities: Probabilities
    is_drawn: bool

    @classmethod
    def plan(
        cls,
        index: DesignIndex,
        shape: ItemsetShape,
        items: Whole,
        positions: Whole,
        base: Whole,
        reach: Reach,
        ask: Callable[[Whole], Whole | int],
    ) -> PlannedEvents:
        """Request the counts of events of one shape.

        Parameters
        ----------
        index, shape
        items, positions : int array
            Items and numbers of the events, shapes (R, items) and (R,).
        base : int array, shape (R, width)
            Columns that select the rows to use, padded with `BLANK`.
        reach : Reach
            Additional columns, the same for all events: the rows with each set are added or subtracted.
        ask : callable
            Maps columns, shape (R, width), to the positions of their counts.
        """
        base = base if (base != BLANK).any() else base[:, :0]
        nodes = np.full((len(reach), len(shape.nodes), len(items)), -1, dtype=np.int64)
        # Columns of a single itemset are already normalised if no columns are added to select rows.
        in_order = shape.n_sides == 1 and base.size == 0 and reach == EVERYBODY
        for number, (_sign, more) in enumerate(reach):
            rows = np.concatenate([base, np.tile(np.array(more, dtype=np.int64), (len(items), 1))], axis=1)
            for position, node in enumerate(shape.nodes):
                if node is not None:
                    having, asked_at = node
                    columns = items[:, having]
                    if asked_at or rows.size:
                        asked_columns = index.asked_column[items[:, asked_at]]
                        columns = np.concatenate([columns, asked_columns, rows], axis=1)
                    nodes[number, position] = ask(columns if in_order else index.keys(columns))
        blocks = np.zeros((len(items), shape.n_blocks), dtype=np.int64)
        for axis in shape.axes:
            if axis.block is not None:
                blocks[:, axis.block] = index.block[items[:, axis.positions[0]]]
        probabilities = Probabilities(
            p=index.truth[:, blocks],
            answering=index.answering[blocks],
            q=np.ones((len(items), len(shape.axes))),
        )
        for position, axis in enumerate(shape.axes):
            probabilities.q[:, position] = index.unrelated[items[:, axis.positions]].prod(axis=1)
        return cls(
            index=index,
            shape=shape,
            positions=positions,
            nodes=nodes,
            signs=np.array([sign for sign, _ in reach], dtype=np.int64),
            probabilities=probabilities,
            is_drawn=bool(index.is_drawn[items].any()),
        )

    def tables(
        self, counts: Whole, positions_of: Callable[[Whole], Callable[[int], object]]
    ) -> Iterator[ContingencyTables]:
        """Yield tables from the counts of all requests; the last row of `counts` is zeros."""
        counts = counts if self.shape.n_blocks else of_one_group(counts, self.index.design)
        by_group = np.ascontiguousarray(counts.T)
        for first in range(0, len(self.positions), self.shape.at_once):
            some = slice(first, first + self.shape.at_once)
            positions, nodes, probabilities = (
                self.positions[some],
                self.nodes[:, :, some],
                self.probabilities.part(some),
            )
            shapes = [self._shape_of(group) for group in range(2)]
            direct, protected = (
                shape.rows(self._add_signed(group_counts[nodes[:, where]]))
                for (shape, where), group_counts in zip(shapes, by_group, strict=True)
            )
            for rows in (direct, protected):
                check_cells(rows, positions_of(positions))
            if self.shape.is_plain:
                cells = [
                    GroupCells.of(
                        shape, probabilities, group, rows, partial(shape.numerator, probabilities, group)
                    )
                    for group, ((shape, _), rows) in enumerate(zip(shapes, (direct, protected), strict=True))
                ]
                yield ContingencyTables.of_groups(
                    (cells[0], cells[1]),
                    positions=positions,
                    n_blocks=self.shape.n_blocks,
                    is_drawn=self.is_drawn,
                )
            else:
                yield DrawnTables.of(
                    self.shape, probabilities, (direct, protected), positions, is_drawn=self.is_drawn
                )

    def _shape_of(self, group: int) -> tuple[ItemsetShape, list[int] | slice]:
        """Return the shape of a group's cells and the counts it needs; undisguised answers need no blocks."""
        if self.shape.is_plain and self.index.without_disguise[group]:
            return self.shape.without_disguise, self.shape.undisguised_nodes
        return self.shape, slice(None)

    def _add_signed(self, counts: Whole) -> Whole:
        """Add the counts of all sets of rows by their signs, from (sets, nodes, R) to (nodes, R)."""
        total: Whole = counts[0] if self.signs.tolist() == [1] else np.tensordot(self.signs, counts, axes=1)
        return total


def shapes_of(
    index: DesignIndex, items: Whole, sizes: list[int], *, all_rows: bool
) -> Iterator[tuple[Whole, ItemsetShape | None]]:
    """Yield the positions of events with the same shape; the shape is None if only complete rows are used.

    Parameters
    ----------
    index : DesignIndex
        Index of the design.
    items : ndarray of int64, shape (events, items)
        Items of each event, one itemset after another, all of one width.
    sizes : list of int
        Number of items in each itemset of an event.
    all_rows : bool
        Whether rows that were asked a part of an event are used if devices draw questions. If not, every
        event has a shape.
    """
    has_draw = index.is_drawn[items]
    is_drawn = has_draw & all_rows
    as_sent = index.is_open[items] & ~is_drawn
    block = first_positions(np.where(as_sent, BLANK, index.block[items]))
    # Drawn items form one axis if a device always asks them together, that is, if their units are equal.
    unit = np.full(items.shape, BLANK, dtype=np.int8)
    if is_drawn.any():
        unit = first_positions(np.where(is_drawn, index.unit[items], BLANK))
    pairs, same, clash = overlaps(index, items, sizes)
    usable: Flags = np.asarray(has_draw.any(axis=1))
    if all_rows:
        usable &= index.has_base[items].all(axis=1)
    columns = [usable, *block.T, *same, *clash]
    if is_drawn.any():
        columns += [*unit.T, *is_drawn.T]
    if all_rows:
        # A plan shares one reach, so group events by the blocks whose reach needs several sets of columns.
        columns += [*index.reach_block[items].T]
    code = np.stack(columns, axis=1, dtype=np.int8, casting="unsafe")
    for members, example in equal_rows(code):
        shape = None
        if usable[example] or not all_rows:
            shape = _shape(
                tuple(block[example].tolist()),
                tuple(unit[example].tolist()),
                tuple(is_drawn[example].tolist()),
                tuple(sizes),
                frozenset(pair for pair, on in zip(pairs, same, strict=True) if on[example]),
                frozenset(pair for pair, on in zip(pairs, clash, strict=True) if on[example]),
            )
        yield members, shape


@lru_cache(maxsize=1024)
def _shape(
    block: Positions,
    unit: Positions,
    is_drawn: tuple[bool, ...],
    sizes: tuple[int, ...],
    repeats: frozenset[tuple[int, int]],
    excluded: frozenset[tuple[int, int]],
) -> ItemsetShape | None:
    """Return the shape of events with positions in these blocks and units; None for too many drawn axes."""
    side = [number for number, size in enumerate(sizes) for _ in range(size)]
    again = {second: first for first, second in repeats}
    parts: dict[tuple[int, int, tuple[int, ...]], list[int]] = {}
    for position in range(len(unit)):
        if position not in again:
            sides = {side[position], *(side[other] for other, first in again.items() if first == position)}
            parts.setdefault((block[position], unit[position], tuple(sorted(sides))), []).append(position)
    blocks = sorted({block_number for block_number, _, _ in parts} - {BLANK})
    axes = tuple(
        Axis(
            block=None if block_number == BLANK else blocks.index(block_number),
            positions=tuple(places),
            sides=sides,
            drawn=is_drawn[places[0]],
        )
        for (block_number, _, sides), places in sorted(parts.items(), key=lambda part: part[0][0] != BLANK)
    )
    if sum(axis.drawn for axis in axes) > MOST_DRAWN:
        return None
    # If both sides contain an item, its first position represents it.
    clashing = frozenset((again.get(first, first), again.get(second, second)) for first, second in excluded)
    return ItemsetShape(axes=axes, n_sides=len(sizes), n_blocks=len(blocks), excluded=clashing)


ItemsetPair: TypeAlias = tuple[Columns, Columns]
PlannedEvent: TypeAlias = Columns | ItemsetPair
"""An itemset, or a pair of itemsets; a pair also needs the support of its union."""

AT_ONCE: Final = 4096
"""Number of events to plan together."""


def required_counts(
    events: Iterable[PlannedEvent], design: Design, *, within: Columns | None = None
) -> tuple[Columns, ...]:
    """Return the sets of columns to count for estimates of events, each once.

    Parameters
    ----------
    events : iterable of itemsets, or of pairs of itemsets
        A pair is a rule, or two itemsets whose covariance is needed.
    design : Design
    within : Columns, optional
        Columns that select the rows to use: asked columns, and items of open blocks for shares among
        respondents who gave these open answers. By default, rows that were asked everything.

    Returns
    -------
    tuple of Columns
        For an itemset, the rows to use and 2^(protected blocks involved) more sets; for a pair, those of both
        sides and of their unions. If devices draw the questions, also 3^(number of questions) sets (for each
        question: any row, asked, has the item) for each set of open answers that determines who could be
        asked.

    Raises
    ------
    PrivacyError
        ``item``, ``itemset``, ``excluded_options``, ``never_together``, ``within``.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=tuple(
    ...     Block(key=f"block-{key}", protected=True, truth_probability=5000,
    ...           questions=(Question(key=key, kind="yes_no", options=(),
    ...                                               unrelated=(5000,)),)) for key in "ab"))
    >>> required_counts([(0, 1)], design)
    ((), (1,), (0,), (0, 1))
    """
    needed: dict[Columns, None] = {}
    every = list(events)
    for start in range(0, len(every), AT_ONCE):
        some = tuple(every[start : start + AT_ONCE])
        for all_rows in (False, True) if design.rotates and within is None else (False,):
            needed.update(dict.fromkeys(_plan_events(design, some, within, all_rows).keys))
    return tuple(needed)


def contingency_tables(
    counts: SupportCounts, events: Sequence[PlannedEvent], design: Design, *, within: Columns | None = None
) -> Iterator[ContingencyTables]:
    """Yield the tables of all events, grouped by shape, a few thousand at a time.

    Parameters
    ----------
    counts : SupportCounts
        Contains at least `required_counts(events, design, within=within)`. If its `all_rows` is set, rows
        that were asked a part of an event are used too, unless `within` selects the rows.
    events, design, within
        As for `required_counts`.
    """
    all_rows = counts.all_rows and design.rotates and within is None
    for start in range(0, len(events), AT_ONCE):
        plan = _plan_events(design, tuple(events[start : start + AT_ONCE]), within, all_rows)
        yield from plan.tables(counts.at(plan.requests), start=start)


@lru_cache(maxsize=16)
def _plan_events(
    design: Design, events: tuple[PlannedEvent, ...], within: Columns | None, all_rows: bool
) -> Plan:
    """Return a cached plan, because counting, measuring, testing and selecting use the same events."""
    index = index_of(design)
    by_size: dict[tuple[int, ...], list[int]] = {}
    sides = [event if event and isinstance(event[0], tuple) else (event,) for event in events]
    for position, size in enumerate([tuple(map(len, parts)) for parts in sides]):
        by_size.setdefault(size, []).append(position)
    plan = Plan(index, within=within, names=events, all_rows=all_rows)
    for size, positions in by_size.items():
        family = [
            _check_itemsets(index, [sides[position][side] for position in positions], length)
            for side, length in enumerate(size)
        ]
        _refuse_unreachable(index, np.concatenate(family, axis=1))
        plan.add(family, np.array(positions))
    return plan


def _check_itemsets(index: DesignIndex, itemsets: list[Columns], size: int) -> Whole:
    """Return itemsets as an array with ascending rows; refuse invalid itemsets."""
    # NumPy reads one long list in half the time of many short tuples.
    items = np.array(list(itertools.chain.from_iterable(itemsets))).reshape(len(itemsets), size)
    if size == 0:
        return items.astype(np.int64)
    if items.dtype.kind != "i":
        for itemset in itemsets:
            index.itemset(itemset)
    items = np.sort(items, axis=1).astype(np.int64)
    unknown = (items < 0) | (items >= index.n_items)
    wrong, valid = unknown.any(axis=1), np.where(unknown, 0, items)
    for i, j in itertools.combinations(range(size), 2):
        wrong |= (items[:, i] == items[:, j]) | index.excludes(valid[:, i], valid[:, j])
    for position in np.flatnonzero(wrong).tolist():
        index.itemset(itemsets[position])
    return items


def _refuse_unreachable(index: DesignIndex, items: Whole) -> None:
    """Refuse events whose questions no device asks together."""
    for row in np.flatnonzero(~index.reachable(items)).tolist():
        index.refuse_unreachable(tuple(items[row].tolist()))


class Plan:
    """Columns to count for many events, and the contingency tables that follow from the counts.

    Parameters
    ----------
    index : DesignIndex
    within : Columns, optional
        As for `required_counts`.
    names : sequence, optional
        Names of the events, for error messages.
    all_rows : bool
        Whether rows that were asked a part of an event are used if devices draw questions.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> plan = Plan.of_itemsets(design, np.array([[0]]))
    >>> plan.requests.tolist()
    [[-1], [0]]
    >>> [table.groups[1].rows.tolist() for table in plan.tables(np.array([[0, 10], [0, 6]]))]
    [[[4, 6]]]
    """

    def __init__(
        self,
        index: DesignIndex,
        *,
        within: Columns | None = None,
        names: Sequence[object] | None = None,
        all_rows: bool = False,
    ) -> None:
        self.index = index
        self.size = 0
        self._within = None if within is None else np.array(index.within(within, ()), dtype=np.int64)
        self._names = names
        self._all_rows = all_rows
        self._events: list[PlannedEvents] = []
        self._asked_for: list[Whole] = []
        self._n_counted = 0

    @classmethod
    def of_itemsets(cls, design: Design, itemsets: Whole, *, all_rows: bool = False) -> Plan:
        """Plan for itemsets of one size, with ascending items and no two options of a single choice."""
        plan = cls(index_of(design), all_rows=all_rows)
        plan.add([itemsets], np.arange(len(itemsets)))
        return plan

    def add(self, family: Sequence[Whole], positions: Whole) -> None:
        """Add events: itemsets of one size, or the two sides of pairs, each of one size."""
        self.size += len(positions)
        items = np.concatenate(family, axis=1)
        sizes = [side.shape[1] for side in family]
        for all_rows in (True, False) if self._all_rows else (False,):
            left = [np.empty(0, dtype=np.int64)]
            for members, shape in shapes_of(self.index, items, sizes, all_rows=all_rows):
                if shape is None:
                    left.append(members)
                    continue
                some = items[members]
                base = self.index.base[some] if all_rows else self._rows(some)
                reach = self.index.reach(some[0]) if all_rows else EVERYBODY
                self._events.append(
                    PlannedEvents.plan(self.index, shape, some, positions[members], base, reach, self._ask)
                )
            remaining = np.sort(np.concatenate(left))
            items, positions = items[remaining], positions[remaining]

    def _rows(self, items: Whole) -> Whole:
        """Return the columns that select the rows to use for each event."""
        columns = self.index.asked_column[items]
        if self._within is None:
            return columns if (columns != BLANK).any() else columns[:, :0]
        missing = np.flatnonzero(((columns != BLANK) & ~np.isin(columns, self._within)).any(axis=1))
        if len(missing):
            self.index.within(tuple(self._within.tolist()), self.index.asked_of(items[missing[0]]))
        return np.tile(self._within, (len(items), 1))

    def _ask(self, keys: Whole) -> Whole | int:
        """Add requests and return the positions of their counts; a request common to all is added once."""
        if (keys[0] == keys[-1]).all() and (keys[0] == keys).all():
            keys = keys[:1]
        self._asked_for.append(keys)
        start, self._n_counted = self._n_counted, self._n_counted + len(keys)
        return np.arange(start, self._n_counted) if len(keys) > 1 else start

    @cached_property
    def requests(self) -> Whole:
        """Columns to count, shape (r, width), padded in front with `BLANK`."""
        width = max((part.shape[1] for part in self._asked_for), default=0)
        # Stored column by column, the order in which they are processed.
        requests = np.full((width, self._n_counted), BLANK, dtype=np.int64)
        start = 0
        for part in self._asked_for:
            requests[width - part.shape[1] :, start : start + len(part)] = part.T
            start += len(part)
        return requests.T

    @cached_property
    def keys(self) -> list[Columns]:
        """The requests as sets of columns, each once."""
        requests, codes = self.requests, set_codes(self.requests, self.index.design.n_columns + 2)
        if codes is not None:
            _, first = np.unique(codes, return_index=True)
            requests = requests[np.sort(first)]
        return list(dict.fromkeys(columns_of(requests)))

    def tables(self, counts: Whole, *, start: int = 0) -> Iterator[ContingencyTables]:
        """Yield the contingency tables, grouped by shape, a few thousand at a time.

        Parameters
        ----------
        counts : ndarray of int64, shape (r, 2)
            Counts of the requests, direct group first.
        start : int
            Position of the first event.

        Raises
        ------
        PrivacyError
            ``count``: contradictory counts.
        """
        counts = np.concatenate([counts, np.zeros((1, 2), dtype=np.int64)])
        for events in self._events:
            for table in events.tables(counts, self._namer):
                yield replace(table, positions=start + table.positions)

    def _namer(self, positions: Whole) -> Callable[[int], object]:
        """Return a function that names an event by its row in a table."""
        names = self._names
        return lambda row: int(positions[row]) if names is None else names[int(positions[row])]
