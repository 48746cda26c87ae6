"""Tiles of a map with exact places are stored once for the same rows, and wait for the final run."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.models import CutPoints
from surveys.runs import map_tiles
from surveys.runs.cut_points import stored_cuts
from surveys.runs.map_tiles import Tiles, check_map, is_exact_map, store_tiles, stored_tiles
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


@pytest.mark.parametrize("may_combine", [True, False])
def test_only_maps_with_exact_places_wait_for_the_final_run(
    may_combine: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(map_tiles, "combines", lambda _run: may_combine)
    disguises = SimpleNamespace(exact_outside=True), SimpleNamespace(exact_outside=False), None
    questions = [SimpleNamespace(disguise=disguise) for disguise in disguises]
    run: Any = SimpleNamespace(design=SimpleNamespace(questions=questions))
    for number in (0, 1, 2) if may_combine else (1, 2):
        check_map(run, number)
    if not may_combine:
        with pytest.raises(SurveyError) as refused:
            check_map(run, 0)
        assert (refused.value.case, refused.value.fields["least"]) == ("waits", 10)
