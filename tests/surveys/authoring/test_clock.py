"""Surveys that open and close by the clock, as published, whatever the draft says meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_save
from surveys.authoring.lifecycle import ACTOR, survey_close, survey_open, surveys_by_the_clock
from surveys.authoring.publish import survey_publish
from surveys.management.commands.sweep import STEPS
from surveys.models import Survey, Version
from surveys.models.survey import GRACE
from tests.fixtures.drafted import NOW, drafted, events, published, refused, republished

pytestmark = pytest.mark.django_db

# 9:00 and 18:00 in Berlin, on either side of the night when clocks are put forward.
OPENS = datetime(2027, 3, 27, 8, 0, tzinfo=UTC)
CLOSES = datetime(2027, 3, 28, 16, 0, tzinfo=UTC)
TIMES = {"time_zone": "Europe/Berlin", "opens_at": "2027-03-27T09:00", "closes_at": "2027-03-28T18:00"}
SECOND = timedelta(seconds=1)


def state(survey: Survey) -> str:
    survey.refresh_from_db()
    return survey.state


def test_a_survey_opens_and_closes_at_the_stated_instants_and_not_before() -> None:
    survey = published(**TIMES)
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
    assert events()[-2:] == [(ACTOR, "survey_open", "work"), (ACTOR, "survey_close", "work")]


def test_a_server_that_was_off_all_the_time_closes_the_survey_and_never_opens_it() -> None:
    survey = published(**TIMES)
    assert surveys_by_the_clock(now=CLOSES + SECOND) == ([], ["work"])
    assert state(survey) == "closed"
    assert survey.opened_at is None
    # No device can have sealed an answer, so no grace period is needed.
    assert survey.closed_to_bodies(CLOSES + SECOND)


def test_the_sweeper_does_it() -> None:
    survey = published()
    Survey.objects.update(closes_at=timezone.now() - SECOND)
    dict(STEPS)["clock"]()
    assert state(survey) == "closed"


def test_a_planned_survey_shows_nothing_and_takes_nothing(client: Client) -> None:
    published(**TIMES)
    said = client.get("/client/surveys/work").json()
    assert said["state"] == "planned"
    assert not {"title", "definition", "words", "root"} & said.keys()
    body = {"survey": "work", "key": "00" * 16, "design_id": Version.objects.get().design_id}
    body |= {"body": "00", "nonce": "00" * 32}
    answer = client.post("/api/submissions", body, content_type="application/vnd.sotto.submission+json")
    assert answer.status_code == 422


def test_an_opening_time_that_is_over_opens_at_once() -> None:
    assert published(now=OPENS, **TIMES).state == "open"


def test_a_closing_time_that_is_over_is_refused() -> None:
    survey = drafted(**TIMES)
    refused("past", lambda: survey_publish(survey, by="ana", now=CLOSES))


def test_an_open_survey_cannot_be_planned_again() -> None:
    survey = published()
    saved = draft_save(survey, {**survey.definition, **TIMES}, revision=1, by="ana", now=NOW)
    refused("opened", lambda: survey_publish(saved, by="ana", now=NOW))
    with pytest.raises(Exception, match="cannot go back"):
        Survey.objects.update(state="planned")


def test_times_change_without_a_new_version_and_only_by_publishing() -> None:
    survey = published(**TIMES)
    first = survey.versions.get()
    assert republished(survey, **{**TIMES, "closes_at": "2027-04-30T18:00"}) == first
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2027, 4, 30, 16, 0, tzinfo=UTC)
    assert events()[-1] == ("ana", "survey_schedule", "work")
    draft = {**survey.definition, "closes_at": "2027-05-30T18:00"}
    draft_save(survey, draft, revision=survey.revision, by="ana", now=NOW)
    survey.refresh_from_db()
    assert survey.closes_at == datetime(2027, 4, 30, 16, 0, tzinfo=UTC)


def test_a_planned_survey_can_be_opened_early_by_publishing_without_the_time() -> None:
    survey = published(**TIMES)
    republished(survey)
    assert state(survey) == "open"
    assert survey.closes_at is None


def test_a_revision_that_was_not_looked_at_is_not_published() -> None:
    survey = drafted()
    refused("revision", lambda: survey_publish(survey, by="ana", now=NOW, revision=0))
    assert survey_publish(survey, by="ana", now=NOW, revision=1).number == 1


def test_a_planned_survey_can_be_closed_by_hand_and_accepts_nothing() -> None:
    survey = survey_close(published(**TIMES), by="ana", now=NOW)
    assert survey.settled
    assert surveys_by_the_clock(now=OPENS) == ([], [])


def test_who_publishes_later_times_while_the_clock_strikes_is_obeyed() -> None:
    survey = published(**TIMES)
    # The sweeper has found the survey; before it locks the row, a researcher publishes other times.
    republished(survey, **{**TIMES, "opens_at": "2027-03-28T10:00", "closes_at": "2027-04-28T18:00"})
    refused("not_due", lambda: survey_open(survey, by="schedule", now=OPENS))
    refused("not_due", lambda: survey_close(survey, by="schedule", now=CLOSES, if_due=True))


def test_what_has_no_closing_time_is_not_closed_by_the_clock() -> None:
    survey = published()
    refused("not_due", lambda: survey_close(survey, by="schedule", now=CLOSES, if_due=True))
