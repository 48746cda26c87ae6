"""Weights of points and rectangles become weights of cells; refusals name row and column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.map_prior import prior_of
from privacy.scales.place_specification import stated_place
from privacy.scales.planar_mechanisms import levelled, utility_square
from privacy.scales.planar_report_error import map_error

MAP = Area(west=0, south=0, east=40_000_000, north=20_000_000, columns=4, rows=2)


def test_a_point_weighs_on_its_cell_and_a_rectangle_on_what_it_covers() -> None:
    found = prior_of(MAP, [(3.5, 1.5, 2), (3.9, 1.1, 1), (0, 0, 2, 1, 10), (4, 2, 5)])
    assert found.tolist() == [[5, 5, 0, 0], [0, 0, 0, 8]]


def test_a_rectangle_spreads_by_area_and_only_over_the_map() -> None:
    # Half of the first column's lower cell, all of the second's, nothing of what lies in the west.
    found = prior_of(MAP, [(0.5, -3, 2, 1, 3), (-9, 1, 1, 2, 1)])
    assert found == pytest.approx(np.array([[1, 2, 0, 0], [1, 0, 0, 0]]))


def test_a_rectangle_finer_than_a_cell_lies_in_its_cell() -> None:
    assert prior_of(MAP, [(2.1, 1.1, 2.2, 1.2, 7)])[1].tolist() == [0, 0, 7, 0]


def test_many_rectangles_spread_as_each_by_itself() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for west, south, width, height in rng.uniform((0, 0, 0.01, 0.01), (3.9, 1.9, 5, 3), size=(40, 4)):
        rows.append((west, south, west + width, south + height, float(rng.integers(5)) + 0.5))
    found = prior_of(MAP, rows)
    expected = np.zeros((2, 4))
    for west, south, east, north, weight in rows:
        across = [max(0, min(east, column + 1, 4) - max(west, column)) for column in range(4)]
        up = [max(0, min(north, row + 1, 2) - max(south, row)) for row in range(2)]
        expected += weight * np.outer(up, across) / np.outer(up, across).sum()
    # Corners are rounded to 10^-7 degrees.
    assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "a prior of 0 rows"),
        ("1,2,3", "prior = '1,2,3'"),
        ([[1, 1, 1], [1, 1]], "row 2 has 2 entries"),
        ([[1, 1, -1]], "row 1: weight = -1"),
        ([[1, 1, float("nan")]], "row 1: weight"),
        ([[1, "x", 1]], "row 1: latitude"),
        ([[200, 1, 1]], "row 1: longitude"),
        ([[1, 1, 1], [9, 1, 1]], "row 2 lies outside the area"),
        ([[4, 0, 5, 1, 1]], "row 1 lies outside the area"),
        ([[2, 0, 1, 1, 1]], "row 1: west 2.0 is not below east 1.0"),
        ([[1, 1, 0]], "all weights are 0"),
    ],
)
def test_what_is_no_prior_is_refused_by_row_and_column(rows: Any, said: str) -> None:
    with pytest.raises(PrivacyError) as caught:
        prior_of(MAP, rows)
    assert caught.value.code == "prior"
    assert said in caught.value.message
    assert caught.value.remedy


TOWN = Area.of_cell_size(west=118.70, south=32.00, east=118.72, north=32.02, metres=50)
PLACES = [(4, 4, 16, 20), (24, 25, 12, 12)]


def test_levels_take_the_windows_that_serve_the_prior() -> None:
    prior = np.zeros((TOWN.rows, TOWN.columns))
    prior[10:12, 10:12] = 1
    levels = [(PLACES[:1], 2.0), (PLACES[1:], 3.0)]
    own, uniform = levelled(TOWN, levels, prior=prior), levelled(TOWN, levels)
    # By the map that answers make, which is what windows are chosen for.
    assert map_error(own, prior) < map_error(uniform, prior)
    # Nothing of the prior comes as far as the second level, which is then as without one.
    assert own.levels[1] == uniform.levels[1]


def test_a_statement_with_a_prior_is_the_mechanism_with_its_weights() -> None:
    stated = {
        "mechanism": "utility_square",
        "epsilon": 2,
        "cell": 50,
        "area": {"west": 118.70, "south": 32.00, "east": 118.72, "north": 32.02},
        "sensitive": [{"west": 118.702, "south": 32.002, "east": 118.712, "north": 32.012}],
    }
    rows = [[118.707, 32.007, 3], [118.7065, 32.0065, 118.7075, 32.0075, 4]]
    with_prior = stated_place({**stated, "prior": rows}).disguise
    boxes = with_prior.levels[0].rectangles
    assert with_prior.levels == utility_square(TOWN, boxes, 2.0, prior=prior_of(TOWN, rows)).levels
    assert with_prior.levels != stated_place(stated).disguise.levels
