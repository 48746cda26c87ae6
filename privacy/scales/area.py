"""The area of a place question on the globe, and its cells."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Final

from privacy import validation
from privacy.errors import PrivacyError

DEGREE: Final = 10**7
"""Coordinates are whole numbers of 10^-7 degrees, about a centimetre."""

EARTH_RADIUS: Final = 6_371_008.8
"""Mean radius in metres."""

MOST_MAP_CELLS: Final = 1_000_000
HIGHEST_LATITUDE: Final = 80 * DEGREE


@dataclass(frozen=True, kw_only=True)
class Area:
    """A rectangle in longitude and latitude, cut into columns and rows of cells.

    Parameters
    ----------
    west, south, east, north : int, 10^-7 degrees
        West must be below east: an area across the antimeridian is an error, and so is one beyond 80 degrees.
    columns, rows : int
        At most a million cells in all. Row 0 is in the south, column 0 in the west; the cell of column i and
        row j has the number j columns + i.

    Raises
    ------
    PrivacyError
        With codes ``area``, ``antimeridian``, ``latitude``, ``too_large``.

    Notes
    -----
    Longitude and latitude are mapped to a plane by the equirectangular projection about the middle of the
    area,

        x = R cos(lat0) (lon - lon0),   y = R (lat - lat0),

    which is linear: cells are equal in degrees and in metres, and a device needs only integers. At the upper
    edge, lengths from east to west are wrong by about tan(lat0) times half the height over R.

    Examples
    --------
    >>> area = Area(west=-740_000_000, south=406_000_000, east=-739_000_000, north=407_000_000,
    ...             columns=100, rows=100)
    >>> area.cells, [round(side) for side in area.cell_metres]
    (10000, [84, 111])
    """

    west: int
    south: int
    east: int
    north: int
    columns: int
    rows: int

    def __post_init__(self) -> None:
        for name, limit in (("west", 180), ("east", 180), ("south", 90), ("north", 90)):
            number = validation.whole_number(
                getattr(self, name), f"{name} edge", low=-limit * DEGREE, high=limit * DEGREE, code="area"
            )
            object.__setattr__(self, name, number)
        if self.west >= self.east:
            raise PrivacyError("antimeridian", self.west, west=self.west / DEGREE, east=self.east / DEGREE)
        if self.south >= self.north:
            raise PrivacyError(
                "area.latitudes", self.south, south=self.south / DEGREE, north=self.north / DEGREE
            )
        if self.north > HIGHEST_LATITUDE or self.south < -HIGHEST_LATITUDE:
            raise PrivacyError("latitude", self.north, south=self.south / DEGREE, north=self.north / DEGREE)
        for name in ("columns", "rows"):
            number = validation.whole_number(
                getattr(self, name), name, low=1, high=MOST_MAP_CELLS, code="too_large"
            )
            object.__setattr__(self, name, number)
        if not 2 <= self.cells <= MOST_MAP_CELLS:
            raise PrivacyError("too_large.area", self.cells, most=MOST_MAP_CELLS)

    @classmethod
    def of_cell_size(cls, *, west: float, south: float, east: float, north: float, metres: float) -> Area:
        """Return the area with these edges, in degrees, divided into cells of about `metres` by `metres`."""
        metres = validation.real_number(
            metres, "cell size in metres", low=0, high=1e7, open_ends=True, code="area"
        )
        edges = {
            name: round(
                DEGREE * validation.real_number(value, f"{name} edge", low=-180, high=180, code="area")
            )
            for name, value in (("west", west), ("south", south), ("east", east), ("north", north))
        }
        whole = cls(**edges, columns=2, rows=1)
        across, up = whole.metres
        columns, rows = max(1, round(across / metres)), max(1, round(up / metres))
        return cls(**edges, columns=columns, rows=rows)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.columns * self.rows

    @property
    def metres(self) -> tuple[float, float]:
        """Width and height on the plane of the projection."""
        middle = math.radians((self.south + self.north) / (2 * DEGREE))
        degree = EARTH_RADIUS * math.pi / 180 / DEGREE
        return (self.east - self.west) * degree * math.cos(middle), (self.north - self.south) * degree

    @property
    def cell_metres(self) -> tuple[float, float]:
        """Width and height of one cell."""
        width, height = self.metres
        return width / self.columns, height / self.rows

    def to_json(self) -> dict[str, int]:
        """Return the area as plain data for JSON."""
        return asdict(self)
