from __future__ import annotations

import math
from dataclasses import replace

import pytest

from privacy.scales.area import DEGREE, Area
from tests.cast.refusals import refused

TOWN = Area(west=1_187_000_000, south=320_000_000, east=1_187_100_000, north=320_080_000, columns=10, rows=8)


def test_cells_are_half_open_and_points_outside_belong_to_the_nearest_cell() -> None:
    assert TOWN.cell_of(longitude=TOWN.west, latitude=TOWN.south) == 0
    assert TOWN.cell_of(longitude=TOWN.west + 9_999, latitude=TOWN.south) == 0
    assert TOWN.cell_of(longitude=TOWN.west + 10_000, latitude=TOWN.south + 10_000) == 11
    assert TOWN.cell_of(longitude=TOWN.east, latitude=TOWN.north) == 79
    assert TOWN.cell_of(longitude=-180 * DEGREE, latitude=90 * DEGREE) == 70


@pytest.mark.parametrize(
    ("half_km", "latitude", "percent"),
    [(10, 32, 0.10), (25, 32, 0.25), (50, 32, 0.50), (10, 40.7, 0.14), (25, 40.7, 0.34), (50, 40.7, 0.68),
     (10, 60, 0.27), (25, 60, 0.69), (50, 60, 1.38)],
)  # fmt: skip
def test_the_projection_is_as_wrong_at_its_edge_as_worked_out_by_hand(
    half_km: int, latitude: float, percent: float
) -> None:
    half = half_km * 1000 / (6_371_008.8 * math.pi / 180)
    area = Area.of_cell_size(west=0, south=latitude - half, east=1, north=latitude + half, metres=1000)
    # The hand's figures are those of the northern edge, to first and second order; ours is the larger edge.
    assert area.distortion == pytest.approx(percent / 100, abs=2e-4)


def test_cells_have_about_the_size_that_was_asked_for() -> None:
    area = Area.of_cell_size(west=118.70, south=32.00, east=118.72, north=32.02, metres=50)
    assert area.cell_metres == pytest.approx((50, 50), rel=0.02)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"west": 1_799_000_000, "east": -1_799_000_000}, "antimeridian"),
        ({"west": 1_187_100_000}, "antimeridian"),
        ({"south": 320_080_000}, "area"),
        ({"north": 801_000_000}, "latitude"),
        ({"south": -801_000_000}, "latitude"),
        ({"north": 901_000_000}, "area"),
        ({"west": 118.7}, "area"),
        ({"columns": 1_001, "rows": 1_000}, "too_large"),
        ({"columns": 0}, "too_large"),
        ({"columns": 1, "rows": 1}, "too_large"),
    ],
)
def test_an_area_that_cannot_be_mapped_is_refused(changes: dict[str, int], code: str) -> None:
    with refused(code):
        replace(TOWN, **changes)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 0.0, -5.0, "10"])
def test_a_cell_size_that_is_none_is_refused(bad: float) -> None:
    with refused("area"):
        Area.of_cell_size(west=0, south=0, east=1, north=1, metres=bad)
    with refused("area"):
        Area.of_cell_size(west=float("nan"), south=0, east=1, north=1, metres=10)


def test_a_point_that_is_not_on_the_globe_is_refused() -> None:
    for longitude, latitude in ((1_800_000_001, 0), (0, 900_000_001), (0.5, 0)):
        with refused("answer"):
            TOWN.cell_of(longitude=longitude, latitude=latitude)
