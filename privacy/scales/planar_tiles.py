"""Tiles of a rectangle of cells: their edges, the tile of each cell, and shares of regions in tiles."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.scales.planar_rectangles import Rectangle, overlap

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
