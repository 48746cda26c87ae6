"""Databases that differ from the release's schema or settings are reported."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from surveys.models import AuditEvent, Batch, Survey
from surveys.models.staff import record_heartbeat
from surveys.server import health_storage
from surveys.server.backup_problems import FAILED, MADE
from surveys.server.health import Check, Severity
from tests.fixtures.databases import first_release
from tests.fixtures.devices import published, wide_definition
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db

DROP = {
    "sqlite": "DROP TRIGGER surveys_batch_no_update",
    "postgresql": "ALTER TABLE surveys_batch DISABLE TRIGGER surveys_batch_no_update",
}


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("check", health_storage.STORAGE_CHECKS, ids=lambda check: check.__name__)
def test_a_migrated_database_passes(check: Check, doctor: Doctor) -> None:
    assert doctor.level(check) is Severity.OK


def test_an_unapplied_migration_is_detected(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    first_release(monkeypatch)
    seen = doctor.seen(health_storage.the_schema_is_this_programs)
    assert seen.endswith(" migrations are missing, anonymisation.0001_initial first")


def test_a_database_of_a_newer_release_is_detected(doctor: Doctor) -> None:
    MigrationRecorder(connection).record_applied("surveys", "9001_later")
    assert "newer Sottovoce" in doctor.seen(health_storage.the_schema_is_this_programs)


def test_missing_or_disabled_triggers_are_found(doctor: Doctor) -> None:
    run(DROP[connection.vendor])
    assert doctor.seen(health_storage.immutable_rows_are_protected).endswith(": surveys_batch_no_update")


@pytest.mark.only("postgresql")
def test_a_missing_foreign_key_constraint_is_detected(doctor: Doctor) -> None:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "surveys_batch")
    name = next(name for name, one in constraints.items() if one["foreign_key"])
    run(f"ALTER TABLE surveys_batch DROP CONSTRAINT {name}")
    seen = doctor.seen(health_storage.references_are_valid)
    assert seen.endswith(": surveys_batch.version_id has no constraint")


@pytest.mark.parametrize("table", ["surveys_receipt", "surveys_inbox", "surveys_batch"])
def test_an_added_address_column_is_detected(table: str, doctor: Doctor) -> None:
    run(f"ALTER TABLE {table} ADD COLUMN address text")
    assert doctor.seen(health_storage.answers_have_no_author_and_no_time).endswith(f": {table}.address")


def test_a_damaged_batch_is_detected(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    Batch(version=version, n=1, packed=b"\0", digest="0" * 64).save()
    assert "do not match" in doctor.seen(health_storage.batches_are_unchanged)


@pytest.mark.only("sqlite")
def test_a_clock_set_back_is_detected(doctor: Doctor) -> None:
    AuditEvent(at=timezone.now() + timedelta(hours=2), actor="alice", action="x", target="x").save()
    assert doctor.level(health_storage.clocks_agree) is Severity.ERROR


@pytest.mark.only("postgresql")
def test_a_clock_that_differs_from_the_database_is_detected(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = timezone.now() - timedelta(hours=2)
    monkeypatch.setattr(health_storage.timezone, "now", lambda: late)
    assert "clock is 7200 s ahead of" in doctor.seen(health_storage.clocks_agree)


@pytest.mark.only("sqlite")
@pytest.mark.django_db(transaction=True)
def test_insecure_deletion_and_asynchronous_commits_are_detected(doctor: Doctor) -> None:
    # The setting of tests/settings.py.
    assert doctor.seen(health_storage.deleted_rows_are_erased) == "synchronous = 0"
    try:
        run("PRAGMA synchronous = FULL")
        assert doctor.level(health_storage.deleted_rows_are_erased) is Severity.OK
        run("PRAGMA secure_delete = OFF")
        assert doctor.seen(health_storage.deleted_rows_are_erased) == "secure_delete = 0"
    finally:
        connection.close()


@pytest.mark.only("sqlite")
def test_a_hidden_row_number_is_detected(doctor: Doctor) -> None:
    with connection.cursor() as cursor:
        (sql,) = cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'surveys_inbox'").fetchone()
    run("DROP TABLE surveys_inbox")
    run(sql.replace("WITHOUT ROWID", ""))
    assert doctor.seen(health_storage.deleted_rows_are_erased).endswith(
        "surveys_inbox number rows as they arrive"
    )


@pytest.mark.only("postgresql")
@pytest.mark.parametrize("name", ["log_statement", "log_min_duration_statement"])
def test_a_statement_log_is_detected(name: str, doctor: Doctor) -> None:
    assert doctor.level(health_storage.statements_are_not_logged) is Severity.OK
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, %s, true)", [name, "all" if name == "log_statement" else "100"])
    assert doctor.seen(health_storage.statements_are_not_logged).startswith(name)


def test_a_database_limited_to_ascii_is_detected(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.level(health_storage.texts_in_every_language_can_be_stored) is Severity.OK
    # The answer of a cluster that was created without a locale.
    monkeypatch.setitem(health_storage._ENCODINGS, connection.vendor, "SELECT 'SQL_ASCII'")
    assert "SQL_ASCII" in doctor.seen(health_storage.texts_in_every_language_can_be_stored)


def test_a_survey_past_its_deletion_day_is_detected(doctor: Doctor) -> None:
    slug = published(wide_definition()).survey.slug
    check, now = health_storage.surveys_are_deleted_on_their_day, doctor.context.now
    for delay, level in (
        (-health_storage.LONGEST_DELAY, Severity.OK),
        (health_storage.LONGEST_DELAY, Severity.ERROR),
    ):
        Survey.objects.update(delete_at=now - delay)
        assert doctor.level(check) is level
    assert doctor.seen(check).startswith(f"{slug} should have been deleted on ")


def test_a_missing_drawing_key_is_found(doctor: Doctor) -> None:
    run(
        {
            "sqlite": "DROP TRIGGER surveys_drawingkey_no_delete",
            "postgresql": "ALTER TABLE surveys_drawingkey DISABLE TRIGGER surveys_drawingkey_no_delete",
        }[connection.vendor]
    )
    run("DELETE FROM surveys_drawingkey")
    assert doctor.level(health_storage.drawing_key_exists) is Severity.ERROR
    assert "nothing is computed" in doctor.seen(health_storage.drawing_key_exists)


@pytest.mark.only("sqlite")
@pytest.mark.django_db(transaction=True)
def test_sqlite_without_disk_sync_is_detected(doctor: Doctor) -> None:
    # Commits of the test database do not.
    assert doctor.seen(health_storage.commits_reach_the_disk) == "off: synchronous"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = FULL")
    assert doctor.level(health_storage.commits_reach_the_disk) is Severity.OK
    connection.close()


@pytest.mark.only("postgresql")
def test_postgresql_without_durable_commits_is_detected(doctor: Doctor) -> None:
    # The test cluster has all three settings off.
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
def test_backups_are_late_after_36_hours_and_fail_after_7_days(
    hours: float, level: Severity, doctor: Doctor
) -> None:
    record_heartbeat(MADE, now=doctor.context.now - timedelta(hours=hours))
    assert doctor.level(health_storage.backups_are_made) is level


def test_without_backups_their_age_is_that_of_the_database(doctor: Doctor) -> None:
    assert doctor.level(health_storage.backups_are_made) is Severity.OK
    later = timezone.now() + timedelta(days=2)
    assert doctor.level(health_storage.backups_are_made, now=later) is Severity.WARNING
    assert doctor.level(health_storage.backups_are_made, now=later + timedelta(days=6)) is Severity.ERROR


def test_failed_backups_are_reported_with_a_reason_until_one_succeeds(doctor: Doctor) -> None:
    now = doctor.context.now
    record_heartbeat(MADE, now=now - timedelta(hours=20))
    record_heartbeat(FAILED, now=now - timedelta(hours=1), says={"reason": "No space left on device"})
    assert "No space left on device" in doctor.seen(health_storage.backups_are_made)
    record_heartbeat(MADE, now=now)
    assert doctor.level(health_storage.backups_are_made) is Severity.OK
