"""Rectangles of cells: the exact geometry under a place's disguise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from privacy import validation
from privacy.errors import PrivacyError

__all__ = ["Frame", "Rectangle", "overlap", "overlaps", "painted", "read_frame", "read_rectangle"]

Rectangle: TypeAlias = tuple[int, int, int, int]
"""First column, first row, width and height, in cells."""

Frame: TypeAlias = tuple[int, int, int, int, int, int]
"""A rectangle, and the width and height of the window that moves inside it."""


def read_rectangle(given: object, columns: int, rows: int, *, code: str = "rectangle") -> Rectangle:
    """Return a rectangle that lies on a grid; refuse it with its remedy else."""
    x, y, width, height = _whole(given, 4, columns, rows, code)
    return x, y, width, height


def read_frame(given: object, columns: int, rows: int) -> Frame:
    """Return a frame that lies on a grid and holds its window."""
    x, y, width, height, across, up = _whole(given, 6, columns, rows, "frame")
    if not (1 <= across <= width and 1 <= up <= height):
        raise PrivacyError("frame.window", given, across=across, up=up, width=width, height=height)
    return x, y, width, height, across, up


def _whole(given: object, count: int, columns: int, rows: int, code: str) -> list[int]:
    entries = validation.listed(given, "rectangle", code=code)
    if len(entries) != count:
        raise PrivacyError("rectangle.entries", given, code=code, entries=len(entries), count=count)
    numbers = [
        validation.whole_number(entry, "entry of a rectangle", low=0, high=max(columns, rows), code=code)
        for entry in entries
    ]
    x, y, width, height = numbers[:4]
    if width < 1 or height < 1:
        raise PrivacyError("rectangle.small", given, code=code)
    if x + width > columns or y + height > rows:
        raise PrivacyError("rectangle.grid", given, code=code, columns=columns, rows=rows)
    return numbers


def overlap(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the number of cells that two rectangles share.

    Examples
    --------
    >>> overlap((0, 0, 3, 3), (2, 1, 5, 1))
    1
    """
    across = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    up = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return max(across, 0) * max(up, 0)


def overlaps(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> npt.NDArray[np.int64]:
    """Return `overlap` for each of the one beside each of the other, shape (first, second).

    Examples
    --------
    >>> overlaps([(0, 0, 3, 3), (5, 5, 1, 1)], [(2, 1, 5, 1)]).tolist()
    [[1], [0]]
    """
    own, other = (np.array([box[:4] for box in boxes], dtype=np.int64) for boxes in (first, second))
    shared = np.ones((len(own), len(other)), dtype=np.int64)
    for axis in (0, 1):
        low = np.maximum(own[:, None, axis], other[None, :, axis])
        ends = (box[:, axis] + box[:, 2 + axis] for box in (own, other))
        high = np.minimum(next(ends)[:, None], next(ends)[None, :])
        shared *= np.maximum(high - low, 0)
    return shared


def painted(rectangles: Iterable[Sequence[int]], columns: int, rows: int) -> npt.NDArray[np.bool_]:
    """Return which cells lie in any of the rectangles, shape (rows, columns)."""
    grid = np.zeros((rows, columns), dtype=np.bool_)
    for x, y, width, height, *_ in rectangles:
        grid[y : y + height, x : x + width] = True
    return grid
