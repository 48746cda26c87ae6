"""From a map and an epsilon to windows: exact errors, the best side, and clear refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.disguise.area import Area
from privacy.disguise.cells import painted
from privacy.disguise.windows import Windows
from privacy.epsilon import amplification_below
from privacy.errors import DesignError, ParameterError
from privacy.places.accuracy import cell_errors, mean_square_error
from privacy.places.mechanisms import (
    grid_response,
    levelled,
    sensitive_cells,
    square_mechanism,
    utility_grid_response,
    utility_square,
)
from privacy.places.proposals import proposals, share_worse_than
from tests.privacy.refusals import refused
from tests.vectors.lone_designs import PLACES

HALF = 1000 / (6_371_008.8 * math.pi / 180)
"""Degrees to a kilometre."""


def square_map(cells: int) -> Area:
    """A map of 2 km by 2 km at the equator."""
    return Area.of_cell_size(west=-HALF, south=-HALF, east=HALF, north=HALF, metres=2000 / cells)


TOWN = square_map(100)
MIDDLE = [(25, 25, 50, 50)]


def _by_hand(windows: Windows) -> np.ndarray:
    """The error of each cell from the exact channel; on a lattice outputs are read as their tile's middle."""
    area = windows.area
    width, height = area.cell_metres
    channel = windows.channel.as_array()
    x, y = np.arange(area.cells) % area.columns, np.arange(area.cells) // area.columns
    sent_x, sent_y = x.astype(float), y.astype(float)
    for level in windows.levels:
        if level.snap:
            for cell in range(area.cells):
                if level.holds(int(x[cell]), int(y[cell])):
                    left, low, across, up = level.window_at(int(x[cell]), int(y[cell]))
                    sent_x[cell], sent_y[cell] = left + (across - 1) / 2, low + (up - 1) / 2
    # A cell outside the lattice is not moved to a tile's middle.
    squares = ((sent_x[:, None] - x[None, :]) * width) ** 2 + ((sent_y[:, None] - y[None, :]) * height) ** 2
    return (channel * squares).sum(axis=0).reshape(area.rows, area.columns)


@pytest.mark.parametrize("name", PLACES)
def test_the_error_of_every_cell_is_that_of_the_exact_channel(name: str) -> None:
    windows = PLACES[name].blocks[0].disguise
    assert isinstance(windows, Windows)
    assert cell_errors(windows) == pytest.approx(_by_hand(windows), rel=1e-9)


@pytest.mark.parametrize(("epsilon", "error"), [(2, 660479.1), (5, 165985.1), (8, 36578.6)])
def test_on_fine_cells_the_square_mechanism_has_the_error_of_the_plane(epsilon: float, error: float) -> None:
    assert mean_square_error(square_mechanism(TOWN, epsilon)) == pytest.approx(error, rel=0.002)


@pytest.mark.parametrize(("epsilon", "error"), [(5, 37101), (8, 7646), (10, 2707)])
def test_on_fine_cells_the_utility_form_has_the_error_of_the_plane(epsilon: float, error: float) -> None:
    windows = utility_square(square_map(200), [(50, 50, 100, 100)], epsilon)
    assert mean_square_error(windows) == pytest.approx(error, rel=0.001)


