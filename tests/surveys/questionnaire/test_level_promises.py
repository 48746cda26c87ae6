"""What each level promises is what the exact channel does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from privacy.scales.area import Area
from privacy.scales.planar_mechanisms import levelled
from surveys.questionnaire.level_promises import level_promises

MAP = Area(west=0, south=0, east=120_000, north=60_000, columns=12, rows=6)
TWO = levelled(MAP, [([(0, 0, 4, 4)], 1.0), ([(6, 1, 5, 3)], 2.0)])


def test_no_two_places_that_come_as_far_differ_by_more_than_gamma() -> None:
    channel = TWO.channel.as_array()
    cells = [TWO.level_of(cell) for cell in range(MAP.cells)]
    for number, level in enumerate(level_promises(TWO)["levels"]):
        sent = [y for y in range(MAP.cells) if cells[y] == number]
        coming = [x for x in range(MAP.cells) if cells[x] >= number]
        here = channel[np.ix_(sent, coming)]
        assert (here.max(axis=1) / here.min(axis=1)).max() == pytest.approx(level["gamma"])
        assert math.exp(level["epsilon"]) == pytest.approx(level["gamma"])
        # Whoever lies in an earlier level never sends from this one.
        assert channel[np.ix_(sent, [x for x in range(MAP.cells) if cells[x] < number])].sum() == 0


def test_outside_all_levels_a_place_is_sent_as_it_is_with_the_chance_that_is_told() -> None:
    outside = level_promises(TWO)["outside"]
    channel = TWO.channel.as_array()
    free = [cell for cell in range(MAP.cells) if TWO.level_of(cell) == 2]
    assert {round(channel[cell, cell], 12) for cell in free} == {round(outside["exact"], 12)}
    assert outside["share"] == pytest.approx(len(free) / MAP.cells)


def test_where_a_prior_has_nobody_no_error_is_told() -> None:
    prior = np.zeros((6, 12))
    prior[0, 0] = 1
    found = level_promises(TWO, prior)
    assert found["levels"][0]["error"] > 0
    assert (found["levels"][1]["error"], found["outside"]["error"]) == (None, None)


def test_levels_may_cover_the_whole_map() -> None:
    whole = levelled(MAP, [([(0, 0, 4, 6)], 1.0), ([(4, 0, 8, 6)], 2.0)])
    assert level_promises(whole)["outside"] is None
