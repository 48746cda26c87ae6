"""The area of a place question on the globe, its cells, and exact geometry of rectangles of cells.

A rectangle is (left, low, width, height), in cells or in metres; integers stay integers. A union of closed
rectangles can be split into disjoint parts, or into the largest rectangles that fit inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError

DEGREE: Final = 10**7
"""Coordinates are whole numbers of 10^-7 degrees, about a centimetre."""

EARTH_RADIUS: Final = 6_371_008.8
"""Mean radius in metres."""

MOST_CELLS: Final = 1_000_000
HIGHEST_LATITUDE: Final = 80 * DEGREE


@dataclass(frozen=True, kw_only=True)
class Area:
    """A rectangle in longitude and latitude, cut into columns and rows of cells.

    Parameters
    ----------
    west, south, east, north : int, 10^-7 degrees
        West must be below east: an area across the antimeridian is an error, and so is one beyond 80 degrees.
    columns, rows : int
        At most a million cells in all. Row 0 is in the south, column 0 in the west; the cell of column i and
        row j has the number j columns + i.

    Raises
    ------
    PrivacyError
        With codes ``area``, ``antimeridian``, ``latitude``, ``too_large``.

    Notes
    -----
    Longitude and latitude are mapped to a plane by the equirectangular projection about the middle of the
    area,

        x = R cos(lat0) (lon - lon0),   y = R (lat - lat0),

    which is linear: cells are equal in degrees and in metres, and a device needs only integers. At the upper
    edge, lengths from east to west are wrong by about tan(lat0) times half the height over R.

    Examples
    --------
    >>> area = Area(west=-740_000_000, south=406_000_000, east=-739_000_000, north=407_000_000,
    ...             columns=100, rows=100)
    >>> area.cells, [round(side) for side in area.cell_metres]
    (10000, [84, 111])
    """

    west: int
    south: int
    east: int
    north: int
    columns: int
    rows: int

    def __post_init__(self) -> None:
        for name, limit in (("west", 180), ("east", 180), ("south", 90), ("north", 90)):
            number = validation.whole_number(
                getattr(self, name), f"{name} edge", low=-limit * DEGREE, high=limit * DEGREE, code="area"
            )
            object.__setattr__(self, name, number)
        if self.west >= self.east:
            raise PrivacyError("antimeridian", self.west, west=self.west / DEGREE, east=self.east / DEGREE)
        if self.south >= self.north:
            raise PrivacyError(
                "area.latitudes", self.south, south=self.south / DEGREE, north=self.north / DEGREE
            )
        if self.north > HIGHEST_LATITUDE or self.south < -HIGHEST_LATITUDE:
            raise PrivacyError("latitude", self.north, south=self.south / DEGREE, north=self.north / DEGREE)
        for name in ("columns", "rows"):
            number = validation.whole_number(
                getattr(self, name), name, low=1, high=MOST_CELLS, code="too_large"
            )
            object.__setattr__(self, name, number)
        if not 2 <= self.cells <= MOST_CELLS:
            raise PrivacyError("too_large.area", self.cells, most=MOST_CELLS)

    @classmethod
    def of_cell_size(cls, *, west: float, south: float, east: float, north: float, metres: float) -> Area:
        """Return the area with these edges, in degrees, divided into cells of about `metres` by `metres`."""
        metres = validation.real_number(
            metres, "cell size in metres", low=0, high=1e7, open_ends=True, code="area"
        )
        edges = {
            name: round(
                DEGREE * validation.real_number(value, f"{name} edge", low=-180, high=180, code="area")
            )
            for name, value in (("west", west), ("south", south), ("east", east), ("north", north))
        }
        whole = cls(**edges, columns=2, rows=1)
        across, up = whole.metres
        columns, rows = max(1, round(across / metres)), max(1, round(up / metres))
        return cls(**edges, columns=columns, rows=rows)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.columns * self.rows

    @property
    def metres(self) -> tuple[float, float]:
        """Width and height on the plane of the projection."""
        middle = math.radians((self.south + self.north) / (2 * DEGREE))
        degree = EARTH_RADIUS * math.pi / 180 / DEGREE
        return (self.east - self.west) * degree * math.cos(middle), (self.north - self.south) * degree

    @property
    def cell_metres(self) -> tuple[float, float]:
        """Width and height of one cell."""
        width, height = self.metres
        return width / self.columns, height / self.rows

    def to_json(self) -> dict[str, int]:
        """Return the area as plain data for JSON."""
        return asdict(self)


Box: TypeAlias = tuple[int, int, int, int]


class _Compressed:
    """A union of rectangles, on the grid of their edges."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self.xs = sorted({edge for left, _, width, _ in boxes for edge in (left, left + width)})
        self.ys = sorted({edge for _, low, _, height in boxes for edge in (low, low + height)})
        column = {edge: position for position, edge in enumerate(self.xs)}
        row = {edge: position for position, edge in enumerate(self.ys)}
        self.inside: Flags = np.zeros((len(self.ys) - 1, len(self.xs) - 1), dtype=np.bool_)
        for left, low, width, height in boxes:
            self.inside[row[low] : row[low + height], column[left] : column[left + width]] = True

    def box(self, low: int, high: int, left: int, right: int) -> Box:
        x, y = self.xs[left], self.ys[low]
        return x, y, self.xs[right] - x, self.ys[high] - y


