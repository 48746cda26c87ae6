"""Shapes that itemsets, and pairs of them, share: the counts they need, and their cells."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.channels.retention import numerator
from privacy.estimation.counts import exactly
from privacy.estimation.design_index import BLANK, DesignIndex

__all__ = ["BOTH", "FIRST", "SECOND", "Positions", "Shape", "alike", "between", "first_positions"]

Positions: TypeAlias = tuple[int, ...]

BOTH: Final = 0
FIRST: Final = 1
SECOND: Final = 2
"""Positions of the union, the first and the second itemset of a pair wherever an axis has length 3."""

_State: TypeAlias = tuple[bool, ...]


@dataclass(frozen=True)
class Shape:
    """Where the items of an itemset, or of a pair, stand, by side and block.

    Parameters
    ----------
    open : tuple of Positions
        For each side the positions of items that are reported as they are.
    blocks : tuple of tuple of Positions
        For each disguised block that is touched, the positions of its items by side. An axis is one side's
        part in one block.
    repeated : frozenset of int
        Positions of the second side that repeat an item of the first.
    excluded : frozenset of (int, int)
        Positions of two options of one single choice: no row has both.

    Notes
    -----
    A row's cell says for each axis whether it matches; the number of such rows follows from the counts of
    unions of parts. A side whose open part fails scores 0 whatever its disguised parts show: those axes are
    dropped there, so that an itemset alone needs 2^(disguised blocks touched) counts and the total.
    """

    open: tuple[Positions, ...]
    blocks: tuple[tuple[Positions, ...], ...]
    repeated: frozenset[int]
    excluded: frozenset[tuple[int, int]]

    @cached_property
    def events(self) -> tuple[tuple[int, ...], ...]:
        """Sides that each event asks for: an itemset alone, or the union and both sides of a pair."""
        return ((0,),) if len(self.open) == 1 else ((0, 1), (0,), (1,))

    @cached_property
    def touches(self) -> Flags:
        """Which events have items in which blocks, shape (events, blocks)."""
        table = [[any(parts[side] for side in sides) for parts in self.blocks] for sides in self.events]
        return np.array(table, dtype=np.bool_).reshape(len(self.events), -1)

    @cached_property
    def axes(self) -> tuple[tuple[int, int], ...]:
        """(block, side) per axis."""
        return tuple(
            (block, side)
            for block, parts in enumerate(self.blocks)
            for side, part in enumerate(parts)
            if part
        )

    @cached_property
    def states(self) -> tuple[_State, ...]:
        """Whether the open part of each side matches; a side without one always does. Fullest last."""
        return tuple(itertools.product(*((False, True) if part else (True,) for part in self.open)))

    def _alive(self, state: _State) -> tuple[int, ...]:
        """Axes that still matter in a state."""
        return tuple(axis for axis, (_, side) in enumerate(self.axes) if state[side])

    @cached_property
    def _places(self) -> dict[tuple[_State, frozenset[int]], int]:
        """Number of each count by the open parts and the axes that it asks for."""
        numbers: dict[tuple[_State, frozenset[int]], int] = {}
        for state in self.states:
            alive = self._alive(state)
            for bits in itertools.product((0, 1), repeat=len(alive)):
                numbers[state, frozenset(axis for axis, bit in zip(alive, bits, strict=True) if bit)] = len(
                    numbers
                )
        return numbers

    @cached_property
    def nodes(self) -> tuple[Positions | None, ...]:
        """Positions to count, in the order of counts; None where no row can have them all."""
        nodes: list[Positions | None] = []
        for state, wanted in self._places:
            parts = [part for part, on in zip(self.open, state, strict=True) if on]
            parts += [self.blocks[block][side] for block, side in (self.axes[axis] for axis in wanted)]
            nodes.append(self._together(parts))
        return tuple(nodes)

    def items_of(self, event: int, block: int) -> Positions | None:
        """Positions of an event's items in a block, each item once; None if no row can have them all."""
        parts = [self.blocks[block][side] for side in self.events[event]]
        items = self._together(parts)
        if items is None or len(parts) == 1:
            return items
        return tuple(position for position in items if position not in self.repeated)

    def _together(self, parts: list[Positions]) -> Positions | None:
        every = set(itertools.chain.from_iterable(parts))
        return None if any(every.issuperset(pair) for pair in self.excluded) else tuple(sorted(every))

    @cached_property
    def undisguised(self) -> Shape:
        """The shape of the same events in a group that sends every answer as it is."""
        sides = range(len(self.open))
        every = tuple(
            (*self.open[side], *(own for parts in self.blocks for own in parts[side])) for side in sides
        )
        return Shape(
            open=tuple(tuple(sorted(part)) for part in every),
            blocks=(),
            repeated=self.repeated,
            excluded=self.excluded,
        )

    @cached_property
    def undisguised_nodes(self) -> list[int]:
        """Where the counts that `undisguised` needs stand among those of this shape."""
        return [self.nodes.index(node) for node in self.undisguised.nodes]

    def cells(self, counts: Whole) -> Whole:
        """Turn counts of "at least these parts", shape (R, nodes), into those of "exactly these"."""
        tensors: dict[_State, Whole] = {}
        start = len(self._places)
        for state in reversed(self.states):
            alive = self._alive(state)
            start -= 1 << len(alive)
            own = counts[:, start : start + (1 << len(alive))]
            tensor = exactly(own.reshape((-1, *(2,) * len(alive))), range(1, len(alive) + 1))
            for fuller, other in tensors.items():
                if all(mine <= theirs for mine, theirs in zip(state, fuller, strict=True)):
                    gone = [
                        position for position, axis in enumerate(self._alive(fuller), 1) if axis not in alive
                    ]
                    tensor = tensor - other.sum(axis=tuple(gone))
            tensors[state] = tensor
        return np.concatenate([tensors[state].reshape(len(counts), -1) for state in self.states], axis=1)

    def numerators(self, p: Array, q: Array) -> Array:
        """Return the products over blocks of p times the score, shape (events, R, cells).

        Parameters
        ----------
        p : float array, shape (R, blocks)
        q : float array, shape (events, R, blocks)
            Chance of an event's part under the block's decoys.
        """
        parts = []
        for state in self.states:
            alive = self._alive(state)
            bits = np.array(list(itertools.product((0.0, 1.0), repeat=len(alive)))).T
            shows = dict(zip(alive, bits, strict=True))
            part = np.zeros((len(self.events), len(p), 1 << len(alive)))
            for event, sides in enumerate(self.events):
                if not all(state[side] for side in sides):
                    continue
                part[event] = 1
                for block in range(len(self.blocks)):
                    own = [axis for axis, (at, side) in enumerate(self.axes) if at == block and side in sides]
                    if own:
                        match = np.prod([shows[axis] for axis in own], axis=0)
                        part[event] *= numerator(match, p[:, block, None], q[event, :, block, None])
            parts.append(part)
        return np.concatenate(parts, axis=2)


