"""How far each sensitive cell lies from the window that is put around it, part by part of a map.

Off its middle a window is by so much along one axis and so much along the other: where all cells of a
rectangle take their windows from one frame, a column and a row of numbers say everything about it. Rectangles
in which frames compete are halved until one frame wins, or until they are small enough to look at each cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.scales.area import Rectangle
from privacy.scales.planar_level import PlanarLevel, anchors, tile_edges, tiles_along

__all__ = ["Part", "parts_of"]


_LOOKED_AT: Final = 1 << 14


@dataclass(frozen=True, eq=False)
class Part:
    """Some cells of a level, in a rectangle, and the mean square distance from each to what its window sends.

    Attributes
    ----------
    box : Rectangle
        The rectangle.
    across, up : ndarray, shapes (width,) and (height,)
        The distance of column i and row j is ``across[i] + up[j]``, in square metres.
    rest : ndarray, shape (height, width), or None
        What comes on top of it where several frames have windows.
    """

    box: Rectangle
    across: Array
    up: Array
    rest: Array | None = None

    @property
    def errors(self) -> Array:
        """All distances, shape (height, width)."""
        errors: Array = self.up[:, None] + self.across[None, :]
        return errors if self.rest is None else errors + self.rest


@dataclass(frozen=True, eq=False)
class _Seen:
    """Frames as the cells of a rectangle see them, a line each, in their order.

    For each column, and for each row: the square of the half cells to the window's middle, and the mean
    square distance in metres.
    """

    steps: tuple[Whole, Whole]
    squares: tuple[Array, Array]

    def only(self, frames: Flags) -> _Seen:
        """Return the same of some of the frames."""
        (x, y), (across, up) = self.steps, self.squares
        return _Seen((x[frames], y[frames]), (across[frames], up[frames]))

    def of(self, axis: int, half: slice) -> _Seen:
        """Return the same of half of the rectangle."""
        steps, squares = list(self.steps), list(self.squares)
        steps[axis], squares[axis] = steps[axis][:, half], squares[axis][:, half]
        return _Seen((steps[0], steps[1]), (squares[0], squares[1]))


def parts_of(level: PlanarLevel, cell_metres: tuple[float, float]) -> Iterator[Part]:
    """Yield parts that together are all cells of a level, none twice.

    Examples
    --------
    A row of three cells of 10 m, and windows of one cell:

    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 3, 1),),
    ...                     frames=((0, 0, 3, 1, 3, 1),))
    >>> [part.errors.round().tolist() for part in parts_of(level, (10., 10.))]
    [[[167.0, 67.0, 167.0]]]
    """
    if level.tiles:
        yield from _tiled(level, cell_metres)
        return
    for box in level.rectangles:
        yield from _divided(box, _seen(level, box, cell_metres))


def _tiled(level: PlanarLevel, cell_metres: tuple[float, float]) -> Iterator[Part]:
    """A report is read as the middle of its tile, and every cell of a rectangle lies in one of its tiles."""
    for box, counts in zip(level.rectangles, level.tiles, strict=True):
        lines = []
        for axis in (0, 1):
            edges = tile_edges(box[2 + axis], counts[axis])
            cells = np.arange(box[2 + axis], dtype=np.int64)
            tile = tiles_along(cells, box[2 + axis], counts[axis])
            off = (edges[tile] + edges[tile + 1] - 1) / 2 - cells
            lines.append((off * cell_metres[axis]) ** 2)
        yield Part(box, lines[0], lines[1])


def _seen(level: PlanarLevel, box: Rectangle, cell_metres: tuple[float, float]) -> _Seen:
    """Lay out the frames whose windows can be the nearest to some cell of a rectangle."""
    frames = np.array(level.frames, dtype=np.int64)
    # In half cells: middles of windows lie between cells too.
    nearest, farthest = np.zeros(len(frames), dtype=np.int64), np.zeros(len(frames), dtype=np.int64)
    for axis in (0, 1):
        first, last = 2 * box[axis], 2 * (box[axis] + box[2 + axis] - 1)
        size = frames[:, 4 + axis]
        low = 2 * frames[:, axis] + size - 1
        high = low + 2 * (frames[:, 2 + axis] - size)
        slack = size if level.snap else 1
        nearest += np.maximum(0, np.maximum(low - last, first - high)) ** 2
        farthest += (np.maximum(0, np.maximum(low - first, last - high)) + slack) ** 2
    frames = frames[nearest <= farthest.min()]
    steps, squares = [], []
    for axis in (0, 1):
        cells = np.arange(box[axis], box[axis] + box[2 + axis], dtype=np.int64)
        begin, length, size = (frames[:, column + axis, None] for column in (0, 2, 4))
        step = (2 * anchors(cells, begin, length, size, snap=level.snap) + size - 1 - 2 * cells) ** 2
        # On a lattice a report is read as the middle of its tile; else it may be any cell of the window.
        within = 0 if level.snap else (size**2 - 1) / 12
        steps.append(step)
        squares.append((step / 4 + within) * cell_metres[axis] ** 2)
    return _Seen((steps[0], steps[1]), (squares[0], squares[1]))


def _divided(box: Rectangle, seen: _Seen) -> Iterator[Part]:
    seen = seen.only(_can_win(seen))
    if len(seen.steps[0]) == 1:
        yield Part(box, seen.squares[0][0], seen.squares[1][0])
        return
    x, y, width, height = box
    if width * height <= _LOOKED_AT:
        yield _looked_at(box, seen)
    elif width >= height:
        half = width // 2
        yield from _divided((x, y, half, height), seen.of(0, slice(half)))
        yield from _divided((x + half, y, width - half, height), seen.of(0, slice(half, None)))
    else:
        half = height // 2
        yield from _divided((x, y, width, half), seen.of(1, slice(half)))
        yield from _divided((x, y + half, width, height - half), seen.of(1, slice(half, None)))


def _can_win(seen: _Seen) -> Flags:
    """Return which frames the one that is nowhere far does not beat everywhere; the first of equals wins."""
    x, y = seen.steps
    nowhere_far = int((x.max(axis=1) + y.max(axis=1)).argmin())
    behind = (x[nowhere_far] - x).max(axis=1) + (y[nowhere_far] - y).max(axis=1)
    later = np.arange(len(x)) > nowhere_far
    left: Flags = ~((behind < 0) | ((behind == 0) & later))
    return left


def _looked_at(box: Rectangle, seen: _Seen) -> Part:
    (x, y), (across, up) = seen.steps, seen.squares
    best = y[0][:, None] + x[0][None, :]
    errors: Array = up[0][:, None] + across[0][None, :]
    for number in range(1, len(x)):
        distance = y[number][:, None] + x[number][None, :]
        nearer = distance < best
        best = np.where(nearer, distance, best)
        errors = np.where(nearer, up[number][:, None] + across[number][None, :], errors)
    return Part(box, np.zeros(box[2]), np.zeros(box[3]), errors)
