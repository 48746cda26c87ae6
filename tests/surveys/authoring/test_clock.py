"""Surveys that open and close by the clock, as published, whatever the draft says meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.lifecycle import survey_close, survey_open, surveys_by_the_clock
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey, Version
from surveys.models.survey import GRACE
from surveys.questionnaire.draft_reading import duplicate_document
from surveys.sweeper import STEPS
from tests.fixtures.devices import shipped_definition

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
# 9:00 and 18:00 in Berlin, on either side of the night when clocks are put forward.
OPENS = datetime(2027, 3, 27, 8, 0, tzinfo=UTC)
CLOSES = datetime(2027, 3, 28, 16, 0, tzinfo=UTC)
TIMES = {"time_zone": "Europe/Berlin", "opens_at": "2027-03-27T09:00", "closes_at": "2027-03-28T18:00"}
SECOND = timedelta(seconds=1)


def publish(*, now: datetime = NOW, **stated: Any) -> Survey:
    survey = draft_create(shipped_definition(**stated), slug="work", source="scratch", by="ana", now=now)
    survey_publish(survey, by="ana", now=now)
    survey.refresh_from_db()
    return survey


def republish(survey: Survey, *, now: datetime = NOW, **stated: Any) -> Version:
    document = {**duplicate_document(survey), **stated}
    saved = draft_save(survey, document, revision=survey.revision, by="ana", now=now)
    return survey_publish(saved, by="ana", now=now)


def state(survey: Survey) -> str:
    survey.refresh_from_db()
    return survey.state


def actions() -> list[tuple[str, str]]:
    return list(AuditEvent.objects.order_by("pk").values_list("actor", "action"))


def refused(code: str, call: Any) -> None:
    before = list(Survey.objects.values())
    with pytest.raises(SurveyError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.remedy
    assert list(Survey.objects.values()) == before


def test_a_survey_opens_and_closes_at_the_stated_instants_and_not_before() -> None:
    survey = publish(**TIMES)
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
    assert actions()[-2:] == [("schedule", "survey_open"), ("schedule", "survey_close")]


def test_a_server_that_was_off_all_the_time_closes_the_survey_and_never_opens_it() -> None:
    survey = publish(**TIMES)
    assert surveys_by_the_clock(now=CLOSES + SECOND) == ([], ["work"])
    assert state(survey) == "closed"
    assert survey.opened_at is None
    # No device can have sealed an answer, so no grace period is needed.
    assert survey.closed_to_bodies(CLOSES + SECOND)


def test_the_sweeper_does_it() -> None:
    survey = publish()
    Survey.objects.update(closes_at=timezone.now() - SECOND)
    dict(STEPS)["clock"]()
    assert state(survey) == "closed"


def test_a_planned_survey_shows_nothing_and_takes_nothing(client: Client) -> None:
    publish(**TIMES)
    said = client.get("/client/surveys/work").json()
    assert said["state"] == "planned"
    assert not {"title", "definition", "words", "root"} & said.keys()
    body = {"survey": "work", "key": "00" * 16, "design_id": Version.objects.get().design_id}
    body |= {"body": "00", "nonce": "00" * 32}
    answer = client.post("/api/submissions", body, content_type="application/vnd.sotto.submission+json")
    assert answer.status_code == 422


def test_an_opening_time_that_is_over_opens_at_once() -> None:
    assert publish(now=OPENS, **TIMES).state == "open"


def test_a_closing_time_that_is_over_is_refused() -> None:
    survey = draft_create(shipped_definition(**TIMES), slug="work", source="scratch", by="ana", now=NOW)
    refused("past", lambda: survey_publish(survey, by="ana", now=CLOSES))


def test_an_open_survey_cannot_be_planned_again() -> None:
    survey = publish()
    saved = draft_save(survey, {**survey.definition, **TIMES}, revision=1, by="ana", now=NOW)
    refused("opened", lambda: survey_publish(saved, by="ana", now=NOW))
    with pytest.raises(Exception, match="cannot go back"):
        Survey.objects.update(state="planned")


def test_times_change_without_a_new_version_and_only_by_publishing() -> None:
    survey = publish(**TIMES)
    first = survey.versions.get()
    assert republish(survey, **{**TIMES, "closes_at": "2027-04-30T18:00"}) == first
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2027, 4, 30, 16, 0, tzinfo=UTC)
    assert actions()[-1] == ("ana", "survey_schedule")
    draft = {**survey.definition, "closes_at": "2027-05-30T18:00"}
    draft_save(survey, draft, revision=survey.revision, by="ana", now=NOW)
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2027, 4, 30, 16, 0, tzinfo=UTC)


def test_a_planned_survey_can_be_opened_early_by_publishing_without_the_time() -> None:
    survey = publish(**TIMES)
    republish(survey)
    assert state(survey) == "open"
    assert survey.closes_at is None


def test_a_revision_that_was_not_looked_at_is_not_published() -> None:
    survey = draft_create(shipped_definition(), slug="work", source="scratch", by="ana", now=NOW)
    refused("revision", lambda: survey_publish(survey, by="ana", now=NOW, revision=0))
    assert survey_publish(survey, by="ana", now=NOW, revision=1).number == 1


def test_a_planned_survey_can_be_closed_by_hand_and_accepts_nothing() -> None:
    survey = survey_close(publish(**TIMES), by="ana", now=NOW)
    assert survey.settled
    assert surveys_by_the_clock(now=OPENS) == ([], [])


def test_who_publishes_later_times_while_the_clock_strikes_is_obeyed() -> None:
    survey = publish(**TIMES)
    # The sweeper has found the survey; before it locks the row, a researcher publishes other times.
    republish(survey, **{**TIMES, "opens_at": "2027-03-28T10:00", "closes_at": "2027-04-28T18:00"})
    refused("not_due", lambda: survey_open(survey, by="schedule", now=OPENS))
    refused("not_due", lambda: survey_close(survey, by="schedule", now=CLOSES, if_due=True))


def test_what_has_no_closing_time_is_not_closed_by_the_clock() -> None:
    survey = publish()
    refused("not_due", lambda: survey_close(survey, by="schedule", now=CLOSES, if_due=True))
