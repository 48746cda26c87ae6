"""Tilings of rectangles on a grid, cut as evenly as whole cells allow.

Tile i of m along n cells begins at i n div m.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from privacy.arrays import Array, Whole
from privacy.scales.area import Rectangle, overlap

__all__ = [
    "Tiling",
    "chances_of_tiles",
    "share_of_tiles",
    "tile_edges",
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
    """Return the probability that a cell of any tile lies in some rectangles that share no cell.

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
