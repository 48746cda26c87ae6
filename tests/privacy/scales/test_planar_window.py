"""Every draw is tried on small maps: the law of the reports, and its bounds, are exact."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.scales.area import Area, painted
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import MOST_BITS, PlanarWindowChannel
from tests.fixtures.refusals import refused
from tests.fixtures.scale_law import sent

SMALL = Area(west=0, south=0, east=50_000, north=40_000, columns=5, rows=4)
ONE = PlanarLevel(numerator=5, denominator=2, rectangles=((0, 0, 3, 2),), frames=((0, 0, 3, 2, 2, 1),))
TWO = PlanarLevel(numerator=4, denominator=3, rectangles=((3, 2, 2, 2),), frames=((3, 2, 2, 2, 1, 2),))
WHOLE = PlanarLevel(numerator=7, denominator=3, rectangles=((0, 0, 5, 4),), frames=((0, 0, 5, 4, 2, 2),))
MAPS = {
    "square": PlanarWindowChannel(mechanism="sm", area=SMALL, levels=(WHOLE,)),
    "utility": PlanarWindowChannel(mechanism="usm", area=SMALL, levels=(ONE,)),
    "levels": PlanarWindowChannel(mechanism="levels", area=SMALL, levels=(ONE, TWO)),
    "tiles": PlanarWindowChannel(
        mechanism="ugrid",
        area=SMALL,
        levels=(replace(ONE, frames=((0, 0, 3, 2, 3, 1),), snap=True),),
    ),
    "uneven tiles": PlanarWindowChannel(
        mechanism="ugrid", area=SMALL, levels=(replace(ONE, frames=(), snap=True, tiles=((2, 2),)), TWO)
    ),
    "uneven map": PlanarWindowChannel(
        mechanism="grid", area=SMALL, levels=(replace(WHOLE, frames=(), snap=True, tiles=((2, 3),)),)
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_over_all_draws_each_cell_is_sent_as_often_as_its_weight_says(name: str) -> None:
    windows = MAPS[name]
    for x in range(windows.inputs):
        counts = Counter(sent(windows, x, draw) for draw in range(windows.total))
        assert counts == {y: weight for y, weight in enumerate(windows.weights[:, x].tolist()) if weight}


@pytest.mark.parametrize("name", MAPS)
def test_the_bound_of_each_level_holds_exactly_and_is_reached(name: str) -> None:
    windows = MAPS[name]
    channel = windows.channel
    for number, level in enumerate(windows.levels):
        cells = np.flatnonzero(painted(level.rectangles, 5, 4).ravel())
        later = [x for x in range(20) if windows.level_of(x) >= number]
        earlier = [x for x in range(20) if windows.level_of(x) < number]
        ratios = [channel[y, a] / channel[y, b] for y in cells for a in later for b in later]
        assert max(ratios) == level.amplification
        assert all(channel[y, x] == 0 for y in cells for x in earlier)


def test_outside_all_levels_only_the_true_cell_is_sent_and_equally_often() -> None:
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


def test_with_everything_sensitive_the_utility_form_is_the_square_mechanism() -> None:
    windows = MAPS["square"]
    assert not windows.exact_outside
    assert windows.amplification == windows.channel.amplification() == Fraction(7, 3)
    assert MAPS["utility"].amplification is None
    assert MAPS["utility"].channel.amplification() is None


REGION = ((0, 0, 3, 2), (4, 3, 1, 1))


def test_a_region_that_holds_each_window_wholly_or_not_at_all_follows_the_law_of_items() -> None:
    windows = replace(MAPS["utility"], regions=(REGION, ((3, 0, 2, 2),)))
    p, q, channel = windows.retention_probability, windows.decoy_shares, windows.channel
    assert p == ONE.truth
    assert q == (Fraction(1), Fraction(0))
    for item in range(2):
        inside = windows.item_values(item)
        for x in range(20):
            seen = sum(channel[int(y), x] for y in np.flatnonzero(inside))
            assert seen == p * int(inside[x]) + (1 - p) * q[item]


def test_two_far_parts_are_regions_of_their_own() -> None:
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


def test_a_region_that_cuts_windows_has_no_law() -> None:
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
def test_a_map_that_makes_no_channel_is_refused(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(MAPS["utility"], **changes)


def test_tiles_of_so_many_sizes_that_a_draw_would_be_long_are_refused() -> None:
    """One tile a row, of 1, 2, 3, ... cells: a draw counts in their least common multiple."""

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


def test_an_exact_channel_too_large_to_look_at_is_refused() -> None:
    large = replace(SMALL, columns=50, rows=40)
    with refused("too_large", "2000"):
        _ = replace(MAPS["utility"], area=large).channel
