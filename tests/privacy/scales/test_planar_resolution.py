"""Cells with the same disguise: how many kinds there are, and how large these are."""

from dataclasses import replace

import numpy as np
import pytest

from privacy.scales.planar_resolution import Resolution, alike, reveals_nothing
from privacy.scales.planar_window import PlanarWindowChannel
from tests.privacy.scales.test_planar_mechanisms import MAPS
from tests.vectors.scale_designs import WHOLE

SILENT = replace(MAPS["square mechanism"], levels=(replace(WHOLE, frames=((0, 0, 10, 8, 10, 8),)),))


@pytest.mark.slow
@pytest.mark.parametrize("name", MAPS)
def test_indistinguishable_places_have_equal_channel_columns(name: str) -> None:
    windows = MAPS[name]
    assert isinstance(windows, PlanarWindowChannel)
    columns, of = np.unique(windows.channel.as_array(), axis=1, return_inverse=True)
    found = alike(windows)
    assert found.kinds == columns.shape[1]
    assert found.is_all is reveals_nothing(windows) is False
    spans = []
    for line in (np.arange(80) % 10, np.arange(80) // 10):
        spans.append(max(np.ptp(line[of.ravel() == kind]) + 1 for kind in range(found.kinds)))
    width, height = windows.area.cell_metres
    assert (found.across, found.up) == pytest.approx((spans[0] * width, spans[1] * height))


def test_a_window_covering_the_whole_map_reveals_nothing() -> None:
    assert reveals_nothing(SILENT)
    assert SILENT.channel.amplification() == 1


def test_all_or_no_cells_of_a_map_are_alike() -> None:
    every = Resolution(cells=80, kinds=1, across=10.0, up=8.0)
    assert (every.is_all, every.is_none) == (True, False)
    some = replace(every, kinds=7)
    assert (some.is_all, some.is_none) == (False, False)
    none = replace(every, kinds=80)
    assert (none.is_all, none.is_none) == (False, True)
