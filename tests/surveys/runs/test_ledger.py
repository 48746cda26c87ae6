"""The ledger decides what a run may show of open answers before the run has any figure."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from mining.open_floor import OpenFloor
from privacy.estimation.composed_parts import Side
from privacy.estimation.margins import margin_of
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered
from surveys.authoring.deletion import survey_delete
from surveys.authoring.lifecycle import survey_close
from surveys.errors.error import SurveyError
from surveys.models import Job, LedgerEntry, RuleRow, Run, Survey, Version
from surveys.report.sentences.ledger_words import ledger_note, ledger_record
from surveys.runs import ledger, mining_job
from surveys.runs.comparisons import compare_sides
from surveys.runs.interim_or_final import standing_of
from surveys.runs.ledger import floor_of, is_of_the_ledger
from surveys.runs.shown_of_run import shown_itemsets, shown_rules
from tests.attack.test_open_answers import EVERYTHING, answer, cells_of, survey
from tests.fixtures.devices import closed, version_of
from tests.fixtures.pages import report_page
from tests.fixtures.runs import find_run, mined_run
from tests.vectors.designs import live, shielded, yes_no
from tests.vectors.scale_designs import open_number

pytestmark = pytest.mark.django_db

EVEN, FEW_OLD, NEXT = (60, 60, 60, 60), (36, 6, 6, 2), (20, 20, 20, 20)


def looked_at(slug: str = "looks") -> tuple[Version, Run]:
    """Return an open survey, and an interim run that leaves out its newest batch."""
    version = survey(slug)
    answer(version, EVEN)
    answer(version, FEW_OLD)
    return version, mined_run(version, EVERYTHING, anew=True)


def test_an_interim_run_names_single_questions_and_no_cross() -> None:
    _version, run = looked_at()
    old, night = (run.design.item(key).index for key in ("old", "night"))
    assert not standing_of(run).is_final
    assert set(cells_of(run)) == {("old",), ("night",)}
    late = Side(items=(run.design.item("late").index,))
    assert compare_sides(run, Side(items=(old,)), late).n == 240
    with pytest.raises(SurveyError) as refused:
        compare_sides(run, Side(items=(old,)), Side(items=(night,)))
    assert refused.value.code == "waits"
    assert "Analyse again" in refused.value.remedy
    margin = margin_of("night", {"yes": 0.5, "no": 0.5}, run.design)
    with pytest.raises(SurveyError) as refused:
        compare_sides(run, Side(items=(old,)), late, (margin,))
    assert refused.value.code == "waits"


def test_a_single_question_waits_if_the_rows_since_an_earlier_run_have_few_people() -> None:
    version, first = looked_at()
    answer(version, NEXT)
    second = mined_run(version, EVERYTHING, anew=True)
    assert (first.n, second.n) == (240, 290)
    # Of the 50 rows in between, eight are old and eight work at night.
    assert cells_of(second) == {}
    old, late = (Side(items=(second.design.item(key).index,)) for key in ("old", "late"))
    with pytest.raises(SurveyError) as refused:
        compare_sides(second, old, late)
    assert refused.value.code == "waits"
    record = ledger_record(second)
    assert record["open_questions_that_wait"] == ["old", "night"]
    assert not record["combines_open_questions"]
    note = ledger_note(second)
    assert "not shown yet: “old?”, “night?”." in " ".join(note.waiting)
    # A third run on the same rows is decided in the same way.
    assert cells_of(mined_run(version, EVERYTHING, anew=True)) == {}
    # With the next batch, enough people are in each difference again.
    answer(version, NEXT)
    third = mined_run(version, EVERYTHING, anew=True)
    assert third.n == 370
    assert set(cells_of(third)) == {("old",), ("night",)}


def test_the_decision_on_a_deleted_run_stays() -> None:
    version, first = looked_at()
    job = first.job_id
    Run.objects.filter(pk=first.pk).update(audit_job=None)
    Run.objects.get(pk=first.pk).delete()
    Job.objects.filter(pk=job).delete()
    assert LedgerEntry.objects.filter(run_number=first.pk).exists()
    answer(version, NEXT)
    assert cells_of(mined_run(version, EVERYTHING, anew=True)) == {}


def test_an_unfinished_or_older_run_counts_as_one_that_showed_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its rows are counted, because it has no entry."""
    monkeypatch.setattr(mining_job, "decide", lambda run, *args, **kwargs: floor_of(run))
    version, first = looked_at()
    assert not is_of_the_ledger(first)
    monkeypatch.undo()
    answer(version, NEXT)
    assert cells_of(mined_run(version, EVERYTHING, anew=True)) == {}


