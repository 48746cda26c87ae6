"""A survey's day of deletion: who sees it, that nobody postpones it, and that everything is then deleted."""

from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from surveys.authoring.deletion import survey_delete
from surveys.authoring.drafts import draft_save
from surveys.authoring.publish import survey_publish
from surveys.authoring.retention import retention_set, surveys_past_retention
from surveys.management.commands.sweep import SWEEPER_STEPS
from surveys.models import Batch, Inbox, Job, Run, Survey
from surveys.questionnaire.templates import duplicate_document
from tests.fixtures.devices import published as published_now
from tests.fixtures.devices import wide_definition
from tests.fixtures.drafts import NOW, assert_refused, log_events, new_draft, published_survey, republish
from tests.fixtures.runs import answered_version, open_version, requested_run
from tests.surveys.intake.test_mix import answer

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
# Midnight in Berlin.
DAY = {"time_zone": "Europe/Berlin", "delete_on": "2027-03-01"}
DELETES = datetime(2027, 2, 28, 23, 0, tzinfo=UTC)


def test_deletion_waits_for_the_day_in_the_survey_time_zone() -> None:
    survey = published_survey(**DAY)
    assert survey.delete_at == DELETES
    assert survey.delete_on == date(2027, 3, 1)
    assert surveys_past_retention(now=DELETES - SECOND) == []
    assert surveys_past_retention(now=DELETES) == ["work"]
    assert not Survey.objects.exists()
    assert log_events()[-2:] == [("schedule", "survey_close", "work"), ("schedule", "survey_delete", "work")]
    assert surveys_past_retention(now=DELETES) == []


@pytest.mark.django_db(transaction=True)
def test_retention_deletes_an_open_survey_with_answers_and_runs() -> None:
    version = open_version(600, policy="protected")
    answer(version, 3)
    run = requested_run(version)
    kept = answered_version(150, n_direct=0, slug="kept")
    before = Batch.objects.filter(version=kept).count()
    assert Inbox.objects.exists()
    Survey.objects.filter(pk=version.survey_id).update(delete_at=timezone.now() - SECOND)
    dict(SWEEPER_STEPS)["retention"]()
    assert list(Survey.objects.values_list("slug", flat=True)) == ["kept"]
    assert not Inbox.objects.exists()
    assert not Run.objects.filter(pk=run.pk).exists()
    assert not Job.objects.filter(pk=run.job_id).exists()
    assert Batch.objects.count() == before


def test_overdue_surveys_restored_from_backup_are_deleted_again() -> None:
    version = answered_version(150, n_direct=0)
    Survey.objects.filter(pk=version.survey_id).update(delete_at=NOW - timedelta(days=40))
    assert surveys_past_retention(now=NOW) == ["habits"]
    assert not Batch.objects.exists()


def test_deletion_rechecks_a_day_changed_meanwhile() -> None:
    survey = published_survey(**DAY)
    assert_refused("not_due", lambda: survey_delete(survey, by="schedule", due=DELETES - SECOND))


def test_published_deletion_days_can_only_move_earlier() -> None:
    survey = published_survey(**DAY)
    for later in ({**DAY, "delete_on": "2027-03-02"}, {"time_zone": "Europe/Berlin"}):
        save = draft_save(
            survey, duplicate_document(survey) | later, revision=survey.revision, by="ana", now=NOW
        )
        refusal = assert_refused(
            "retention", lambda saved=save: survey_publish(saved, by="ana", now=NOW, is_readable_seen=True)
        )
        assert "2027-03-01" in refusal.message
        survey.refresh_from_db()
    republish(survey, **{**DAY, "delete_on": "2027-02-01"})
    survey.refresh_from_db()
    assert survey.delete_on == date(2027, 2, 1)
    assert survey.versions.count() == 1
    assert survey.state == "open"
    assert log_events()[-1] == ("ana", "survey_schedule", "work")


def test_deletion_days_already_begun_are_rejected() -> None:
    survey = new_draft(**DAY)
    error = assert_refused(
        "retention", lambda: survey_publish(survey, by="ana", now=DELETES, is_readable_seen=True)
    )
    assert error.case == "retention.past"
    assert (
        survey_publish(survey, by="ana", now=DELETES - SECOND, is_readable_seen=True).survey.delete_at
        == DELETES
    )


def test_setting_a_deletion_day_also_updates_the_draft() -> None:
    survey = retention_set(published_survey(time_zone="Europe/Berlin"), day="2027-03-01", by="ada", now=NOW)
    assert survey.delete_at == DELETES
    assert log_events()[-1] == ("ada", "survey_retention", "work")
    survey.refresh_from_db()
    assert survey.definition["delete_on"] == "2027-03-01"
    assert_refused("unchanged", lambda: survey_publish(survey, by="ana", now=NOW, is_readable_seen=True))
    retention_set(survey, day="2027-03-01", by="ada", now=NOW)
    assert len(log_events()) == len(set(log_events()))


@pytest.mark.parametrize(
    ("day", "case"),
    [
        ("soon", "retention.day"),
        ("2027-02-29", "retention.day"),
        ("01.03.2027", "retention.day"),
        ("", "retention.day"),
        ("2026-11-20", "retention.past"),
        ("2027-03-02", "retention.later"),
        ("2027-01-03", "retention.early"),
    ],
)
def test_invalid_past_later_and_too_early_days_are_rejected(day: str, case: str) -> None:
    survey = published_survey(closes_at="2027-01-02T12:00", **DAY)
    assert assert_refused("retention", lambda: retention_set(survey, day=day, by="ada", now=NOW)).case == case


def test_deletion_days_of_drafts_are_set_in_the_draft() -> None:
    survey = new_draft()
    assert_refused("draft", lambda: retention_set(survey, day="2027-03-01", by="ada", now=NOW))


def test_the_command_sets_the_day_and_mentions_backups() -> None:
    published_survey()
    out = StringIO()
    call_command("delete_survey", "work", "--on", "2099-03-01", stdout=out)
    assert "survey work is deleted on 2099-03-01 (UTC); backups made before still hold it" in out.getvalue()
    with pytest.raises(
        CommandError, match="Respondents read that all answers are deleted on 2099-03-01"
    ) as later:
        call_command("delete_survey", "work", "--on", "2099-03-02")
    assert later.value.returncode == 1
    with pytest.raises(CommandError, match="not allowed with"):
        call_command("delete_survey", "work", "--on", "2099-03-01", "--really")
    assert Survey.objects.get().delete_on == date(2099, 3, 1)


def test_devices_receive_the_deletion_day_and_backup_period(client: Client, settings: Any) -> None:
    settings.SOTTOVOCE_BACKUP_DAYS = 14
    published_now({**wide_definition(slug="wide"), "delete_on": "2099-03-01"})
    published_now(wide_definition(slug="without"))
    said = [client.get(f"/client/surveys/{slug}").json() for slug in ("wide", "without")]
    assert [state["delete_on"] for state in said] == ["2099-03-01", None]
    assert [state["backup_days"] for state in said] == [14, 14]


def test_duplicates_omit_the_deletion_day() -> None:
    assert "delete_on" not in duplicate_document(published_survey(**DAY))
