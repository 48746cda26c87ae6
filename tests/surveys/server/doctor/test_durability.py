"""A database that forgets commits, backups that failed or are old, and trials are found."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from surveys.models.staff import record_heartbeat
from surveys.server import health_storage
from surveys.server.backup import FAILED, MADE
from surveys.server.health import Severity
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.mark.only("sqlite")
@pytest.mark.django_db(transaction=True)
def test_sqlite_that_does_not_wait_for_the_disk_is_found(doctor: Doctor) -> None:
    # That of the tests does not.
    assert doctor.seen(health_storage.commits_reach_the_disk) == "off: synchronous"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = FULL")
    assert doctor.level(health_storage.commits_reach_the_disk) is Severity.OK
    connection.close()


@pytest.mark.only("postgresql")
def test_a_server_that_forgets_is_broken_whatever_this_session_says(doctor: Doctor) -> None:
    # That of the tests has all three off.
    assert doctor.level(health_storage.commits_reach_the_disk) is Severity.ERROR
    seen = doctor.seen(health_storage.commits_reach_the_disk)
    assert seen == "off: fsync, full_page_writes, synchronous_commit"
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        assert cursor.fetchone() == ("on",)


@pytest.mark.parametrize(
    ("hours", "level"),
    [
        (1, Severity.OK),
        (35.9, Severity.OK),
        (36.1, Severity.WARNING),
        (167, Severity.WARNING),
        (169, Severity.ERROR),
    ],
)
def test_a_backup_is_looked_at_after_36_hours_and_broken_after_7_days(
    hours: float, level: Severity, doctor: Doctor
) -> None:
    record_heartbeat(MADE, now=doctor.context.now - timedelta(hours=hours))
    assert doctor.level(health_storage.backups_are_made) is level


def test_where_none_was_ever_made_the_database_has_the_age(doctor: Doctor) -> None:
    assert doctor.level(health_storage.backups_are_made) is Severity.OK
    later = timezone.now() + timedelta(days=2)
    assert doctor.level(health_storage.backups_are_made, now=later) is Severity.WARNING
    assert doctor.level(health_storage.backups_are_made, now=later + timedelta(days=6)) is Severity.ERROR


def test_one_that_failed_is_told_with_its_reason_until_one_succeeds(doctor: Doctor) -> None:
    now = doctor.context.now
    record_heartbeat(MADE, now=now - timedelta(hours=20))
    record_heartbeat(FAILED, now=now - timedelta(hours=1), says={"reason": "No space left on device"})
    assert "No space left on device" in doctor.seen(health_storage.backups_are_made)
    record_heartbeat(MADE, now=now)
    assert doctor.level(health_storage.backups_are_made) is Severity.OK
