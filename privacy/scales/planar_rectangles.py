"""Rectangles of cells: read them, and exact geometry of overlaps and unions.

A rectangle is (left, low, width, height), in cells or in metres; integers stay integers. A union of closed
rectangles can be split into disjoint parts, or into the largest rectangles that fit inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError

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
