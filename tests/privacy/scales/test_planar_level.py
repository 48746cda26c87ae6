"""Windows of a level lie in its cells, and its draws pick each of them as often as it states."""

import json
from collections import Counter
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_rectangles import paint_cells
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import any_cell, window_at
from tests.vectors.scale_designs import FLAT, PARTS, TILES, UNEVEN, UNEVEN_PARTS, WHOLE

LEVELS = {"whole": WHOLE, "parts": PARTS, "flat": FLAT, "tiles": TILES}
OF_ANY_SIZE = {"uneven": UNEVEN, "uneven parts": UNEVEN_PARTS}
EVERY = LEVELS | OF_ANY_SIZE


@pytest.mark.parametrize("name", LEVELS)
def test_windows_lie_in_sensitive_cells_and_have_equal_size(name: str) -> None:
    level = LEVELS[name]
    inside = paint_cells(level.rectangles, 10, 8)
    for y, x in zip(*np.nonzero(inside), strict=True):
        left, low, across, up = level.window_at(int(x), int(y))
        assert across * up == level.window
        assert inside[low : low + up, left : left + across].all()


@pytest.mark.parametrize("name", EVERY)
def test_windows_match_one_by_one_and_in_bulk(name: str) -> None:
    level = EVERY[name]
    y, x = np.nonzero(paint_cells(level.rectangles, 10, 8))
    windows = list(zip(*(line.tolist() for line in level.windows_of(x, y)), strict=True))
    cells = list(zip(x.tolist(), y.tolist(), strict=True))
    assert windows == [window_at(level, *cell) for cell in cells]
    assert windows == [level.window_at(*cell) for cell in cells]


def test_each_cell_gets_the_nearest_window_in_the_union() -> None:
    inside = paint_cells(PARTS.rectangles, 10, 8)
    spots = [(x, y) for y in range(7) for x in range(9) if inside[y : y + 2, x : x + 2].all()]
    for y, x in zip(*np.nonzero(inside), strict=True):
        left, low, _, _ = PARTS.window_at(int(x), int(y))
        nearest = min((2 * a + 1 - 2 * x) ** 2 + (2 * b + 1 - 2 * y) ** 2 for a, b in spots)
        assert (2 * left + 1 - 2 * x) ** 2 + (2 * low + 1 - 2 * y) ** 2 == nearest


@pytest.mark.parametrize("name", OF_ANY_SIZE)
def test_uneven_tiles_cover_each_cell_once_and_differ_by_one_cell(name: str) -> None:
    level = OF_ANY_SIZE[name]
    inside = paint_cells(level.rectangles, 10, 8)
    tiles = {level.window_at(int(x), int(y)) for y, x in zip(*np.nonzero(inside), strict=True)}
    assert len(tiles) == sum(across * up for across, up in level.tiles)
    times = np.zeros((8, 10), dtype=int)
    for left, low, across, up in tiles:
        times[low : low + up, left : left + across] += 1
    assert (times == inside).all()
    for left, low, width, height in level.rectangles:
        own = [tile for tile in tiles if left <= tile[0] < left + width and low <= tile[1] < low + height]
        for axis in (2, 3):
            sides = [tile[axis] for tile in own]
            assert max(sides) - min(sides) <= 1


@pytest.mark.parametrize("name", OF_ANY_SIZE)
def test_draws_hit_tiles_equally_and_cells_within_them_equally(name: str) -> None:
    level = OF_ANY_SIZE[name]
    found = Counter(any_cell(level, place) for place in range(level.ground))
    for (x, y), times in found.items():
        _, _, across, up = level.window_at(x, y)
        assert times * across * up == level.parts
        assert times == level.parts_at(x, y)
        assert level.probabilities(10, 8)[y, x] == pytest.approx(times / level.ground)
    region = ((0, 0, 9, 3), (9, 4, 1, 2))
    inside = paint_cells(region, 10, 8)
    share = Fraction(sum(times for (x, y), times in found.items() if inside[y, x]), level.ground)
    assert level.share_of(region) == share


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"numerator": 2}, "disguise"),
        ({"denominator": 0}, "disguise"),
        ({"snap": "no"}, "disguise"),
        ({"rectangles": ()}, "too_large"),
        ({"rectangles": ((1, 1, 4, 3), (4, 3, 2, 3))}, "overlap"),
        ({"frames": ((0, 1, 4, 3, 2, 2),)}, "frame"),
        ({"frames": ((1, 1, 4, 3, 2, 2), (7, 5, 3, 3, 3, 3))}, "frame"),
        ({"snap": True, "frames": ((1, 1, 4, 3, 2, 2),)}, "frame"),
        ({"rectangles": "everything"}, "rectangle"),
    ],
)
def test_levels_that_break_the_bound_are_rejected(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(PARTS, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"tiles": ((11, 3),)},
        {"tiles": ((3, 0),)},
        {"tiles": ((3, 3), (1, 1))},
        {"tiles": ((3, 3, 3),)},
        {"snap": False},
        {"frames": ((0, 0, 10, 8, 5, 4),)},
    ],
)
def test_tiles_that_do_not_fit_their_rectangle_are_rejected(changes: dict[str, Any]) -> None:
    with refused("frame"):
        replace(UNEVEN, **changes)


