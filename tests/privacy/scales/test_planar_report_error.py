"""Parts of a map: scores for overlapping windows, cuts by design, and valid intervals."""

import numpy as np
import pytest

from privacy.scales.planar_mechanisms import square_mechanism
from privacy.scales.planar_window import Operator
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import scale_groups
from tests.fixtures.refusals import refused
from tests.privacy.scales.test_planar_mechanisms import square_map


def test_regions_on_large_maps_are_refused_if_they_cut_windows() -> None:
    windows = square_mechanism(square_map(50), 4.0, side=10)
    counts = Operator(windows).forward(np.full((50, 50), 1 / 2500)) * 1e6
    # The region is ten columns wide, and the first six have the same window.
    assert region_share(windows, scale_groups(windows, counts), ((0, 0, 6, 50),)).value == pytest.approx(
        0.12, abs=1e-9
    )
    with refused("too_large"):
        region_share(windows, scale_groups(windows, counts), ((0, 0, 5, 50),))
