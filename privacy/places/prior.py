"""Where people are known to be beforehand: weights of points and rectangles, as weights of a map's cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.disguise.area import DEGREE, Area
from privacy.errors import DesignError

__all__ = ["HEAVIEST", "LIMITS", "MOST_ROWS", "POINT", "RECTANGLE", "prior_of"]

Array: TypeAlias = NDArray[np.float64]

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
    DesignError
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
    given = validation.listed(rows, "prior", code="prior", error=DesignError)
    if not 1 <= len(given) <= MOST_ROWS:
        raise DesignError(
            "prior", f"a prior of {len(given)} rows", len(given), f"give 1 to {MOST_ROWS:,} rows"
        )
    found = np.zeros((area.rows, area.columns))
    for number, row in enumerate(given, start=1):
        _add(found, area, number, row)
    if not found.any():
        raise DesignError(
            "prior", "all weights are 0", (1, "weight"), "give at least one row a weight above 0"
        )
    return found


def _add(found: Array, area: Area, number: int, row: object) -> None:
    cells = validation.listed(row, f"row {number}", code="prior", error=DesignError)
    names = {len(POINT): POINT, len(RECTANGLE): RECTANGLE}.get(len(cells))
    if names is None:
        raise DesignError(
            "prior",
            f"row {number} has {len(cells)} entries",
            (number, len(cells)),
            f"give {', '.join(POINT)}, or {', '.join(RECTANGLE)}",
        )
    values = {name: _number(number, name, cell) for name, cell in zip(names, cells, strict=True)}
    weight = values.pop("weight")
    if names == POINT:
        longitude, latitude = (round(DEGREE * value) for value in values.values())
        _refuse_outside(area, number, (longitude, longitude, latitude, latitude))
        cell = area.cell_of(longitude=longitude, latitude=latitude)
        found.flat[cell] += weight
        return
    west, south, east, north = (round(DEGREE * value) for value in values.values())
    for low, high, one, other in ((west, east, "west", "east"), (south, north, "south", "north")):
        if low >= high:
            raise DesignError(
                "prior",
                f"row {number}: {one} {low / DEGREE} is not below {other} {high / DEGREE}",
                (number, one),
                f"give {one} below {other}",
            )
    _refuse_outside(area, number, (west, east, south, north))
    across = _lengths(west, east, area.west, area.east, area.columns)
    up = _lengths(south, north, area.south, area.north, area.rows)
    here = np.ix_(up[0], across[0])
    share = up[1][:, None] * across[1][None, :]
    found[here] += weight * share / share.sum()


def _number(row: int, name: str, value: object) -> float:
    low, high = (-LIMITS[name], LIMITS[name]) if name in LIMITS else (0, HEAVIEST)
    try:
        return validation.real_number(value, name, low=low, high=high, code="prior", error=DesignError)
    except DesignError as refusal:
        raise DesignError("prior", f"row {row}: {refusal.message}", (row, name), refusal.remedy) from refusal


def _refuse_outside(area: Area, number: int, edges: Sequence[int]) -> None:
    west, east, south, north = edges
    # A point on the last edge belongs to the last cell; a rectangle has to share more than an edge.
    across = min(east, area.east) - max(west, area.west)
    up = min(north, area.north) - max(south, area.south)
    if min(across, up) < 0 or (west < east and min(across, up) == 0):
        raise DesignError(
            "prior",
            f"row {number} lies outside the area",
            (number, "longitude"),
            "take it out, or enlarge the map",
        )


def _lengths(begin: int, end: int, low: int, high: int, count: int) -> tuple[NDArray[np.int64], Array]:
    """The cells that an edge crosses, and the length in each."""
    begin, end = max(begin, low), min(end, high)
    first = min((begin - low) * count // (high - low), count - 1)
    last = max(first + 1, -(-(end - low) * count // (high - low)))
    cells = np.arange(first, last)
    edges = low + np.arange(first, last + 1) * ((high - low) / count)
    lengths: Array = np.diff(np.clip(edges, begin, end))
    return cells, lengths
