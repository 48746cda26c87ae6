"""The mean of disguised places: its largest bias, its intervals, and what it refuses."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from privacy.scales.area import Area
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_mean import MeanPlace, mean_place
from privacy.scales.planar_mechanisms import grid_response, square_mechanism, utility_square
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.scale_groups import scale_groups
from tests.fixtures.refusals import refused
from tests.privacy.scales.test_region_share import MAPS, TOWN
from tests.statistics import binomial_range


def _truth(windows: PlanarWindowChannel, shares: np.ndarray) -> tuple[float, float]:
    """Return the mean place in metres from the south-western corner."""
    width, height = windows.area.cell_metres
    columns, rows = windows.area.columns, windows.area.rows
    return (
        float(shares.sum(axis=0) @ (np.arange(columns) + 0.5)) * width,
        float(shares.sum(axis=1) @ (np.arange(rows) + 0.5)) * height,
    )


def _in_metres(windows: PlanarWindowChannel, found: MeanPlace) -> tuple[float, float]:
    area = windows.area
    return (
        (found.longitude.value - area.west / 1e7) * 1e7 / (area.east - area.west) * area.metres[0],
        (found.latitude.value - area.south / 1e7) * 1e7 / (area.north - area.south) * area.metres[1],
    )


@pytest.mark.parametrize("name", [name for name in MAPS if len(MAPS[name].levels) == 1])
def test_the_reported_mean_offset_is_the_exact_maximum(name: str) -> None:
    windows = MAPS[name]
    channel = windows.channel.as_array()
    off = []
    for cell in range(windows.inputs):
        found = mean_place(windows, scale_groups(windows, channel[:, cell] * 1e6))
        true = np.zeros((windows.area.rows, windows.area.columns))
        true.flat[cell] = 1
        off.append(np.subtract(_in_metres(windows, found), _truth(windows, true)))
        told = (found.off_east, found.off_north)
    assert np.abs(off).max(axis=0) == pytest.approx(told, rel=1e-6, abs=1e-3)


TOWNS = {"corner": (0, 0), "border": (0, 10), "one town inside": (13, 7)}


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("name", TOWNS)
@pytest.mark.parametrize(
    "windows",
    [
        square_mechanism(TOWN, 2.0),
        square_mechanism(TOWN, 4.0, side=1),
        grid_response(TOWN, 2.0, tile=(7, 7)),
        utility_square(TOWN, [(0, 0, 9, 12)], 2.0, side=4),
    ],
    ids=["square", "cells", "uneven tiles", "areas"],
)
@pytest.mark.few("square-corner", "areas-one town inside", why="the farthest corner and the smallest area")
def test_intervals_of_the_mean_place_cover_the_truth(windows: PlanarWindowChannel, name: str) -> None:
    shares = np.zeros((20, 20))
    column, row = TOWNS[name]
    shares[row : row + 2, column : column + 2] = 0.25
    truth = _truth(windows, shares)
    sent = Operator(windows).forward(shares).ravel()
    rng = np.random.default_rng(11)
    held = np.zeros(2, dtype=int)
    runs = rng.multinomial(1000, sent / sent.sum(), size=400)
    for counts in runs:
        found = mean_place(windows, scale_groups(windows, counts))
        held += np.abs(np.subtract(_in_metres(windows, found), truth)) <= found.reach
    low, high = binomial_range(400, 0.95)
    assert (held >= low).all()
    exact = mean_place(windows, scale_groups(windows, sent * 1e6))
    if exact.off_east == 0:
        assert (held <= high).all()
        assert _in_metres(windows, exact) == pytest.approx(truth, abs=1e-2)


def test_uninformative_answers_have_no_mean_place() -> None:
    level = replace(square_mechanism(TOWN, 1.0).levels[0], frames=((0, 0, 20, 20, 20, 20),))
    silent = PlanarWindowChannel(mechanism="sm", area=TOWN, levels=(level,))
    with refused("says_nothing"):
        mean_place(silent, scale_groups(silent, np.ones(400)))


def test_a_mean_place_is_estimable_and_names_its_rows() -> None:
    grid = PlanarWindowChannel(
        mechanism="grid",
        area=Area(west=0, south=0, east=2_000, north=1_000, columns=2, rows=1),
        levels=(
            PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),)),
        ),
    )
    point = mean_place(grid, scale_groups(grid, [30, 10]))
    for coordinate in (point.longitude, point.latitude):
        assert (coordinate.estimable, coordinate.n, coordinate.effective_n) == (True, 40, 40.0)


def test_errors_reach_and_shifts_are_in_metres() -> None:
    """A degree is 60 km to the east and 110 km to the north."""

    def coordinate(error: float | None, low: float, high: float, shift: float | None) -> Any:
        return SimpleNamespace(standard_error=error, low=low, high=high, shift=shift)

    found = MeanPlace(
        longitude=coordinate(0.5, 10, 12, 0.1), latitude=coordinate(0.25, 50, 50.5, 0.02),
        off_east=0, off_north=0, metres=(60_000, 110_000),
    )  # fmt: skip
    assert found.errors == (30_000, 27_500)
    assert found.reach == (60_000, 27_500)
    assert found.shifts == pytest.approx((6_000, 2_200))
    nothing = replace(found, longitude=coordinate(None, 10, 12, None))
    assert (nothing.errors, nothing.shifts) == ((0, 27_500), pytest.approx((0, 2_200)))
