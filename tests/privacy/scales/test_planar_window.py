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
from tests.fixtures.scale_reports import sent

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


@pytest.mark.parametrize("name", MAPS)
def test_decoys_are_the_draws_that_send_a_cell_of_the_first_level_for_every_place(name: str) -> None:
    windows = MAPS[name]
    of_draws = [[sent(windows, x, draw) for x in range(20)] for draw in range(windows.total)]
    alike = [len(set(cells)) == 1 for cells in of_draws]
    assert windows.are_decoys(np.arange(windows.total)).tolist() == alike
    assert windows.decoys == sum(alike)
    counts = Counter(cells[0] for cells, is_decoy in zip(of_draws, alike, strict=True) if is_decoy)
    assert [windows.decoy_weight(y) for y in range(20)] == [counts[y] for y in range(20)]
    assert windows.decoy_array() == pytest.approx([counts[y] / sum(alike) for y in range(20)])


@pytest.mark.parametrize("name", MAPS)
def test_maps_are_multiplied_by_the_matrix_or_its_transpose(name: str) -> None:
    windows = MAPS[name]
    matrix = windows.weights.astype(np.float64) / windows.total
    forward, backward = windows.maps()
    tables = np.array([np.arange(1, 21) ** 2, 20 * (np.arange(20) == 8)]) / 2870
    for given in (tables[0], tables, np.array([tables, tables[::-1]])):
        assert np.allclose(forward(given), given @ matrix.T, rtol=0, atol=1e-12)
        assert np.allclose(backward(given), given @ matrix, rtol=0, atol=1e-12)
    largest, total = windows.largest_joint(tables[0])
    assert np.allclose(largest, (matrix * tables[0]).max(axis=1), rtol=0, atol=1e-12)
    assert np.allclose(total, matrix @ tables[0], rtol=0, atol=1e-12)


def test_windows_that_overlap_or_stand_at_the_rim_are_summed_where_they_lie() -> None:
    """The window of 3 x 2 cells covers half of the map, so most cells are in many windows."""
    level = PlanarLevel(numerator=2, denominator=1, rectangles=((1, 0, 4, 4),), frames=((1, 0, 4, 4, 3, 2),))
    windows = PlanarWindowChannel(mechanism="usm", area=SMALL, levels=(level,))
    matrix = windows.weights.astype(np.float64) / windows.total
    forward, backward = windows.maps()
    for cell in range(20):
        only = 1.0 * (np.arange(20) == cell)
        assert np.allclose(forward(only), matrix[:, cell], rtol=0, atol=1e-12)
        assert np.allclose(backward(only), matrix[cell], rtol=0, atol=1e-12)


def test_bounds_and_exact_places_are_those_of_the_levels() -> None:
    both, alone = MAPS["levels"], MAPS["square"]
    assert both.level_bounds == (Fraction(5, 2), Fraction(4, 3))
    assert (both.decoy_bound, both.sensitive_amplification) == (Fraction(5, 2), Fraction(5, 2))
    assert replace(both, levels=(TWO, ONE)).sensitive_amplification == Fraction(5, 2)
    assert (both.shape, both.inputs, both.outputs) == ((4, 5), 20, 20)
    assert [both.is_exact_in((box,)) for box in ((0, 0, 3, 2), (3, 2, 2, 2), (2, 1, 2, 1))] == [
        False,
        False,
        True,
    ]
    assert not alone.is_exact_in(((0, 0, 5, 4),))
    assert (both.is_as_answered, both.sends_the_answer) == (False, False)
    # ONE covers the first three columns of the first two rows, TWO the last two of the last two.
    assert [both.level_of(cell) for cell in (0, 2, 3, 7, 13, 19)] == [0, 0, 2, 0, 1, 1]


def test_two_levels_or_a_cut_window_have_no_retention_probability() -> None:
    alone = MAPS["utility"]
    assert alone.is_retention_channel(((0, 0, 3, 2),))
    assert not alone.is_retention_channel(((0, 0, 1, 2),))
    assert not MAPS["levels"].is_retention_channel(((0, 0, 3, 2),))


def test_the_mechanism_of_a_place_is_a_key() -> None:
    area = Area(west=0, south=0, east=20, north=10, columns=2, rows=1)
    level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    assert PlanarWindowChannel(mechanism="usm", area=area, levels=(level,)).inputs == 2
    with refused("disguise", "u s m"):
        PlanarWindowChannel(mechanism="u s m", area=area, levels=(level,))


def test_a_map_at_the_limit_has_a_channel_and_a_larger_one_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("privacy.scales.planar_window.LARGEST_CHANNEL", 20)
    assert len(MAPS["utility"].channel.matrix) == 20
    monkeypatch.setattr("privacy.scales.planar_window.LARGEST_CHANNEL", 19)
    with refused("too_large", "20"):
        MAPS["utility"].channel.as_array()


def test_two_levels_that_cover_a_map_have_no_bound_over_all_cells() -> None:
    """A report from the second level excludes places of the first."""
    first = PlanarLevel(numerator=5, denominator=2, rectangles=((0, 0, 2, 4),), frames=((0, 0, 2, 4, 1, 1),))
    second = replace(first, rectangles=((2, 0, 3, 4),), frames=((2, 0, 3, 4, 1, 1),))
    windows = PlanarWindowChannel(mechanism="grid", area=SMALL, levels=(first, second))
    assert not windows.exact_outside
    assert windows.amplification is windows.channel.amplification() is None


def test_draws_of_as_many_bits_as_allowed_make_a_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = MAPS["square"]
    bits = windows.total.bit_length()
    monkeypatch.setattr("privacy.scales.planar_window.MOST_BITS", bits)
    assert replace(windows) == windows
    monkeypatch.setattr("privacy.scales.planar_window.MOST_BITS", bits - 1)
    with refused("too_large", bits):
        replace(windows)