def test_shares_and_the_document_of_a_level_without_tiles() -> None:
    """PARTS has 12 + 6 + 9 cells; the region takes 2 of the first rectangle and all of the last."""
    assert (PARTS.cells, PARTS.ground) == (27, 27)
    assert PARTS.share_of(((1, 1, 2, 1), (7, 5, 3, 3))) == Fraction(11, 27)
    assert PARTS.to_json() == {
        "numerator": str(PARTS.numerator),
        "denominator": str(PARTS.denominator),
        "rectangles": [[1, 1, 4, 3], [1, 4, 2, 3], [7, 5, 3, 3]],
        "frames": [list(frame) for frame in PARTS.frames],
        "snap": False,
    }
    assert UNEVEN.to_json()["tiles"] == [list(pair) for pair in UNEVEN.tiles]


L_SHAPE = PlanarLevel(
    numerator=3, denominator=1, rectangles=((0, 0, 4, 2), (0, 2, 2, 3)),
    frames=((0, 0, 4, 2, 2, 2), (0, 0, 2, 5, 2, 2)),
)  # fmt: skip


def test_cells_of_an_l_shape_by_hand() -> None:
    """8 and 6 cells; a window has 4, and k = 2, so near = 8 of T = 22."""
    assert (L_SHAPE.cells, L_SHAPE.window, L_SHAPE.ground, L_SHAPE.near, L_SHAPE.total) == (14, 4, 14, 8, 22)
    assert L_SHAPE.truth == Fraction(8, 22)
    inside = {(x, y) for x in range(6) for y in range(6) if L_SHAPE.holds(x, y)}
    assert inside == {(x, y) for x in range(4) for y in range(2)} | {
        (x, y) for x in range(2) for y in range(2, 5)
    }
    assert not L_SHAPE.holds(-1, 0)
    found = L_SHAPE.probabilities(5, 6)
    assert found.shape == (6, 5)
    assert found.sum() == pytest.approx(1)
    assert (found[1, 3], found[4, 1], found[2, 2], found[0, 4]) == (1 / 14, 1 / 14, 0, 0)
    assert L_SHAPE.parts_at(0, 0) == 1
    assert L_SHAPE.share_of([(0, 0, 1, 5)]) == Fraction(5, 14)


def test_the_nearest_window_is_around_the_cell() -> None:
    assert [L_SHAPE.window_at(3, 0), L_SHAPE.window_at(0, 4), L_SHAPE.window_at(0, 0)] == [
        (2, 0, 2, 2), (0, 3, 2, 2), (0, 0, 2, 2),
    ]  # fmt: skip


def test_the_ground_of_tiles_counts_each_tile_with_the_common_multiple() -> None:
    """Six tiles of 2 x 3 and one of 2 x 2: of 6 and 4 cells, so L = 12 and T = 2 (12) + 7 (12)."""
    tiled = PlanarLevel(
        numerator=3, denominator=1, rectangles=((0, 0, 6, 6), (6, 0, 2, 2)), frames=(), snap=True,
        tiles=((3, 2), (1, 1)),
    )  # fmt: skip
    assert (tiled.parts, tiled.ground, tiled.near, tiled.total) == (12, 84, 24, 108)
    assert tiled.sizes == ((2, 2), (2, 3))


def test_a_level_of_rectangles_needs_frames_or_tiles() -> None:
    with refused("too_large"):
        PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 4, 2),), frames=())
    with refused("frame"):
        PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 4, 2),), frames=((0, 0, 4, 3, 2, 2),))


def test_lists_and_numbers_of_an_array_are_stored_as_plain_ones() -> None:
    """Levels are compared, and JSON has no NumPy numbers."""
    plain = PlanarLevel(
        numerator=3, denominator=1, rectangles=((0, 0, 5, 1),), frames=(), snap=True, tiles=((2, 1),)
    )
    numbers = {"numerator": np.int64(3), "denominator": np.int64(1)}
    lists = {"rectangles": [[0, 0, 5, 1]], "frames": [], "tiles": [[2, 1]]}
    found = PlanarLevel(**numbers, **lists, snap=True)  # type: ignore[arg-type]
    assert found == plain
    assert json.dumps(asdict(found)) == json.dumps(asdict(plain))
