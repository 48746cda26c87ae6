from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.scales.area import painted
from tests.fixtures.refusals import refused
from tests.fixtures.scale_law import any_cell, window_at
from tests.vectors.scale_designs import FLAT, PARTS, TILES, UNEVEN, UNEVEN_PARTS, WHOLE

LEVELS = {"whole": WHOLE, "parts": PARTS, "flat": FLAT, "tiles": TILES}
OF_ANY_SIZE = {"uneven": UNEVEN, "uneven parts": UNEVEN_PARTS}
EVERY = LEVELS | OF_ANY_SIZE


@pytest.mark.parametrize("name", LEVELS)
def test_every_window_lies_in_the_sensitive_cells_and_has_one_size(name: str) -> None:
    level = LEVELS[name]
    inside = painted(level.rectangles, 10, 8)
    for y, x in zip(*np.nonzero(inside), strict=True):
        left, low, across, up = level.window_at(int(x), int(y))
        assert across * up == level.window
        assert inside[low : low + up, left : left + across].all()


@pytest.mark.parametrize("name", EVERY)
def test_windows_are_those_of_the_law_one_by_one_and_many_at_once(name: str) -> None:
    level = EVERY[name]
    y, x = np.nonzero(painted(level.rectangles, 10, 8))
    windows = list(zip(*(line.tolist() for line in level.windows_of(x, y)), strict=True))
    cells = list(zip(x.tolist(), y.tolist(), strict=True))
    assert windows == [window_at(level, *cell) for cell in cells]
    assert windows == [level.window_at(*cell) for cell in cells]


def test_a_window_is_as_near_as_it_can_be_anywhere_in_the_union() -> None:
    inside = painted(PARTS.rectangles, 10, 8)
    spots = [(x, y) for y in range(7) for x in range(9) if inside[y : y + 2, x : x + 2].all()]
    for y, x in zip(*np.nonzero(inside), strict=True):
        left, low, _, _ = PARTS.window_at(int(x), int(y))
        nearest = min((2 * a + 1 - 2 * x) ** 2 + (2 * b + 1 - 2 * y) ** 2 for a, b in spots)
        assert (2 * left + 1 - 2 * x) ** 2 + (2 * low + 1 - 2 * y) ** 2 == nearest


@pytest.mark.parametrize("name", OF_ANY_SIZE)
def test_tiles_of_any_size_cover_every_cell_once_and_differ_by_a_cell_a_side(name: str) -> None:
    level = OF_ANY_SIZE[name]
    inside = painted(level.rectangles, 10, 8)
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
def test_any_number_falls_on_each_tile_equally_often_and_on_its_cells_alike(name: str) -> None:
    level = OF_ANY_SIZE[name]
    found = Counter(any_cell(level, place) for place in range(level.ground))
    for (x, y), times in found.items():
        _, _, across, up = level.window_at(x, y)
        assert times * across * up == level.parts
        assert times == level.parts_at(x, y)
        assert level.chances(10, 8)[y, x] == pytest.approx(times / level.ground)
    region = ((0, 0, 9, 3), (9, 4, 1, 2))
    inside = painted(region, 10, 8)
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
def test_a_level_that_would_break_the_bound_is_refused(changes: dict[str, Any], code: str) -> None:
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
def test_tiles_that_do_not_fit_their_rectangles_are_refused(changes: dict[str, Any]) -> None:
    with refused("frame"):
        replace(UNEVEN, **changes)
