"""Windows of a level lie in its cells, and its draws pick each of them as often as it states."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

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
