"""Tilings: every cell lies in one tile, and what is computed of tiles is what counting their cells gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from privacy.scales.tiling import (
    chances_of_tiles,
    share_of_tiles,
    tile_edges,
    tiles_along,
    tiles_between,
    windows_in,
)
from tests.fixtures.scale_law import tile_of

BOX = (2, 1, 7, 5)
COUNTS = (3, 2)
CELLS = list(product(range(2, 9), range(1, 6)))


@pytest.mark.parametrize("length", range(1, 9))
def test_a_line_is_cut_as_evenly_as_whole_cells_allow(length: int) -> None:
    for count in range(1, length + 1):
        edges = tile_edges(length, count)
        assert edges[0] == 0
        assert edges[-1] == length
        assert set(np.diff(edges)) <= {length // count, -(-length // count)}
        own = tiles_along(np.arange(length), length, count)
        assert all(edges[tile] <= cell < edges[tile + 1] for cell, tile in enumerate(own.tolist()))


def test_each_cell_has_the_one_tile_that_it_lies_in() -> None:
    tiles = [tile_of(BOX, COUNTS, number) for number in range(6)]
    xs, ys = (np.array(places) for places in zip(*CELLS, strict=True))
    windows = np.stack(windows_in([BOX], [COUNTS], xs, ys), axis=1)
    for (x, y), window in zip(CELLS, windows.tolist(), strict=True):
        holding = [t for t in tiles if t[0] <= x < t[0] + t[2] and t[1] <= y < t[1] + t[3]]
        assert holding == [tuple(window)]


def test_chances_and_shares_are_those_of_a_tile_and_then_a_cell_of_it() -> None:
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
    assert chances_of_tiles(boxes, tiles, 9, 6) == pytest.approx(expected, abs=1e-15)


def test_between_two_lines_a_cut_tile_counts_by_its_part() -> None:
    # Columns 2..8 are cut at 2, 4, 6, 9: from 3 to 7 lie a half, one whole and a third.
    assert tiles_between(BOX, COUNTS, 0, 3, 7) == Fraction(1, 2) + 1 + Fraction(1, 3)
