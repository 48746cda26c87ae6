"""Tables that a disabled application left in the database: counted, reported, deleted with their survey."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from anonymisation.models import Release, ReleaseQuestion
from anonymisation.releases.questions import question_ask, question_read
from surveys.authoring.lifecycle import survey_delete
from surveys.models import Survey
from surveys.server.database import absent_rows, absent_tables
from surveys.server.health import CheckContext, Diagnosis, Severity
from surveys.server.health_storage import applications_that_are_off_hold_nothing
from tests.fixtures.made_releases import begun_release, opened_release
from tests.fixtures.runs import alice, answered

pytestmark = pytest.mark.django_db(transaction=True)


def told() -> Diagnosis:
    (finding,) = applications_that_are_off_hold_nothing(
        CheckContext(address=None, client_digest=None, now=timezone.now())
    )
    return finding


def counted(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")
        return int(cursor.fetchone()[0])


def without_releases(settings: Settings) -> None:
    settings.INSTALLED_APPS = [name for name in settings.INSTALLED_APPS if name != "anonymisation"]


def test_where_every_application_is_on_there_is_no_such_table() -> None:
    begun_release(alice())
    assert (absent_tables(), absent_rows()) == ([], {})
    assert told().level is Severity.OK


def test_the_doctor_tells_of_rows_of_an_application_that_is_off(settings: Settings) -> None:
    without_releases(settings)
    names = ["release", "releasecolumn", "releasepart", "releasequestion", "releasetable"]
    assert absent_tables() == [f"anonymisation_{name}" for name in names]
    assert told().level is Severity.OK


def test_with_a_survey_go_its_rows_there_and_no_others(settings: Settings) -> None:
    version, other = answered(slug="gone"), answered(slug="stays")
    releases = [opened_release(alice()) for _ in range(3)]
    for release, survey in zip(releases, (version.survey, other.survey, None), strict=True):
        question_ask(release, question_read("count"), by=alice(), now=timezone.now())
        Release.objects.filter(pk=release.pk).update(survey=survey)
    left = begun_release(alice())
    Release.objects.filter(pk=left.pk).update(survey=version.survey)
    assert (ReleaseQuestion.objects.count(), counted("anonymisation_releasetable")) == (3, 1)
    without_releases(settings)
    assert told().level is Severity.WARNING
    assert "4 rows in anonymisation_release" in told().seen
    survey_delete(version.survey, by="ada")
    assert not Survey.objects.filter(slug="gone").exists()
    assert absent_rows() == {"anonymisation_release": 2, "anonymisation_releasequestion": 2}
    with connection.cursor() as cursor:
        cursor.execute("SELECT survey_id FROM anonymisation_release")
        assert {key for (key,) in cursor.fetchall()} == {other.survey_id, None}
