"""The test of a share: regions of maps, their intervals enumerated over all counts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from privacy.levels import chi_square_quantile
from privacy.scales.area import Area
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.region_share import bars, region_share, set_moments, share_ends, share_quadratics
from privacy.scales.scale_groups import running_scores, scale_groups
from privacy.scales.window import NumberRange
from tests.privacy.estimation.test_events import wilson

AREA = Area(west=0, south=0, east=4000, north=1000, columns=4, rows=1)
LEVEL = PlanarLevel(numerator=8, denominator=1, rectangles=((0, 0, 4, 1),), frames=((0, 0, 4, 1, 1, 1),))
GRID = PlanarWindowChannel(mechanism="grid", area=AREA, levels=(LEVEL,))
CELL = ((0, 0, 1, 1),)
KEPT, DECOY = 7 / 11, 1 / 11  # 8 to 1, over four cells


@pytest.mark.parametrize("shown", [0, 3, 40, 100])
def test_a_region_of_whole_windows_has_wilsons_interval(shown: int) -> None:
    found = region_share(GRID, scale_groups(GRID, [shown, 100 - shown, 0, 0]), CELL)
    ends = [(end - DECOY) / KEPT for end in wilson(shown, 100)]
    assert (found.low, found.high) == (pytest.approx(ends[0], abs=1e-9), pytest.approx(ends[1], abs=1e-9))
    assert found.estimable


@pytest.mark.parametrize("n", [100, 200, 500])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.05, 0.1, 0.3])
def test_intervals_of_regions_hold_nominally_enumerated(n: int, share: float) -> None:
    """Every count with its exact probability; a normal interval holds a share of 0 in .92 or less."""
    counts = np.arange(n + 1)
    chances = binom.pmf(counts, n, DECOY + KEPT * share)
    held = 0.0
    for shown in counts[chances > 1e-9].tolist():
        found = region_share(GRID, scale_groups(GRID, [shown, n - shown, 0, 0]), CELL)
        held += chances[shown] * (found.low <= share <= found.high)
    assert 0.935 <= held <= 0.975


def test_of_a_region_that_nobody_seems_to_be_in_the_interval_is_told() -> None:
    level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    usm = PlanarWindowChannel(mechanism="usm", area=AREA, levels=(level,))
    found = region_share(usm, scale_groups(usm, [60, 40, 0, 0]), ((2, 0, 2, 1),))
    assert (found.value, found.standard_error) == (0.0, 0.0)
    assert found.low == 0.0
    assert 0.03 < found.high < 0.1


def test_the_whole_map_is_everybody() -> None:
    found = region_share(GRID, scale_groups(GRID, [10, 20, 30, 40]), ((0, 0, 4, 1),))
    assert found.low == pytest.approx(1)
    assert found.high == pytest.approx(1)


def test_bins_are_tested_as_regions_are() -> None:
    channel = generalised_rr(NumberRange(low=0, high=3), 7000)
    counts = np.array([100, 400, 400, 100])
    groups = scale_groups(channel, counts)
    inside = np.array([True, False, False, False])
    scores = running_scores(channel, np.array([1]))[0]
    moments = set_moments(groups, scores, inside)
    low, high = share_ends(moments, chi_square_quantile(0.95))
    of_bars = bars(channel, scale_groups(channel, counts))
    assert low[0] == pytest.approx(of_bars.low[0])
    assert high[0] == pytest.approx(of_bars.high[0])
    test = share_quadratics(moments, chi_square_quantile(0.95))
    assert test.at(low)[0] == pytest.approx(0, abs=1e-6)
    assert test.at((low + high) / 2)[0] < 0
