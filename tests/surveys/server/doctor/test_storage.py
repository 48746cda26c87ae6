"""Databases that differ from the release's schema or settings are reported."""

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from surveys.models import Batch
from surveys.server.doctor import storage
from surveys.server.doctor.diagnosis import Check, Severity
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


@pytest.mark.parametrize("check", storage.STORAGE_CHECKS, ids=lambda check: check.__name__)
def test_a_migrated_database_passes(check: Check, doctor: Doctor) -> None:
    assert doctor.level(check) is Severity.OK


def test_an_unapplied_migration_is_detected(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    first_release(monkeypatch)
    seen = doctor.seen(storage.the_schema_is_this_programs)
    assert seen.endswith(" migrations missing, anonymisation.0001_initial first")


def test_a_database_of_a_newer_release_is_detected(doctor: Doctor) -> None:
    MigrationRecorder(connection).record_applied("surveys", "9001_later")
    assert "newer Sottovoce" in doctor.seen(storage.the_schema_is_this_programs)


def test_missing_or_disabled_triggers_are_found(doctor: Doctor) -> None:
    run(DROP[connection.vendor])
    assert doctor.seen(storage.immutable_rows_are_protected).endswith(": surveys_batch_no_update")


@pytest.mark.only("postgresql")
def test_a_missing_foreign_key_constraint_is_detected(doctor: Doctor) -> None:
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "surveys_batch")
    name = next(name for name, one in constraints.items() if one["foreign_key"])
    run(f"ALTER TABLE surveys_batch DROP CONSTRAINT {name}")
    seen = doctor.seen(storage.references_are_valid)
    assert seen.endswith(": surveys_batch.version_id has no constraint")


@pytest.mark.parametrize("table", ["surveys_receipt", "surveys_inbox", "surveys_batch"])
def test_an_added_address_column_is_detected(table: str, doctor: Doctor) -> None:
    run(f"ALTER TABLE {table} ADD COLUMN address text")
    assert doctor.seen(storage.answers_have_no_author_and_no_time).endswith(f": {table}.address")


def test_a_damaged_batch_is_detected(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    Batch(version=version, n=1, packed=b"\0", digest="0" * 64).save()
    assert "do not match" in doctor.seen(storage.batches_are_unchanged)


def test_a_database_limited_to_ascii_is_detected(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.level(storage.texts_in_every_language_can_be_stored) is Severity.OK
    # The answer of a cluster that was created without a locale.
    monkeypatch.setitem(storage._ENCODINGS, connection.vendor, "SELECT 'SQL_ASCII'")
    assert "SQL_ASCII" in doctor.seen(storage.texts_in_every_language_can_be_stored)


def test_a_missing_drawing_key_is_found(doctor: Doctor) -> None:
    run(
        {
            "sqlite": "DROP TRIGGER surveys_drawingkey_no_delete",
            "postgresql": "ALTER TABLE surveys_drawingkey DISABLE TRIGGER surveys_drawingkey_no_delete",
        }[connection.vendor]
    )
    run("DELETE FROM surveys_drawingkey")
    assert doctor.level(storage.drawing_key_exists) is Severity.ERROR
    assert "nothing is computed" in doctor.seen(storage.drawing_key_exists)
