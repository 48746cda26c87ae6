"""The ledger decides what a run may show of open answers before the run has any figure."""

from types import SimpleNamespace
from typing import cast

import pytest
from django.utils import timezone

from mining.open_floor import OpenFloor
from mining.thresholds import Sides, Thresholds
from privacy.estimation.composed_parts import Side
from privacy.estimation.margin_cells import margin_of
from privacy.survey.layout import Layout, Record
from surveys.authoring.deletion import survey_delete
from surveys.authoring.lifecycle import survey_close
from surveys.errors.error import SurveyError
from surveys.models import Job, LedgerEntry, RuleRow, Run, Survey, Version
from surveys.report.sentences.ledger_words import ledger_note, ledger_record
from surveys.runs import mining_job
from surveys.runs.comparisons import compare_sides
from surveys.runs.interim_or_final import standing_of
from surveys.runs.ledger import crosses_of, floor_of, forged_rows, is_of_the_ledger, lifting_rows, looks_of
from surveys.runs.run_summary import shown_itemsets, shown_rules
from tests.attack.test_open_answers import EVERYTHING, answer, cells_of, survey
from tests.fixtures.devices import closed, stored, version_of
from tests.fixtures.pages import report_page
from tests.fixtures.runs import find_run, mined_run

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


def test_pages_say_how_often_the_same_rows_were_analysed_and_the_largest_family() -> None:
    version = survey("sides")
    answer(version, EVEN)
    version = closed(version)
    first = mined_run(version, EVERYTHING, anew=True)
    chosen = Thresholds(
        support=1e-6, confidence=1e-6, max_size=2, sides=Sides(antecedent=(0,), consequent=(2,))
    )
    second = mined_run(version, chosen, anew=True)
    assert first.summary["inference"]["family"]["lift"] == 6
    assert second.summary["inference"]["family"]["lift"] == 1
    looks = looks_of(second)
    assert (looks.runs, looks.family, looks.largest, looks.is_smaller) == (2, 1, 6, True)
    assert not looks_of(first).is_smaller
    warning = "one possible association. Another one of the same answers allowed for 6"
    for name in ("results", "itemsets", "run", "compare", "printed"):
        assert warning in report_page(second, name), name
        assert warning not in report_page(first, name)
        assert "analysed 2 times, for up to 6" in report_page(first, name)
    assert ledger_record(second)["largest_family"] == 6


def test_forged_rows_are_stated_for_figures_that_cross_open_answers_of_an_open_link() -> None:
    version = survey("open-link")
    design = version.to_design()
    old, night, late = (design.item(key).index for key in ("old", "night", "late"))

    def stated(*items: int, **changed: object) -> int | None:
        asked = SimpleNamespace(**{"by_invitation": False, "practice": False, "known_truth": None} | changed)
        return lifting_rows(cast(Run, SimpleNamespace(design=design, survey=asked)), items)

    assert stated(night, old) == stated(old, night, old) == 90
    # A disguised answer adds no combinations.
    assert stated(old, night, late) == 90
    # One open question is no cross, nor are its answers with a disguised one.
    assert [stated(old), stated(old, old), stated(old, late), stated()] == [None] * 4
    for changed in ({"by_invitation": True}, {"practice": True}, {"known_truth": {"old": 0.5}}):
        assert stated(old, night, **changed) is None


def test_forged_rows_show_a_cross_as_the_page_says() -> None:
    """With this many rows, ten for each combination, a cross appears whatever the others answered."""
    version = survey("forged")
    items = tuple(version.to_design().item(key).index for key in ("old", "night"))
    assert forged_rows(version.to_design(), items) == 3 * 3 * 10
    people = (110, 3, 2, 6)
    answer(version, people)
    honest = mined_run(closed(version), EVERYTHING, anew=True)
    assert ("night", "old") not in cells_of(honest)
    assert "90" in " ".join(ledger_note(honest).lines)
    assert "The link was open" in " ".join(ledger_note(honest).lines)
    other = survey("lifted")
    answer(other, people)
    # No one left a question empty, so ten for each of four combinations suffice here.
    answer(other, (10, 10, 10, 10))
    assert cells_of(mined_run(closed(other), EVERYTHING, anew=True))["night", "old"] == 16


def test_one_forged_row_fewer_shows_no_cross_if_each_combination_is_rare() -> None:
    """The stated number suffices whatever the others answered; here it is also needed."""
    cells = [(old, night) for old in (None, 0, 1) for night in (None, 0, 1)]
    shown = []
    for slug, last in (("ninety", 10), ("fewer", 9)):
        version = survey(slug)
        layout = Layout(version.to_design())
        # No honest person gave the last combination.
        honest = [cells[0]] * 100
        forged = [cell for cell in cells[:-1] for _ in range(10)] + [cells[-1]] * last
        rows = [
            layout.pack(Record(direct=False, answers=(cell, (at % 2,)), refused=(False, False)))
            for at, cell in enumerate([*honest, *forged])
        ]
        stored(version, rows)
        run = mined_run(closed(version), EVERYTHING, anew=True)
        shown.append(crosses_of(run))
    assert shown == [{(0, 1): True}, {(0, 1): False}]


def test_deleting_a_survey_deletes_its_ledger() -> None:
    version = survey("gone")
    answer(version, EVEN)
    version = closed(version)
    mined_run(version, EVERYTHING, anew=True)
    Job.objects.update(state=Job.State.FINISHED)
    survey_delete(version.survey, by="alice")
    assert not LedgerEntry.objects.exists()
