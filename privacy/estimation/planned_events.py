"""Events of one shape: which they are, the counts that they need, and their contingency tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.estimation.contingency_table import ContingencyTables, DrawnTables, GroupCells
from privacy.estimation.counts import check_cells, of_one_group
from privacy.estimation.design_index import BLANK, DesignIndex
from privacy.estimation.drawing import EVERYBODY, Reach
from privacy.estimation.drawn_sets import MOST_DRAWN
from privacy.estimation.shapes import Axis, Chances, Positions, Shape, alike, between, first_positions

__all__ = ["PlannedEvents", "shapes_of"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedEvents:
    """Events of one shape.

    Parameters
    ----------
    index : DesignIndex
    shape : Shape
    positions : int array, shape (R,)
    nodes : int array, shape (sets, nodes, R)
        Positions of the counts among all requests; -1 for impossible combinations.
    signs : int array, shape (sets,)
        By which the counts of each set of rows that could be asked are added: `privacy.estimation.drawing`.
    chances : Chances
    is_drawn : bool
        Whether devices draw some of the questions.
    """

    index: DesignIndex
    shape: Shape
    positions: Whole
    nodes: Whole
    signs: Whole
    chances: Chances
    is_drawn: bool

    @classmethod
    def planned(
        cls,
        index: DesignIndex,
        shape: Shape,
        items: Whole,
        positions: Whole,
        base: Whole,
        reach: Reach,
        ask: Callable[[Whole], Whole | int],
    ) -> PlannedEvents:
        """Ask for the counts of events.

        Parameters
        ----------
        index, shape
        items, positions : int array
            Of the events, shape (R, items) and (R,).
        base : int array, shape (R, width)
            Columns that name the rows to use; `BLANK` for none.
        reach : Reach
            More columns, the same for all events: the rows with each set are added or subtracted.
        ask : callable
            Takes columns, shape (R, width), and says where their counts are.
        """
        base = base if (base != BLANK).any() else base[:, :0]
        nodes = np.full((len(reach), len(shape.nodes), len(items)), -1, dtype=np.int64)
        # Items of an itemset ascend, and so do questions; no item implies that another axis was asked.
        in_order = shape.n_sides == 1 and base.size == 0 and reach == EVERYBODY
        for number, (_sign, more) in enumerate(reach):
            rows = np.concatenate([base, np.tile(np.array(more, dtype=np.int64), (len(items), 1))], axis=1)
            for position, node in enumerate(shape.nodes):
                if node is not None:
                    having, drawn = node
                    columns = items[:, having]
                    if drawn or rows.size:
                        asked_columns = index.asked_column[items[:, drawn]]
                        columns = np.concatenate([columns, asked_columns, rows], axis=1)
                    nodes[number, position] = ask(columns if in_order else index.keys(columns))
        blocks = np.zeros((len(items), shape.n_blocks), dtype=np.int64)
        for axis in shape.axes:
            if axis.block is not None:
                blocks[:, axis.block] = index.block[items[:, axis.positions[0]]]
        chances = Chances(
            p=index.truth[:, blocks],
            answering=index.answering[blocks],
            q=np.ones((len(items), len(shape.axes))),
        )
        for position, axis in enumerate(shape.axes):
            chances.q[:, position] = index.unrelated[items[:, axis.positions]].prod(axis=1)
        return cls(
            index=index,
            shape=shape,
            positions=positions,
            nodes=nodes,
            signs=np.array([sign for sign, _ in reach], dtype=np.int64),
            chances=chances,
            is_drawn=bool(index.is_drawn[items].any()),
        )

    def tables(
        self, counts: Whole, named: Callable[[Whole], Callable[[int], object]]
    ) -> Iterator[ContingencyTables]:
        """Yield the tables from the counts of all requests, a last row of zeros included."""
        counts = counts if self.shape.n_blocks else of_one_group(counts, self.index.design)
        by_group = np.ascontiguousarray(counts.T)
        for first in range(0, len(self.positions), self.shape.at_once):
            some = slice(first, first + self.shape.at_once)
            positions, nodes, chances = self.positions[some], self.nodes[:, :, some], self.chances.part(some)
            shapes = [self._shape_of(group) for group in range(2)]
            direct, protected = (
                shape.rows(self._signed(own[nodes[:, where]]))
                for (shape, where), own in zip(shapes, by_group, strict=True)
            )
            for rows in (direct, protected):
                check_cells(rows, named(positions))
            if self.shape.is_plain:
                cells = [
                    GroupCells.of(shape, chances, group, rows, partial(shape.numerator, chances, group))
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
                    self.shape, chances, (direct, protected), positions, is_drawn=self.is_drawn
                )

    def _shape_of(self, group: int) -> tuple[Shape, list[int] | slice]:
        """Return the shape of the cells of a group, and which counts it needs: true answers need no block."""
        if self.shape.is_plain and self.index.undisguised[group]:
            return self.shape.undisguised, self.shape.undisguised_nodes
        return self.shape, slice(None)

    def _signed(self, counts: Whole) -> Whole:
        """Add the counts of all sets of rows by their signs, from (sets, nodes, R) to (nodes, R)."""
        total: Whole = counts[0] if self.signs.tolist() == [1] else np.tensordot(self.signs, counts, axes=1)
        return total


def shapes_of(
    index: DesignIndex, items: Whole, sizes: list[int], *, all_rows: bool
) -> Iterator[tuple[Whole, Shape | None]]:
    """Yield events of one shape together; None for those of which no rows count that were asked a part.

    Parameters
    ----------
    index : DesignIndex
        Index of the design.
    items : ndarray of int64, shape (events, items)
        Items of each event, those of its itemsets one after another; all of one width.
    sizes : list of int
        Items of each itemset of an event.
    all_rows : bool
        Whether rows count that were asked a part of an event, of which devices draw some questions. Else each
        event has a shape.
    """
    drawn = index.is_drawn[items]
    is_drawn = drawn & all_rows
    as_sent = index.is_open[items] & ~is_drawn
    block = first_positions(np.where(as_sent, BLANK, index.block[items]))
    # Answers of one coin are one part, if all of them were asked and are sent as they are or not at all.
    unit = np.full(items.shape, BLANK, dtype=np.int8)
    if is_drawn.any():
        unit = first_positions(np.where(is_drawn, index.unit[items], BLANK))
    pairs, same, clash = between(index, items, sizes)
    usable: Flags = np.asarray(drawn.any(axis=1))
    if all_rows:
        usable &= index.has_base[items].all(axis=1)
    columns = [usable, *block.T, *same, *clash]
    if is_drawn.any():
        columns += [*unit.T, *is_drawn.T]
    if all_rows:
        # Several sets of columns determine who could be asked a block: one plan covers the same blocks.
        columns += [*index.led[items].T]
    code = np.stack(columns, axis=1, dtype=np.int8, casting="unsafe")
    for members, example in alike(code):
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
    repeated: frozenset[tuple[int, int]],
    excluded: frozenset[tuple[int, int]],
) -> Shape | None:
    """Return the shape of events with positions in these blocks and units; None for too many parts."""
    side = [number for number, size in enumerate(sizes) for _ in range(size)]
    again = {second: first for first, second in repeated}
    parts: dict[tuple[int, int, tuple[int, ...]], list[int]] = {}
    for position in range(len(unit)):
        if position not in again:
            sides = {side[position], *(side[other] for other, first in again.items() if first == position)}
            parts.setdefault((block[position], unit[position], tuple(sorted(sides))), []).append(position)
    touched = sorted({own for own, _, _ in parts} - {BLANK})
    axes = tuple(
        Axis(
            block=None if own == BLANK else touched.index(own),
            positions=tuple(places),
            sides=sides,
            drawn=is_drawn[places[0]],
        )
        for (own, _, sides), places in sorted(parts.items(), key=lambda part: part[0][0] != BLANK)
    )
    if sum(axis.drawn for axis in axes) > MOST_DRAWN:
        return None
    # If both sides hold an item, the first position represents it.
    clashing = frozenset((again.get(first, first), again.get(second, second)) for first, second in excluded)
    return Shape(axes=axes, n_sides=len(sizes), n_blocks=len(touched), excluded=clashing)
