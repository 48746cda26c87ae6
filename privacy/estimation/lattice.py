"""The lattice of a pair of itemsets: which unions of parts to count, and how cells come from them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["BOTH", "FIRST", "SECOND", "Lattice", "Shape", "lattice_of"]

BOTH: Final = 0
FIRST: Final = 1
SECOND: Final = 2
"""Positions of the union, the first and the second itemset wherever an axis has length 3."""


@dataclass(frozen=True)
class Shape:
    """What the lattice of a pair depends on: open parts, and which side touches each block."""

    open_parts: tuple[bool, bool]
    blocks: tuple[tuple[bool, bool], ...]

    @property
    def axes(self) -> tuple[tuple[int, int], ...]:
        """(block position, side) per axis."""
        return tuple(
            (place, side) for place, touches in enumerate(self.blocks) for side in (0, 1) if touches[side]
        )

    @property
    def states(self) -> tuple[tuple[bool, bool], ...]:
        """Whether the open part of each side matches; a side without one always does. Fullest last."""
        return tuple(
            itertools.product(*((False, True) if has else (True,) for has in self.open_parts))  # type: ignore[arg-type]  # two factors give pairs
        )

    def alive(self, state: tuple[bool, bool]) -> tuple[int, ...]:
        """Axes that still matter in a state: a side whose open part fails has score 0 anyway."""
        return tuple(axis for axis, (_, side) in enumerate(self.axes) if state[side])


class Lattice:
    """The counts a shape needs, in order, and how cells come from them."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.nodes: list[tuple[tuple[bool, bool], frozenset[int]]] = []
        """(open parts asked for, axes asked for) per count."""
        self._start: dict[tuple[bool, bool], int] = {}
        for state in shape.states:
            self._start[state] = len(self.nodes)
            alive = shape.alive(state)
            for bits in itertools.product((0, 1), repeat=len(alive)):
                wanted = frozenset(axis for axis, bit in zip(alive, bits, strict=True) if bit)
                self.nodes.append((state, wanted))
        self._numbers = {node: number for number, node in enumerate(self.nodes)}

    def whole(self, first: bool, second: bool) -> int:
        """Return the node that counts rows matching the whole of the wanted sides."""
        wanted = (first, second)
        state = tuple(wish or not has for wish, has in zip(wanted, self.shape.open_parts, strict=True))
        axes = frozenset(axis for axis, (_, side) in enumerate(self.shape.axes) if wanted[side])
        return self._numbers[(state[0], state[1]), axes]

    def exact(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Turn counts of "at least these", shape (R, nodes), into counts of "exactly these"."""
        tensors: dict[tuple[bool, bool], NDArray[np.int64]] = {}
        for state in reversed(self.shape.states):
            alive = self.shape.alive(state)
            start = self._start[state]
            tensor = counts[:, start : start + (1 << len(alive))].copy()
            tensor = tensor.reshape((-1, *(2,) * len(alive)))
            for axis in range(1, len(alive) + 1):
                without, having = (tensor[(slice(None),) * axis + (bit,)] for bit in (0, 1))
                without -= having
            for fuller, other in tensors.items():
                if all(mine <= theirs for mine, theirs in zip(state, fuller, strict=True)):
                    gone = tuple(
                        1 + place for place, axis in enumerate(self.shape.alive(fuller)) if axis not in alive
                    )
                    tensor = tensor - other.sum(axis=gone)
            tensors[state] = tensor
        return np.concatenate(
            [tensors[state].reshape(len(counts), -1) for state in self.shape.states], axis=1
        )

    def numerators(self, decoys: NDArray[np.float64]) -> NDArray[np.float64]:
        """Products of ([match] - c) per cell; `decoys` holds c by (side, block, pair)."""
        n_pairs = decoys.shape[2]
        parts = []
        for state in self.shape.states:
            alive = self.shape.alive(state)
            bits = np.array(list(itertools.product((0.0, 1.0), repeat=len(alive)))).T
            by_axis = {axis: bits[place] for place, axis in enumerate(alive)}
            part = np.zeros((3, n_pairs, 1 << len(alive)))
            for which, sides in ((BOTH, (0, 1)), (FIRST, (0,)), (SECOND, (1,))):
                if not all(state[side] for side in sides):
                    continue
                part[which] = 1
                for place, touches in enumerate(self.shape.blocks):
                    axes = [
                        axis
                        for axis, (block, side) in enumerate(self.shape.axes)
                        if block == place and side in sides
                    ]
                    if axes and any(touches[side] for side in sides):
                        match = np.prod([by_axis[axis] for axis in axes], axis=0)
                        part[which] *= match[None, :] - decoys[which, place][:, None]
            parts.append(part)
        return np.concatenate(parts, axis=2)


@lru_cache(maxsize=256)
def lattice_of(shape: Shape) -> Lattice:
    """Return the lattice of a shape; few shapes serve many pairs."""
    return Lattice(shape)
