"""Shapes that itemsets and pairs of itemsets share: the counts they need, their cells, and scores of rows.

If devices draw some blocks, rows that were asked only some of them are used too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.channels import numerator
from privacy.estimation.counts import exactly
from privacy.estimation.design_index import BLANK, DesignIndex
from privacy.estimation.incomplete_rows import contribution, off_centres

Positions: TypeAlias = tuple[int, ...]

FIRST: Final = 1
SECOND: Final = 2
"""Positions of the itemsets of a pair on an axis of length 3; their union is at 0."""

_AT_ONCE: Final = 4096
"""Largest number of events per chunk: enough to hide Python's overhead, few enough for the CPU cache."""

_LARGEST: Final = 1 << 20
"""Largest number of scores of one kind per chunk."""

_State: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Axis:
    """Items on the same sides of a pair that share a coin and that a device always asks together.

    Parameters
    ----------
    block : int or None
        Position of their block among the involved blocks; None for undisguised items.
    positions : Positions
    sides : tuple of int
        Sides of a pair that contain the items.
    drawn : bool
        Whether rows that were not asked the items are used too.
    """

    block: int | None
    positions: Positions
    sides: tuple[int, ...]
    drawn: bool

    @property
    def states(self) -> int:
        """Number of states: not matching and matching, preceded by "not asked" if the items are drawn."""
        return 3 if self.drawn else 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Probabilities:
    """Probabilities of `R` events of one shape.

    Parameters
    ----------
    p : float array, shape (2, R, blocks)
        p by group, direct first.
    answering : float array, shape (R, blocks)
        Probability that a decoy is not skipped.
    q : float array, shape (R, axes)
        Probability that a decoy that is not skipped has an axis's items.
    """

    p: Array
    answering: Array
    q: Array

    def __len__(self) -> int:
        return len(self.q)

    def part(self, some: slice | Whole) -> Probabilities:
        """Return the probabilities of some events."""
        return Probabilities(p=self.p[:, some], answering=self.answering[some], q=self.q[some])


