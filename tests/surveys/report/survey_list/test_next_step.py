"""The survey's page says what to do next, depending on the survey's state and the reader's role."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from mining.thresholds import Thresholds
from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Chapter, Job, Run, Survey
from surveys.report.rules.verdicts import verdict_give
from surveys.report.rules.waiting_rules import waiting_rules
from surveys.report.survey_list.next_step import NextStep, next_step
from surveys.report.survey_list.overview import survey_page
from surveys.report.survey_list.survey_status import survey_status
from surveys.runs.chapters import chapters_cut
from tests.fixtures.devices import closed, version_of
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.pages import open_page
from tests.fixtures.runs import (
    alice,
    answer,
    answered_version,
    definition,
    done,
    mined_run,
    open_version,
    published,
    requested_run,
)
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db
FEW = Thresholds(support=0.2, max_size=2)
NONE = Thresholds(support=1, max_size=1)


def step(survey: Survey, *, builds: bool = False, reads: bool = True, judges: bool = False) -> NextStep:
    survey.refresh_from_db()
    build = survey_status(survey, now=timezone.now()) if builds else None
    return next_step(survey, survey_page(survey), build, may_read=reads, may_judge=judges)


def test_only_the_builder_of_a_draft_can_finish_and_publish_it() -> None:
    survey = survey_import(definition(), by="alice")
    assert step(survey, builds=True).address == "/en/staff/surveys/habits/publish"
    assert step(survey).address == ""
    Survey.objects.filter(pk=survey.pk).update(definition={"sotto": 1})
    assert step(survey, builds=True).label == "Build"


@pytest.mark.soak
def test_an_open_survey_needs_answers_before_mining() -> None:
    survey = published().survey
    assert step(survey).address == "/en/s/habits/"
    # The page already shows the only button directly below.
    assert step(open_version(light=True).survey) == NextStep(text="There are enough answers for results.")
    assert (
        "Reviewers can now compute and read the results"
        in step(open_version(slug="other", light=True).survey, reads=False).text
    )


def test_practice_surveys_never_claim_enough_answers_for_results() -> None:
    practice = step(open_version(20, light=True, practice=True).survey)
    assert practice.text.startswith("You have answers. See what the report looks like.")
    assert (practice.label, practice.address) == ("", "")


def test_only_builders_are_prompted_to_create_invitation_codes() -> None:
    version = invited(definition())
    survey = version.survey
    to_make = step(survey, builds=True)
    assert (to_make.label, to_make.address) == ("Create codes", "/en/staff/surveys/habits/invitations/")
    codes_of(version)
    assert step(survey, builds=True).label == "Invitations"
    assert step(survey) == NextStep(
        text="People need an invitation to answer. The researcher gives out the codes."
    )


def test_only_the_builder_can_end_the_wait_for_late_submissions() -> None:
    survey = published().survey
    survey_close(survey, by="alice", now=timezone.now() - timedelta(hours=1))
    assert step(survey).address == ""
    assert step(survey, builds=True).address == "/en/staff/surveys/habits/close"


@pytest.mark.soak
def test_a_closed_survey_without_answers_reports_that() -> None:
    survey = published().survey
    survey_close(survey, by="alice", now=timezone.now(), at_once=True)
    assert step(survey) == NextStep(
        text="The survey closed with too few answers. Results need at least 100 protected answers."
    )


def test_the_next_step_for_a_run_is_to_wait_read_judge_or_print() -> None:
    version = answered_version()
    survey = version.survey
    run = requested_run(version, FEW)
    assert step(survey).label == "Show progress"
    Job.objects.filter(pk=run.job_id).update(state="failed")
    assert step(survey).label == "See why"
    empty = mined_run(version, NONE)
    assert step(survey, judges=True).text == (
        "The results are ready. This analysis had no two answers to compare."
    )
    assert step(survey).address == f"/en/staff/runs/{empty.pk}/results/"
    done = mined_run(version, FEW)
    waiting = sum(len(each.rules) for each in waiting_rules(Survey.objects.all()))
    assert waiting == 2
    assert step(survey, judges=True).text == "2 rules wait for your verdict."
    assert step(survey, judges=True).address == "/en/staff/review/?survey=habits"
    assert "Reviewers can now judge" in step(survey).text
    for rule in done.rules.all():
        verdict_give(rule=rule, opinion="accepted", note="", by=alice(), now=timezone.now())
    assert step(survey).address == f"/en/staff/runs/{done.pk}/report/"


@pytest.mark.soak
def test_a_settled_survey_with_interim_results_only_leads_to_the_final_analysis() -> None:
    version = open_version(600, policy="protected")
    survey = version.survey
    mined_run(version, FEW)
    lead = "The newest results are from an interim look, with 600 answers."
    assert step(survey).text == f"{lead} The results are ready. Reviewers can now judge the rules."
    closed(version)
    assert step(survey) == NextStep(
        text="All 650 answers are ready. The newest results are from an interim look, with 600 of them.",
        label="Analyse all answers",
        address="#mine",
    )
    # The form for the analysis is open, and the list of surveys leads to it.
    client = browser_of("rita", Role.REVIEWER)
    page = open_page(client, f"/en/staff/surveys/{survey.slug}/")
    assert "<details open><summary>Analyse all answers" in page
    assert "interim: 600 answers" in page
    listed = open_page(client, "/en/staff/")
    assert "interim: 600 answers" in listed
    assert f'href="/en/staff/surveys/{survey.slug}/#mine">Analyse all answers' in listed
    version = version_of(version.pk)
    final = requested_run(version, FEW)
    assert step(survey).label == "Show progress"
    Job.objects.filter(pk=final.job_id).update(state="failed")
    assert step(survey).label == "Analyse all answers"
    mined_run(version, FEW)
    assert step(survey).text == "The results are ready. Reviewers can now judge the rules."
    listed = open_page(client, "/en/staff/")
    assert "interim" not in listed
    assert "Analyse all answers" not in listed


def test_a_closed_chapter_leads_to_its_analysis() -> None:
    version = open_version(600, policy="protected")
    survey, now = version.survey, timezone.now()
    mined_run(version, FEW)
    Chapter.objects.create(survey=survey, ends_at=now + timedelta(days=1))
    chapters_cut(now=now + timedelta(days=1))
    until = (now + timedelta(days=1)).date().isoformat()
    assert step(survey) == NextStep(
        text=f"Chapter 1, until {until} is closed: 650 answers are ready.",
        label="Analyse the chapter",
        address="#mine",
    )
    client = browser_of("rita", Role.REVIEWER)
    page = open_page(client, f"/en/staff/surveys/{survey.slug}/")
    assert "<details open><summary>Analyse the chapter" in page
    assert re.search(r'<option value="1" selected>\s*chapter 1, until', page)
    form = {"version": version.pk, "chapter": 1, "support": 0.2, "confidence": 0, "max_size": 2}
    client.post(f"/en/staff/surveys/{survey.slug}/mine", form)
    run = Run.objects.latest("pk")
    assert run.n == 650
    done(run)
    assert step(survey).text.startswith(f"The newest results are those of chapter 1, until {until}.")
    assert '<span class="tag">chapter 1</span>' in open_page(client, f"/en/staff/surveys/{survey.slug}/")
    assert '<span class="tag">chapter 1</span>' in open_page(client, "/en/staff/")
    assert "chapter 1" in open_page(client, f"/en/staff/surveys/{survey.slug}/export-data/")


def test_final_results_without_rules_replace_interim_results_with_rules() -> None:
    version = open_version(600, policy="protected")
    mined_run(version, FEW)
    final = mined_run(closed(version), NONE)
    assert "interim" not in step(version.survey).text
    assert step(version.survey).address == f"/en/staff/runs/{final.pk}/results/"


def test_an_unreadable_final_result_leads_to_another_analysis() -> None:
    version = answered_version()
    mined_run(version, FEW)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE surveys_run SET summary = %s", ['{"stored_format": 99}'])
    assert step(version.survey) == NextStep(
        text="All 800 answers are ready, but no results from all of them are shown yet.",
        label="Analyse all answers",
        address="#mine",
    )


def test_only_readers_of_reports_are_led_to_the_final_analysis() -> None:
    version = open_version(600, policy="protected")
    mined_run(version, FEW)
    closed(version)
    assert step(version.survey, reads=False).address == ""


@pytest.mark.soak
def test_the_form_suggests_the_design_whose_final_analysis_is_due() -> None:
    first = open_version(600, policy="protected")
    mined_run(first, FEW)
    document = definition("open", policy="protected")
    document["blocks"][1]["truth_probability"] = 5000
    first.survey.definition = document
    first.survey.save(update_fields=["definition"])
    second = survey_publish(first.survey, by="alice", now=timezone.now(), is_readable_seen=True)
    answer(second, 300, batches=2, seed=6)
    closed(second)
    page = open_page(browser_of("rita", Role.REVIEWER), "/en/staff/surveys/open/")
    assert re.search(rf'<option value="{first.pk}" selected>', page)
