"""Counts that itemsets and pairs of them need, and the contingency tables made of the counts.

A search estimates thousands of itemsets that differ in nothing but their items. What depends on their shape
alone is worked out once a shape; the rest is arithmetic on arrays, without a loop over itemsets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.estimation.contingency_table import ContingencyTables, GroupCells
from privacy.estimation.counts import Columns, SupportCounts, check_cells, of_one_group
from privacy.estimation.design_index import BLANK, DesignIndex, index_of
from privacy.estimation.drawing import EVERYBODY
from privacy.estimation.drawn_plan import DrawnEvents, drawn_shapes
from privacy.estimation.shapes import Positions, Shape, alike, between, first_positions
from privacy.survey.design import Design

__all__ = ["Event", "Pair", "Plan", "contingency_tables", "required_counts"]

Pair: TypeAlias = tuple[Columns, Columns]
Event: TypeAlias = Columns | Pair
"""An itemset; or a pair of them, whose supports are wanted together with that of their union."""

AT_ONCE: Final = 4096
"""Tables worked on together: enough to forget Python's overhead, few enough to stay in the cache."""


def required_counts(
    events: Iterable[Event], design: Design, *, within: Columns | None = None
) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts estimates of events need, each once.

    Parameters
    ----------
    events : iterable of itemsets, or of pairs of itemsets
        A pair is a rule, or two itemsets whose covariance is wanted.
    design : Design
    within : Columns, optional
        Columns that name the rows to use: asked columns, and items of open blocks if the share is
        wanted among those who gave these open answers. By default the rows that were asked everything.

    Returns
    -------
    tuple of Columns
        Of an itemset the rows to use, and 2^(protected blocks touched) sets more, of a block that sends rows
        near the true one 2^(its items); of a pair those of both sides and of their unions. Where devices draw
        its questions, also 3 to their number: for each of them any row, asked, and having the item, and that
        for each set of open answers that tells who could be asked.

    Raises
    ------
    PrivacyError
        ``item``, ``itemset``, ``excluded_options``, ``never_together``, ``within``.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=tuple(
    ...     Block(key=f"block-{key}", protected=True, truth_probability=5000, refusal=None,
    ...           asked_if=None, questions=(Question(key=key, kind="yes_no", options=(),
    ...                                               unrelated=(5000,)),)) for key in "ab"))
    >>> required_counts([(0, 1)], design)
    ((), (1,), (0,), (0, 1))
    """
    needed: dict[Columns, None] = {}
    every = list(events)
    for start in range(0, len(every), AT_ONCE):
        some = tuple(every[start : start + AT_ONCE])
        for all_rows in (False, True) if design.rotates and within is None else (False,):
            needed.update(dict.fromkeys(_planned(design, some, within, all_rows).keys))
    return tuple(needed)


def contingency_tables(
    counts: SupportCounts, events: Sequence[Event], design: Design, *, within: Columns | None = None
) -> Iterator[ContingencyTables]:
    """Yield the tables of all events, those of one shape together, a few thousand at a time.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `required_counts(events, design, within=within)`. Where they say so, rows that were
        asked a part of an event count too, unless `within` names the rows.
    events, design, within
        As there.
    """
    all_rows = counts.all_rows and design.rotates and within is None
    for start in range(0, len(events), AT_ONCE):
        plan = _planned(design, tuple(events[start : start + AT_ONCE]), within, all_rows)
        yield from plan.tables(counts.table(plan.keys), start=start)


@lru_cache(maxsize=16)
def _planned(design: Design, events: tuple[Event, ...], within: Columns | None, all_rows: bool) -> Plan:
    """Plan once for all that is asked of the same events: they are counted, measured, tested and selected."""
    index = index_of(design)
    by_size: dict[tuple[int, ...], list[int]] = {}
    sides = [_sides(event) for event in events]
    for position, parts in enumerate(sides):
        by_size.setdefault(tuple(map(len, parts)), []).append(position)
    plan = Plan(index, within=within, names=events, all_rows=all_rows)
    for size, positions in by_size.items():
        family = [
            _checked(index, [sides[position][side] for position in positions], length)
            for side, length in enumerate(size)
        ]
        _refuse_unreachable(index, np.concatenate(family, axis=1))
        plan.add(family, np.array(positions))
    return plan


def _sides(event: Event) -> tuple[Columns, ...]:
    if event and isinstance(event[0], tuple):
        return event
    return (event,)


def _checked(index: DesignIndex, itemsets: list[Columns], size: int) -> Whole:
    """Return itemsets as an array, each ascending; refuse what is none."""
    items = np.array(itemsets).reshape(len(itemsets), size)
    if size == 0:
        return items.astype(np.int64)
    if items.dtype.kind != "i":
        for itemset in itemsets:
            index.split_by_block(itemset)
    items = np.sort(items, axis=1).astype(np.int64)
    unknown = (items < 0) | (items >= index.n_items)
    wrong, known = unknown.any(axis=1), np.where(unknown, 0, items)
    for i, j in itertools.combinations(range(size), 2):
        wrong |= (items[:, i] == items[:, j]) | index.excludes(known[:, i], known[:, j])
    for position in np.flatnonzero(wrong).tolist():
        index.split_by_block(itemsets[position])
    return items


def _refuse_unreachable(index: DesignIndex, items: Whole) -> None:
    """Refuse itemsets, or pairs of them, that no device is asked together."""
    for row in np.flatnonzero(~index.reachable(items)).tolist():
        index.refuse_unreachable(tuple(items[row].tolist()))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Alike:
    """Events of one shape: which they are, where their counts are by node, and their blocks' p and q.

    The first axis of p is the group, direct first; q is the same for both.
    """

    shape: Shape
    positions: Whole
    nodes: Whole
    p: Array
    q: Array
    is_drawn: bool


class Plan:
    """What to count for many events, and the contingency tables that follow from the counts.

    Parameters
    ----------
    index : DesignIndex
    within : Columns, optional
        As for `required_counts`.
    names : sequence, optional
        Of the events, for messages.
    all_rows : bool
        Whether rows count that were asked a part of an event, where devices draw questions.

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=None, asked_if=None,
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
        self._alike: list[_Alike] = []
        self._drawn: list[DrawnEvents] = []
        self._asked_for: list[Whole] = []
        self._counted = 0

    @classmethod
    def of_itemsets(cls, design: Design, itemsets: Whole, *, all_rows: bool = False) -> Plan:
        """Plan for itemsets of one size: ascending items, no two options of one single-choice question."""
        plan = cls(index_of(design), all_rows=all_rows)
        plan.add([itemsets], np.arange(len(itemsets)))
        return plan

    def add(self, family: Sequence[Whole], positions: Whole) -> None:
        """Plan for more events: itemsets of one size, or the two sides of pairs, each of one size."""
        self.size += len(positions)
        items = np.concatenate(family, axis=1)
        sizes = [side.shape[1] for side in family]
        for all_rows in (True, False) if self._all_rows else (False,):
            items, positions = self._add_one_by_one(items, sizes, positions, all_rows=all_rows)
        rows = self._rows(items)
        for members, shape in self._shapes(items, sizes):
            some, own = items[members], rows[members]
            nodes = np.full((len(some), len(shape.nodes)), -1, dtype=np.int64)
            for position, node in enumerate(shape.nodes):
                if node is not None:
                    columns = np.concatenate([some[:, node], own], axis=1) if own.size else some[:, node]
                    nodes[:, position] = self._ask(
                        columns if len(family) == 1 and not own.size else self.index.keys(columns)
                    )
            p, q = self._chances(some, shape)
            self._alike.append(
                _Alike(
                    shape=shape,
                    positions=positions[members],
                    nodes=nodes,
                    p=p,
                    q=q,
                    is_drawn=bool(self.index.is_drawn[some[0]].any()),
                )
            )

    def _add_one_by_one(
        self, items: Whole, sizes: list[int], positions: Whole, *, all_rows: bool
    ) -> tuple[Whole, Whole]:
        """Plan for the events whose items are counted one by one, see `drawn_shapes`; return the others."""
        if not all_rows and not self.index.is_near[items].any():
            return items, positions
        left = [np.empty(0, dtype=np.int64)]
        for members, shape in drawn_shapes(self.index, items, sizes, all_rows=all_rows):
            if shape is None:
                left.append(members)
            else:
                some = items[members]
                base = self.index.base[some] if all_rows else self._rows(some)
                reach = self.index.reach(some[0]) if all_rows else EVERYBODY
                self._drawn.append(
                    DrawnEvents.planned(self.index, shape, some, positions[members], base, reach, self._ask)
                )
        others = np.sort(np.concatenate(left))
        return items[others], positions[others]

    def _rows(self, items: Whole) -> Whole:
        """The columns that name the rows to use for each event."""
        columns = self.index.asked_column[items]
        if self._within is None:
            return columns if (columns != BLANK).any() else columns[:, :0]
        missing = np.flatnonzero(((columns != BLANK) & ~np.isin(columns, self._within)).any(axis=1))
        if len(missing):
            self.index.within(tuple(self._within.tolist()), self.index.asked_of(items[missing[0]]))
        return np.tile(self._within, (len(items), 1))

    def _ask(self, keys: Whole) -> Whole | int:
        """Add requests and say where their counts will be; one that is the same for all is asked once."""
        if (keys[0] == keys[-1]).all() and (keys[0] == keys).all():
            keys = keys[:1]
        self._asked_for.append(keys)
        start, self._counted = self._counted, self._counted + len(keys)
        return np.arange(start, self._counted) if len(keys) > 1 else start

    def _shapes(self, items: Whole, sizes: list[int]) -> Iterator[tuple[Whole, Shape]]:
        """Yield events of one shape together."""
        first = first_positions(np.where(self.index.is_open[items], BLANK, self.index.block[items]))
        pairs, same, clash = between(self.index, items, sizes)
        is_drawn = self.index.is_drawn[items].any(axis=1)
        for members, example in alike(np.stack([is_drawn, *first.T, *same, *clash], axis=1).astype(np.int8)):
            repeated = frozenset(j for (_, j), on in zip(pairs, same, strict=True) if on[example])
            excluded = frozenset(pair for pair, on in zip(pairs, clash, strict=True) if on[example])
            yield members, _shape(tuple(first[example].tolist()), tuple(sizes), repeated, excluded)

    def _chances(self, items: Whole, shape: Shape) -> tuple[Array, Array]:
        """p by group and block, and the chance q of each event's part under the block's decoys."""
        p = np.ones((2, len(items), len(shape.blocks)))
        q = np.zeros((len(shape.events), len(items), len(shape.blocks)))
        for position, parts in enumerate(shape.blocks):
            block = self.index.block[items[:, min(itertools.chain.from_iterable(parts))]]
            p[:, :, position] = self.index.truth[:, block]
            for event in range(len(shape.events)):
                own = shape.items_of(event, position)
                if own:
                    shares = self.index.unrelated[items[:, own]].prod(axis=1)
                    q[event, :, position] = self.index.answering[block] * shares
        return p, q

    @cached_property
    def requests(self) -> Whole:
        """Columns to count, shape (r, width); `BLANK` in front where a request names fewer."""
        width = max((part.shape[1] for part in self._asked_for), default=0)
        # Column by column in memory, as they are worked on.
        requests = np.full((width, self._counted), BLANK, dtype=np.int64)
        start = 0
        for part in self._asked_for:
            requests[width - part.shape[1] :, start : start + len(part)] = part.T
            start += len(part)
        return requests.T

    @cached_property
    def keys(self) -> list[Columns]:
        """The requests as sets of columns."""
        blanks = (self.requests == BLANK).sum(axis=1).tolist()
        return [tuple(row[blank:]) for row, blank in zip(self.requests.tolist(), blanks, strict=True)]

    def tables(self, counts: Whole, *, start: int = 0) -> Iterator[ContingencyTables]:
        """Yield the contingency tables, those of one shape together, a few thousand at a time.

        Parameters
        ----------
        counts : ndarray of int64, shape (r, 2)
            Of the requests: direct group, protected group.
        start : int
            Position of the first event.

        Raises
        ------
        PrivacyError
            ``count``: counts that contradict each other.
        """
        counts = np.concatenate([counts, np.zeros((1, 2), dtype=np.int64)])
        for drawn in self._drawn:
            own = counts if drawn.shape.n_blocks else of_one_group(counts, self.index.design)
            for table in drawn.tables(own, self._namer):
                yield replace(table, positions=start + table.positions)
        for same in self._alike:
            own = counts if same.shape.blocks else of_one_group(counts, self.index.design)
            for first in range(0, len(same.positions), AT_ONCE):
                some = slice(first, first + AT_ONCE)
                positions, nodes = same.positions[some], own[same.nodes[some]]
                direct, protected = (
                    self._cells(same, some, nodes[:, :, group], group=group) for group in (0, 1)
                )
                for cells in (direct, protected):
                    check_cells(cells.rows, self._namer(positions))
                yield ContingencyTables.of_groups(
                    (direct, protected),
                    positions=start + positions,
                    n_blocks=len(same.shape.blocks),
                    is_drawn=same.is_drawn,
                )

    def _cells(self, alike: _Alike, some: slice, counts: Whole, *, group: int) -> GroupCells:
        """Return the cells of one group; what is sent as it is needs no cell for each block."""
        shape, p, q = alike.shape, alike.p[group, some], alike.q[:, some]
        if self.index.undisguised[group]:
            counts, p, q = counts[:, shape.undisguised_nodes], p[:, :0], q[:, :, :0]
            shape = shape.undisguised
        return GroupCells.of(shape, shape.cells(counts), p=p, q=q)

    def _namer(self, positions: Whole) -> Callable[[int], object]:
        """Return what names an event by its row in a table."""
        names = self._names
        return lambda row: int(positions[row]) if names is None else names[int(positions[row])]


@lru_cache(maxsize=1024)
def _shape(
    first: Positions, sizes: tuple[int, ...], repeated: frozenset[int], excluded: frozenset[tuple[int, int]]
) -> Shape:
    """Return the shape of events whose positions stand in the blocks that `first` says."""
    side = [number for number, size in enumerate(sizes) for _ in range(size)]

    def parts(block: int) -> tuple[Positions, ...]:
        return tuple(
            tuple(position for position, own in enumerate(first) if own == block and side[position] == number)
            for number in range(len(sizes))
        )

    touched = sorted(set(first) - {BLANK})
    return Shape(
        open=parts(BLANK),
        blocks=tuple(parts(block) for block in touched),
        repeated=repeated,
        excluded=excluded,
    )
