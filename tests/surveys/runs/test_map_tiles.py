"""Tiles of a map with exact places are stored once for the same rows, and wait for the final run."""

import pytest
from django.utils import timezone

from surveys.models import CutPoints
from surveys.runs.cut_points import stored_cuts
from surveys.runs.map_tiles import Tiles, is_exact_map, store_tiles, stored_tiles
from tests.fixtures.runs import SINGLES, mined_run
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


def tiles_of(side: int) -> Tiles:
    return Tiles(
        column=[0, side], row=[0, 0], side=[side, side], hidden=[False, True], hidden_regions=["hill"]
    )


def test_only_maps_with_exact_places_outside_have_tiles() -> None:
    exact, disguised = (
        mined_run(scale_answered(300, slug=slug, everywhere=everywhere), SINGLES).design
        for slug, everywhere in (("town", False), ("village", True))
    )
    number = exact.question_number("care")
    assert [is_exact_map(exact, each) for each in range(len(exact.questions))].count(True) == 1
    assert is_exact_map(exact, number)
    assert not is_exact_map(disguised, disguised.question_number("care"))


def test_the_first_tiles_of_a_maps_rows_are_kept() -> None:
    run = mined_run(scale_answered(300), SINGLES)
    number = run.design.question_number("care")
    assert stored_tiles(run, number) is None
    first = store_tiles(run, number, tiles_of(4), now=timezone.now())
    assert store_tiles(run, number, tiles_of(2), now=timezone.now()) == first == tiles_of(4)
    assert stored_tiles(run, number) == first
    cuts = stored_cuts(run, number)
    assert cuts == CutPoints.objects.get()
    run.snapshot_digest = "of other rows"
    assert stored_tiles(run, number) is None
