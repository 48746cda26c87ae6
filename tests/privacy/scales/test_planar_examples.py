"""Example places: their probabilities match the exact channel, and their windows the device."""

from fractions import Fraction

from privacy.scales.area import Area
from privacy.scales.planar_examples import place_examples
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel

AREA = Area(west=0, south=0, east=90, north=60, columns=9, rows=6)
FIRST = PlanarLevel(numerator=5, denominator=2, rectangles=((0, 0, 4, 3),), frames=((0, 0, 4, 3, 3, 3),))
SECOND = PlanarLevel(
    numerator=7, denominator=2, rectangles=((5, 2, 4, 4), (4, 0, 1, 2)), frames=((5, 2, 4, 4, 2, 2),)
)
TILES = PlanarLevel(
    numerator=3, denominator=1, rectangles=((0, 0, 9, 6),), frames=(), snap=True, tiles=((2, 2),)
)


def of(*levels: PlanarLevel) -> PlanarWindowChannel:
    return PlanarWindowChannel(mechanism="levels", area=AREA, levels=levels)


def test_the_chance_of_each_window_is_that_of_the_exact_channel() -> None:
    for windows in (of(FIRST), of(FIRST, SECOND), of(TILES)):
        channel = windows.channel
        for one in place_examples(windows):
            cell = one.row * AREA.columns + one.column
            assert windows.level_of(cell) == (len(windows.levels) if one.level is None else one.level)
            if one.window is None:
                assert one.inside == channel.matrix[cell][cell] == one.near
                continue
            left, low, across, up = one.window
            inside = sum(
                channel.matrix[row * AREA.columns + column][cell]
                for row in range(low, low + up)
                for column in range(left, left + across)
            )
            assert one.inside == inside
            assert 0 < one.near < one.inside < 1
            assert one.window == windows.levels[one.level or 0].window_at(one.column, one.row)


def test_at_the_edge_the_window_is_pushed_inwards_and_in_the_middle_it_is_not() -> None:
    middle, edge, outside = place_examples(of(FIRST))
    assert (middle.column, middle.window) == (2, (1, 0, 3, 3))
    assert (edge.column, edge.window) == (3, (1, 0, 3, 3))
    # The middle row has free cells, and the last one is farthest from the area.
    assert (outside.column, outside.row, outside.window) == (8, 3, None)
    assert outside.near == FIRST.truth == Fraction(9 * 3, 9 * 3 + 2 * 12)


def test_where_all_of_the_map_is_sensitive_there_is_no_outside() -> None:
    assert [one.where for one in place_examples(of(TILES))] == ["middle", "edge"]
