"""Surveys open and close at their published times, whatever the draft says."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_save
from surveys.authoring.lifecycle import survey_close, survey_open
from surveys.authoring.publish import survey_publish
from surveys.authoring.scheduled_times import ACTOR, surveys_by_the_clock
from surveys.management.commands.sweep import SWEEPER_STEPS
from surveys.models import Survey, Version
from surveys.models.survey import GRACE
from tests.fixtures.drafts import NOW, assert_refused, log_events, new_draft, published_survey, republish

pytestmark = pytest.mark.django_db

# 9:00 and 18:00 in Berlin, before and after the change to summer time.
OPENS = datetime(2027, 3, 27, 8, 0, tzinfo=UTC)
CLOSES = datetime(2027, 3, 28, 16, 0, tzinfo=UTC)
TIMES = {"time_zone": "Europe/Berlin", "opens_at": "2027-03-27T09:00", "closes_at": "2027-03-28T18:00"}
SECOND = timedelta(seconds=1)


def state(survey: Survey) -> str:
    survey.refresh_from_db()
    return survey.state


def test_surveys_open_and_close_exactly_at_the_scheduled_times() -> None:
    survey = published_survey(**TIMES)
    assert (survey.state, survey.opens_at, survey.closes_at) == ("planned", OPENS, CLOSES)
    assert survey.opened_at is None
    assert surveys_by_the_clock(now=OPENS - SECOND) == ([], [])
    assert surveys_by_the_clock(now=OPENS) == (["work"], [])
    assert state(survey) == "open"
    assert survey.opened_at == OPENS
    assert surveys_by_the_clock(now=CLOSES - SECOND) == ([], [])
    assert surveys_by_the_clock(now=CLOSES) == ([], ["work"])
    assert state(survey) == "closed"
    assert survey.accepts_until == CLOSES + GRACE
    assert surveys_by_the_clock(now=CLOSES + SECOND) == ([], [])
    assert log_events()[-2:] == [(ACTOR, "survey_open", "work"), (ACTOR, "survey_close", "work")]


@pytest.mark.soak
def test_surveys_missed_during_downtime_close_without_opening() -> None:
    survey = published_survey(**TIMES)
    assert surveys_by_the_clock(now=CLOSES + SECOND) == ([], ["work"])
    assert state(survey) == "closed"
    assert survey.opened_at is None
    # No device can have sealed an answer, so no grace period is needed.
    assert survey.closed_to_bodies(CLOSES + SECOND)


@pytest.mark.soak
def test_the_sweeper_closes_surveys_on_schedule() -> None:
    survey = published_survey()
    Survey.objects.update(closes_at=timezone.now() - SECOND)
    dict(SWEEPER_STEPS)["clock"]()
    assert state(survey) == "closed"


def test_planned_surveys_show_nothing_and_accept_no_answers(client: Client) -> None:
    published_survey(**TIMES)
    said = client.get("/client/surveys/work").json()
    assert said["state"] == "planned"
    assert not {"title", "definition", "words", "root"} & said.keys()
    body = {"survey": "work", "key": "00" * 16, "design_id": Version.objects.get().design_id}
    body |= {"body": "00", "nonce": "00" * 32}
    answer = client.post("/api/submissions", body, content_type="application/vnd.sotto.submission+json")
    assert answer.status_code == 422


@pytest.mark.soak
def test_past_opening_times_open_the_survey_at_once() -> None:
    assert published_survey(now=OPENS, **TIMES).state == "open"


def test_past_closing_times_are_rejected() -> None:
    survey = new_draft(**TIMES)
    assert_refused("past", lambda: survey_publish(survey, by="ana", now=CLOSES, is_readable_seen=True))


def test_open_surveys_cannot_return_to_planned() -> None:
    survey = published_survey()
    saved = draft_save(survey, {**survey.definition, **TIMES}, revision=1, by="ana", now=NOW)
    assert_refused("opened", lambda: survey_publish(saved, by="ana", now=NOW, is_readable_seen=True))
    with pytest.raises(Exception, match="cannot go back"):
        Survey.objects.update(state="planned")


@pytest.mark.soak
def test_publishing_changes_times_without_a_new_version() -> None:
    survey = published_survey(**TIMES)
    first = survey.versions.get()
    assert republish(survey, **{**TIMES, "closes_at": "2027-04-30T18:00"}) == first
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2027, 4, 30, 16, 0, tzinfo=UTC)
    assert log_events()[-1] == ("ana", "survey_schedule", "work")
    draft = {**survey.definition, "closes_at": "2027-05-30T18:00"}
    draft_save(survey, draft, revision=survey.revision, by="ana", now=NOW)
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2027, 4, 30, 16, 0, tzinfo=UTC)


@pytest.mark.soak
def test_a_planned_survey_can_be_opened_early_by_publishing_without_the_time() -> None:
    survey = published_survey(**TIMES)
    republish(survey)
    assert state(survey) == "open"
    assert survey.closes_at is None


def test_only_the_reviewed_revision_can_be_published() -> None:
    survey = new_draft()
    assert_refused(
        "revision", lambda: survey_publish(survey, by="ana", now=NOW, revision=0, is_readable_seen=True)
    )
    assert survey_publish(survey, by="ana", now=NOW, revision=1, is_readable_seen=True).number == 1


@pytest.mark.soak
def test_planned_surveys_can_be_closed_by_hand() -> None:
    survey = survey_close(published_survey(**TIMES), by="ana", now=NOW)
    assert survey.settled
    assert surveys_by_the_clock(now=OPENS) == ([], [])


def test_times_published_during_a_sweep_take_precedence() -> None:
    survey = published_survey(**TIMES)
    # The sweeper has found the survey; before it locks the row, a researcher publishes other times.
    republish(survey, **{**TIMES, "opens_at": "2027-03-28T10:00", "closes_at": "2027-04-28T18:00"})
    assert_refused("not_due", lambda: survey_open(survey, by="schedule", now=OPENS))
    assert_refused("not_due", lambda: survey_close(survey, by="schedule", now=CLOSES, if_due=True))


def test_surveys_without_a_closing_time_are_not_closed_by_the_clock() -> None:
    survey = published_survey()
    assert_refused("not_due", lambda: survey_close(survey, by="schedule", now=CLOSES, if_due=True))
