"""Bars of numbers that are stored as answered are made once, from a settled survey."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from privacy.estimation.composed_parts import Factor, Part, Side
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from surveys.errors.error import SurveyError
from surveys.models import CutPoints, Run
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs import open_bars
from surveys.runs.comparisons import compare_sides
from surveys.runs.ledger import floor_of
from surveys.runs.open_bars import bars_for, make_bars, open_numbers, span_of, stored_bars
from surveys.runs.scale_question import scale_of
from tests.attack.test_open_answers import EVERYTHING, answer, survey
from tests.fixtures.devices import closed
from tests.fixtures.runs import mined_run
from tests.vectors.designs import live, shielded, yes_no
from tests.vectors.scale_designs import open_number

pytestmark = pytest.mark.django_db

HOURS = [5 * (number % 12) for number in range(240)]


def run_of(*, settled: bool, practice: bool = False) -> Run:
    version = survey("hours", number=True, practice=practice)
    answer(version, (60, 60, 60, 60), numbers=HOURS)
    if not settled and not practice:
        answer(version, (20, 20, 20, 20), numbers=HOURS)
    return mined_run(closed(version) if settled else version, EVERYTHING, anew=True)


def test_a_number_waits_while_answers_arrive() -> None:
    run = run_of(settled=False)
    (number,) = open_numbers(run.design)
    late = Side(items=(run.design.item("late").index,))
    for figure in (
        lambda: scale_of(run, "hours", "number"),
        lambda: compare_sides(run, late, Side(parts=(Part(question=number, target=MEAN),))),
        lambda: compare_sides(run, Side(parts=(Part(question=number, target=(0, 4)),)), late),
    ):
        with pytest.raises(SurveyError) as refused:
            figure()
        assert refused.value.code == "waits"
    assert not CutPoints.objects.exists()


def test_a_practice_survey_shows_each_value() -> None:
    run = run_of(settled=False, practice=True)
    assert bars_for(run, 2) is None
    assert scale_of(run, "hours", "number").spans is None


def test_bars_are_stored_once_and_later_rows_only_merge_them() -> None:
    run = run_of(settled=True)
    (number,) = open_numbers(run.design)
    bars = stored_bars(run, number)
    assert bars is not None
    people = np.bincount(HOURS, minlength=100)
    assert all(count == 0 or count >= 10 for count in np.add.reduceat(people, bars))
    make_bars(run, lambda _number: people, now=timezone.now())
    assert CutPoints.objects.count() == 1
    # Rows of another snapshot, with few people in some bar.
    run.snapshot_digest = "1" * 64
    fewer = people.copy()
    fewer[0] = 3
    make_bars(run, lambda _number: fewer, now=timezone.now())
    later = stored_bars(run, number)
    assert later is not None
    assert set(later) < set(bars)
    assert bars_for(run, number) == later


def test_a_declared_range_begins_and_ends_with_a_bar_or_is_withheld() -> None:
    """Of 240 people three work up to 2 hours, so that range shares its bar and has no figure."""
    version = survey("ranges", number=True, ranges=((0, 2), (50, 99)))
    answer(version, (60, 60, 60, 60), numbers=[*[1] * 3, *[20] * 137, *[60] * 100])
    run = mined_run(closed(version), EVERYTHING, anew=True)
    (number,) = open_numbers(run.design)
    few, many = (item.index for item in run.design.items if item.question == number)
    assert [span_of(run.design, item) for item in (few, many)] == [(0, 2), (50, 99)]
    bars = stored_bars(run, number)
    assert bars is not None
    assert 3 not in bars
    assert 50 in bars
    assert floor_of(run).withheld == {few}
    listed = {unpack_items(items) for items in run.itemsets.values_list("items", flat=True)}
    assert (many,) in listed
    assert not any(few in items for items in listed)


@pytest.fixture
def barred(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a run in which a number from 0 to 9 has the bars 0 to 4, 5 to 7, and 8 to 9."""
    monkeypatch.setattr(open_bars, "bars_for", lambda _run, question: [0, 5, 8] if question == 0 else None)
    monkeypatch.setattr(open_bars, "check_map", lambda _run, _question: None)
    hours = open_number("hours", as_answered(NumberRange(low=10, high=19)))
    design = live(hours, shielded("a", 5000, yes_no("late", 5000)))
    run: Any = SimpleNamespace(design=design)
    return run


@pytest.mark.parametrize(
    ("target", "fits"),
    [((0, 4), True), ((0, 7), True), ((5, 9), True), (MEAN, True), ((0, 5), False), ((6, 7), False)],
)
def test_a_range_is_a_union_of_bars(barred: Run, target: Any, fits: bool) -> None:
    figure = Side(parts=(Part(question=0, target=target),))
    for sides in ((figure, Side()), (Side(), figure)):
        if fits:
            open_bars.check_ranges(barred, *sides)
            continue
        with pytest.raises(SurveyError) as refused:
            open_bars.check_ranges(barred, *sides)
        assert refused.value.case == "profile.bars"
        assert "10, 15, 18" in str(refused.value)


def test_scores_of_both_groups_are_means_over_bars(barred: Run) -> None:
    """After ten bins, each group has a further code for a missing number."""
    group = [*range(10), 99]
    scores = np.array([[*group, *(10 * score for score in group)]], dtype=float)
    factor = Factor(question=0, items=(), scores=scores, split=11, draws=None)
    other = replace(factor, question=1)
    items = replace(factor, question=None, items=(0,))
    found, *same = open_bars.in_bars(barred, [factor, other, items])
    of_group = [2.0] * 5 + [6.0] * 3 + [8.5] * 2 + [99.0]
    assert found.scores[0].tolist() == [*of_group, *(10 * score for score in of_group)]
    assert same == [other, items]


def test_bars_prefer_the_ends_of_declared_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    ranged = replace(as_answered(NumberRange(low=0, high=249)), spans=((0, 39), (60, 99), (200, 249)))
    design = live(
        open_number("hours", ranged, "low", "middle", "top"), shielded("a", 5000, yes_no("late", 5000))
    )
    given: list[dict[str, Any]] = []
    monkeypatch.setattr(open_bars, "first_bins", lambda people, **how: given.append(how) or [len(people)])
    assert open_bars._first_bars(design, 0, np.ones(250, dtype=np.int64)) == [250]
    # With 250 bins, a bar has three.
    assert given == [{"least": 10, "units": range(0, 250, 3), "preferred": [40, 60, 100, 200]}]


def test_maps_on_either_side_are_checked(barred: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []
    monkeypatch.setattr(open_bars, "check_map", lambda _run, question: checked.append(question))
    open_bars.check_ranges(
        barred, Side(parts=(Part(question=0, target=MEAN),)), Side(parts=(Part(question=1, target=MEAN),))
    )
    assert checked == [0, 1]
