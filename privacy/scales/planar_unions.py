"""The geometry of unions of rectangles.

A union of closed rectangles can be split into disjoint parts, into connected parts, or into the largest
rectangles that fit inside.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privacy.arrays import Flags
from privacy.scales.planar_rectangles import Box


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
