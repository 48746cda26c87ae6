"""The status of a survey: versions with their changes, and the available actions."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from surveys.authoring.drafts import draft_create, draft_save
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Receipt, Survey
from surveys.report.survey_list.survey_status import SurveyStatus, survey_status
from tests.fixtures.devices import shipped_definition
from tests.fixtures.runs import open_version

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def status_of(survey: Survey, now: datetime = NOW) -> SurveyStatus:
    survey.refresh_from_db()
    return survey_status(survey, now=now)


def made(**changes: Any) -> Survey:
    return draft_create(shipped_definition(**changes), slug="work", source="scratch", by="ana", now=NOW)


def can(stands: SurveyStatus) -> tuple[bool, bool, bool, bool]:
    return stands.can_publish, stands.can_close, stands.can_close_now, stands.can_delete


@pytest.mark.soak
def test_open_surveys_report_reaching_a_tenth_of_the_cap(settings: Settings) -> None:
    survey = open_version(100).survey
    settings.SUBMISSION_CAP = 100
    Receipt.objects.filter(survey=survey).delete()
    Receipt.objects.bulk_create(
        Receipt(survey=survey, key=bytes([number]) * 16, digest=None if number > 9 else bytes([number]) * 32)
        for number in range(1, 40)
    )
    # Unused invitation codes do not count as answers.
    assert status_of(survey).many_from is None
    Receipt.objects.create(survey=survey, key=bytes([200]) * 16, digest=bytes(32))
    assert status_of(survey).many_from == 10
    Survey.objects.filter(pk=survey.pk).update(state=Survey.State.CLOSED)
    assert status_of(survey).many_from is None


def test_a_draft_can_be_published_once_it_has_no_problems() -> None:
    survey = made()
    assert can(status_of(survey)) == (True, False, False, True)
    draft_save(survey, {}, revision=1, by="ana", now=NOW)
    stands = status_of(survey)
    assert can(stands) == (False, False, False, True)
    assert stands.draft_problems > 5


@pytest.mark.soak
def test_an_open_survey_can_be_published_again_after_the_draft_changes() -> None:
    survey = made()
    survey_publish(survey, by="ana", now=NOW, is_readable_seen=True)
    assert can(status_of(survey)) == (False, True, True, False)
    changed = {**survey.definition, "title": {"en": "Said", "zh-hans": "说"}}
    draft_save(survey, changed, revision=1, by="ana", now=NOW)
    stands = status_of(survey)
    assert can(stands) == (True, True, True, False)
    assert [change.path for change in stands.draft_changes] == ["title (en)", "title (zh-hans)"]


@pytest.mark.soak
def test_versions_list_their_changes_and_whether_counting_restarts() -> None:
    survey = made()
    survey_publish(survey, by="ana", now=NOW, is_readable_seen=True)
    for revision, change in enumerate(
        ({"title": {"en": "Said", "zh-hans": "说"}}, {"group": {"policy": "assigned", "direct_share": 0}}), 1
    ):
        survey.refresh_from_db()
        draft_save(survey, {**survey.definition, **change}, revision=revision, by="ana", now=NOW)
        survey_publish(survey, by="ana", now=NOW, is_readable_seen=True)
    newest, second, first = status_of(survey).versions
    assert (newest.number, newest.counts_anew) == (3, True)
    assert (second.number, second.counts_anew) == (2, False)
    assert (first.number, first.counts_anew, first.changes) == (1, False, ())
    assert [change.kind for change in newest.changes] == ["design"]


@pytest.mark.soak
def test_times_are_shown_in_the_survey_time_zone() -> None:
    survey = made(time_zone="Asia/Shanghai", opens_at="2027-01-01T08:00", closes_at="2027-02-01T08:00")
    survey_publish(survey, by="ana", now=NOW, is_readable_seen=True)
    stands = status_of(survey)
    assert (survey.state, survey.time_zone) == ("planned", "Asia/Shanghai")
    assert stands.opens_at == datetime(2027, 1, 1, 8, 0)
    # Without a time zone, because templates would convert aware times to the server's zone.
    assert stands.opens_at.tzinfo is None
    assert stands.versions[0].published_at == datetime(2026, 11, 20, 20, 0)
    assert can(stands) == (False, True, True, False)


@pytest.mark.soak
def test_a_closed_survey_can_only_end_its_wait_for_late_submissions() -> None:
    survey = made()
    survey_publish(survey, by="ana", now=NOW, is_readable_seen=True)
    survey_close(survey, by="ana", now=NOW)
    stands = status_of(survey)
    assert can(stands) == (False, False, True, False)
    assert survey.accepts_until == NOW + timedelta(hours=48)
    survey_close(survey, by="ana", now=NOW + timedelta(hours=1), at_once=True)
    stands = status_of(survey)
    assert can(stands) == (False, False, False, False)
    assert survey.settled