def test_a_failed_run_showed_nothing() -> None:
    version, first = looked_at()
    Job.objects.filter(pk=first.job_id).update(state=Job.State.FAILED)
    answer(version, NEXT)
    assert set(cells_of(mined_run(version, EVERYTHING, anew=True))) == {("old",), ("night",)}


def test_stored_results_of_an_earlier_release_are_shown_by_the_present_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They contain crosses, also of a survey that is still open."""
    monkeypatch.setattr(mining_job, "decide", lambda run, *args, **kwargs: OpenFloor(least=10))
    version, run = looked_at()
    crossed = ",".join(["", *sorted(str(run.design.item(key).index) for key in ("old", "night")), ""])
    assert run.itemsets.filter(items=crossed).exists()
    assert RuleRow.objects.filter(run=run).exists()
    assert not is_of_the_ledger(run)
    assert cells_of(run) == {}
    assert not shown_itemsets(run).filter(items=crossed).exists()
    assert not shown_rules(run).exists()
    for name in ("results", "itemsets", "rule_tests", "printed", "compare", "run"):
        assert "are not shown yet" in report_page(run, name)
    final = closed(version)
    monkeypatch.undo()
    run = find_run(run.pk)
    # Now its rows are not those of the settled survey.
    assert cells_of(run) == {}
    assert "analyse again" in " ".join(ledger_note(run).waiting)
    again = mined_run(final, EVERYTHING, anew=True)
    assert ("night", "old") in cells_of(again)


def test_a_settled_survey_names_the_day_and_waits_no_longer() -> None:
    version, interim = looked_at()
    survey_close(version.survey, by="alice", now=timezone.now())
    waiting = mined_run(version_of(version.pk), EVERYTHING, anew=True)
    ends = Survey.objects.get(pk=version.survey_id).accepts_until
    assert ends is not None
    assert f"{ends:%Y-%m-%d}" in " ".join(ledger_note(waiting).waiting)
    survey_close(version.survey, by="alice", now=timezone.now(), at_once=True)
    run = mined_run(version_of(version.pk), EVERYTHING, anew=True)
    note = ledger_note(run)
    assert note.waiting == ()
    assert f"{timezone.now():%Y-%m-%d}" in " ".join(note.lines)
    assert ledger_record(run)["final"]
    assert not ledger_record(find_run(interim.pk))["final"]
    assert "All answers have arrived" in " ".join(ledger_note(find_run(interim.pk)).waiting)


def test_simulated_respondents_do_not_wait() -> None:
    version = survey("truth")
    Survey.objects.filter(pk=version.survey_id).update(known_truth={"late": 0.0})
    answer(version, EVEN)
    answer(version, EVEN)
    assert ("night", "old") in cells_of(mined_run(version_of(version.pk), EVERYTHING, anew=True))
    version = survey("practice", practice=True)
    answer(version, (3, 1, 1, 1))
    run = mined_run(version, EVERYTHING, anew=True)
    assert ("night", "old") in cells_of(run)
    assert ledger_note(run).waiting == ()


def test_deleting_a_survey_deletes_its_ledger() -> None:
    version = survey("gone")
    answer(version, EVEN)
    version = closed(version)
    mined_run(version, EVERYTHING, anew=True)
    Job.objects.update(state=Job.State.FINISHED)
    survey_delete(version.survey, by="alice")
    assert not LedgerEntry.objects.exists()


def test_ranges_of_an_open_number_are_withheld_unless_they_consist_of_bars(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranged = replace(as_answered(NumberRange(low=0, high=9)), spans=((0, 4), (5, 7), (9, 9)))
    design = live(
        shielded("a", 5000, yes_no("late", 5000)),
        open_number("hours", ranged, "low", "middle", "top"),
        open_number("pay", ranged, "less", "more", "best"),
    )
    run: Any = SimpleNamespace(design=design)
    bars: dict[int, list[int] | None] = {1: [0, 5, 8], 2: [0, 9]}
    monkeypatch.setattr(ledger, "stored_bars", lambda _run, number: bars[number])

    def withheld() -> list[str]:
        return [design.items[item].key for item in ledger._withheld(run)]

    # 9 hours share a bar with 8, and a pay of 4 with one of 5.
    assert withheld() == ["hours=top", "pay=less", "pay=more"]
    bars[1] = None
    assert withheld()[:3] == ["hours=low", "hours=middle", "hours=top"]


def test_all_ranges_of_open_numbers_are_exact() -> None:
    ranged = replace(as_answered(NumberRange(low=0, high=9)), spans=((0, 4), (5, 7)))
    design = live(shielded("a", 5000, yes_no("late", 5000)), open_number("hours", ranged, "low", "middle"))
    found = [design.items[item].key for item in ledger._exact_items(design)]
    assert found == ["hours=low", "hours=middle"]