@dataclass(frozen=True)
class ItemsetShape:
    """Positions of the items of an itemset or pair, by side, by block and by jointly asked group.

    Parameters
    ----------
    axes : tuple of Axis
        Undisguised items come first.
    n_sides : int
        1 for an itemset, 2 for a pair.
    n_blocks : int
        Number of disguised blocks involved.
    excluded : frozenset of (int, int)
        Positions of two options of one single choice, which no row has together.

    Notes
    -----
    A row's cell states for each axis whether it was asked and whether it matches. The number of rows in a
    cell follows from counts of "any row", "asked", "has the items" along each axis.

    If the open items of a side do not match, its score is 0 whatever its disguised items are. If only
    complete rows are used, the side's other axes then need no cells and are treated as not matching. So an
    itemset needs 2^(disguised blocks involved) counts and the total.
    """

    axes: tuple[Axis, ...]
    n_sides: int
    n_blocks: int
    excluded: frozenset[tuple[int, int]]

    @cached_property
    def events(self) -> tuple[tuple[int, ...], ...]:
        """Sides of each event: an itemset alone, or the union and both sides of a pair."""
        return ((0,),) if self.n_sides == 1 else ((0, 1), (0,), (1,))

    @cached_property
    def is_drawn(self) -> bool:
        """Whether rows that were asked a part are used."""
        return any(axis.drawn for axis in self.axes)

    @cached_property
    def is_plain(self) -> bool:
        """Whether only rows that were asked everything are used."""
        return not self.is_drawn

    @cached_property
    def without_disguise(self) -> ItemsetShape:
        """For a plain shape, the shape of the same events in a group that sends every answer undisguised."""
        sides: dict[tuple[int, ...], list[int]] = {}
        for axis in self.axes:
            sides.setdefault(axis.sides, []).extend(axis.positions)
        axes = (
            Axis(None, tuple(sorted(places)), block_sides, drawn=False)
            for block_sides, places in sides.items()
        )
        return ItemsetShape(tuple(axes), self.n_sides, n_blocks=0, excluded=self.excluded)

    @cached_property
    def undisguised_nodes(self) -> list[int]:
        """Positions, among the counts of this shape, of those that `without_disguise` needs."""
        return [self.nodes.index(node) for node in self.without_disguise.nodes]

    @cached_property
    def _gates(self) -> tuple[Positions, ...]:
        """For each axis, the open axes without which all of its sides score 0."""
        if not self.is_plain:
            return ((),) * len(self.axes)
        open_axes = [number for number, axis in enumerate(self.axes) if axis.block is None]
        return tuple(
            tuple(
                other
                for other in open_axes
                if other != number and set(self.axes[other].sides) >= {*axis.sides}
            )
            for number, axis in enumerate(self.axes)
        )

    @cached_property
    def _closure(self) -> dict[_State, _State]:
        """Map each state of the axes to the state whose count represents it.

        A row that matches an axis must match its gates.
        """
        closure: dict[_State, _State] = {}
        for states in itertools.product(*(range(axis.states) for axis in self.axes)):
            having = {axis for axis, state in enumerate(states) if state == self.axes[axis].states - 1}
            having.update(gate for axis in tuple(having) for gate in self._gates[axis])
            closure[states] = tuple(
                self.axes[axis].states - 1 if axis in having else state for axis, state in enumerate(states)
            )
        return closure

    @cached_property
    def _cells(self) -> tuple[_State, ...]:
        """State of the axes in each cell."""
        return tuple(states for states, count in self._closure.items() if states == count)

    @cached_property
    def _count_positions(self) -> list[int] | None:
        """For each state, the number of the cell whose count it uses; None if each state is a cell."""
        places = [self._cells.index(states) for states in self._closure.values()]
        return None if places == [*range(len(places))] else places

    @cached_property
    def nodes(self) -> tuple[tuple[Positions, Positions] | None, ...]:
        """For each cell, positions of the items and "asked" columns to count; None if it is impossible."""
        nodes: list[tuple[Positions, Positions] | None] = []
        for states in self._cells:
            having = [axis for axis, state in zip(self.axes, states, strict=True) if state == axis.states - 1]
            drawn = [axis for axis, state in zip(self.axes, states, strict=True) if axis.drawn and state == 1]
            items = tuple(sorted(position for axis in having for position in axis.positions))
            impossible = any(set(items).issuperset(pair) for pair in self.excluded)
            nodes.append(None if impossible else (items, tuple(axis.positions[0] for axis in drawn)))
        return tuple(nodes)

    @cached_property
    def cells(self) -> Whole:
        """State of each axis in each cell, shape (axes, cells); the last cell matches everything."""
        return np.array(self._cells, dtype=np.int64).T

    @cached_property
    def matches(self) -> Whole:
        """1 if an axis matches, otherwise 0; shape (axes, cells)."""
        tops = np.array([axis.states - 1 for axis in self.axes], dtype=np.int64)
        matches: Whole = (self.cells == tops[:, None]).astype(np.int64)
        return matches

    @cached_property
    def is_asked(self) -> Flags:
        """Whether each axis was asked, shape (axes, cells)."""
        is_drawn = np.array([axis.drawn for axis in self.axes], dtype=np.bool_)
        is_asked: Flags = np.logical_or(~is_drawn[:, None], self.cells > 0)
        return is_asked

    @cached_property
    def complete(self) -> Flags:
        """Flags of cells whose rows were asked everything."""
        complete: Flags = np.asarray(self.is_asked.all(axis=0))
        return complete

    @cached_property
    def yes(self) -> Flags:
        """Flags of cells whose rows match everything that they were asked."""
        is_yes: Flags = (~self.is_asked | (self.matches == 1)).all(axis=0)
        return is_yes

    @cached_property
    def asked_alike(self) -> Whole:
        """A number for each cell, equal for cells whose rows were asked the same."""
        return np.unique(self.is_asked, axis=1, return_inverse=True)[1].ravel()

    def axes_of(self, event: int) -> list[int]:
        """Return the axes of an event."""
        in_event = set(self.events[event])
        return [position for position, axis in enumerate(self.axes) if not in_event.isdisjoint(axis.sides)]

    def impossible(self, event: int) -> bool:
        """Whether an event contains two options of one single choice."""
        positions = {position for axis in self.axes_of(event) for position in self.axes[axis].positions}
        return any(positions.issuperset(pair) for pair in self.excluded)

    @cached_property
    def at_once(self) -> int:
        """Number of events per chunk."""
        subsets = 1 << sum(axis.drawn for axis in self.axes)
        return max(1, min(_AT_ONCE, _LARGEST // (len(self._cells) * subsets)))

    def rows(self, counts: Whole) -> Whole:
        """Convert counts of "any row", "asked", "has the items" along each axis to rows per cell.

        Parameters
        ----------
        counts : int array, shape (nodes, R)

        Returns
        -------
        int array, shape (R, cells)
        """
        places = self._count_positions
        counts = counts if places is None else counts[places]
        table = counts.reshape((*(axis.states for axis in self.axes), -1))
        rows = exactly(table, range(len(self.axes))).reshape(counts.shape)
        return rows.T if places is None else rows[[states in self._cells for states in self._closure]].T

    def numerator(self, probabilities: Probabilities, group: int, event: int) -> Array:
        """Return N, the product of p times the score over an event's blocks, by cell, shape (cells, R)."""
        axes = self.axes_of(event)
        table = self._product(axes, partial(self._numerators, probabilities, group), len(probabilities))
        index = tuple(self.matches[axes])
        return table[index] if axes else np.broadcast_to(table, (len(self._cells), len(probabilities)))

    def _product(
        self, axes: Sequence[int], scores: Callable[[int | None, Positions], Array], n_events: int
    ) -> Array:
        """Multiply the scores of blocks for all combinations of matching axes, shape (2, ..., 2, R)."""
        product = np.ones((1,) * len(axes) + (n_events,))
        for block in dict.fromkeys(self.axes[axis].block for axis in axes):
            block_axes = tuple(axis for axis in axes if self.axes[axis].block == block)
            shape = tuple(2 if axis in block_axes else 1 for axis in axes)
            product = product * scores(block, block_axes).reshape(*shape, -1)
        return product

    def _numerators(
        self, probabilities: Probabilities, group: int, block: int | None, axes: Positions
    ) -> Array:
        """Return p times the scores of axes of one block; events are the last axis."""
        numerators = np.empty((2,) * len(axes) + (len(probabilities),))
        every = (1,) * len(axes)
        if block is None:
            numerators[:], numerators[every] = 0.0, 1.0
            return numerators
        p = probabilities.p[group, :, block]
        q = probabilities.answering[:, block] * probabilities.q[:, list(axes)].prod(axis=1)
        numerators[:], numerators[every] = numerator(np.array([[0.0], [1.0]]), p, q)
        return numerators

    def _scores(self, probabilities: Probabilities, group: int, block: int | None, axes: Positions) -> Array:
        numerators = self._numerators(probabilities, group, block, axes)
        if block is None:
            return numerators
        p = probabilities.p[group, :, block]
        # A group with p = 0 has been refused or has no weight.
        scores: Array = numerators / np.where(p > 0, p, 1.0)
        return scores

    def truth(self, probabilities: Probabilities, group: int, event: int) -> Array:
        """Return the product of p over the blocks that an event involves, shape (R,)."""
        return self._truth(probabilities, group, {self.axes[axis].block for axis in self.axes_of(event)})

    @staticmethod
    def _truth(probabilities: Probabilities, group: int, blocks: set[int | None]) -> Array:
        block_numbers = sorted(block for block in blocks if block is not None)
        product: Array = probabilities.p[group][:, block_numbers].prod(axis=1)
        return product

    def centres(self, probabilities: Probabilities, rows: Sequence[Whole]) -> Array:
        """Return mu, the estimated share of each axis's items, clipped to [0, 1], shape (axes, R)."""
        centres = np.zeros((len(self.axes), len(probabilities)))
        tables = [own.T.reshape(*(axis.states for axis in self.axes), -1) for own in rows]
        for axis in [number for number, own in enumerate(self.axes) if own.drawn]:
            other_axes = tuple(other for other in range(len(self.axes)) if other != axis)
            total, n = np.zeros((2, len(probabilities)))
            for group, table in enumerate(tables):
                _, lacking, having = table.sum(axis=other_axes)
                z = self._scores(probabilities, group, self.axes[axis].block, (axis,))
                total += z[0] * lacking + z[1] * having
                n += lacking + having
            with np.errstate(divide="ignore", invalid="ignore"):
                centres[axis] = np.clip(np.nan_to_num(total / n), 0.0, 1.0)
        return centres

    def influence(
        self, probabilities: Probabilities, group: int, event: int, rows: Whole, mu: Array
    ) -> Array:
        """Return h, the score of each cell for the support, shape (cells, R); see `off_centres`."""
        draw_axes = [axis for axis in self.axes_of(event) if self.axes[axis].drawn]
        fixed_axes = [axis for axis in self.axes_of(event) if not self.axes[axis].drawn]
        axes, bits = [*draw_axes, *fixed_axes], [1 << position for position in range(len(draw_axes))]
        rows_asked = self._count_asked(rows.astype(np.float64), draw_axes, fixed_axes)
        scores: dict[int, Array] = {}
        of_block = cache(partial(self._scores, probabilities, group))
        for subset, own_rows in rows_asked.items():
            included_axes = [
                axis for bit, axis in zip(bits, draw_axes, strict=True) if subset & bit
            ] + fixed_axes
            scores[subset] = self._product(included_axes, of_block, len(probabilities)).reshape(
                own_rows.shape
            )
        off, weights = off_centres(scores, mu[draw_axes])
        n, support = rows.sum(axis=1), np.zeros(len(rows))
        for subset, c in off.items():
            with np.errstate(divide="ignore", invalid="ignore"):
                more, off[subset] = contribution(c, rows_asked[subset], weights[subset], n)
            support += more
        for position, bit in enumerate(bits):
            for subset in [subset for subset in off if not subset & bit]:
                # A row that was asked the axis has the score of one that was not, plus its own contribution.
                less, more = off[subset], off.pop(subset | bit)
                off[subset] = np.concatenate([less, less + more], axis=position)
        whole = off[0] + support
        whole = whole.transpose(*np.argsort(axes).tolist(), -1)
        states = tuple(
            axis.states if axis_number in axes else 1 for axis_number, axis in enumerate(self.axes)
        )
        shape = (*(axis.states for axis in self.axes), len(rows))
        influence: Array = np.broadcast_to(whole.reshape(*states, len(rows)), shape).reshape(-1, len(rows))
        return influence

    def _count_asked(self, rows: Array, drawn: Sequence[int], fixed: Sequence[int]) -> dict[int, Array]:
        """Count the rows that were asked each set of drawn axes, by their states on these and the fixed axes.

        Returns
        -------
        dict of int to float array, shape (1 or 2, ..., R)
            Keys are sets of axes, encoded as bits. Arrays have one axis for each of `drawn` (of length 1
            outside the set), then one for each of `fixed`.
        """
        axes = [*drawn, *fixed]
        table = rows.T.reshape(*(axis.states for axis in self.axes), -1)
        table = table.sum(
            axis=tuple(axis_number for axis_number in range(len(self.axes)) if axis_number not in axes)
        )
        table = table.transpose(*np.argsort(np.argsort(axes)).tolist(), -1)
        tables = {0: table}
        for position in range(len(drawn)):
            before = (slice(None),) * position
            for subset, subset_table in list(tables.items()):
                tables[subset] = subset_table.sum(axis=position, keepdims=True)
                tables[subset | 1 << position] = subset_table[(*before, slice(1, None))]
        return tables


def first_positions(values: Whole) -> NDArray[np.int8]:
    """Replace each value in a row by the first position with that value; `BLANK` stays.

    Parameters
    ----------
    values : ndarray of int64, shape (itemsets, items)
        May contain `BLANK`.
    """
    positions = np.empty(values.shape, dtype=np.int8)
    for position in range(values.shape[1]):
        positions[:, position] = position
        for other in reversed(range(position)):
            positions[values[:, other] == values[:, position], position] = other
        positions[values[:, position] == BLANK, position] = BLANK
    return positions


def overlaps(
    index: DesignIndex, items: Whole, sizes: list[int]
) -> tuple[list[tuple[int, int]], list[Flags], list[Flags]]:
    """Flag pairs of positions that repeat an item, and pairs of items that exclude each other.

    Parameters
    ----------
    index : DesignIndex
        Index of the design.
    items : ndarray of int64, shape (pairs, items)
        Items of each pair of itemsets, first itemset first.
    sizes : list of int
        Number of items in each of the two itemsets.
    """
    pairs = list(itertools.combinations(range(items.shape[1]), 2)) if len(sizes) > 1 else []
    same = [items[:, i] == items[:, j] for i, j in pairs]
    return pairs, same, [index.excludes(items[:, i], items[:, j]) for i, j in pairs]


def equal_rows(code: NDArray[np.int8]) -> Iterator[tuple[Whole, int]]:
    """Yield the positions of each group of equal rows, and the position of one of them.

    Parameters
    ----------
    code : ndarray of int8, shape (itemsets, n)
        Code of each itemset's shape.
    """
    # View each row as a single value that `numpy.unique` can sort.
    wide = np.zeros((len(code), max(1, -(-code.shape[1] // 8)) * 8), dtype=np.int8)
    wide[:, : code.shape[1]] = code
    kind = np.int64 if wide.shape[1] == 8 else np.dtype((np.void, wide.shape[1]))
    _, examples, which = np.unique(wide.view(kind).ravel(), return_index=True, return_inverse=True)
    for number, example in enumerate(examples.tolist()):
        yield np.flatnonzero(which.ravel() == number), example
