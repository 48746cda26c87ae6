"""Example places of a disguise: in the middle of a sensitive area, at its edge, and outside.

Figure 1 of Feng and Zhu draws the first two: a window around its place, and one that the edge of the area
pushes inwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from privacy.scales.area import Rectangle, painted
from privacy.scales.planar_window import PlanarWindowChannel


@dataclass(frozen=True, kw_only=True)
class PlaceExample:
    """One place, and its reports.

    Parameters
    ----------
    where : str
        ``middle`` or eastern ``edge`` of the largest rectangle of a level, or ``outside`` all levels.
    level : int or None
        Its level, from 0; None outside.
    column, row : int
        Its cell.
    window : tuple of int or None
        Columns and rows of its window: first column, first row, width, height. None outside.
    near : Fraction
        Probability that its answer is drawn from its window; outside, that it is sent as it is.
    inside : Fraction
        Probability that what is sent lies in its window, cells drawn from everywhere included; outside
        `near`.
    """

    where: Literal["middle", "edge", "outside"]
    level: int | None
    column: int
    row: int
    window: Rectangle | None
    near: Fraction
    inside: Fraction


def place_examples(windows: PlanarWindowChannel) -> tuple[PlaceExample, ...]:
    """Return examples of every level, the most sensitive first, and one outside where there is an outside.

    Parameters
    ----------
    windows : PlanarWindowChannel
        Windows of a place.

    Examples
    --------
    Four of six columns are sensitive, rho = 3, windows of two columns. T = 2 * 2 + 4 = 8.

    >>> from privacy.scales.area import Area
    >>> from privacy.scales.planar_level import PlanarLevel
    >>> area = Area(west=0, south=0, east=60, north=10, columns=6, rows=1)
    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 4, 1),),
    ...                     frames=((0, 0, 4, 1, 2, 1),))
    >>> examples = place_examples(PlanarWindowChannel(mechanism="usm", area=area, levels=(level,)))
    >>> [(example.where, example.column, example.window) for example in examples]
    [('middle', 2, (1, 0, 2, 1)), ('edge', 3, (2, 0, 2, 1)), ('outside', 5, None)]
    >>> [(str(example.near), str(example.inside)) for example in examples]
    [('1/2', '3/4'), ('1/2', '3/4'), ('1/2', '1/2')]
    """
    return tuple(_examples(windows))


def _examples(windows: PlanarWindowChannel) -> Iterator[PlaceExample]:
    passed = Fraction(1)
    for number, level in enumerate(windows.levels):
        left, low, across, up = max(level.rectangles, key=lambda box: box[2] * box[3])
        near = passed * level.truth
        places: tuple[tuple[Literal["middle", "edge"], int], ...] = (
            ("middle", left + across // 2),
            ("edge", left + across - 1),
        )
        for where, column in places:
            row = low + up // 2
            window = level.window_at(column, row)
            # Places of earlier levels lie in no window of this one.
            anywhere = passed * (1 - level.truth) * level.share_of((window,))
            yield PlaceExample(
                where=where,
                level=number,
                column=column,
                row=row,
                window=window,
                near=near,
                inside=near + anywhere,
            )
        passed = near
    if windows.exact_outside:
        area = windows.area
        is_sensitive = painted(
            [box for level in windows.levels for box in level.rectangles], area.columns, area.rows
        )
        # The last free cell of the middle row that has one.
        rows = sorted(range(area.rows), key=lambda row: abs(row - area.rows // 2))
        row = next(row for row in rows if not is_sensitive[row].all())
        column = int(np.flatnonzero(~is_sensitive[row])[-1])
        yield PlaceExample(
            where="outside", level=None, column=column, row=row, window=None, near=passed, inside=passed
        )
