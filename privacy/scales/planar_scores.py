"""Scores of reports for a region of a map, without a matrix."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from privacy.arrays import Array
from privacy.channels import numerator
from privacy.scales.planar_level import PlanarLevel, anchors
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_window import PlanarWindowChannel, Region


def plain_scores(windows: PlanarWindowChannel, region: Region) -> Array | None:
    """Return each output's score for a region, shape (cells,); None if this would need a matrix.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of a place.
    region : Region
        Rectangles of cells that share no cell.

    Notes
    -----
    Let t be a value of each cell. An output y scores s = (t(y) - (1 - beta) t_A)/beta, where t_A is the mean
    of t for a random cell of the level. So E[s | x] is t(x) outside the level, and the mean of t over the
    window of x inside it. This must be 1 in the region and 0 elsewhere.

    If the region cuts no window, t is 1 in the region and 0 elsewhere. If each rectangle of the level has its
    own frame, windows are products of stretches of columns and of rows. Values are then products, too: t is
    the sum over the parts of the region of t_1(column) t_2(row), which `values_along` computes.
    """
    if len(windows.levels) != 1:
        return None
    level, columns, rows = windows.levels[0], windows.area.columns, windows.area.rows
    values: Array | None = paint_cells(region, columns, rows).astype(np.float64)
    if not windows.is_retention_channel(region):
        values = _product_values(level, region, columns, rows) if _is_framed(level) else None
    if values is None:
        return None
    beta = float(level.truth)
    scores: Array = (
        numerator(values, beta, (level.probabilities(columns, rows) * values).sum()) / beta
    ).ravel()
    return scores


def _product_values(level: PlanarLevel, region: Region, columns: int, rows: int) -> Array | None:
    values: Array = paint_cells(region, columns, rows).astype(np.float64)
    for left, low, width, height, across, up in level.frames:
        values_in_box = values[low : low + height, left : left + width]
        values_in_box[:] = 0
        for part in region:
            ends = [
                (max(part[axis] - start, 0), min(part[axis] + part[2 + axis] - start, length))
                for axis, (start, length) in enumerate(((left, width), (low, height)))
            ]
            if any(first >= last for first, last in ends):
                continue
            along = values_along(width, across, *ends[0]), values_along(height, up, *ends[1])
            if along[0] is None or along[1] is None:
                return None
            values_in_box += np.outer(along[1], along[0])
    return values


def values_along(length: int, size: int, first: int, last: int) -> Array | None:
    """Return values of minimal norm with mean 1 in windows of cells `first` .. `last` - 1, and 0 in others.

    The result is None if a cell inside and one outside have the same window. All cells within half a window
    of the same end have the same window.

    Parameters
    ----------
    length, size : int
        Cells along a side of the map, and cells along a side of a window.
    first, last : int
        First cell of the part, and the first cell after it.

    Notes
    -----
    If the window that begins at a must have the mean f(a), then t(a) + ... + t(a + size - 1) = size f(a), so

        t(a + size) - t(a) = size (f(a + 1) - f(a)).

    This leaves one free number for each cell of the first window; they must add up to size f(0). A Lagrange
    multiplier gives those with the least sum of squares.

    Examples
    --------
    >>> values_along(5, 2, 2, 4).round(9).tolist()
    [-0.4, 0.4, 1.6, 0.4, -0.4]
    >>> values_along(5, 2, 1, 4) is None
    True
    """
    cells = np.arange(length, dtype=np.int64)
    begin, in_target = anchors(cells, 0, length, size, snap=False), (first <= cells) & (cells < last)
    target = np.zeros(length - size + 1)
    target[begin[in_target]] = 1
    if not np.array_equal(target[begin] == 1, in_target):
        return None
    kind = cells % size
    steps = np.zeros(-(-length // size) * size)
    steps[size:length] = size * np.diff(target)
    steps = steps.reshape(-1, size).cumsum(axis=0).ravel()[:length]
    many, risen = np.bincount(kind), np.bincount(kind, steps)
    multiplier = (size * target[0] + (risen / many).sum()) / (1 / many).sum()
    values: Array = steps + ((multiplier - risen) / many)[kind]
    return values


@lru_cache(maxsize=64)
def _is_framed(level: PlanarLevel) -> bool:
    """Return whether each rectangle has its own frame, in which windows move around their places."""
    if level.snap or sorted(frame[:4] for frame in level.frames) != sorted(level.rectangles):
        return False
    if len(level.frames) == 1:
        return True
    for left, low, width, height, across, up in level.frames:
        y, x = (axis.ravel() for axis in np.mgrid[low : low + height, left : left + width].astype(np.int64))
        window_starts = anchors(x, left, width, across, snap=False), anchors(y, low, height, up, snap=False)
        # Near an edge, a window of a neighbouring frame may be nearer.
        if not all(map(np.array_equal, level.windows_of(x, y)[:2], window_starts)):
            return False
    return True
