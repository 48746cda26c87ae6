"""Interim and final looks: which a run is, and how many rows have come since."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Job, Run, Survey, Version
from surveys.runs import look as look_module
from surveys.runs.disclosure import groups_of
from surveys.runs.look import Look, look_of, looks_of, readable_rows
from surveys.runs.look_words import look_note, look_text, paper_sentences
from tests.fixtures.devices import closed
from tests.fixtures.looks import CHAPTER, INTERIM, LAST, look_with
from tests.fixtures.runs import (
    answer,
    answered_version,
    definition,
    find_run,
    open_version,
    published,
    requested_run,
)

pytestmark = pytest.mark.django_db


def look(run: Run) -> Look:
    found = look_of(find_run(run.pk))
    assert found is not None
    return found


def finished(version: Version) -> Run:
    """Return a finished run without doing its work."""
    run = requested_run(version)
    Job.objects.filter(pk=run.job_id).update(state=Job.State.FINISHED)
    return find_run(run.pk)


def test_a_run_on_all_rows_of_a_settled_survey_is_final() -> None:
    run = finished(answered_version(600))
    found = look(run)
    assert (found.kind, found.n, found.since, found.accepts) == ("final", 600, 0, False)
    assert look_text(found) == ""
    assert paper_sentences(found) == ["In total, 600 people responded."]


def test_a_run_of_an_open_survey_is_interim_even_if_it_read_every_row_that_may_be_read() -> None:
    run = finished(open_version(600, policy="protected"))
    found = look(run)
    assert (found.kind, found.n, found.since, found.accepts) == ("interim", 600, 0, True)
    day = run.job.created_at.date().isoformat()
    assert (
        look_text(found)
        == f"This is interim look 1 ({day}), with 600 answers. The survey still accepts answers."
    )


def test_rows_since_leave_out_the_newest_batch_and_are_rounded_while_answers_arrive() -> None:
    """The newest batch has 50 rows; the 57 rows after the run's become readable with the batch after them."""
    version = open_version(200, policy="protected")
    run = finished(version)
    answer(version, 57, batches=1, seed=3)
    assert look(run).since == 50
    answer(version, 50, batches=1, seed=4)
    found = look(run)
    # 50 and 57 rows, rounded; the survey's page shows the same 307 rows as ready for analysis.
    assert (found.since, found.is_rounded, groups_of(version).n) == (110, True, 307)
    assert "≈ 110 more have arrived since." in look_text(found)


def test_late_rows_make_a_run_interim_only_if_they_can_be_counted() -> None:
    version = open_version(600, policy="protected")
    survey = version.survey
    run = finished(version)
    survey_close(survey, now=timezone.now() - timedelta(hours=1), by="alice")
    # Closed, but bodies that were sealed before still arrive for 48 hours.
    found = look(run)
    assert (found.kind, found.accepts, found.since) == ("interim", True, 0)
    answer(version, 61, batches=1, seed=4)
    closed(version)
    found = look(run)
    # Settled: exactly the batch of 50 and the one of 61.
    assert (found.kind, found.accepts, found.since, found.is_rounded) == ("interim", False, 111, False)
    assert look_text(found).endswith("111 more have arrived since.")
    final = finished(Version.objects.get(pk=version.pk))
    assert (look(final).kind, look(final).number, look(final).looks) == ("final", 2, 2)
    assert look(run).looks == 2
    assert paper_sentences(look(final))[1] == (
        "We looked at the answers 2 times. The figures are those of look 2, which includes all answers. "
        "The others were interim."
    )


def test_repeated_runs_on_the_same_rows_are_one_look() -> None:
    version = answered_version(600)
    first, second = finished(version), finished(version)
    assert [(look(run).number, look(run).looks) for run in (first, second)] == [(1, 1), (1, 1)]


def test_practice_surveys_state_exact_counts() -> None:
    version = open_version(20, light=True, practice=True)
    run = finished(version)
    answer(version, 1, batches=1, seed=8)
    found = look(run)
    assert (found.n, found.since, found.is_rounded, found.kind) == (70, 1, False, "interim")
    assert "1 more has arrived since." in look_text(found)


def two_designs(*, is_open: bool) -> tuple[Version, Version]:
    first = open_version(300, policy="protected")
    survey = first.survey
    document = definition("open", policy="protected")
    document["blocks"][1]["truth_probability"] = 5000
    survey.definition = document
    survey.save(update_fields=["definition"])
    second = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    assert second.design_id != first.design_id
    answer(second, 150, batches=2, seed=6)
    if not is_open:
        closed(second)
    return Version.objects.get(pk=first.pk), Version.objects.get(pk=second.pk)


def test_rows_of_another_design_are_named_and_make_no_run_interim() -> None:
    first, second = two_designs(is_open=False)
    run, other = finished(first), finished(second)
    assert (look(run).kind, look(run).n, look(run).elsewhere) == ("final", 350, 150)
    assert (look(other).kind, look(other).n, look(other).elsewhere) == ("final", 150, 350)
    assert (
        look_text(look(run)) == "150 answers to other versions of the questionnaire are not in this analysis."
    )
    assert paper_sentences(look(run)) == [
        "In total, 350 people responded to this version of the questionnaire.",
        "A further 150 responded to other versions of the questionnaire, which are not in this analysis.",
    ]


def test_rows_of_another_design_leave_out_its_newest_batch_too() -> None:
    first, _second = two_designs(is_open=True)
    # 75 of 150 rows may be read.
    assert look(finished(first)).elsewhere == 80