def _runs(is_full: Flags) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_full, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def disjoint(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Return rectangles that share only edges and cover the same points.

    Parameters
    ----------
    boxes : sequence of Box
        First column, first row, columns, rows of each rectangle, in cells.

    Examples
    --------
    >>> disjoint([(0, 0, 3, 3), (2, 1, 4, 1)])
    ((0, 0, 3, 1), (0, 1, 6, 1), (0, 2, 3, 1))
    """
    if not boxes:
        return ()
    grid = _Compressed(boxes)
    open_runs: dict[tuple[int, int], int] = {}
    parts: list[Box] = []
    runs_by_row = [set(_runs(row_inside)) for row_inside in grid.inside]
    for row, runs in enumerate([*runs_by_row, set()]):
        for run in [run for run in open_runs if run not in runs]:
            parts.append(grid.box(open_runs.pop(run), row, *run))
        for run in runs:
            open_runs.setdefault(run, row)
    return tuple(sorted(parts, key=lambda box: (box[1], box[0])))


def largest_inside(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Return all rectangles inside the union that are not contained in a larger one inside it.

    Every rectangle inside the union lies inside one of these, so a window fits into the union exactly if it
    fits into one of them.

    Parameters
    ----------
    boxes : sequence of Box
        First column, first row, columns, rows of each rectangle, in cells.

    Examples
    --------
    >>> largest_inside([(0, 0, 3, 3), (2, 1, 4, 1)])
    ((0, 0, 3, 3), (0, 1, 6, 1))
    """
    if not boxes:
        return ()
    grid = _Compressed(boxes)
    rows = len(grid.inside)
    largest = []
    for low in range(rows):
        is_full = np.ones(grid.inside.shape[1], dtype=np.bool_)
        for high in range(low + 1, rows + 1):
            is_full = is_full & grid.inside[high - 1]
            if not is_full.any():
                break
            for left, right in _runs(is_full):
                below = low > 0 and grid.inside[low - 1, left:right].all()
                above = high < rows and grid.inside[high, left:right].all()
                if not below and not above:
                    largest.append(grid.box(low, high, left, right))
    return tuple(sorted(largest, key=lambda box: (box[1], box[0], box[2])))


def components(boxes: Sequence[Box]) -> tuple[tuple[Box, ...], ...]:
    """Return the connected parts of a union, each as disjoint rectangles; a shared corner does not connect.

    Parameters
    ----------
    boxes : sequence of Box
        First column, first row, columns, rows of each rectangle, in cells.

    Examples
    --------
    >>> components([(0, 0, 2, 2), (5, 5, 1, 1), (1, 1, 3, 3)])
    (((0, 0, 2, 1), (0, 1, 4, 1), (1, 2, 3, 2)), ((5, 5, 1, 1),))
    """
    parts = list(disjoint(boxes))
    groups: list[tuple[Box, ...]] = []
    while parts:
        group = [parts.pop(0)]
        for box in group:
            near = [other for other in parts if _share_edge(box, other)]
            parts = [other for other in parts if other not in near]
            group += near
        groups.append(tuple(sorted(group, key=lambda box: (box[1], box[0]))))
    return tuple(groups)


def _share_edge(first: Box, second: Box) -> bool:
    across = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    up = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return min(across, up) >= 0 and max(across, up) > 0


Rectangle: TypeAlias = tuple[int, int, int, int]
"""First column, first row, width and height, in cells."""

Frame: TypeAlias = tuple[int, int, int, int, int, int]
"""A rectangle, and the width and height of the window that moves inside it."""


def read_rectangle(value: object, columns: int, rows: int, *, code: str = "rectangle") -> Rectangle:
    """Read a rectangle; raise an error unless it is on a grid.

    Parameters
    ----------
    value : object
        Value decoded from JSON: four whole numbers.
    columns, rows : int
        Size of the grid, in cells.
    code : str, optional
        Code of the error.
    """
    x, y, width, height = _read_integers(value, 4, columns, rows, code)
    return x, y, width, height


def read_frame(value: object, columns: int, rows: int) -> Frame:
    """Read a frame; raise an error unless it is on a grid and contains its window.

    Parameters
    ----------
    value : object
        Value decoded from JSON: a rectangle, and the size of its window.
    columns, rows : int
        Size of the grid, in cells.
    """
    x, y, width, height, across, up = _read_integers(value, 6, columns, rows, "frame")
    if not (1 <= across <= width and 1 <= up <= height):
        raise PrivacyError("frame.window", value, across=across, up=up, width=width, height=height)
    return x, y, width, height, across, up


def _read_integers(value: object, count: int, columns: int, rows: int, code: str) -> list[int]:
    entries = validation.as_tuple(value, "rectangle", code=code)
    if len(entries) != count:
        raise PrivacyError("rectangle.entries", value, code=code, entries=len(entries), count=count)
    numbers = [
        validation.whole_number(entry, "entry of a rectangle", low=0, high=max(columns, rows), code=code)
        for entry in entries
    ]
    x, y, width, height = numbers[:4]
    if width < 1 or height < 1:
        raise PrivacyError("rectangle.small", value, code=code)
    if x + width > columns or y + height > rows:
        raise PrivacyError("rectangle.grid", value, code=code, columns=columns, rows=rows)
    return numbers


def overlap(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the number of cells that two rectangles share.

    Parameters
    ----------
    first, second : sequence of int
        First column, first row, columns, rows, in cells.

    Examples
    --------
    >>> overlap((0, 0, 3, 3), (2, 1, 5, 1))
    1
    """
    across = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    up = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return max(across, 0) * max(up, 0)


def overlaps(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> Whole:
    """Return `overlap` for each pair of rectangles, shape (first, second).

    Parameters
    ----------
    first, second : sequence of sequence of int
        First column, first row, columns, rows of each rectangle, in cells.

    Examples
    --------
    >>> overlaps([(0, 0, 3, 3), (5, 5, 1, 1)], [(2, 1, 5, 1)]).tolist()
    [[1], [0]]
    """
    boxes_of_first, other = (
        np.array([box[:4] for box in boxes], dtype=np.int64) for boxes in (first, second)
    )
    areas = np.ones((len(boxes_of_first), len(other)), dtype=np.int64)
    for axis in (0, 1):
        low = np.maximum(boxes_of_first[:, None, axis], other[None, :, axis])
        ends = (box[:, axis] + box[:, 2 + axis] for box in (boxes_of_first, other))
        high = np.minimum(next(ends)[:, None], next(ends)[None, :])
        areas *= np.maximum(high - low, 0)
    return areas


def paint_cells(rectangles: Iterable[Sequence[int]], columns: int, rows: int) -> Flags:
    """Flag the cells that are in any of the rectangles, shape (rows, columns).

    Parameters
    ----------
    rectangles : iterable of sequence of int
        First column, first row, columns, rows of each, in cells.
    columns, rows : int
        Size of the grid, in cells.
    """
    grid = np.zeros((rows, columns), dtype=np.bool_)
    for x, y, width, height, *_ in rectangles:
        grid[y : y + height, x : x + width] = True
    return grid


Tiling: TypeAlias = tuple[int, int]
"""Number of tiles in a rectangle, across and up."""


def tile_edges(length: int, count: int) -> Whole:
    """Return the starts of tiles and the end of the last one, shape (count + 1,).

    Parameters
    ----------
    length : int
        Number of cells.
    count : int
        Number of tiles, at most `length`.

    Examples
    --------
    >>> tile_edges(7, 3).tolist()
    [0, 2, 4, 7]
    """
    return np.arange(count + 1, dtype=np.int64) * length // count


def tiles_along(offsets: Whole, length: int, count: int) -> Whole:
    """Return the number of the tile of each cell along a side.

    Parameters
    ----------
    offsets : ndarray of int
        Cells, in 0..length - 1.
    length : int
        Number of cells along the side.
    count : int
        Number of tiles, at most `length`.

    Examples
    --------
    >>> tiles_along(np.arange(7), 7, 3).tolist()
    [0, 0, 1, 1, 2, 2, 2]
    """
    tiles: Whole = ((offsets + 1) * count - 1) // length
    return tiles


def tiles_between(box: Rectangle, counts: Tiling, axis: int, first: int, last: int) -> Fraction:
    """Return the number of tiles between two lines, counting cut tiles as fractions.

    Parameters
    ----------
    box : Rectangle
        Rectangle that is divided into tiles.
    counts : Tiling
        Number of tiles, across and up.
    axis : int
        0 for columns, 1 for rows.
    first, last : int
        Lines of the grid, within the rectangle.

    Examples
    --------
    >>> tiles_between((0, 0, 5, 3), (2, 1), 0, 1, 5)
    Fraction(3, 2)
    """
    length, count = box[2 + axis], counts[axis]

    def tiles_before(line: int) -> Fraction:
        offset = min(max(line - box[axis], 0), length)
        if offset == length:
            return Fraction(count)
        tile = ((offset + 1) * count - 1) // length
        begin, end = tile * length // count, (tile + 1) * length // count
        return tile + Fraction(offset - begin, end - begin)

    return tiles_before(last) - tiles_before(first)


def windows_in(
    boxes: Sequence[Rectangle], tiles: Sequence[Tiling], x: Whole, y: Whole
) -> tuple[Whole, Whole, Whole, Whole]:
    """Return the first column, first row, width and height of each cell's tile.

    Parameters
    ----------
    boxes : sequence of Rectangle
        Rectangles that share no cell.
    tiles : sequence of Tiling
        Number of tiles in each, across and up.
    x, y : ndarray of int
        Columns and rows of cells, each in one of the rectangles.
    """
    windows = tuple(np.zeros_like(x) for _ in range(4))
    for (left, low, width, height), (columns, rows) in zip(boxes, tiles, strict=True):
        contained = np.flatnonzero((left <= x) & (x < left + width) & (low <= y) & (y < low + height))
        for axis, (coordinates, start, length, count) in enumerate(
            ((x, left, width, columns), (y, low, height, rows))
        ):
            edges = tile_edges(length, count)
            tile = tiles_along(coordinates[contained] - start, length, count)
            windows[axis][contained] = start + edges[tile]
            windows[2 + axis][contained] = edges[tile + 1] - edges[tile]
    return windows[0], windows[1], windows[2], windows[3]


def share_of_tiles(
    rectangles: Sequence[Rectangle], tiles: Sequence[Tiling], region: Sequence[Rectangle]
) -> Fraction:
    """Return the probability that a random cell of a random tile is in a region.

    Parameters
    ----------
    rectangles : sequence of Rectangle
        Rectangles that share no cell.
    tiles : sequence of Tiling
        Number of tiles in each, across and up.
    region : sequence of Rectangle
        Rectangles that share no cell.
    """
    share = Fraction(0)
    for rectangle, counts in zip(rectangles, tiles, strict=True):
        for part in region:
            if overlap(part, rectangle):
                across, up = (
                    tiles_between(rectangle, counts, axis, part[axis], part[axis] + part[2 + axis])
                    for axis in (0, 1)
                )
                share += across * up
    return share / sum(across * up for across, up in tiles)


def tile_probabilities(
    rectangles: Sequence[Rectangle], tiles: Sequence[Tiling], columns: int, rows: int
) -> Array:
    """Return the probability of each cell of a map if a tile, and then a cell in it, is drawn at random.

    Parameters
    ----------
    rectangles : sequence of Rectangle
        Rectangles that share no cell.
    tiles : sequence of Tiling
        Number of tiles in each, across and up.
    columns, rows : int
        Size of the map, in cells.
    """
    probabilities = np.zeros((rows, columns))
    share = 1 / sum(across * up for across, up in tiles)
    for (left, low, width, height), counts in zip(rectangles, tiles, strict=True):
        across, up = (
            np.repeat(1 / sizes, sizes)
            for sizes in (
                np.diff(tile_edges(length, count))
                for length, count in zip((width, height), counts, strict=True)
            )
        )
        probabilities[low : low + height, left : left + width] = share * up[:, None] * across[None, :]
    return probabilities
