"""Parts of a map on which a disguise is informative, and scores of reports for them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.channels import numerator
from privacy.scales.planar_level import PlanarLevel, anchors
from privacy.scales.planar_pieces import REACH
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_report_error import ANSWERS
from privacy.scales.planar_window import Operator, PlanarWindowChannel, Region

_MOST: Final = ((3, 3), (2, 2), (2, 1), (1, 2))
"""Numbers of parts across and up, in the order of attempts: fewer and larger parts are more precise."""

_NARROWEST: Final = 0.5
"""Smallest side of a part, relative to even parts. Thin strips between wide parts are useless."""


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


@lru_cache(maxsize=64)
def map_parts(windows: PlanarWindowChannel) -> tuple[Region, ...]:
    """Divide the map into up to 3 x 3 parts, by the design alone and never by answers.

    There are no parts if two of them could not be distinguished, or if the interval of one would be wider
    than the range of a share. An interval has 1.96 standard errors to either side, for `ANSWERS` answers of
    people who are spread evenly. Parts are ordered from south to north, then from west to east.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Disguise of a place.

    Examples
    --------
    >>> from privacy.scales.area import Area
    >>> area = Area(west=0, south=0, east=90, north=10, columns=9, rows=1)
    >>> level = PlanarLevel(numerator=20, denominator=1, rectangles=((0, 0, 9, 1),),
    ...                     frames=((0, 0, 9, 1, 3, 1),))
    >>> map_parts(PlanarWindowChannel(mechanism="sm", area=area, levels=(level,)))
    (((0, 0, 3, 1),), ((3, 0, 3, 1),), ((6, 0, 3, 1),))
    """
    if len(windows.levels) > 1 or windows.exact_outside:
        return ()
    lines = _grid_lines(windows)
    for most in _MOST:
        cuts = [_cuts(line, count) for line, count in zip(lines, most, strict=True)]
        rectangles = tuple(
            ((west, south, east - west, north - south),)
            for south, north in pairwise(cuts[1])
            for west, east in pairwise(cuts[0])
        )
        if len(rectangles) > 1 and _are_informative(windows, rectangles):
            return rectangles
    return ()


def _grid_lines(windows: PlanarWindowChannel) -> tuple[Whole, Whole]:
    """Return the lines between columns, and between rows, at which a map may be cut."""
    level, lengths = windows.levels[0], (windows.area.columns, windows.area.rows)
    if level.snap:
        cells = [np.arange(length, dtype=np.int64) for length in lengths]
        left, _, across, _ = level.windows_of(cells[0], np.zeros_like(cells[0]))
        _, low, _, up = level.windows_of(np.zeros_like(cells[1]), cells[1])
        return np.unique(np.append(left, (left + across)[-1])), np.unique(np.append(low, (low + up)[-1]))
    lines = []
    for axis, length in enumerate(lengths):
        free = np.ones(length + 1, dtype=np.bool_)
        for frame in level.frames:
            start, end, size = frame[axis], frame[axis] + frame[2 + axis], frame[4 + axis]
            free[start + 1 : start + size // 2 + 1] = False
            free[end - size + size // 2 + 1 : end] = False
        lines.append(np.flatnonzero(free))
    return lines[0], lines[1]


def _cuts(lines: Whole, most: int) -> list[int]:
    """Return lines that form at most `most` parts, as equal as possible."""
    length = int(lines[-1])
    for count in range(most, 1, -1):
        even = np.arange(count + 1) * length / count
        near = lines[np.abs(lines[None, :] - even[:, None]).argmin(axis=1)]
        if np.diff(near).min() >= _NARROWEST * length / count:
            return [int(line) for line in near]
    return [0, length]


def _are_informative(windows: PlanarWindowChannel, parts: tuple[Region, ...]) -> bool:
    """Return whether each part has a score whose interval is narrower than the whole range of a share."""
    operator = Operator(windows)
    probabilities = operator.forward(np.full(operator.shape, 1 / windows.inputs)).ravel()
    for part in parts:
        scores = plain_scores(windows, part)
        if scores is None:
            return False
        variance = float(probabilities @ scores**2) - float(probabilities @ scores) ** 2
        if not 2 * REACH * (max(variance, 0) / ANSWERS) ** 0.5 < 1:
            return False
    return True
