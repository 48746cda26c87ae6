"""Rectangles of a map in degrees and in cells, converted both ways, and the middle of a square."""

from __future__ import annotations

from collections.abc import Mapping

from privacy import validation
from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, Area
from privacy.scales.planar_rectangles import (
    Box,
)

EDGES = ("west", "south", "east", "north")


_LIMITS = {"west": 180, "east": 180, "south": 90, "north": 90}


def cells_of(area: Area, rectangle: object) -> Box:
    """Return the cells that a rectangle in degrees touches: a cell that is partly sensitive is sensitive.

    Parameters
    ----------
    area : Area
    rectangle : mapping
        ``west``, ``south``, ``east``, ``north`` in degrees. Parts outside the area are cut off.

    Raises
    ------
    PrivacyError
        ``rectangle``: an edge is missing or not a number, edges are in the wrong order, or the rectangle is
        smaller than a cell or outside the area.

    Examples
    --------
    >>> area = Area(west=0, south=0, east=100_000, north=100_000, columns=10, rows=10)
    >>> cells_of(area, {"west": .0015, "south": .002, "east": .0041, "north": .005})
    (1, 2, 4, 3)
    """
    if not isinstance(rectangle, Mapping) or set(rectangle) != set(EDGES):
        raise PrivacyError("rectangle.edges", rectangle)
    edges = {
        name: round(
            DEGREE
            * validation.real_number(
                rectangle[name], f"{name} edge", low=-limit, high=limit, code="rectangle"
            )
        )
        for name, limit in _LIMITS.items()
    }
    x, width = _span(edges["west"], edges["east"], area.west, area.east, area.columns, rectangle)
    y, height = _span(edges["south"], edges["north"], area.south, area.north, area.rows, rectangle)
    return x, y, width, height


def _span(begin: int, end: int, low: int, high: int, count: int, rectangle: object) -> tuple[int, int]:
    if begin >= end:
        raise PrivacyError("rectangle.order", rectangle)
    if end <= low or begin >= high:
        raise PrivacyError("rectangle.outside", rectangle)
    if (end - begin) * count < high - low:
        raise PrivacyError("rectangle.small", rectangle)
    begin, end = max(begin, low), min(end, high)
    first = (begin - low) * count // (high - low)
    last = -(-(end - low) * count // (high - low))
    return first, last - first


def degrees_of(area: Area, box: Box) -> dict[str, float]:
    """Return the edges of a rectangle of cells, in degrees.

    Parameters
    ----------
    area : Area
        The map.
    box : Box
        First column, first row, columns, rows, in cells.

    Examples
    --------
    >>> area = Area(west=0, south=0, east=100_000, north=100_000, columns=10, rows=10)
    >>> degrees_of(area, (1, 2, 4, 3))
    {'west': 0.001, 'south': 0.002, 'east': 0.005, 'north': 0.005}
    """
    across, up = (area.east - area.west) / area.columns, (area.north - area.south) / area.rows
    x, y, width, height = box
    return {
        "west": (area.west + x * across) / DEGREE,
        "south": (area.south + y * up) / DEGREE,
        "east": (area.west + (x + width) * across) / DEGREE,
        "north": (area.south + (y + height) * up) / DEGREE,
    }


def middle_in(area: Area, column: int, row: int, side: int) -> tuple[float, float]:
    """Return longitude and latitude of the middle of a square of cells, cut off at the map's edge.

    Parameters
    ----------
    area : Area
        The map.
    column, row : int
        Cell in the south-west corner of the square.
    side : int
        Cells along each side.

    Examples
    --------
    >>> area = Area(west=0, south=0, east=100_000, north=100_000, columns=10, rows=10)
    >>> middle_in(area, 1, 2, 4), middle_in(area, 8, 8, 4)
    ((0.003, 0.004), (0.009, 0.009))
    """
    across = column + (min(column + side, area.columns) - column) / 2
    up = row + (min(row + side, area.rows) - row) / 2
    return (
        (area.west + across * (area.east - area.west) / area.columns) / DEGREE,
        (area.south + up * (area.north - area.south) / area.rows) / DEGREE,
    )