@pytest.mark.parametrize(("epsilon", "tiles", "error"), [(5, 3, 142269), (8, 6, 33992), (10, 10, 12633)])
def test_randomised_response_on_the_best_tiles_has_the_error_of_the_table(
    epsilon: float, tiles: int, error: float
) -> None:
    windows = grid_response(square_map(120), epsilon)
    assert windows.levels[0].frames[0][4:] == (120 // tiles, 120 // tiles)
    # The table's places are anywhere in their cell, ours in its middle.
    inside = (2000 / 120) ** 2 / 6
    assert mean_square_error(windows) + inside == pytest.approx(error, rel=1e-4)


def test_no_side_beats_the_one_that_is_chosen() -> None:
    for epsilon in (1.0, 3.0, 6.0):
        chosen = mean_square_error(utility_square(TOWN, MIDDLE, epsilon))
        for side in range(1, 51, 7):
            assert chosen <= mean_square_error(utility_square(TOWN, MIDDLE, epsilon, side=side)) + 1e-6


def test_a_public_prior_changes_the_side_and_lowers_its_error() -> None:
    prior = np.zeros((100, 100))
    prior[48:52, 48:52] = 1
    uniform, own = utility_square(TOWN, MIDDLE, 3.0), utility_square(TOWN, MIDDLE, 3.0, prior=prior)
    assert mean_square_error(own, prior) < 0.9 * mean_square_error(uniform, prior)
    assert own.levels[0].window < uniform.levels[0].window


def test_windows_of_one_area_serve_a_strip_better() -> None:
    town, strip = square_map(200), [(0, 95, 200, 10)]
    squares, equal = utility_square(town, strip, 5.0), utility_square(town, strip, 5.0, shape="equal_area")
    assert mean_square_error(equal) < 0.25 * mean_square_error(squares)
    assert mean_square_error(equal) == pytest.approx(19630, rel=0.002)
    assert equal.levels[0].frames[0][5] == 10


def test_overlapping_rectangles_are_one_place_in_which_the_square_goes_anywhere() -> None:
    windows = utility_square(
        TOWN, [(0, 0, 100, 30), (0, 70, 100, 30), (0, 0, 30, 100), (70, 0, 30, 100)], 5.0, side=30
    )
    parts = [(0, 0, 100, 30), (0, 70, 100, 30), (0, 30, 30, 40), (70, 30, 30, 40)]
    level = windows.levels[0]
    apart = replace(windows, levels=(replace(level, frames=tuple((*box, 30, 30) for box in parts)),))
    assert {frame[:4] for frame in level.frames} == {
        (0, 0, 100, 30), (0, 70, 100, 30), (0, 0, 30, 100), (70, 0, 30, 100)
    }  # fmt: skip
    assert mean_square_error(windows) < mean_square_error(apart)
    whole = square_mechanism(TOWN, 5.0)
    # The frame in strips is worse than no utility form at all; anywhere in the union it is better.
    assert mean_square_error(windows) < 0.97 * mean_square_error(whole)


def test_each_level_has_its_own_epsilon() -> None:
    windows = levelled(TOWN, [([(0, 0, 20, 20)], 1.0), (MIDDLE, 3.0)])
    assert [level.amplification for level in windows.levels] == [
        amplification_below(1.0),
        amplification_below(3.0),
    ]


def test_proposals_come_with_the_best_first_and_comparisons_last() -> None:
    found = proposals(square_map(60), 5.0, [(15, 15, 30, 30)])
    errors = [proposal.root_mean_square_error for proposal in found[:-2]]
    assert errors == sorted(errors)
    assert [proposal.name for proposal in found[-2:]] == ["piecewise", "planar_laplace"]
    assert all(proposal.windows is None for proposal in found[-2:])
    by_name = {proposal.name: proposal for proposal in found}
    assert set(by_name) == {
        "square", "grid", "utility_square", "utility_square_equal_area", "utility_grid",
        "piecewise", "planar_laplace",
    }  # fmt: skip
    assert by_name["square"].protects_everywhere
    assert not by_name["utility_square"].protects_everywhere
    assert by_name["square"].root_mean_square_error == pytest.approx(407.4, rel=0.005)
    assert [proposal.name for proposal in proposals(square_map(60), 5.0)][:2] == ["grid", "square"]


def test_near_the_corners_of_a_rectangle_the_utility_form_is_less_accurate() -> None:
    whole, part = square_mechanism(TOWN, 5.0), utility_square(TOWN, MIDDLE, 5.0)
    assert share_worse_than(part, whole) == pytest.approx(0.0108)
    errors = cell_errors(part) / cell_errors(whole)
    assert errors[25, 25] > 1.3
    assert errors[50, 50] < 0.6
    with refused(DesignError, "area"):
        share_worse_than(part, square_mechanism(square_map(50), 10.0))


SMALL = Area(west=0, south=0, east=60_000, north=50_000, columns=6, rows=5)
boxes = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 4), st.integers(1, 4)).map(
        lambda box: (box[0], box[1], min(box[2], 6 - box[0]), min(box[3], 5 - box[1]))
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=25)
@given(boxes, st.floats(0.01, 20), st.sampled_from(["square", "equal_area"]))
def test_whatever_rectangles_are_drawn_the_bound_holds_exactly(
    rectangles: list, epsilon: float, shape: str
) -> None:
    windows = utility_square(SMALL, rectangles, epsilon, shape=shape)
    rho = amplification_below(epsilon)
    inside = painted(rectangles, 6, 5).ravel()
    for y in range(30):
        # Channel.amplification would be infinite: outside, only the true cell is sent.
        row = [Fraction(windows.weight(y, x), windows.total) for x in range(30)]
        if inside[y]:
            assert max(row) <= rho * min(row)
        else:
            assert [x for x in range(30) if row[x]] == [y]
    for x in range(30):
        assert sum(windows.weight(y, x) for y in range(30)) == windows.total


@pytest.mark.parametrize(
    ("make", "kind", "code"),
    [
        (lambda: square_mechanism(TOWN, 0.0), ParameterError, "epsilon"),
        (lambda: square_mechanism(TOWN, math.nan), ParameterError, "epsilon"),
        (lambda: utility_square(TOWN, MIDDLE, 25.0), ParameterError, "epsilon"),
        (lambda: utility_square(TOWN, [], 2.0), DesignError, "no_rectangle"),
        (lambda: utility_square(TOWN, [(90, 90, 20, 5)], 2.0), DesignError, "rectangle"),
        (lambda: utility_square(TOWN, [(10, 10, 0, 5)], 2.0), DesignError, "rectangle"),
        (lambda: utility_square(TOWN, [(10, 10, 5, 5)], 2.0, side=6), DesignError, "too_small"),
        (lambda: square_mechanism(TOWN, 2.0, side=101), DesignError, "too_small"),
        (lambda: grid_response(TOWN, 2.0, tile=(3, 5)), ParameterError, "tile"),
        (lambda: utility_grid_response(TOWN, [(0, 0, 10, 10), (13, 0, 10, 10)], 2.0, tile=(5, 5)),
         ParameterError, "tile"),
        (lambda: levelled(TOWN, [(MIDDLE, 1.0), ([], 2.0)]), DesignError, "no_rectangle"),
        (lambda: levelled(TOWN, [(MIDDLE, 1.0), ([(70, 70, 10, 10)], 2.0)]), DesignError, "overlap"),
        (lambda: sensitive_cells(TOWN, [(0, 0, 1)]), DesignError, "rectangle"),
        (lambda: mean_square_error(square_mechanism(TOWN, 2.0), np.ones((3, 3))), ParameterError, "prior"),
        (lambda: mean_square_error(square_mechanism(TOWN, 2.0), np.zeros((100, 100))), ParameterError,
         "prior"),
    ],
)  # fmt: skip
def test_what_makes_no_mechanism_is_refused(make, kind: type, code: str) -> None:
    with refused(kind, code):
        make()
