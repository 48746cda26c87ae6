"""Counts required by events of drawn questions, those of one shape together.

Contingency tables of an itemset, or a pair, where devices draw the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.estimation.contingency_table import ContingencyTables, GroupCells
from privacy.estimation.counts import check_cells
from privacy.estimation.design_index import BLANK, DesignIndex
from privacy.estimation.drawing import EVERYBODY, Reach
from privacy.estimation.drawn_shapes import MOST_DRAWN, Axis, Chances, DrawnShape
from privacy.estimation.shapes import Positions, alike, between, first_positions

__all__ = ["DrawnEvents", "DrawnTables", "drawn_shapes"]


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnTables(ContingencyTables):
    """The cells of both groups where devices draw questions: also rows asked a part of an itemset count.

    Parameters
    ----------
    shape : DrawnShape
    chances : Chances
    all_rows : bool array, shape (R,)
        False where a group with rows has none that was asked everything: complete rows alone count there.
    """

    shape: DrawnShape = field(repr=False)
    chances: Chances = field(repr=False)

    @classmethod
    def of(
        cls,
        shape: DrawnShape,
        chances: Chances,
        rows: tuple[Whole, Whole],
        positions: NDArray[np.intp],
        *,
        is_drawn: bool,
    ) -> DrawnTables:
        """Score the cells; rows by cell of the direct and of the protected group, shape (R, cells)."""
        complete = np.stack([own.T[shape.complete].sum(axis=0) for own in rows])
        n = np.stack([own.sum(axis=1) for own in rows])
        whole = ((n == 0) | (complete > 0)).all(axis=0)
        mu = shape.centres(chances, rows)
        used: list[Whole] = list(rows)
        if not whole.all():
            used = [np.where(whole[:, None], own, own * shape.complete) for own in rows]
        groups = [_cells(shape, chances, group, own, mu, whole) for group, own in enumerate(used)]
        return cls(
            positions=positions,
            groups=(groups[0], groups[1]),
            n_blocks=shape.n_blocks,
            is_drawn=is_drawn,
            all_rows=np.logical_and(whole, any(axis.drawn for axis in shape.axes)),
            complete=complete,
            shape=shape,
            chances=chances,
        )

    def with_rows(self, protected: Whole) -> DrawnTables:
        """Return the tables with other rows of the protected group: centres and means move with them."""
        direct = self.groups[0].rows
        return DrawnTables.of(
            self.shape, self.chances, (direct, protected), self.positions, is_drawn=self.is_drawn
        )

    @property
    def all_yes(self) -> Flags:
        """Cells that match all they were asked, shape (R, cells): a forged row chooses what it was asked."""
        return (
            self.groups[1].possible
            & np.where(self.all_rows[:, None], self.shape.yes, self.shape.complete)
            & (self.shape.yes)
        )

    @property
    def carrying(self) -> list[Whole]:
        """Complete rows of each group by which sides they match."""
        shape = self.shape
        sides = [
            np.prod(
                [shape.matches[position] for position, axis in enumerate(shape.axes) if side in axis.sides],
                axis=0,
            )
            for side in range(shape.n_sides)
        ]
        which = sum(
            (side.astype(np.int64) << position for position, side in enumerate(sides)), np.zeros(1, np.int64)
        )
        return [
            np.stack(
                [
                    (group.rows * (shape.complete & (which == cell))).sum(axis=1)
                    for cell in range(1 << shape.n_sides)
                ],
                axis=1,
            )
            for group in self.groups
        ]


def _cells(
    shape: DrawnShape, chances: Chances, group: int, rows: Whole, mu: Array, whole: Flags
) -> GroupCells:
    truth = np.stack([shape.truth(chances, group, event) for event in range(len(shape.events))])
    # Cells come first in memory, as `DrawnShape` works on them.
    numerators = np.zeros((len(shape.events), *rows.T.shape)).swapaxes(1, 2)
    for event in range(len(shape.events)):
        if shape.impossible(event):
            continue
        everything = [*shape.axes_of(event, drawn=False), *shape.axes_of(event, drawn=True)]
        own = shape.influence(chances, group, event, rows, mu)
        if not whole.all():
            own = np.where(whole[:, None], own, shape.score(chances, group, everything))
        with np.errstate(invalid="ignore"):
            np.multiply(truth[event][:, None], own, out=numerators[event])
    # What no row of the group was asked cannot be shown; it has no score.
    seen = np.zeros((shape.asked_alike.max(initial=0) + 1, len(rows)), dtype=np.int64)
    for number, own_rows in zip(shape.asked_alike.tolist(), rows.T, strict=True):
        seen[number] += own_rows
    possible = (seen > 0)[shape.asked_alike].T
    if not possible.all():
        numerators[:, ~possible] = 0.0
    return GroupCells(
        rows=rows,
        numerator=numerators,
        truth=truth,
        shared=shape.shared(chances, group),
        possible=possible,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnEvents:
    """Events of one shape of which devices draw the questions.

    Parameters
    ----------
    shape : DrawnShape
    positions : int array, shape (R,)
    nodes : int array, shape (sets, nodes, R)
        Where the counts are among all requests; -1 for what no row can have.
    signs : int array, shape (sets,)
        By which the counts of each set of rows that could be asked are added: `privacy.estimation.drawing`.
    chances : Chances
    is_drawn : bool
        Whether devices draw some of the questions.
    """

    shape: DrawnShape
    positions: Whole
    nodes: Whole
    signs: Whole
    chances: Chances
    is_drawn: bool

    @classmethod
    def planned(
        cls,
        index: DesignIndex,
        shape: DrawnShape,
        items: Whole,
        positions: Whole,
        base: Whole,
        reach: Reach,
        ask: Callable[[Whole], Whole | int],
    ) -> DrawnEvents:
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
        # Of an itemset items ascend, and so do questions; no item implies that another axis was asked.
        in_order = shape.n_sides == 1 and base.size == 0 and reach == EVERYBODY
        for number, (_sign, more) in enumerate(reach):
            rows = np.concatenate([base, np.tile(np.array(more, dtype=np.int64), (len(items), 1))], axis=1)
            for position, node in enumerate(shape.nodes):
                if node is not None:
                    having, drawn = node
                    columns = np.concatenate(
                        [items[:, having], index.asked_column[items[:, drawn]], rows], axis=1
                    )
                    nodes[number, position] = ask(columns if in_order else index.keys(columns))
        blocks = np.zeros((len(items), shape.n_blocks), dtype=np.int64)
        for axis in shape.axes:
            if axis.block is not None:
                blocks[:, axis.block] = index.block[items[:, axis.positions[0]]]
        shares = [index.unrelated[items[:, axis.positions]].prod(axis=1) for axis in shape.axes]
        chances = Chances(
            p=index.truth[:, blocks],
            answering=index.answering[blocks],
            q=np.stack(shares, axis=1),
            inverse_factors=index.inverse_factors[:, blocks],
        )
        is_drawn = bool(index.is_drawn[items].any())
        signs = np.array([sign for sign, _ in reach], dtype=np.int64)
        return cls(
            shape=shape, positions=positions, nodes=nodes, signs=signs, chances=chances, is_drawn=is_drawn
        )

    def tables(
        self, counts: Whole, named: Callable[[Whole], Callable[[int], object]]
    ) -> Iterator[DrawnTables]:
        """Yield the tables from the counts of all requests, a last row of zeros included."""
        step, by_group = self.shape.at_once, np.ascontiguousarray(counts.T)
        for first in range(0, len(self.positions), step):
            some = slice(first, first + step)
            positions, nodes = self.positions[some], self.nodes[:, :, some]
            direct, protected = (self.shape.rows(self._signed(own[nodes])) for own in by_group)
            for rows in (direct, protected):
                check_cells(rows, named(positions))
            yield DrawnTables.of(
                self.shape, self.chances.part(some), (direct, protected), positions, is_drawn=self.is_drawn
            )

    def _signed(self, counts: Whole) -> Whole:
        """Add the counts of all sets of rows by their signs, from (sets, nodes, R) to (nodes, R)."""
        total: Whole = counts[0] if self.signs.tolist() == [1] else np.tensordot(self.signs, counts, axes=1)
        return total


def drawn_shapes(
    index: DesignIndex, items: Whole, sizes: list[int], *, all_rows: bool
) -> Iterator[tuple[Whole, DrawnShape | None]]:
    """Yield events of one shape together; None for those whose items are not counted one by one.

    With `all_rows` events of which devices draw some questions have a shape, and rows count that were asked a
    part. Else complete rows alone count, and events of blocks that send rows near the true one have a shape.

    Parameters
    ----------
    index : DesignIndex
        Of the design.
    items : ndarray of int64, shape (events, items)
        Items of each event, those of its itemsets one after another; all of one width.
    sizes : list of int
        Items of each itemset of an event.
    all_rows : bool
        Whether rows count that were asked a part of an event.
    """
    is_near = index.is_near[items]
    is_drawn: Flags = np.asarray(np.logical_and(index.is_drawn[items], all_rows))
    as_sent = index.is_open[items] & ~is_drawn
    block = first_positions(np.where(as_sent, BLANK, index.block[items]))
    unit = first_positions(np.where(as_sent, BLANK, index.unit[items]))
    pairs, same, clash = between(index, items, sizes)
    usable: Flags = np.asarray(is_near.any(axis=1))
    if all_rows:
        usable = np.asarray(is_drawn.any(axis=1) & index.has_base[items].all(axis=1))
    # Several sets of columns tell who could be asked a block: one plan is of the same blocks.
    led = index.led[items] if all_rows else np.full(items.shape, BLANK)
    flags = (*is_drawn.T, *is_near.T, *led.T, *same, *clash)
    code = np.stack([usable, *block.T, *unit.T, *flags], axis=1).astype(np.int8)
    for members, example in alike(code):
        shape = None
        if usable[example]:
            shape = _drawn_shape(
                tuple(block[example].tolist()),
                tuple(unit[example].tolist()),
                tuple(is_drawn[example].tolist()),
                tuple(is_near[example].tolist()),
                tuple(sizes),
                frozenset(pair for pair, on in zip(pairs, same, strict=True) if on[example]),
                frozenset(pair for pair, on in zip(pairs, clash, strict=True) if on[example]),
            )
        yield members, shape


@lru_cache(maxsize=1024)
def _drawn_shape(
    block: Positions,
    unit: Positions,
    is_drawn: tuple[bool, ...],
    is_near: tuple[bool, ...],
    sizes: tuple[int, ...],
    repeated: frozenset[tuple[int, int]],
    excluded: frozenset[tuple[int, int]],
) -> DrawnShape | None:
    """Return the shape of events whose positions stand in these blocks and units; None of too many parts."""
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
        for (own, _, sides), places in parts.items()
    )
    if sum(axis.drawn for axis in axes) > MOST_DRAWN:
        return None
    # Of an item that both sides hold the first position stands for it.
    clashing = frozenset((again.get(first, first), again.get(second, second)) for first, second in excluded)
    near = frozenset(touched.index(own) for own, flag in zip(block, is_near, strict=True) if flag)
    return DrawnShape(axes=axes, n_sides=len(sizes), n_blocks=len(touched), near=near, excluded=clashing)