def first_positions(values: Whole) -> NDArray[np.int8]:
    """Let each value of a row go by the first position that has it; `BLANK` stays.

    Parameters
    ----------
    values : ndarray of int64, shape (itemsets, items)
        `BLANK` where an itemset has no item.
    """
    positions = np.empty(values.shape, dtype=np.int8)
    for position in range(values.shape[1]):
        positions[:, position] = position
        for other in reversed(range(position)):
            positions[values[:, other] == values[:, position], position] = other
        positions[values[:, position] == BLANK, position] = BLANK
    return positions


def between(
    index: DesignIndex, items: Whole, sizes: list[int]
) -> tuple[list[tuple[int, int]], list[Flags], list[Flags]]:
    """Return pairs of positions of pairs of itemsets, which repeat an item, and which exclude each other.

    Parameters
    ----------
    index : DesignIndex
        Of the design.
    items : ndarray of int64, shape (pairs, items)
        Items of each pair of itemsets, one set after the other.
    sizes : list of int
        Items of each of the two.
    """
    pairs = list(itertools.combinations(range(items.shape[1]), 2)) if len(sizes) > 1 else []
    same = [items[:, i] == items[:, j] for i, j in pairs]
    return pairs, same, [index.excludes(items[:, i], items[:, j]) for i, j in pairs]


def alike(code: NDArray[np.int8]) -> Iterator[tuple[Whole, int]]:
    """Yield the places of equal rows together, and one of them.

    Parameters
    ----------
    code : ndarray of int8, shape (itemsets, n)
        What makes the shape of each.
    """
    # Each row becomes one value that `numpy.unique` can sort.
    wide = np.zeros((len(code), max(1, -(-code.shape[1] // 8)) * 8), dtype=np.int8)
    wide[:, : code.shape[1]] = code
    kind = np.int64 if wide.shape[1] == 8 else np.dtype((np.void, wide.shape[1]))
    _, examples, which = np.unique(wide.view(kind).ravel(), return_index=True, return_inverse=True)
    for number, example in enumerate(examples.tolist()):
        yield np.flatnonzero(which.ravel() == number), example
