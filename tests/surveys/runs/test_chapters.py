"""A survey that stays open is cut into chapters, and combinations of open answers appear by chapter only."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.api import draft_state
from surveys.authoring.drafts import draft_save
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import Chapter, Run, Survey, Version
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.document import DefinitionError
from surveys.report.sentences.ledger_words import ledger_note, ledger_record
from surveys.runs.chapters import (
    ClosedChapter,
    chapter_rows,
    chapters_among,
    chapters_cut,
    chapters_state,
    chapters_step,
    closed_chapters,
    stated_chapters,
)
from surveys.runs.interim_or_final import standing_of
from tests.attack.respondents import publish
from tests.attack.test_open_answers import EVERYTHING, answer, cells_of, crosses, document, subtracted
from tests.fixtures.devices import closed, version_of
from tests.fixtures.pages import open_page, report_page
from tests.fixtures.runs import done, find_run, mined_run, requested_run
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db

FIRST, SECOND = datetime(2090, 1, 1, tzinfo=UTC), datetime(2091, 1, 1, tzinfo=UTC)
TIMES = ["2090-01-01T00:00", "2091-01-01T00:00"]


def complaints(**changes: Any) -> Version:
    return publish(document("complaints") | {"chapters": TIMES} | changes)


def analysed(version: Version, chapter: int | None) -> Run:
    return done(requested_run(version_of(version.pk), EVERYTHING, chapter=chapter))


def two_chapters() -> Version:
    """Return a survey with two closed chapters and answers of a third one."""
    version = complaints()
    answer(version, (60, 60, 60, 60))
    chapters_cut(now=FIRST)
    answer(version, (30, 40, 50, 60))
    answer(version, (36, 6, 6, 2))
    chapters_cut(now=SECOND)
    answer(version, (30, 30, 30, 30))
    return version


@pytest.mark.soak
def test_a_chapter_is_a_closed_set_of_answers() -> None:
    version = two_chapters()
    first, second = closed_chapters(version.survey)
    assert [(each.number, each.ends_at) for each in (first, second)] == [(1, FIRST), (2, SECOND)]
    before = analysed(version, 1)
    assert before.n == 240
    # Nothing joins it, whatever arrives and however often time passes.
    answer(version, (20, 20, 20, 20))
    chapters_cut(now=SECOND + timedelta(days=9))
    assert closed_chapters(version.survey) == [first, second]
    again = analysed(version, 1)
    assert again.snapshot_digest == before.snapshot_digest
    assert analysed(version, 2).n == 230


def test_crosses_appear_by_chapter_only_and_never_cumulated() -> None:
    version = two_chapters()
    whole, one, two = (analysed(version, chapter) for chapter in (None, 1, 2))
    assert [standing_of(run).is_final for run in (whole, one, two)] == [False, True, True]
    assert cells_of(whole) == {}
    assert [crosses(cells_of(run)) for run in (one, two)] == [{("night", "old"): 60}, {("night", "old"): 62}]
    # After settling, the rest is the last chapter, and the whole still shows no open answer.
    final = closed(version)
    whole, last = mined_run(final, EVERYTHING, anew=True), analysed(final, 3)
    assert (whole.n, last.n) == (590, 120)
    assert cells_of(whole) == {}
    assert crosses(cells_of(last)) == {("night", "old"): 30}
    assert list(subtracted(one, whole)) == []


def test_pages_name_the_chapter_or_offer_one() -> None:
    version = two_chapters()
    whole, two = analysed(version, None), analysed(version, 2)
    assert "once a chapter has ended, analyse it to see them" in " ".join(ledger_note(whole).waiting)
    assert "chapter 2, until 2091-01-01" in " ".join(ledger_note(two).lines)
    assert "chapter 2, until 2091-01-01" in report_page(two, "results")
    assert (ledger_record(two)["chapter"], ledger_record(whole)["chapter"]) == (2, None)
    chapter = standing_of(two).chapter
    assert chapter is not None
    assert chapter.number == 2


def test_an_unknown_or_open_chapter_is_refused() -> None:
    version = complaints()
    answer(version, (60, 60, 60, 60))
    for number in (0, 1, 9):
        with pytest.raises(SurveyError) as refused:
            analysed(version, number)
        assert refused.value.case == "chapters.unknown"


def test_a_survey_without_chapters_has_none() -> None:
    version = publish(document("plain"))
    answer(version, (60, 60, 60, 60))
    chapters_cut(now=SECOND)
    assert closed_chapters(version.survey) == []
    assert closed_chapters(closed(version).survey) == []


def test_published_times_stay_and_only_future_ones_are_added() -> None:
    version = complaints()
    survey = version.survey

    def republish(*times: str) -> None:
        current = Survey.objects.get(pk=survey.pk)
        draft_save(
            current,
            current.definition | {"chapters": list(times)},
            revision=current.revision,
            by="alice",
            now=timezone.now(),
        )
        survey_publish(Survey.objects.get(pk=survey.pk), by="alice", now=timezone.now())

    for times, case, named in (
        (TIMES[:1], "chapters.published", "2091-01-01T00:00 (UTC)"),
        (["2020-01-01T00:00", *TIMES], "chapters.past", "2020-01-01T00:00 (UTC)"),
    ):
        with pytest.raises(SurveyError) as refused:
            republish(*times)
        assert refused.value.case == case
        assert named in str(refused.value)
    republish(*TIMES, "2092-01-01T00:00")
    assert Chapter.objects.filter(survey=survey).count() == 3


def test_a_new_time_lies_after_this_moment() -> None:
    survey, moment = complaints().survey, SECOND + timedelta(microseconds=1)
    times = [FIRST, SECOND, moment]
    with pytest.raises(SurveyError) as refused:
        chapters_state(survey, times, zone="Asia/Tokyo", now=moment)
    assert refused.value.case == "chapters.past"
    assert "2091-01-01T09:00 (Asia/Tokyo)" in str(refused.value)
    chapters_state(survey, times, zone="Asia/Tokyo", now=SECOND)
    assert [end for end, _last in stated_chapters(survey)] == times


def test_the_sweeper_closes_chapters_whose_time_has_passed() -> None:
    survey = complaints().survey
    Chapter.objects.create(survey=survey, ends_at=timezone.now())
    chapters_step()
    assert [last for _end, last in stated_chapters(survey)] == [0, None, None]
    assert [(each.number, each.after, each.last) for each in closed_chapters(survey)] == [(1, 0, 0)]


def test_a_chapter_has_the_rows_of_its_batches() -> None:
    version = two_chapters()
    first, second = closed_chapters(version.survey)
    assert [chapter_rows(version, each) for each in (first, second)] == [240, 230]
    empty = ClosedChapter(number=3, after=second.last, last=second.last, ends_at=None)
    assert chapter_rows(version, empty) == 0


def test_the_builder_knows_which_chapters_are_published_and_closed() -> None:
    version = complaints(time_zone="Europe/Berlin", chapters=["2090-01-01T01:00", "2091-06-01T02:00"])
    chapters_cut(now=FIRST)
    state = draft_state(Survey.objects.get(pk=version.survey_id), with_document=False, expert=False)
    assert state["chapters"] == [
        {"ends_at": "2090-01-01T01:00", "closed": True},
        {"ends_at": "2091-06-01T02:00", "closed": False},
    ]
    page = open_page(
        browser_of("ana", Role.RESEARCHER, Role.ADMINISTRATOR), "/en/staff/surveys/complaints/publish"
    )
    assert "2091-06-01 02:00" in page
    assert "Published times stay." in page


@pytest.mark.parametrize(
    "times",
    [
        "2090-01-01T00:00",
        ["2091-01-01T00:00", "2090-01-01T00:00"],
        ["2090-01-01T00:00", "2090-01-01T00:00"],
        ["never"],
        [None],
        [3],
        [f"20{year:02}-01-01T00:00" for year in range(1, 100)] * 2,
    ],
)
def test_chapters_that_are_no_ordered_list_of_times_are_refused(times: object) -> None:
    with pytest.raises(DefinitionError):
        definition_parse(document("wrong") | {"chapters": times})


def test_chapters_lie_between_opening_and_closing() -> None:
    for bounds in ({"opens_at": "2090-06-01T00:00"}, {"closes_at": "2090-06-01T00:00"}):
        with pytest.raises(DefinitionError):
            definition_parse(document("wrong") | {"chapters": TIMES} | bounds)
    assert definition_parse(document("right") | {"chapters": TIMES}).schedule.chapters == (FIRST, SECOND)


def test_the_database_refuses_to_change_a_closed_chapter() -> None:
    version = two_chapters()
    closed_ones = Chapter.objects.filter(survey=version.survey_id)
    for change in ({"last_batch": 1}, {"last_batch": None}, {"ends_at": SECOND + timedelta(days=1)}):
        with pytest.raises(DatabaseError, match="closed once"), transaction.atomic():
            closed_ones.filter(ends_at=SECOND).update(**change)
    with pytest.raises(DatabaseError, match="closed once"), transaction.atomic():
        closed_ones._raw_delete("default")


@pytest.mark.parametrize(
    ("settled", "newest", "last"), [(True, 4, None), (True, 5, (2, 4, 5, None)), (False, 5, None)]
)
def test_a_settled_survey_has_a_last_chapter_only_if_answers_came_after_the_one_before(
    settled: bool, newest: int, last: tuple[int, int, int, None] | None
) -> None:
    found = chapters_among([(FIRST, 4)], settled=settled, newest=newest)
    expected = [(1, 0, 4, FIRST), *([last] if last else [])]
    assert [(each.number, each.after, each.last, each.ends_at) for each in found] == expected


def test_a_run_of_everything_that_equals_a_chapter_is_that_chapter() -> None:
    """A first chapter has the same rows, so its figures reveal nothing more."""
    version = complaints()
    answer(version, (60, 60, 60, 60))
    chapters_cut(now=FIRST)
    answer(version, (20, 20, 20, 20))
    run = find_run(analysed(version, None).pk)
    assert run.n == 240
    assert standing_of(run).chapter == closed_chapters(version.survey)[0]
