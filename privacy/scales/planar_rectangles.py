"""Rectangles of cells: read them, measure their overlaps exactly, and paint them.

A rectangle is (left, low, width, height), in cells or in metres; integers stay integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError

Box: TypeAlias = tuple[int, int, int, int]
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
