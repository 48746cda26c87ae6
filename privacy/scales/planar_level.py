"""One level of sensitive cells: its windows, weights and amplification.

Rectangles cut into tiles as evenly as whole cells allow: tile i of m along n cells begins at i n div m.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final, TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.scales.area import Frame, Rectangle, overlap, overlaps, painted, read_frame, read_rectangle

__all__ = [
    "PlanarLevel",
    "Tiling",
    "anchors",
    "chances_of_tiles",
    "share_of_tiles",
    "tile_at",
    "tile_edges",
    "tile_of",
    "tiles_along",
    "tiles_between",
    "windows_in",
]

Tiling: TypeAlias = tuple[int, int]
"""Into how many tiles a rectangle is cut, across and up."""


def tile_edges(length: int, count: int) -> Whole:
    """Return where tiles begin and the last one ends, shape (count + 1,).

    Parameters
    ----------
    length : int
        Cells.
    count : int
        Tiles, at most `length`.

    Examples
    --------
    >>> tile_edges(7, 3).tolist()
    [0, 2, 4, 7]
    """
    return np.arange(count + 1, dtype=np.int64) * length // count


def tiles_along(at: Whole, length: int, count: int) -> Whole:
    """Return the tile of each of some cells, counted from the first one.

    Parameters
    ----------
    at : ndarray of int
        Cells, in 0..length - 1.
    length : int
        Cells in all.
    count : int
        Tiles, at most `length`.

    Examples
    --------
    >>> tiles_along(np.arange(7), 7, 3).tolist()
    [0, 0, 1, 1, 2, 2, 2]
    """
    tiles: Whole = ((at + 1) * count - 1) // length
    return tiles


def tile_of(box: Rectangle, counts: Tiling, number: int) -> Rectangle:
    """Return tile `number` of a rectangle, row after row.

    Parameters
    ----------
    box : Rectangle
        That is divided into tiles.
    counts : Tiling
        Tiles across and down.
    number : int
        From 0 on.

    Examples
    --------
    >>> [tile_of((0, 0, 5, 3), (2, 1), number) for number in (0, 1)]
    [(0, 0, 2, 3), (2, 0, 3, 3)]
    """
    row, column = divmod(number, counts[0])
    left, right = (box[0] + edge * box[2] // counts[0] for edge in (column, column + 1))
    low, high = (box[1] + edge * box[3] // counts[1] for edge in (row, row + 1))
    return left, low, right - left, high - low


def tiles_between(box: Rectangle, counts: Tiling, axis: int, first: int, last: int) -> Fraction:
    """Return how many tiles lie between two lines, what is cut off counted as a fraction.

    Parameters
    ----------
    box : Rectangle
        That is divided into tiles.
    counts : Tiling
        Tiles across and down.
    axis : int
        0 for columns, 1 for rows.
    first, last : int
        Lines of the grid, which lie in the rectangle.

    Examples
    --------
    >>> tiles_between((0, 0, 5, 3), (2, 1), 0, 1, 5)
    Fraction(3, 2)
    """
    length, count = box[2 + axis], counts[axis]

    def passed(line: int) -> Fraction:
        at = min(max(line - box[axis], 0), length)
        if at == length:
            return Fraction(count)
        tile = ((at + 1) * count - 1) // length
        begin, end = tile * length // count, (tile + 1) * length // count
        return tile + Fraction(at - begin, end - begin)

    return passed(last) - passed(first)


def tile_at(box: Rectangle, counts: Tiling, x: int, y: int) -> Rectangle:
    """Return the tile of a rectangle that holds a cell.

    Parameters
    ----------
    box : Rectangle
        That is divided into tiles.
    counts : Tiling
        Tiles across and down.
    x, y : int
        Column and row of a cell in it.

    Examples
    --------
    >>> tile_at((0, 0, 5, 3), (2, 1), 4, 0)
    (2, 0, 3, 3)
    """
    column, row = (
        ((at - box[axis] + 1) * counts[axis] - 1) // box[2 + axis] for axis, at in enumerate((x, y))
    )
    return tile_of(box, counts, row * counts[0] + column)


def windows_in(
    boxes: Sequence[Rectangle], tiles: Sequence[Tiling], x: Whole, y: Whole
) -> tuple[Whole, Whole, Whole, Whole]:
    """Return first column, first row, width and height of the tile of each of some cells.

    Parameters
    ----------
    boxes : sequence of Rectangle
        That share no cell.
    tiles : sequence of Tiling
        Tiles across and down of each.
    x, y : ndarray of int
        Columns and rows of cells, each in one of the rectangles.
    """
    windows = tuple(np.zeros_like(x) for _ in range(4))
    for (left, low, width, height), (columns, rows) in zip(boxes, tiles, strict=True):
        own = np.flatnonzero((left <= x) & (x < left + width) & (low <= y) & (y < low + height))
        for axis, (at, start, length, count) in enumerate(
            ((x, left, width, columns), (y, low, height, rows))
        ):
            edges = tile_edges(length, count)
            tile = tiles_along(at[own] - start, length, count)
            windows[axis][own] = start + edges[tile]
            windows[2 + axis][own] = edges[tile + 1] - edges[tile]
    return windows[0], windows[1], windows[2], windows[3]


def share_of_tiles(
    rectangles: Sequence[Rectangle], tiles: Sequence[Tiling], region: Sequence[Rectangle]
) -> Fraction:
    """Return the chance that a cell of any tile lies in some rectangles that share no cell.

    Parameters
    ----------
    rectangles : sequence of Rectangle
        That share no cell.
    tiles : sequence of Tiling
        Tiles across and down of each.
    region : sequence of Rectangle
        That share no cell.
    """
    share = Fraction(0)
    for own, counts in zip(rectangles, tiles, strict=True):
        for part in region:
            if overlap(part, own):
                across, up = (
                    tiles_between(own, counts, axis, part[axis], part[axis] + part[2 + axis])
                    for axis in (0, 1)
                )
                share += across * up
    return share / sum(across * up for across, up in tiles)


def chances_of_tiles(
    rectangles: Sequence[Rectangle], tiles: Sequence[Tiling], columns: int, rows: int
) -> Array:
    """Return how likely a cell of any tile is each cell of a map, shape (rows, columns).

    Parameters
    ----------
    rectangles : sequence of Rectangle
        That share no cell.
    tiles : sequence of Tiling
        Tiles across and down of each.
    columns, rows : int
        Cells of the map.
    """
    chances = np.zeros((rows, columns))
    share = 1 / sum(across * up for across, up in tiles)
    for (left, low, width, height), counts in zip(rectangles, tiles, strict=True):
        across, up = (
            np.repeat(1 / sizes, sizes)
            for sizes in (
                np.diff(tile_edges(length, count))
                for length, count in zip((width, height), counts, strict=True)
            )
        )
        chances[low : low + height, left : left + width] = share * up[:, None] * across[None, :]
    return chances


MOST_RECTANGLES: Final = 2_000
LARGEST_WEIGHT: Final = 1 << 128
LARGEST_GRID: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class PlanarLevel:
    """Cells A of one sensitivity, their amplification, and the frames in which the window moves.

    Parameters
    ----------
    numerator, denominator : int
        rho = numerator / denominator > 1, the amplification inside A; e^epsilon rounded down.
    rectangles : tuple of Rectangle
        A, cut into rectangles that share no cell.
    frames : tuple of Frame
        Rectangles inside A, each with the width and height of the window in it; all windows have the same
        number W of cells. None where there are tiles.
    snap : bool
        True where windows lie on a lattice of their own size in each frame, so that all cells of one tile
        have the same window; False where a window is put around its cell as well as it goes.
    tiles : tuple of Tiling, optional
        In place of frames: into how many tiles each of the rectangles is cut, as evenly as whole cells allow.
        Tile i of m along n cells begins at i n div m.

    Raises
    ------
    PrivacyError
        With codes ``disguise``, ``rectangle``, ``frame``, ``overlap``, ``too_large``.

    Notes
    -----
    With N cells in A and k = numerator - denominator, one draw u below T = k W + denominator N says: u below
    k W, report a cell of the window (for a place outside A: nothing is drawn here); else any cell of A. So
    each cell of A has the weight denominator, and those of the window the weight numerator.

    Tiles need not have the same number of cells, so what is drawn is a tile: with M tiles, and L the least
    common multiple of their numbers of cells, T = k L + denominator L M. The own tile has the weight
    numerator, each other one the weight denominator, and in a tile each cell is as likely as any other.

    Examples
    --------
    Five columns in two tiles, of two and of three cells; L = 6:

    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 5, 1),), frames=(), snap=True,
    ...               tiles=((2, 1),))
    >>> level.window_at(1, 0), level.window_at(2, 0), level.total == 2 * 6 + 6 * 2
    ((0, 0, 2, 1), (2, 0, 3, 1), True)
    """

    numerator: int
    denominator: int
    rectangles: tuple[Rectangle, ...]
    frames: tuple[Frame, ...]
    snap: bool = False
    tiles: tuple[Tiling, ...] = ()

    def __post_init__(self) -> None:
        for name in ("numerator", "denominator"):
            number = validation.whole_number(
                getattr(self, name), name, low=1, high=LARGEST_WEIGHT, code="disguise"
            )
            object.__setattr__(self, name, number)
        if self.numerator <= self.denominator:
            raise PrivacyError("disguise.amplification", self.numerator, denominator=self.denominator)
        validation.truth_value(self.snap, "snap", code="disguise")
        for name, read in (("rectangles", read_rectangle), ("frames", read_frame)):
            given = validation.listed(getattr(self, name), name, code="rectangle")
            parts = tuple(read(part, LARGEST_GRID, LARGEST_GRID) for part in given)
            if not (name == "rectangles" or not self.tiles) <= len(parts) <= MOST_RECTANGLES:
                raise PrivacyError("too_large.level", len(parts), name=name, most=MOST_RECTANGLES)
            object.__setattr__(self, name, parts)
        for earlier, other in np.argwhere(np.triu(overlaps(self.rectangles, self.rectangles), 1)).tolist()[
            :1
        ]:
            first, second = self.rectangles[earlier], self.rectangles[other]
            raise PrivacyError("overlap.rectangles", (first, second), first=first, second=second)
        if self.tiles:
            self._check_tiles()
        else:
            self._check_frames()

    def _check_tiles(self) -> None:
        given = validation.listed(self.tiles, "tiles", code="frame")
        if self.frames or not self.snap or len(given) != len(self.rectangles):
            raise PrivacyError("frame.tiles", given, count=len(given), rectangles=len(self.rectangles))
        tiles = []
        for entry, (_, _, width, height) in zip(given, self.rectangles, strict=True):
            pair = validation.listed(entry, "tiles", code="frame")
            if len(pair) != 2:
                raise PrivacyError("frame.pair", pair)
            across, up = (
                validation.whole_number(count, "number of tiles", low=1, high=most, code="frame")
                for count, most in zip(pair, (width, height), strict=True)
            )
            tiles.append((across, up))
        object.__setattr__(self, "tiles", tuple(tiles))

    def _check_frames(self) -> None:
        areas = {across * up for *_, across, up in self.frames}
        if len(areas) != 1:
            raise PrivacyError("frame.windows", sorted(areas))
        held = overlaps(self.frames, self.rectangles).sum(axis=1)
        for frame, cells in zip(self.frames, held.tolist(), strict=True):
            if cells != frame[2] * frame[3]:
                raise PrivacyError("frame.outside", frame)
            if self.snap and (frame[2] % frame[4] or frame[3] % frame[5]):
                raise PrivacyError("frame.fraction", frame)

    @cached_property
    def cells(self) -> int:
        """N, the number of cells in A."""
        return sum(width * height for _, _, width, height in self.rectangles)

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Widths and heights that windows have, each pair once, in order."""
        if not self.tiles:
            return tuple(sorted({frame[4:] for frame in self.frames}))
        return tuple(
            sorted(
                {
                    (across, up)
                    for (_, _, width, height), (columns, rows) in zip(
                        self.rectangles, self.tiles, strict=True
                    )
                    for across in {width // columns, -(-width // columns)}
                    for up in {height // rows, -(-height // rows)}
                }
            )
        )

    @property
    def window(self) -> int:
        """W, the number of cells in a window, in the largest where tiles differ."""
        return max(across * up for across, up in self.sizes)

    @cached_property
    def parts(self) -> int:
        """Into how many parts a draw cuts a window: W, or the least common multiple L of all tiles' cells."""
        return lcm(*(across * up for across, up in self.sizes))

    @cached_property
    def ground(self) -> int:
        """Parts of all of A: its cells, N, or L for each tile."""
        if not self.tiles:
            return self.cells
        return self.parts * sum(across * up for across, up in self.tiles)

    @cached_property
    def total(self) -> int:
        """T; a device draws from 0 to T - 1."""
        return self.near + self.denominator * self.ground

    @cached_property
    def near(self) -> int:
        """k W, or k L, the weight of reporting from the window, or of passing through."""
        return (self.numerator - self.denominator) * self.parts

    @property
    def truth(self) -> Fraction:
        """beta = near / T, the chance of passing through."""
        return Fraction(self.near, self.total)

    @property
    def amplification(self) -> Fraction:
        """rho."""
        return Fraction(self.numerator, self.denominator)

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell lies in A."""
        return any(left <= x < left + w and low <= y < low + h for left, low, w, h in self.rectangles)

    def window_at(self, x: int, y: int) -> Rectangle:
        """Return the window of a cell of A: the one with the nearest middle; the first frame among equals."""
        if self.tiles:
            return next(
                tile_at(box, counts, x, y)
                for box, counts in zip(self.rectangles, self.tiles, strict=True)
                if overlap(box, (x, y, 1, 1))
            )
        best, window = None, (0, 0, 0, 0)
        for frame in self.frames:
            left = _anchor(x, frame[0], frame[2], frame[4], snap=self.snap)
            low = _anchor(y, frame[1], frame[3], frame[5], snap=self.snap)
            distance = (2 * left + frame[4] - 1 - 2 * x) ** 2 + (2 * low + frame[5] - 1 - 2 * y) ** 2
            if best is None or distance < best:
                best, window = distance, (left, low, frame[4], frame[5])
        return window

    def windows_of(self, x: Whole, y: Whole) -> tuple[Whole, Whole, Whole, Whole]:
        """Return for many cells of A the window's first column, first row, width and height."""
        if self.tiles:
            return windows_in(self.rectangles, self.tiles, x, y)
        best = np.full(len(x), np.iinfo(np.int64).max)
        left, low, across, up = (np.zeros_like(x) for _ in range(4))
        for frame in self.frames:
            here = anchors(x, frame[0], frame[2], frame[4], snap=self.snap)
            there = anchors(y, frame[1], frame[3], frame[5], snap=self.snap)
            distance = (2 * here + frame[4] - 1 - 2 * x) ** 2 + (2 * there + frame[5] - 1 - 2 * y) ** 2
            nearer = distance < best
            for window, value in (
                (best, distance),
                (left, here),
                (low, there),
                (across, frame[4]),
                (up, frame[5]),
            ):
                np.copyto(window, value, where=nearer)
        return left, low, across, up

    def part_of(self, window: Rectangle, part: int) -> tuple[int, int]:
        """Return column and row of the cell of a window that one of its `parts` falls on."""
        left, low, across, up = window
        tile = part * (across * up) // self.parts
        return left + tile % across, low + tile // across

    def any_cell(self, index: int) -> tuple[int, int]:
        """Return column and row of the cell of A that a number below `ground` falls on.

        Of frames it is the number of the cell, rectangle after rectangle; of tiles that of a part.
        """
        if self.tiles:
            tile, part = divmod(index, self.parts)
            for box, (columns, rows) in zip(self.rectangles, self.tiles, strict=True):
                if tile < columns * rows:
                    return self.part_of(tile_of(box, (columns, rows), tile), part)
                tile -= columns * rows
        for left, low, width, height in () if self.tiles else self.rectangles:
            if index < width * height:
                return left + index % width, low + index // width
            index -= width * height
        raise ValueError(f"place {index} lies behind the last cell")

    def parts_at(self, x: int, y: int) -> int:
        """Return how many of `ground` fall on a cell of A."""
        if not self.tiles:
            return 1
        _, _, across, up = self.window_at(x, y)
        return self.parts // (across * up)

    def share_of(self, region: Iterable[Rectangle]) -> Fraction:
        """Return the chance that any cell of A lies in some rectangles that share no cell."""
        boxes = tuple(region)
        if not self.tiles:
            return Fraction(sum(overlap(part, own) for part in boxes for own in self.rectangles), self.cells)
        return share_of_tiles(self.rectangles, self.tiles, boxes)

    def chances(self, columns: int, rows: int) -> Array:
        """Return how likely any cell of A is each cell of a map, shape (rows, columns)."""
        if not self.tiles:
            return painted(self.rectangles, columns, rows) / self.cells
        return chances_of_tiles(self.rectangles, self.tiles, columns, rows)

    def to_json(self) -> dict[str, Any]:
        """Return the level as a device reads it."""
        return {
            "numerator": str(self.numerator),
            "denominator": str(self.denominator),
            "rectangles": [list(rectangle) for rectangle in self.rectangles],
            "frames": [list(frame) for frame in self.frames],
            "snap": self.snap,
            # What was published without tiles stays what it is, byte for byte.
            **({"tiles": [list(pair) for pair in self.tiles]} if self.tiles else {}),
        }


def _anchor(x: int, start: int, length: int, size: int, *, snap: bool) -> int:
    if snap:
        # Outside the frame, its nearest tile.
        return start + size * min(max((x - start) // size, 0), length // size - 1)
    return min(max(x - size // 2, start), start + length - size)


def anchors(x: Whole, start: int | Whole, length: int | Whole, size: int | Whole, *, snap: bool) -> Whole:
    """Return where the windows around some columns (or rows) begin, in a frame that begins at `start`.

    Parameters
    ----------
    x : ndarray of int
        Columns, or rows.
    start, length : int or ndarray of int
        First cell and cells of the frame.
    size : int or ndarray of int
        Cells of a window, at most `length`.
    snap : bool
        Whether windows stand on a lattice, instead of around their cell.
    """
    first: Whole
    if snap:
        first = start + size * np.clip((x - start) // size, 0, length // size - 1)
    else:
        first = np.clip(x - size // 2, start, start + length - size)
    return first
