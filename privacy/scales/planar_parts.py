"""Parts of a map on which a disguise is informative."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from privacy.arrays import Whole
from privacy.scales.planar_pieces import REACH
from privacy.scales.planar_report_error import ANSWERS
from privacy.scales.planar_scores import plain_scores
from privacy.scales.planar_window import Operator, PlanarWindowChannel, Region

_MOST: Final = ((3, 3), (2, 2), (2, 1), (1, 2))
"""Numbers of parts across and up, in the order of attempts: fewer and larger parts are more precise."""

_NARROWEST: Final = 0.5
"""Smallest side of a part, relative to even parts. Thin strips between wide parts are useless."""


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
    >>> from privacy.scales.planar_level import PlanarLevel
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
