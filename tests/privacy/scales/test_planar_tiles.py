from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from privacy.scales.planar_tiles import (
    share_of_tiles,
    tile_edges,
    tile_probabilities,
    tiles_along,
    windows_in,
)
from tests.fixtures.scale_reports import tile_of

BOX = (2, 1, 7, 5)
COUNTS = (3, 2)


@pytest.mark.parametrize("length", range(1, 9))
def test_lines_are_cut_as_evenly_as_whole_cells_allow(length: int) -> None:
    for count in range(1, length + 1):
        edges = tile_edges(length, count)
        assert edges[0] == 0
        assert edges[-1] == length
        assert set(np.diff(edges)) <= {length // count, -(-length // count)}
        own = tiles_along(np.arange(length), length, count)
        assert all(edges[tile] <= cell < edges[tile + 1] for cell, tile in enumerate(own.tolist()))


def test_probabilities_pick_a_tile_then_a_cell_within_it() -> None:
    boxes, tiles = [BOX, (0, 0, 2, 3)], [COUNTS, (1, 3)]
    every = [
        tile_of(box, counts, n)
        for box, counts in zip(boxes, tiles, strict=True)
        for n in range(np.prod(counts))
    ]
    region = (1, 1, 4, 3)
    share = Fraction(0)
    expected = np.zeros((6, 9))
    for left, low, across, up in every:
        for x, y in product(range(left, left + across), range(low, low + up)):
            chance = Fraction(1, len(every) * across * up)
            expected[y, x] += chance
            share += chance * (
                region[0] <= x < region[0] + region[2] and region[1] <= y < region[1] + region[3]
            )
    assert share_of_tiles(boxes, tiles, [region]) == share
    assert tile_probabilities(boxes, tiles, 9, 6) == pytest.approx(expected, abs=1e-15)


def test_each_cell_is_in_the_tile_of_its_rectangle() -> None:
    """Two tiles across 5 columns are of 2 and 3; 3 rows are one tile. The second rectangle is cut upwards."""
    x, y = np.array([1, 2, 3, 5, 8, 8]), np.array([1, 3, 2, 1, 4, 7])
    found = windows_in(((1, 1, 5, 3), (7, 4, 2, 4)), ((2, 1), (1, 2)), x, y)
    assert list(zip(*(part.tolist() for part in found), strict=True)) == [
        (1, 1, 2, 3), (1, 1, 2, 3), (3, 1, 3, 3), (3, 1, 3, 3), (7, 4, 2, 2), (7, 6, 2, 2)
    ]  # fmt: skip