def test_shared_pages_state_no_count_of_arrivals_while_the_survey_accepts_answers() -> None:
    first, _second = two_designs(is_open=True)
    run = finished(first)
    answer(first, 70, batches=1, seed=4)
    found = look(run)
    assert found.since == 50
    text = look_text(found, shared=True)
    assert "50" not in text.replace("350", "")
    assert text.endswith(
        "The survey still accepts answers. Answers to other versions of the questionnaire are not in this "
        "analysis."
    )
    closed(first)
    assert "120 more have arrived since." in look_text(look(run), shared=True)


@pytest.mark.parametrize("state", [Job.State.FAILED, Job.State.CANCELLED])
def test_runs_without_a_result_report_no_look(state: str) -> None:
    run = requested_run(answered_version(600))
    Job.objects.filter(pk=run.job_id).update(state=state)
    assert look_of(find_run(run.pk)) is None
    assert (look_text(None), look_note(None), paper_sentences(None)) == ("", "", [])


def test_queued_runs_say_which_rows_they_will_read() -> None:
    version = open_version(600, policy="protected")
    run = requested_run(version)
    assert (look(run).n, look(run).number, look(run).looks) == (600, 1, 1)


def test_damaged_runs_have_a_look() -> None:
    """A run without rows or of unreadable documents lacks every row that can be read."""
    run = finished(answered_version(600))
    Run.objects.filter(pk=run.pk).update(n=None, first_batch=None, last_batch=None, snapshot_digest="")
    assert (look(run).kind, look(run).n, look(run).since) == ("interim", 0, 600)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("UPDATE surveys_run SET summary = %s", ['{"stored_format": 99}'])
    assert find_run(run.pk).unreadable
    assert look(run).since == 600


def test_looks_count_rows_as_the_survey_page_does() -> None:
    """`readable_rows` equals `groups_of` in every state of a survey."""
    versions = [
        open_version(300, policy="protected"),
        open_version(301, slug="undisguised", n_direct=60),
        open_version(302, slug="practised", practice=True),
        answered_version(303, slug="over"),
        published("empty"),
    ]
    two = open_version(304, slug="reworded", policy="protected")
    document = definition("reworded", policy="protected")
    document["title"] = {"en": "Other words"}
    two.survey.definition = document
    two.survey.save(update_fields=["definition"])
    versions += [two, survey_publish(two.survey, by="alice", now=timezone.now(), is_readable_seen=True)]
    rows = readable_rows(Survey.objects.all())
    for version in versions:
        version = Version.objects.get(pk=version.pk)
        assert rows.get((version.survey_id, version.design_id), 0) == groups_of(version).n
    assert rows[versions[1].survey_id, versions[1].design_id] == 0


def test_many_runs_need_no_more_queries_than_one(django_assert_num_queries: object) -> None:
    runs = [finished(answered_version(200, slug=f"s{number}")) for number in range(4)]
    loaded = list(Run.objects.select_related("survey", "version", "job").filter(pk__in=[r.pk for r in runs]))
    with django_assert_num_queries(4):  # type: ignore[operator]  # a fixture of pytest-django
        assert len(looks_of(loaded)) == 4


def test_chinese_sentences_name_the_same_numbers() -> None:
    version = open_version(200, policy="protected")
    run = finished(version)
    answer(version, 57, batches=1, seed=3)
    with translation.override("zh-hans"):
        text = look_text(look(run))
    assert "期中" in text
    assert "200" in text
    assert "≈ 50" in text


def test_lists_tag_interim_runs_and_chapters() -> None:
    assert [one.tag for one in (look_with(), INTERIM, look_with(is_final=False, n=1), CHAPTER)] == [
        "",
        "interim: 1,234 answers",
        "interim: 1 answer",
        "chapter 2",
    ]
    assert [one.chapter_words for one in (look_with(), CHAPTER, look_with(chapter=LAST))] == [
        "",
        "chapter 2, until 2027-01-01",
        "chapter 3, the last one",
    ]


def test_files_state_every_fact_of_a_look() -> None:
    assert INTERIM.to_json() == {
        "kind": "interim",
        "chapter": None,
        "chapter_until": None,
        "rows_in_other_chapters": 0,
        "number": 2,
        "looks": 3,
        "day": "2027-01-02",
        "rows": 1234,
        "rows_since": 38,
        "rows_of_other_designs": 0,
        "counts_are_rounded": True,
        "accepts_answers": True,
    }
    facts = CHAPTER.to_json()
    assert (facts["kind"], facts["chapter"], facts["chapter_until"]) == ("final", 2, "2027-01-01")
    assert facts["rows_in_other_chapters"] == 57
    assert look_with(chapter=LAST).to_json()["chapter_until"] is None


@pytest.mark.parametrize(
    ("ends", "shares"),
    [
        ((1, 2), False), ((1, 3), True), ((4, 4), True), ((1, 9), True), ((5, 9), True), ((6, 9), False),
        ((None, 2), True), ((9, None), True),
    ],
)  # fmt: skip
def test_runs_share_rows_if_their_batches_overlap(ends: tuple[int | None, int | None], shares: bool) -> None:
    assert look_module._overlap(Run(first_batch=3, last_batch=5), *ends) is shares
    assert look_module._overlap(Run(first_batch=ends[0], last_batch=ends[1]), 3, 5) is shares
