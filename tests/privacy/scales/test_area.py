from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.scales.area import (
    Area,
    components,
    disjoint,
    largest_inside,
    overlap,
    paint_cells,
    read_frame,
    read_rectangle,
    share_of_tiles,
    tile_edges,
    tile_probabilities,
    tiles_along,
)
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import tile_of

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


SIZE = 9
BOXES = [
    (x, y, min(width, SIZE - x), min(height, SIZE - y))
    for x, y, width, height in product(range(8), range(8), range(1, 5), range(1, 5))
]
# Hypothesis draws one listed tuple faster than four integers.
boxes = st.lists(st.sampled_from(BOXES), min_size=1, max_size=6)


@given(boxes)
def test_disjoint_rectangles_cover_the_union_once(given_boxes: list) -> None:
    parts = disjoint(given_boxes)
    once = sum(paint_cells([part], SIZE, SIZE).astype(int) for part in parts)
    assert np.array_equal(once, paint_cells(given_boxes, SIZE, SIZE).astype(int))


@given(boxes)
def test_windows_fit_the_union_only_inside_a_maximal_rectangle(given_boxes: list) -> None:
    inside = paint_cells(given_boxes, SIZE, SIZE)
    largest = largest_inside(given_boxes)
    for across, up in ((1, 1), (2, 2), (3, 1), (2, 4)):
        for y in range(SIZE - up + 1):
            for x in range(SIZE - across + 1):
                fits = inside[y : y + up, x : x + across].all()
                held = any(
                    left <= x and low <= y and x + across <= left + w and y + up <= low + h
                    for left, low, w, h in largest
                )
                assert fits == held


@given(boxes)
def test_components_are_separate_and_cover_the_union(given_boxes: list) -> None:
    groups = components(given_boxes)
    tables = [paint_cells(group, SIZE, SIZE) for group in groups]
    assert np.array_equal(sum(table.astype(int) for table in tables), paint_cells(given_boxes, SIZE, SIZE))
    for place, table in enumerate(tables):
        wide = np.zeros((SIZE + 2, SIZE + 2), dtype=bool)
        for x, y in ((0, 1), (2, 1), (1, 0), (1, 2)):
            wide[y : y + SIZE, x : x + SIZE] |= table
        for other in tables[place + 1 :]:
            assert not (wide[1:-1, 1:-1] & other).any()


@pytest.mark.parametrize("function", [disjoint, largest_inside, components])
def test_empty_input_gives_an_empty_result(function) -> None:
    assert function([]) == ()


def test_overlap_matches_painted_cells() -> None:
    boxes = [(x, y, w, h) for x in (0, 2) for y in (0, 1, 3) for w in (1, 3) for h in (1, 2)]
    for first in boxes:
        for second in boxes:
            both = paint_cells([first], 8, 8) & paint_cells([second], 8, 8)
            assert overlap(first, second) == both.sum()


@pytest.mark.parametrize(
    "given", [(0, 0, 0, 3), (0, 0, 11, 3), (8, 0, 3, 3), (0, 6, 3, 3), (0, 0, 1), (0.5, 0, 1, 1), "0011"]
)
def test_empty_outside_or_malformed_rectangles_are_rejected(given: object) -> None:
    with refused("rectangle"):
        read_rectangle(given, 10, 8)


def test_frames_smaller_than_their_window_are_rejected() -> None:
    assert read_frame([1, 2, 3, 4, 3, 1], 10, 8) == (1, 2, 3, 4, 3, 1)
    for window in ((4, 1), (0, 1), (3, 5)):
        with refused("frame"):
            read_frame((1, 2, 3, 4, *window), 10, 8)


BOX = (2, 1, 7, 5)
COUNTS = (3, 2)
CELLS = list(product(range(2, 9), range(1, 6)))


@pytest.mark.parametrize("length", range(1, 9))
def test_lines_are_cut_as_evenly_as_whole_cells_allow(length: int) -> None:
    for count in range(1, length + 1):
        edges = tile_edges(length, count)
        assert edges[0] == 0
        assert edges[-1] == length
        assert set(np.diff(edges)) <= {length // count, -(-length // count)}
        own = tiles_along(np.arange(length), length, count)
        assert all(edges[tile] <= cell < edges[tile + 1] for cell, tile in enumerate(own.tolist()))


def test_probabilities_pick_a_tile_then_a_cell_within_it() -> None:
    boxes, tiles = [BOX, (0, 0, 2, 3)], [COUNTS, (1, 3)]
    every = [
        tile_of(box, counts, n)
        for box, counts in zip(boxes, tiles, strict=True)
        for n in range(np.prod(counts))
    ]
    region = (1, 1, 4, 3)
    share = Fraction(0)
    expected = np.zeros((6, 9))
    for left, low, across, up in every:
        for x, y in product(range(left, left + across), range(low, low + up)):
            chance = Fraction(1, len(every) * across * up)
            expected[y, x] += chance
            share += chance * (
                region[0] <= x < region[0] + region[2] and region[1] <= y < region[1] + region[3]
            )
    assert share_of_tiles(boxes, tiles, [region]) == share
    assert tile_probabilities(boxes, tiles, 9, 6) == pytest.approx(expected, abs=1e-15)
