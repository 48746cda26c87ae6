import json
from dataclasses import asdict, replace
from itertools import product

import numpy as np
import pytest

from privacy.scales.area import DEGREE, Area
from tests.fixtures.refusals import refused

TOWN = Area(west=1_187_000_000, south=320_000_000, east=1_187_100_000, north=320_080_000, columns=10, rows=8)


def test_cells_have_about_the_requested_size() -> None:
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
def test_invalid_cell_sizes_are_rejected(bad: float) -> None:
    with refused("area"):
        Area.of_cell_size(west=0, south=0, east=1, north=1, metres=bad)
    with refused("area"):
        Area.of_cell_size(west=float("nan"), south=0, east=1, north=1, metres=10)


CELLS = list(product(range(2, 9), range(1, 6)))


def test_a_map_may_reach_80_degrees_and_no_further() -> None:
    ends = {"south": -80 * DEGREE, "north": 80 * DEGREE}
    assert replace(TOWN, **ends).rows == TOWN.rows
    for name, end in ends.items():
        with refused("latitude"):
            replace(TOWN, **ends | {name: end + (1 if end > 0 else -1)})


def test_numbers_of_an_array_are_stored_as_plain_numbers() -> None:
    """JSON has no NumPy numbers."""
    given = dict(
        zip(
            ("west", "south", "east", "north", "columns", "rows"), np.array([0, 0, 90, 80, 4, 3]), strict=True
        )
    )
    assert json.loads(json.dumps(asdict(Area(**given)))) == {
        name: int(number) for name, number in given.items()
    }
