"""On small maps, enumerating every draw gives the exact distribution of reports and its bounds."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.scales.area import Area
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_window import MOST_BITS, PlanarWindowChannel
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import any_cell, sent, window_at
from tests.vectors.scale_designs import FLAT, PARTS, TILES, UNEVEN, UNEVEN_PARTS, WHOLE

SMALL = Area(west=0, south=0, east=50_000, north=40_000, columns=5, rows=4)
ONE = PlanarLevel(numerator=5, denominator=2, rectangles=((0, 0, 3, 2),), frames=((0, 0, 3, 2, 2, 1),))
TWO = PlanarLevel(numerator=4, denominator=3, rectangles=((3, 2, 2, 2),), frames=((3, 2, 2, 2, 1, 2),))
ONE_LEVEL = PlanarLevel(numerator=7, denominator=3, rectangles=((0, 0, 5, 4),), frames=((0, 0, 5, 4, 2, 2),))
MAPS = {
    "square": PlanarWindowChannel(mechanism="sm", area=SMALL, levels=(ONE_LEVEL,)),
    "utility": PlanarWindowChannel(mechanism="usm", area=SMALL, levels=(ONE,)),
    "levels": PlanarWindowChannel(mechanism="levels", area=SMALL, levels=(ONE, TWO)),
    "tiles": PlanarWindowChannel(
        mechanism="ugrid", area=SMALL, levels=(replace(ONE, frames=((0, 0, 3, 2, 3, 1),), snap=True),)
    ),
    "uneven tiles": PlanarWindowChannel(
        mechanism="ugrid", area=SMALL, levels=(replace(ONE, frames=(), snap=True, tiles=((2, 2),)), TWO)
    ),
    "uneven map": PlanarWindowChannel(
        mechanism="grid", area=SMALL, levels=(replace(ONE_LEVEL, frames=(), snap=True, tiles=((2, 3),)),)
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_each_cell_is_sent_in_proportion_to_its_weight(name: str) -> None:
    windows = MAPS[name]
    for x in range(windows.inputs):
        counts = Counter(sent(windows, x, draw) for draw in range(windows.total))
        assert counts == {y: weight for y, weight in enumerate(windows.weights[:, x].tolist()) if weight}


@pytest.mark.parametrize("name", MAPS)
def test_the_bound_of_each_level_holds_and_is_attained(name: str) -> None:
    windows = MAPS[name]
    channel = windows.channel
    for number, level in enumerate(windows.levels):
        cells = np.flatnonzero(paint_cells(level.rectangles, 5, 4).ravel())
        later = [x for x in range(20) if windows.level_of(x) >= number]
        earlier = [x for x in range(20) if windows.level_of(x) < number]
        ratios = [channel[y, a] / channel[y, b] for y in cells for a in later for b in later]
        assert max(ratios) == level.amplification
        assert all(channel[y, x] == 0 for y in cells for x in earlier)


def test_cells_outside_all_levels_are_reported_exactly() -> None:
    for name in ("utility", "tiles", "levels"):
        windows = MAPS[name]
        channel = windows.channel
        assert windows.exact_outside
        outside = [x for x in range(20) if windows.level_of(x) == len(windows.levels)]
        passing = Fraction(1)
        for level in windows.levels:
            passing *= level.truth
        for y in outside:
            for x in range(20):
                assert channel[y, x] == (passing if x == y else 0)


def test_a_fully_sensitive_map_uses_the_square_mechanism() -> None:
    windows = MAPS["square"]
    assert not windows.exact_outside
    assert windows.amplification == windows.channel.amplification() == Fraction(7, 3)
    assert MAPS["utility"].amplification is None
    assert MAPS["utility"].channel.amplification() is None


REGION = ((0, 0, 3, 2), (4, 3, 1, 1))


def test_regions_of_whole_windows_follow_the_item_distribution() -> None:
    windows = replace(MAPS["utility"], regions=(REGION, ((3, 0, 2, 2),)))
    p, q, channel = windows.retention_probability, windows.decoy_shares, windows.channel
    assert p == ONE.truth
    assert q == (Fraction(1), Fraction(0))
    for item in range(2):
        inside = windows.item_values(item)
        for x in range(20):
            seen = sum(channel[int(y), x] for y in np.flatnonzero(inside))
            assert seen == p * int(inside[x]) + (1 - p) * q[item]


def test_separate_rectangles_are_separate_regions() -> None:
    apart = PlanarLevel(
        numerator=5,
        denominator=2,
        rectangles=((0, 0, 2, 2), (3, 1, 2, 3)),
        frames=((0, 0, 2, 2, 2, 1), (3, 1, 2, 3, 2, 1)),
    )
    windows = PlanarWindowChannel(
        mechanism="usm", area=SMALL, levels=(apart,), regions=(((0, 0, 2, 2),), ((3, 1, 2, 3),))
    )
    assert windows.retention_probability == apart.truth
    assert windows.decoy_shares == (Fraction(4, 10), Fraction(6, 10))


def test_regions_that_cut_windows_have_no_retention_probability() -> None:
    assert replace(MAPS["utility"], regions=(((0, 0, 2, 2),),)).retention_probability is None
    assert replace(MAPS["levels"], regions=(((0, 0, 3, 2),),)).retention_probability is None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"levels": ()}, "disguise"),
        ({"levels": (1,)}, "disguise"),
        ({"area": None}, "disguise"),
        (
            {"levels": (ONE, replace(TWO, rectangles=((2, 1, 2, 2),), frames=((2, 1, 2, 2, 1, 2),)))},
            "overlap",
        ),
        ({"levels": (replace(ONE, rectangles=((0, 0, 6, 2),)),)}, "rectangle"),
        ({"regions": (((0, 0, 3, 2), (2, 1, 2, 2)),)}, "regions"),
        ({"regions": (((0, 0, 9, 2),),)}, "regions"),
        ({"regions": ((),)}, "regions"),
        ({"levels": (replace(ONE, numerator=1 << 128, denominator=1 << 127),) * 8}, "overlap"),
    ],
)
def test_maps_without_a_valid_channel_are_rejected(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(MAPS["utility"], **changes)


def test_tile_sizes_with_a_huge_common_multiple_are_rejected() -> None:
    """With one tile per row, of 1, 2, 3, ... cells, draws need their least common multiple."""

    def strips(longest: int) -> PlanarWindowChannel:
        rows = tuple((0, row, row + 1, 1) for row in range(longest))
        level = PlanarLevel(
            numerator=3, denominator=1, rectangles=rows, frames=(), snap=True, tiles=((1, 1),) * longest
        )
        area = replace(SMALL, columns=longest, rows=longest)
        return PlanarWindowChannel(mechanism="ugrid", area=area, levels=(level,))

    assert 1000 < strips(700).total.bit_length() <= MOST_BITS
    bits = (lcm(*range(1, 721)) * (2 + 720)).bit_length()
    with pytest.raises(PrivacyError, match=f"{bits} bits; .*fewer tile sizes") as caught:
        strips(720)
    assert (caught.value.code, caught.value.value) == ("too_large", bits)


def test_oversized_exact_channels_are_refused() -> None:
    large = replace(SMALL, columns=50, rows=40)
    with refused("too_large", "2,000"):
        _ = replace(MAPS["utility"], area=large).channel


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
