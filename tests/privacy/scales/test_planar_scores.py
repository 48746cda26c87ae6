"""Scores of reports for a region average to the region at every place."""

import numpy as np
import pytest

from privacy.scales.area import Area
from privacy.scales.planar_level import anchors
from privacy.scales.planar_mechanisms import square_mechanism, utility_square
from privacy.scales.planar_rectangles import paint_cells
from privacy.scales.planar_scores import plain_scores, values_along


@pytest.mark.parametrize("length", [1, 2, 5, 8, 11])
def test_axis_values_exist_exactly_where_the_pseudoinverse_solves(length: int) -> None:
    given = 0
    for size in range(1, length + 1):
        begin = anchors(np.arange(length), 0, length, size, snap=False)
        means = np.array([(at <= np.arange(length)) & (np.arange(length) < at + size) for at in begin]) / size
        solved = np.linalg.pinv(means)
        for first in range(length):
            for last in range(first + 1, length + 1):
                wanted = ((first <= np.arange(length)) & (np.arange(length) < last)).astype(float)
                least = solved @ wanted
                found = values_along(length, size, first, last)
                assert (found is None) == (np.abs(means @ least - wanted).max() > 1e-6)
                if found is not None:
                    assert found == pytest.approx(least, abs=1e-9)
                    given += 1
    assert given


def uneven() -> Area:
    return Area(west=0, south=0, east=1100, north=700, columns=11, rows=7)


SQUARES = {
    "the whole map": square_mechanism(uneven(), 2.0, side=3),
    "an even window": square_mechanism(uneven(), 2.0, side=4),
    "two rectangles": utility_square(uneven(), [(0, 0, 6, 7), (6, 0, 5, 7)], 2.0, side=2),
    "one rectangle": utility_square(uneven(), [(1, 1, 8, 5)], 2.0, side=3),
}


@pytest.mark.parametrize("name", SQUARES)
def test_region_scores_average_to_the_region_for_every_place(name: str) -> None:
    windows = SQUARES[name]
    channel, given = windows.channel.as_array(), 0
    for box in [(x, y, w, h) for x in range(11) for y in range(7) for w in (2, 3, 6) for h in (2, 4, 7)]:
        if box[0] + box[2] > 11 or box[1] + box[3] > 7:
            continue
        scores = plain_scores(windows, (box,))
        if scores is not None:
            np.testing.assert_allclose(
                scores @ channel, paint_cells((box,), 11, 7).ravel(), rtol=0, atol=1e-9
            )
            given += 1
    assert given >= 5
