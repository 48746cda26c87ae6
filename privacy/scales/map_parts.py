"""Parts of a map with unbiased shares, and the score of each sent cell for them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.channels.retention import numerator
from privacy.scales.area import painted
from privacy.scales.density_bootstrap import REACH
from privacy.scales.planar_level import PlanarLevel, anchors
from privacy.scales.planar_report_error import ANSWERS
from privacy.scales.planar_window import Operator, PlanarWindowChannel, Region

__all__ = ["map_parts", "plain_scores"]


_MOST: Final = ((3, 3), (2, 2), (2, 1), (1, 2))
"""Parts across and up: fewer and larger ones where those say too little."""

_NARROWEST: Final = 0.5
"""Of the side of even parts: a thin strip between two wide ones is no part anybody asks for."""


def plain_scores(windows: PlanarWindowChannel, region: Region) -> Array | None:
    """Return what each output scores for a region, shape (cells,); None where it takes a matrix to say.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Windows of a place.
    region : Region
        Rectangles of cells that share no cell.

    Notes
    -----
    With values t of the cells, an output y scores (t(y) - (1 - beta) t_A)/beta, where t_A is what t is on
    average for any cell of the level. So E[s | x] is t(x) outside the level, and in it the mean of t over the
    window of x. It has to be 1 in the region and 0 elsewhere.

    Where the region cuts no window, t is 1 in it and 0 elsewhere. Where each rectangle of the level has a
    frame of its own, windows are products of stretches, and so are values: t is the sum over the parts of the
    region of t_1(column) t_2(row) as `values_along` has them.
    """
    if len(windows.levels) != 1:
        return None
    level, columns, rows = windows.levels[0], windows.area.columns, windows.area.rows
    values: Array | None = painted(region, columns, rows).astype(np.float64)
    if not windows.is_retention_channel(region):
        values = _product_values(level, region, columns, rows) if _is_framed(level) else None
    if values is None:
        return None
    beta = float(level.truth)
    scores: Array = (numerator(values, beta, (level.chances(columns, rows) * values).sum()) / beta).ravel()
    return scores


def _product_values(level: PlanarLevel, region: Region, columns: int, rows: int) -> Array | None:
    values: Array = painted(region, columns, rows).astype(np.float64)
    for left, low, width, height, across, up in level.frames:
        own = values[low : low + height, left : left + width]
        own[:] = 0
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
            own += np.outer(along[1], along[0])
    return values


def values_along(length: int, size: int, first: int, last: int) -> Array | None:
    """Return values of the least norm whose mean is 1 in windows of cells from `first` to `last`, else 0.

    None where a cell inside and one outside have the same window: all within half a window of an end have.

    Notes
    -----
    With f(a) wanted of the window that begins at a, t(a) + ... + t(a + size - 1) = size f(a), so

        t(a + size) - t(a) = size (f(a + 1) - f(a)).

    What is left free is one number for every cell of the first window, with the sum size f(0); of these, by
    Lagrange, those that make the sum of squares least.

    Examples
    --------
    >>> values_along(5, 2, 2, 4).round(9).tolist()
    [-0.4, 0.4, 1.6, 0.4, -0.4]
    >>> values_along(5, 2, 1, 4) is None
    True
    """
    cells = np.arange(length, dtype=np.int64)
    begin, inside = anchors(cells, 0, length, size, snap=False), (first <= cells) & (cells < last)
    wanted = np.zeros(length - size + 1)
    wanted[begin[inside]] = 1
    if not np.array_equal(wanted[begin] == 1, inside):
        return None
    kind = cells % size
    steps = np.zeros(-(-length // size) * size)
    steps[size:length] = size * np.diff(wanted)
    steps = steps.reshape(-1, size).cumsum(axis=0).ravel()[:length]
    many, risen = np.bincount(kind), np.bincount(kind, steps)
    multiplier = (size * wanted[0] + (risen / many).sum()) / (1 / many).sum()
    values: Array = steps + ((multiplier - risen) / many)[kind]
    return values


@lru_cache(maxsize=64)
def _is_framed(level: PlanarLevel) -> bool:
    """Whether windows move around their places in frames of their own, one for each rectangle."""
    if level.snap or sorted(frame[:4] for frame in level.frames) != sorted(level.rectangles):
        return False
    if len(level.frames) == 1:
        return True
    for left, low, width, height, across, up in level.frames:
        y, x = (axis.ravel() for axis in np.mgrid[low : low + height, left : left + width].astype(np.int64))
        own = anchors(x, left, width, across, snap=False), anchors(y, low, height, up, snap=False)
        # Near an edge a window of the neighbour's shape may be nearer.
        if not all(map(np.array_equal, level.windows_of(x, y)[:2], own)):
            return False
    return True


@lru_cache(maxsize=64)
def map_parts(windows: PlanarWindowChannel) -> tuple[Region, ...]:
    """Return up to 3 x 3 parts that together are the map, from the design alone: never from answers.

    There are none where two parts cannot be distinguished, or where the interval of one would be wider than
    all that a share can be: 1.96 standard errors to either side with `ANSWERS` answers of people who are
    spread evenly. They run from the south to the north, then from west to east.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Windows of a place.

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
    lines = _lines(windows)
    for most in _MOST:
        cuts = [_cuts(line, count) for line, count in zip(lines, most, strict=True)]
        rectangles = tuple(
            ((west, south, east - west, north - south),)
            for south, north in pairwise(cuts[1])
            for west, east in pairwise(cuts[0])
        )
        if len(rectangles) > 1 and _say_something(windows, rectangles):
            return rectangles
    return ()


def _lines(windows: PlanarWindowChannel) -> tuple[Whole, Whole]:
    """Where a map may be cut from the south to the north, and from the west to the east."""
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
    """Return lines that make parts as equal as they allow, at most so many."""
    length = int(lines[-1])
    for count in range(most, 1, -1):
        even = np.arange(count + 1) * length / count
        near = lines[np.abs(lines[None, :] - even[:, None]).argmin(axis=1)]
        if np.diff(near).min() >= _NARROWEST * length / count:
            return [int(line) for line in near]
    return [0, length]


def _say_something(windows: PlanarWindowChannel, parts: tuple[Region, ...]) -> bool:
    """Whether each part has a score, with an interval that is narrower than all that a share can be."""
    operator = Operator(windows)
    chances = operator.forward(np.full(operator.shape, 1 / windows.inputs)).ravel()
    for part in parts:
        scores = plain_scores(windows, part)
        if scores is None:
            return False
        variance = float(chances @ scores**2) - float(chances @ scores) ** 2
        if not 2 * REACH * (max(variance, 0) / ANSWERS) ** 0.5 < 1:
            return False
    return True
