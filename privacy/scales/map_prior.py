"""Public prior of places: weights of points and rectangles, as weights of a map's cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.scales.area import DEGREE, Area

__all__ = ["HEAVIEST", "LIMITS", "MOST_ROWS", "POINT", "RECTANGLE", "prior_of"]

MOST_ROWS: Final = 10_000
POINT: Final = ("longitude", "latitude", "weight")
RECTANGLE: Final = ("west", "south", "east", "north", "weight")
LIMITS: Final[Mapping[str, int]] = {
    "longitude": 180,
    "west": 180,
    "east": 180,
    "latitude": 90,
    "south": 90,
    "north": 90,
}
HEAVIEST: Final = 1e12
_TRACE: Final = 1e-12


def prior_of(area: Area, rows: object) -> Array:
    """Return the weights of the cells, shape (rows, columns).

    Parameters
    ----------
    area : Area
    rows : sequence of (longitude, latitude, weight) or (west, south, east, north, weight)
        In degrees, at most 10,000. A point's weight goes to its cell; that of a rectangle is spread evenly
        over the part of it that lies in the area.

    Raises
    ------
    PrivacyError
        ``prior``: naming row and column. Rows count from 1.

    Notes
    -----
    Public knowledge, or an estimate of an earlier disguised survey. Weights that come from the answers that
    are to be disguised would tell of them through the window that they choose.

    Examples
    --------
    Two cells by one; a point in the second, and a rectangle over half of the first and all of the second:

    >>> area = Area(west=0, south=0, east=20_000_000, north=10_000_000, columns=2, rows=1)
    >>> prior_of(area, [(1.5, .5, 1), (.5, 0, 2, 1, 3)]).tolist()
    [[1.0, 3.0]]
    """
    entries = validation.listed(rows, "prior", code="prior")
    if not 1 <= len(entries) <= MOST_ROWS:
        raise PrivacyError("prior.rows", len(entries), most=f"{MOST_ROWS:,}")
    prior = np.zeros((area.rows, area.columns))
    boxes = []
    for number, row in enumerate(entries, start=1):
        corners, weight = _checked(area, number, row)
        if len(corners) == 2:
            prior.flat[area.cell_of(longitude=corners[0], latitude=corners[1])] += weight
        else:
            boxes.append((*corners, weight))
    if boxes:
        prior += _spread(area, np.array(boxes))
    if not prior.any():
        raise PrivacyError("prior.zero", (1, "weight"))
    return prior


def _checked(area: Area, number: int, row: object) -> tuple[tuple[int, ...], float]:
    """Return the corners of a row in 10^-7 degrees, and its weight."""
    entries = validation.listed(row, f"row {number}", code="prior")
    names = {len(POINT): POINT, len(RECTANGLE): RECTANGLE}.get(len(entries))
    if names is None:
        raise PrivacyError(
            "prior.entries",
            (number, len(entries)),
            number=number,
            count=len(entries),
            point=", ".join(POINT),
            rectangle=", ".join(RECTANGLE),
        )
    *degrees, weight = (_number(number, name, entry) for name, entry in zip(names, entries, strict=True))
    corners = tuple(round(DEGREE * value) for value in degrees)
    if names == POINT:
        _refuse_outside(area, number, (corners[0], corners[0], corners[1], corners[1]))
        return corners, weight
    west, south, east, north = corners
    for low, high, low_name, other in ((west, east, "west", "east"), (south, north, "south", "north")):
        if low >= high:
            raise PrivacyError(
                "prior.order",
                (number, low_name),
                number=number,
                one=low_name,
                low=low / DEGREE,
                other=other,
                high=high / DEGREE,
            )
    _refuse_outside(area, number, (west, east, south, north))
    return corners, weight


def _number(row: int, name: str, value: object) -> float:
    low, high = (-LIMITS[name], LIMITS[name]) if name in LIMITS else (0, HEAVIEST)
    try:
        return validation.real_number(value, name, low=low, high=high, code="prior")
    except PrivacyError as error:
        raise PrivacyError(
            "prior.cell", (row, name), row=row, message=error.message, remedy=error.remedy
        ) from error


def _refuse_outside(area: Area, number: int, edges: Sequence[int]) -> None:
    west, east, south, north = edges
    # A point on the last edge belongs to the last cell; a rectangle has to share more than an edge.
    across = min(east, area.east) - max(west, area.west)
    up = min(north, area.north) - max(south, area.south)
    if min(across, up) < 0 or (west < east and min(across, up) == 0):
        raise PrivacyError("prior.outside", (number, "longitude"), number=number)


def _spread(area: Area, boxes: Array) -> Array:
    """Spread weights over rectangles (west, south, east, north, weight), however many and however large.

    How much of each column (or row) a rectangle covers changes at four places at most, so a rectangle is
    sixteen entries in a table of differences.
    """
    weights = boxes[:, 4]
    across, wide = _steps(boxes[:, 0], boxes[:, 2], area.west, area.east, area.columns)
    up, high = _steps(boxes[:, 1], boxes[:, 3], area.south, area.north, area.rows)
    table = np.zeros((area.rows + 1, area.columns + 1))
    for row, rise in up:
        for column, step in across:
            np.add.at(table, (row, column), rise * step * weights / (wide * high))
    sums = table.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]
    # Running sums leave a trace of rounding where nothing lies.
    sums[sums < weights.max() * _TRACE] = 0
    return sums


def _steps(
    begin: Array, end: Array, low: int, high: int, count: int
) -> tuple[list[tuple[Whole, Array]], Array]:
    """Return where the covered part of cells changes and by how much, and how many cells are covered."""
    start = (np.maximum(begin, low).astype(np.int64) - low) * count
    stop = (np.minimum(end, high).astype(np.int64) - low) * count
    first, last = start // (high - low), -(-stop // (high - low)) - 1
    left, right = start / (high - low), stop / (high - low)
    several = last > first
    entering = np.minimum(right, first + 1) - left
    leaving = np.where(several, right - last, 0)
    whole = several.astype(np.float64)
    steps = [(first, entering), (first + 1, whole - entering), (last, leaving - whole), (last + 1, -leaving)]
    return steps, right - left
