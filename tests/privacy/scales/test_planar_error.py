"""The error of a map is that of every cell by itself, from the exact weights of its reports."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.scales.area import Area
from privacy.scales.planar_mechanisms import levelled, utility_grid_response, utility_square
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Skipping, least_refusal
from tests.fixtures.planar_error import cell_errors, mean_square_error

MAP = Area(west=0, south=0, east=130_000, north=170_000, columns=13, rows=11)
BOXES = st.tuples(
    st.integers(0, 10), st.integers(0, 8), st.integers(1, 13), st.integers(1, 11)
).map(lambda box: (box[0], box[1], min(box[2], 13 - box[0]), min(box[3], 11 - box[1])))  # fmt: skip


def places_of(windows: PlanarWindowChannel) -> tuple[np.ndarray, np.ndarray]:
    """Where each report is read, and where each cell is, in metres; shape (cells, 2)."""
    area, cells = windows.area, range(windows.area.cells)
    width, height = area.cell_metres
    read = []
    for cell in cells:
        y, x = divmod(cell, area.columns)
        own = windows.level_of(cell)
        if own < len(windows.levels) and windows.levels[own].snap:
            left, low, across, up = windows.levels[own].window_at(x, y)
            x, y = left + (across - 1) / 2, low + (up - 1) / 2
        read.append((x * width, y * height))
    true = np.array([(cell % area.columns * width, cell // area.columns * height) for cell in cells])
    return np.array(read), true


def one_by_one(windows: PlanarWindowChannel) -> np.ndarray:
    """The error of each cell, from the exact weight of each report."""
    area = windows.area
    sent, true = places_of(windows)
    weights = (windows.weights.T / windows.total).astype(float)
    squares = ((sent[None, :, :] - true[:, None, :]) ** 2).sum(axis=2)
    found: np.ndarray = (weights * squares).sum(axis=1).reshape(area.rows, area.columns)
    return found


@pytest.mark.soak
@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(boxes=st.lists(BOXES, min_size=1, max_size=4), side=st.integers(1, 4))
def test_the_error_of_a_map_is_the_mean_of_its_cells_where_frames_compete(
    boxes: list[tuple[int, int, int, int]], side: int
) -> None:
    side = min(side, *(min(box[2:]) for box in boxes))
    windows = utility_square(MAP, boxes, 1.5, side=side)
    errors = one_by_one(windows)
    assert cell_errors(windows) == pytest.approx(errors, rel=1e-9)
    assert mean_square_error(windows) == pytest.approx(errors.mean(), rel=1e-9)


@pytest.mark.parametrize(
    "windows",
    [
        utility_square(MAP, [(0, 0, 13, 3), (5, 0, 3, 11)], 2.0, shape="equal_area", side=2),
        utility_grid_response(MAP, [(1, 1, 6, 4), (7, 3, 2, 6)], 2.0, tile=(2, 2)),
        levelled(MAP, [([(0, 0, 4, 4)], 1.0), ([(6, 0, 5, 5), (6, 5, 2, 6)], 2.0)]),
    ],
    ids=["rectangles", "tiles", "levels"],
)
def test_rectangles_tiles_and_levels_have_the_error_of_their_cells(windows: PlanarWindowChannel) -> None:
    errors = one_by_one(windows)
    assert cell_errors(windows) == pytest.approx(errors, rel=1e-9)
    assert mean_square_error(windows) == pytest.approx(errors.mean(), rel=1e-9)


def test_where_a_place_may_be_skipped_the_error_is_that_of_the_whole_channel() -> None:
    area = Area(west=0, south=0, east=70_000, north=60_000, columns=7, rows=5)
    windows = levelled(area, [([(0, 0, 3, 3)], 1.0), ([(4, 1, 2, 3)], 2.0)])
    skipping = Skipping(disguise=windows, refusal=least_refusal(windows))
    sent, true = places_of(windows)
    middle = true.mean(axis=0)
    squares = ((np.vstack([sent, middle])[:, None, :] - true[None, :, :]) ** 2).sum(axis=2)
    # The last output says "skipped", the last input skips.
    errors = (skipping.channel.as_array()[:, :-1] * squares).sum(axis=0).reshape(5, 7)
    assert cell_errors(windows, skipping=skipping) == pytest.approx(errors, rel=1e-9)
    assert mean_square_error(windows, skipping=skipping) == pytest.approx(errors.mean(), rel=1e-9)
