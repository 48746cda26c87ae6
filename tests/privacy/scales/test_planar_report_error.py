"""Parts of a map: scores for overlapping windows, cuts by design, and valid intervals."""

import numpy as np
import pytest

from privacy.scales.planar_mechanisms import square_mechanism
from privacy.scales.planar_report_error import _bin_shares, _lines, _overlapping_bins
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


def test_lines_divide_a_map_into_at_most_so_many_bins_of_about_equal_width() -> None:
    assert _lines(4, 4).tolist() == [0, 1, 2, 3, 4]
    assert _lines(5, 4).tolist() == [0, 1, 2, 4, 5]
    assert _lines(12, 3).tolist() == [0, 4, 8, 12]


def test_the_bins_of_a_stretch_are_cut_at_its_ends() -> None:
    lines = np.array([0, 3, 6, 9])
    for start, length, bins, cuts in (
        (2, 5, [0, 1, 2], [2, 3, 6, 7]),
        (3, 3, [1], [3, 6]),
        (0, 9, [0, 1, 2], [0, 3, 6, 9]),
        (7, 1, [2], [7, 8]),
    ):
        found = _overlapping_bins(lines, start, length)
        assert (found[0].tolist(), found[1].tolist()) == (bins, cuts)


def test_stretches_of_cells_are_shared_between_bins_by_length() -> None:
    lines = np.array([0, 4, 8])
    shares = _bin_shares(np.array([0, 2, 6]), np.array([4, 4, 2]), lines)
    assert shares.tolist() == [[1, 0], [0.5, 0.5], [0, 1]]
