"""From a map and an epsilon to windows: exact errors, the best side, and refusals."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.channels import amplification_below
from privacy.scales.area import Area
from privacy.scales.planar_mechanisms import (
    best_of,
    build_levels,
    grid_response,
    sensitive_cells,
    spread,
    square_mechanism,
    utility_grid_response,
    utility_square,
)
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_report_error import _decoys, map_error
from privacy.scales.planar_window import PlanarWindowChannel
from tests.fixtures.planar_error import cell_errors, mean_square_error
from tests.fixtures.refusals import refused
from tests.vectors.scale_designs import PLACES, TILES_OF_ANY_SIZE

HALF = 1000 / (6_371_008.8 * math.pi / 180)
"""Degrees per kilometre."""


def square_map(cells: int) -> Area:
    """Return a map of 2 km by 2 km at the equator."""
    return Area.of_cell_size(west=-HALF, south=-HALF, east=HALF, north=HALF, metres=2000 / cells)


TOWN = square_map(100)
MIDDLE = [(25, 25, 50, 50)]


def _by_hand(windows: PlanarWindowChannel) -> np.ndarray:
    """Return each cell's error from the exact channel; on a lattice, outputs count as their tile's middle."""
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
    # A cell outside the lattice keeps its own place.
    squares = ((sent_x[:, None] - x[None, :]) * width) ** 2 + ((sent_y[:, None] - y[None, :]) * height) ** 2
    return (channel * squares).sum(axis=0).reshape(area.rows, area.columns)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLACES | TILES_OF_ANY_SIZE)
def test_cell_errors_match_the_exact_channel(name: str) -> None:
    windows = (PLACES | TILES_OF_ANY_SIZE)[name].blocks[0].disguise
    assert isinstance(windows, PlanarWindowChannel)
    assert cell_errors(windows) == pytest.approx(_by_hand(windows), rel=1e-9)


@pytest.mark.parametrize("axis", [0, 1])
def test_decoys_pick_an_uneven_tile_then_a_place_within_it(axis: int) -> None:
    windows = TILES_OF_ANY_SIZE["parts of it"].blocks[0].disguise
    assert isinstance(windows, PlanarWindowChannel)
    (level,) = windows.levels
    length = (windows.area.columns, windows.area.rows)[axis]
    expected = np.zeros(length)
    tiles = sum(across * up for across, up in level.tiles)
    for rectangle, counts in zip(level.rectangles, level.tiles, strict=True):
        begin, size, count = rectangle[axis], rectangle[2 + axis], counts[axis]
        wide = [size * (place + 1) // count - size * place // count for place in range(count)]
        for tile in wide:
            # Each step along this axis has as many tiles as the other axis.
            expected[begin : begin + tile] += counts[1 - axis] / tiles / tile
            begin += tile
    assert _decoys(level, axis, np.arange(length + 1.0)) == pytest.approx(expected)


SIDES = [*range(10, 31), *range(31, 80, 3)]


@pytest.mark.soak
@pytest.mark.parametrize(("epsilon", "error"), [(2, 660479.1), (5, 165985.1), (8, 36578.6)])
def test_the_square_mechanism_approaches_the_continuous_error(epsilon: float, error: float) -> None:
    errors = [mean_square_error(square_mechanism(TOWN, epsilon, side=side)) for side in SIDES if side < 60]
    assert min(errors) == pytest.approx(error, rel=0.002)


@pytest.mark.soak
@pytest.mark.parametrize(("epsilon", "error"), [(5, 37101), (8, 7646), (10, 2707)])
def test_the_utility_mechanism_approaches_the_continuous_error(epsilon: float, error: float) -> None:
    town, box = square_map(200), (50, 50, 100, 100)
    errors = [mean_square_error(utility_square(town, [box], epsilon, side=side)) for side in SIDES]
    assert min(errors) == pytest.approx(error, rel=0.001)


@pytest.mark.parametrize(("epsilon", "tiles", "error"), [(5, 3, 142269), (8, 6, 33992), (10, 10, 12633)])
def test_randomised_response_on_tiles_matches_the_published_errors(
    epsilon: float, tiles: int, error: float
) -> None:
    windows = grid_response(square_map(120), epsilon, tile=(120 // tiles, 120 // tiles))
    assert windows.levels[0].frames[0][4:] == (120 // tiles, 120 // tiles)
    # The published places are anywhere in their cell, ours are in its middle.
    inside = (2000 / 120) ** 2 / 6
    assert mean_square_error(windows) + inside == pytest.approx(error, rel=1e-4)


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0, 6.0])
def test_the_chosen_side_has_nearly_the_least_error(epsilon: float) -> None:
    chosen = map_error(utility_square(TOWN, MIDDLE, epsilon))
    for side in range(1, 51, 7):
        assert chosen <= 1.02 * map_error(utility_square(TOWN, MIDDLE, epsilon, side=side))
    chosen = map_error(grid_response(TOWN, epsilon))
    for side in {round(100 / tiles) for tiles in range(2, 40)}:
        assert chosen <= 1.02 * map_error(grid_response(TOWN, epsilon, tile=(side, side)))


def test_equal_area_windows_suit_strips_better() -> None:
    town, strip = square_map(200), [(0, 95, 200, 10)]
    squares, equal = utility_square(town, strip, 5.0), utility_square(town, strip, 5.0, shape="equal_area")
    assert map_error(equal) < map_error(squares)
    assert equal.levels[0].frames[0][5] == 10
    # Compare the best window of either shape; squares are at most as wide as the strip.
    square = min(mean_square_error(utility_square(town, strip, 5.0, side=side)) for side in range(1, 11))
    equal = utility_square(town, strip, 5.0, side=30, shape="equal_area")
    assert equal.levels[0].frames == ((0, 95, 200, 10, 90, 10),)
    assert mean_square_error(equal) < 0.25 * square
    best = min(
        mean_square_error(replace(equal, levels=(replace(equal.levels[0], frames=(frame,)),)))
        for frame in ((0, 95, 200, 10, across, 10) for across in range(80, 101))
    )
    assert best == pytest.approx(19630, rel=0.002)


def test_overlapping_rectangles_merge_into_one_place() -> None:
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
    # Windows inside strips are worse than the plain mechanism, but windows anywhere in the union are better.
    assert mean_square_error(windows) < 0.97 * mean_square_error(whole)


def test_each_level_has_its_own_epsilon() -> None:
    windows = build_levels(TOWN, [([(0, 0, 20, 20)], 1.0), (MIDDLE, 3.0)])
    assert [level.amplification for level in windows.levels] == [
        amplification_below(1.0),
        amplification_below(3.0),
    ]


SMALL = Area(west=0, south=0, east=60_000, north=50_000, columns=6, rows=5)
boxes = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 4), st.integers(1, 4)).map(
        lambda box: (box[0], box[1], min(box[2], 6 - box[0]), min(box[3], 5 - box[1]))
    ),
    min_size=1,
    max_size=3,
)


@pytest.mark.soak
@pytest.mark.slow
@settings(max_examples=25)
@given(boxes, st.floats(0.01, 20), st.sampled_from(["square", "equal_area"]))
def test_the_privacy_bound_holds_for_any_rectangles(rectangles: list, epsilon: float, shape: str) -> None:
    windows = utility_square(SMALL, rectangles, epsilon, shape=shape)
    rho = amplification_below(epsilon)
    inside = paint_cells(rectangles, 6, 5).ravel()
    weights = windows.weights
    for y in range(30):
        # Channel.amplification would be infinite, because outside only the true cell is sent.
        row = [Fraction(weight, windows.total) for weight in weights[y].tolist()]
        if inside[y]:
            assert max(row) <= rho * min(row)
        else:
            assert [x for x in range(30) if row[x]] == [y]
    assert weights.sum(axis=0).tolist() == [windows.total] * 30


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: square_mechanism(TOWN, 0.0), "epsilon"),
        (lambda: square_mechanism(TOWN, math.nan), "epsilon"),
        (lambda: utility_square(TOWN, MIDDLE, 25.0), "epsilon"),
        (lambda: utility_square(TOWN, [], 2.0), "no_rectangle"),
        (lambda: utility_square(TOWN, [(90, 90, 20, 5)], 2.0), "rectangle"),
        (lambda: utility_square(TOWN, [(10, 10, 0, 5)], 2.0), "rectangle"),
        (lambda: utility_square(TOWN, [(10, 10, 5, 5)], 2.0, side=6), "too_small"),
        (lambda: utility_square(TOWN, [(10, 10, 5, 5)], -2.0, side=6), "epsilon"),
        (lambda: square_mechanism(TOWN, 2.0, side=101), "too_small"),
        (lambda: grid_response(TOWN, 2.0, tile=(0, 5)), "tile"),
        (lambda: grid_response(TOWN, 2.0, tile=(100, 100)), "says_nothing"),
        (lambda: square_mechanism(TOWN, 2.0, side=100), "says_nothing"),
        (lambda: build_levels(TOWN, [(MIDDLE, 1.0), ([], 2.0)]), "no_rectangle"),
        (lambda: build_levels(TOWN, [(MIDDLE, 1.0), ([(70, 70, 10, 10)], 2.0)]), "overlap"),
        (lambda: sensitive_cells(TOWN, [(0, 0, 1)]), "rectangle"),
    ],
)  # fmt: skip
def test_invalid_mechanisms_are_rejected(make, code: str) -> None:
    with refused(code):
        make()


def test_tiles_without_a_common_multiple_in_range_are_refused_and_not_chosen() -> None:
    """The least common multiple of the first 170 prime numbers has more than 1,024 bits."""
    primes = [
        number for number in range(2, 1014) if all(number % each for each in range(2, 32) if each < number)
    ]
    area = Area(west=0, south=0, east=1, north=1, columns=1013, rows=340)
    strips = [(0, 2 * place, length, 1) for place, length in enumerate(primes)]
    with refused("tile"):
        utility_grid_response(area, strips, 2.0, tile=(1013, 1))
    assert utility_grid_response(area, strips, 2.0, tile=(1, 1)).levels[0].cells == sum(primes)


def area_of(columns: int, rows: int, metres: float = 200) -> Area:
    degree = 2 * HALF / 2000
    across, up = columns * metres * degree, rows * metres * degree
    return Area.of_cell_size(west=0, south=-up / 2, east=across, north=up / 2, metres=metres)


@pytest.mark.soak
@pytest.mark.slow
def test_one_more_cell_per_side_barely_increases_error() -> None:
    for epsilon in (1.0, 2.0, 5.0, 8.0, 10.0):
        for (columns, rows), even in (((97, 101), (96, 100)), ((47, 43), (48, 44)), ((61, 59), (60, 60))):
            odd_map, even_map = area_of(columns, rows), area_of(*even)
            one, other = grid_response(odd_map, epsilon), grid_response(even_map, epsilon)
            scale = max(odd_map.metres) / max(even_map.metres)
            assert map_error(one) < 1.05 * scale * map_error(other)
            sides = range(3, max(columns, rows) // 2)
            one, other = (
                min(mean_square_error(grid_response(each, epsilon, tile=(side, side))) for side in sides)
                for each in (odd_map, even_map)
            )
            assert one < 1.05 * scale**2 * other


@pytest.mark.parametrize("best", [1, 2, 37, 399, 400])
def test_best_of_finds_a_single_minimum_anywhere(best: int) -> None:
    looked: list[int] = []

    def build(size: int) -> int:
        looked.append(size)
        return size

    assert best_of(build, range(1, 401), lambda size: abs(size - best)) == best
    assert len(looked) == len(set(looked)) < 40


@pytest.mark.parametrize("count", [1, 3, 17, 33, 100])
def test_best_of_finds_every_single_minimum(count: int) -> None:
    for best in range(count):
        assert best_of(lambda size: size, range(count), lambda size, best=best: abs(size - best)) == best


@pytest.mark.parametrize("count", [50, 100, 199])
def test_best_of_tries_both_ends(count: int) -> None:
    for end in (0, count - 1):
        assert (
            best_of(lambda size: size, range(count), lambda size, end=end: 0 if size == end else 1 + size)
            == end
        )


def test_best_of_skips_unusable_sizes() -> None:
    def odd(size: int) -> int | None:
        return size if size % 2 else None

    assert best_of(odd, range(1, 30), lambda size: abs(size - 12)) in (11, 13)


def test_spread_sizes_keep_both_ends_and_bounded_ratios() -> None:
    found = spread(range(1, 1001))
    assert (found[0], found[-1]) == (1, 1000)
    assert len(found) <= 48
    assert all(b <= 1.2 * a + 1 for a, b in pairwise(found))


MAPS = {name: design.blocks[0].disguise for name, design in (PLACES | TILES_OF_ANY_SIZE).items()}


def test_windows_over_the_whole_map_are_refused_with_a_reason() -> None:
    area = MAPS["square mechanism"].area
    for make in (
        lambda: square_mechanism(replace(area, columns=8), 1.0, side=8),
        lambda: grid_response(area, 1.0, tile=(10, 8)),
    ):
        with refused("says_nothing", "the same is sent for every place"):
            make()
