from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from surveys.models.heartbeat import record_heartbeat
from surveys.server.backup_problems import FAILED, MADE
from surveys.server.doctor import durability
from surveys.server.doctor.diagnosis import Severity
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.mark.only("sqlite")
@pytest.mark.django_db(transaction=True)
def test_sqlite_without_disk_sync_is_detected(doctor: Doctor) -> None:
    # Commits of the test database do not.
    assert doctor.seen(durability.commits_reach_the_disk) == "off: synchronous"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = FULL")
    assert doctor.level(durability.commits_reach_the_disk) is Severity.OK
    connection.close()


@pytest.mark.only("postgresql")
def test_postgresql_without_durable_commits_is_detected(doctor: Doctor) -> None:
    # The test cluster has all three settings off.
    assert doctor.level(durability.commits_reach_the_disk) is Severity.ERROR
    seen = doctor.seen(durability.commits_reach_the_disk)
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
def test_backups_are_late_after_36_hours_and_fail_after_7_days(
    hours: float, level: Severity, doctor: Doctor
) -> None:
    record_heartbeat(MADE, now=doctor.context.now - timedelta(hours=hours))
    assert doctor.level(durability.backups_are_made) is level


def test_without_backups_their_age_is_that_of_the_database(doctor: Doctor) -> None:
    assert doctor.level(durability.backups_are_made) is Severity.OK
    later = timezone.now() + timedelta(days=2)
    assert doctor.level(durability.backups_are_made, now=later) is Severity.WARNING
    assert doctor.level(durability.backups_are_made, now=later + timedelta(days=6)) is Severity.ERROR


def test_failed_backups_are_reported_with_a_reason_until_one_succeeds(doctor: Doctor) -> None:
    now = doctor.context.now
    record_heartbeat(MADE, now=now - timedelta(hours=20))
    record_heartbeat(FAILED, now=now - timedelta(hours=1), says={"reason": "No space left on device"})
    assert "No space left on device" in doctor.seen(durability.backups_are_made)
    record_heartbeat(MADE, now=now)
    assert doctor.level(durability.backups_are_made) is Severity.OK
