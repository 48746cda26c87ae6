from math import lgamma

import numpy as np
import pytest

from privacy.scales.area import Area
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_mechanisms import build_levels, grid_response, square_mechanism, utility_square
from privacy.scales.planar_parts import _cuts, _grid_lines, map_parts
from privacy.scales.planar_pieces import REACH
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_scores import plain_scores
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.region_share import region_scores
from tests.privacy.scales.test_planar_mechanisms import square_map

MAP = square_map(24)


def test_nearer_neighbouring_windows_rule_out_product_scores() -> None:
    area = Area(west=0, south=0, east=900, north=400, columns=9, rows=4)
    level = PlanarLevel(
        numerator=5, denominator=1, rectangles=((0, 0, 6, 4), (6, 0, 3, 4)),
        frames=((0, 0, 6, 4, 6, 1), (6, 0, 3, 4, 3, 2)),
    )  # fmt: skip
    windows = PlanarWindowChannel(mechanism="usm", area=area, levels=(level,))
    assert windows.levels[0].window_at(5, 0) == (6, 0, 3, 2)
    assert plain_scores(windows, ((0, 0, 9, 2),)) is None
    assert map_parts(windows) == ()


@pytest.mark.parametrize("tile", [(2, 3), (4, 1)])
def test_a_map_of_tiles_is_cut_only_between_tiles(tile: tuple[int, int]) -> None:
    across, up = _grid_lines(grid_response(square_map(12), 2.0, tile=tile))
    assert across.tolist() == [*range(0, 13, tile[0])]
    assert up.tolist() == [*range(0, 13, tile[1])]


@pytest.mark.soak
@pytest.mark.slow
def test_pieces_cover_the_map_once_within_borders() -> None:
    counts = {}
    for windows in (
        *(square_mechanism(MAP, 4.0, side=side) for side in (1, 2, 5, 8, 16, 23)),
        utility_square(MAP, [(0, 0, 12, 24), (12, 0, 12, 24)], 3.0, side=4),
        grid_response(MAP, 3.0, tile=(5, 7)),
        grid_response(MAP, 6.0, tile=(8, 8)),
    ):
        parts = map_parts(windows)
        counts[windows.levels[0].sizes] = len(parts)
        times = np.zeros((24, 24), dtype=int)
        means = []
        for part in parts:
            inside, scores = region_scores(windows, part)
            times += inside.reshape(24, 24)
            means.append(Operator(windows).backward(scores.reshape(24, 24)).ravel() - inside)
        assert np.abs(means).max(initial=0) < 1e-9
        assert (times == (1 if parts else 0)).all()
    assert counts[((1, 1),)] == counts[((2, 2),)] == counts[((5, 5),)] == counts[((8, 8),)] == 9


def test_map_parts_grow_with_windows_and_vanish_when_uninformative() -> None:
    found = [len(map_parts(square_mechanism(square_map(100), epsilon))) for epsilon in (6.0, 4.0, 3.0, 1.0)]
    assert found == [9, 4, 2, 0]
    assert map_parts(utility_square(MAP, [(0, 0, 9, 9)], 3.0)) == ()
    assert map_parts(build_levels(MAP, [([(0, 0, 24, 12)], 2.0), ([(0, 12, 24, 12)], 3.0)])) == ()
    for windows in (square_mechanism(square_map(100), 4.0), square_mechanism(square_map(100), 3.0)):
        operator = Operator(windows)
        chances = operator.forward(np.full((100, 100), 1e-4)).ravel()
        for part in map_parts(windows):
            scores = region_scores(windows, part)[1]
            deviation = (chances @ scores**2 - (chances @ scores) ** 2) ** 0.5
            assert 2 * REACH * deviation / 1000**0.5 < 1


def test_intervals_of_pieces_have_nominal_coverage_by_enumeration() -> None:
    area = Area(west=0, south=0, east=600, north=100, columns=6, rows=1)
    level = PlanarLevel(numerator=6, denominator=1, rectangles=((0, 0, 6, 1),), frames=((0, 0, 6, 1, 2, 1),))
    windows, n = PlanarWindowChannel(mechanism="sm", area=area, levels=(level,)), 200
    some, more = np.mgrid[: n + 1, : n + 1]
    met = some + more <= n
    counts = np.stack([some[met], more[met], n - (some + more)[met]])
    factorials = np.array([lgamma(count + 1) for count in range(n + 1)])
    ways = factorials[n] - factorials[counts].sum(axis=0)
    assert len(map_parts(windows)) == 3
    for part in map_parts(windows):
        # Scores have three values, so three counts suffice.
        kinds, of = np.unique(region_scores(windows, part)[1].round(9), return_inverse=True)
        mean = kinds @ counts / n
        error = np.sqrt(np.maximum(kinds**2 @ counts / n - mean**2, 0) / n)
        for people in (*np.eye(6), np.full(6, 1 / 6), np.array([0.5, 0, 0, 0, 0, 0.5])):
            law = np.exp(ways + np.log(np.bincount(of, windows.channel.as_array() @ people)) @ counts)
            assert law.sum() == pytest.approx(1)
            truth = people @ paint_cells(part, 6, 1).ravel()
            assert 0.94 < law[np.abs(mean - truth) <= REACH * error].sum() < 0.96


@pytest.mark.parametrize(("line", "cuts"), [(5, [0, 5, 20, 30]), (4, [0, 20, 30])])
def test_a_part_has_at_least_half_of_an_even_length(line: int, cuts: list[int]) -> None:
    """Three even parts of 30 cells have 10 each, and two have 15."""
    assert _cuts(np.array([0, line, 20, 30]), 3) == cuts
