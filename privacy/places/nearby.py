"""How far each sensitive cell lies from the window that is put around it, part by part of a map.

Off its middle a window is by so much along one axis and so much along the other: where all cells of a
rectangle take their windows from one frame, a column and a row of numbers say everything about it. Rectangles
in which frames compete are halved until one frame wins, or until they are small enough to look at each cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy.disguise.cells import Rectangle
from privacy.disguise.level import Level, anchors

__all__ = ["Part", "parts_of"]

Array: TypeAlias = NDArray[np.float64]

_LOOKED_AT: Final = 1 << 12


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
    """A frame as the cells of a rectangle see it: half cells to a window's middle, and metres."""

    steps: tuple[NDArray[np.int64], NDArray[np.int64]]
    squares: tuple[Array, Array]

    def of(self, axis: int, half: slice) -> _Seen:
        """Return the same, of half of the rectangle."""
        steps, squares = list(self.steps), list(self.squares)
        steps[axis], squares[axis] = steps[axis][half], squares[axis][half]
        return _Seen((steps[0], steps[1]), (squares[0], squares[1]))


def parts_of(level: Level, cell_metres: tuple[float, float]) -> Iterator[Part]:
    """Yield parts that together are all cells of a level, none twice.

    Examples
    --------
    A row of three cells of 10 m, and windows of one cell:

    >>> level = Level(numerator=3, denominator=1, rectangles=((0, 0, 3, 1),), frames=((0, 0, 3, 1, 3, 1),))
    >>> [part.errors.round().tolist() for part in parts_of(level, (10., 10.))]
    [[[167.0, 67.0, 167.0]]]
    """
    for box in level.rectangles:
        yield from _divided(box, _seen(level, box, cell_metres))


def _seen(level: Level, box: Rectangle, cell_metres: tuple[float, float]) -> list[_Seen]:
    """Frames whose windows can be the nearest to some cell of a rectangle, in their order."""
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
    found = []
    for number in np.flatnonzero(nearest <= farthest.min()):
        frame = level.frames[number]
        steps, squares = [], []
        for axis in (0, 1):
            cells = np.arange(box[axis], box[axis] + box[2 + axis], dtype=np.int64)
            size = frame[4 + axis]
            begin = anchors(cells, frame[axis], frame[2 + axis], size, snap=level.snap)
            step = 2 * begin + size - 1 - 2 * cells
            # On a lattice a report is read as the middle of its tile; else it may be any cell of the window.
            within = 0 if level.snap else (size**2 - 1) / 12
            steps.append(step**2)
            squares.append((step**2 / 4 + within) * cell_metres[axis] ** 2)
        found.append(_Seen((steps[0], steps[1]), (squares[0], squares[1])))
    return found


def _divided(box: Rectangle, seen: list[_Seen]) -> Iterator[Part]:
    left = [frame for number, frame in enumerate(seen) if not _is_beaten(number, seen)]
    if len(left) == 1:
        yield Part(box, *left[0].squares)
        return
    x, y, width, height = box
    if width * height <= _LOOKED_AT:
        yield _looked_at(box, left)
    elif width >= height:
        half = width // 2
        yield from _divided((x, y, half, height), [frame.of(0, slice(half)) for frame in left])
        right = [frame.of(0, slice(half, None)) for frame in left]
        yield from _divided((x + half, y, width - half, height), right)
    else:
        half = height // 2
        yield from _divided((x, y, width, half), [frame.of(1, slice(half)) for frame in left])
        upper = [frame.of(1, slice(half, None)) for frame in left]
        yield from _divided((x, y + half, width, height - half), upper)


def _is_beaten(number: int, seen: list[_Seen]) -> bool:
    """Whether another frame is nearer to every cell; the first one among equals wins."""
    own = seen[number]
    for other, frame in enumerate(seen):
        if other != number:
            most = int((frame.steps[0] - own.steps[0]).max()) + int((frame.steps[1] - own.steps[1]).max())
            if most < 0 or (most == 0 and other < number):
                return True
    return False


def _looked_at(box: Rectangle, frames: list[_Seen]) -> Part:
    first = frames[0]
    best = first.steps[1][:, None] + first.steps[0][None, :]
    errors: Array = first.squares[1][:, None] + first.squares[0][None, :]
    for frame in frames[1:]:
        distance = frame.steps[1][:, None] + frame.steps[0][None, :]
        nearer = distance < best
        best = np.where(nearer, distance, best)
        errors = np.where(nearer, frame.squares[1][:, None] + frame.squares[0][None, :], errors)
    return Part(box, np.zeros(box[2]), np.zeros(box[3]), errors)
