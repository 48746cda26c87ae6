"""Write-once records cannot be changed through Django or in SQL; the schema ensures this."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.errors.error import SurveyError
from surveys.models import Batch, CutPoints, DrawingKey, Inbox, LedgerEntry, Survey, Version
from surveys.models.audit_event import audit_event_record
from tests.fixtures.devices import published, shipped_definition, survey_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> Version:
    return published(shipped_definition(slug="work"))


def rows(version: Version) -> list[tuple[models.Model, dict[str, Any]]]:
    batch = Batch(version=version, n=1, packed=b"\0", digest="0" * 64)
    batch.save()
    event = audit_event_record(actor="alice", action="survey_close", target="work")
    rows_of = {"survey": version.survey, "design_id": version.design_id, "snapshot_digest": "0" * 64}
    entry = LedgerEntry(**rows_of, run_number=1, n=1, final=True, decision={"family": 1}, at=timezone.now())
    entry.save()
    cuts = CutPoints(**rows_of, question=0, cuts=[0, 5], at=timezone.now())
    cuts.save()
    return [
        (
            version,
            {
                "survey_id": 9,
                "number": 9,
                "design": {},
                "design_id": "x",
                "wording": {},
                "wording_id": "x",
                "aim": {"people": 9},
                "promises": {"whole": None},
                "definition": {},
                "published_at": timezone.now(),
            },
        ),
        (batch, {"version_id": 9, "n": 2, "n_direct": 1, "packed": b"\1", "digest": "1" * 64}),
        (event, {"at": timezone.now(), "actor": "bob", "action": "x", "target": "x", "detail": {"a": 1}}),
        (DrawingKey.objects.get(), {"key": b"\1", "mark": "x"}),
        (
            entry,
            {
                "survey_id": 9,
                "run_number": 9,
                "design_id": "x",
                "snapshot_digest": "x",
                "n": 9,
                "final": False,
                "decision": {},
                "at": timezone.now(),
            },
        ),
        (
            cuts,
            {
                "survey_id": 9,
                "design_id": "x",
                "question": 9,
                "snapshot_digest": "x",
                "cuts": [9],
                "at": timezone.now(),
            },
        ),
    ]


def test_a_saved_row_cannot_be_saved_again_or_deleted(version: Version) -> None:
    for row, _changes in rows(version):
        with pytest.raises(SurveyError, match="written once"):
            row.save()
        with pytest.raises(SurveyError, match="written once"):
            row.delete()
        read = type(row)._default_manager.get(pk=row.pk)
        with pytest.raises(SurveyError, match="written once"):
            read.save()


def test_the_database_rejects_changes_to_any_column_of_write_once_rows(version: Version) -> None:
    for row, changes in rows(version):
        assert set(changes) | {"id"} == {field.attname for field in row._meta.concrete_fields}
        for column, value in changes.items():
            with pytest.raises(DatabaseError, match=r"immutable|only added to"), transaction.atomic():
                type(row)._default_manager.filter(pk=row.pk).update(**{column: value})


def test_the_database_rejects_deletion_of_write_once_rows(version: Version) -> None:
    for row, _changes in rows(version):
        refusal = pytest.raises(DatabaseError, match=r"immutable|only added to")
        with refusal, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {row._meta.db_table}")
        assert type(row)._default_manager.filter(pk=row.pk).exists()


@pytest.mark.parametrize("change", [{"practice": True}, {"state": "draft"}, {"slug": "renamed"}])
def test_published_surveys_cannot_revert_to_an_earlier_state(
    version: Version, change: dict[str, Any]
) -> None:
    with pytest.raises(DatabaseError, match="cannot go back"), transaction.atomic():
        Survey.objects.filter(pk=version.survey_id).update(**change)


def test_a_closed_survey_cannot_reopen_accept_longer_or_become_unsettled(version: Version) -> None:
    now = timezone.now()
    survey_close(survey_of(version), by="alice", now=now)
    surveys = Survey.objects.filter(pk=version.survey_id)
    for change in ({"state": "open"}, {"accepts_until": None}, {"accepts_until": now + timedelta(hours=49)}):
        with pytest.raises(DatabaseError, match="cannot go back"), transaction.atomic():
            surveys.update(**change)
    assert surveys.update(accepts_until=now + timedelta(hours=1)) == 1
    surveys.update(settled=True)
    with pytest.raises(DatabaseError, match="cannot go back"), transaction.atomic():
        surveys.update(settled=False)


def test_a_draft_can_still_become_practice() -> None:
    survey = Survey.objects.create(slug="draft", title={"en": "Draft"}, definition={})
    survey.practice = True
    survey.save()
    assert Survey.objects.get(slug="draft").practice


@pytest.mark.only("sqlite")
def test_respondent_tables_have_no_hidden_row_number() -> None:
    with connection.cursor() as cursor:
        tables = {row[1]: row for row in cursor.execute("PRAGMA table_list").fetchall()}
        for table in ("surveys_receipt", "surveys_inbox"):
            without_rowid = tables[table][4]
            assert without_rowid == 1
            with pytest.raises(DatabaseError, match="no such column"), transaction.atomic():
                cursor.execute(f"SELECT rowid FROM {table}")


@pytest.mark.only("postgresql")
def test_respondent_tables_have_no_counters_timestamps_or_samples() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT table_name, column_name, data_type, column_default, is_identity
            FROM information_schema.columns WHERE table_name IN ('surveys_receipt', 'surveys_inbox')
            """
        )
        columns = cursor.fetchall()
        cursor.execute("SHOW track_commit_timestamp")
        assert cursor.fetchone() == ("off",), "or each transaction number would be a time"
    assert {(table, name) for table, name, *_ in columns} == {
        *(("surveys_receipt", name) for name in ("survey_id", "key", "digest", "fresh")),
        *(("surveys_inbox", name) for name in ("key", "version_id", "sealed_under", "box")),
    }
    for _table, name, kind, default, identity in columns:
        wanted = {"survey_id": "bigint", "version_id": "bigint", "fresh": "boolean"}
        assert kind == wanted.get(name, "bytea")
        assert (default, identity) == ("false" if name == "fresh" else None, "NO")


@pytest.mark.only("postgresql")
def test_the_database_keeps_no_statistics_of_waiting_rows(version: Version) -> None:
    """Samples outlive their rows, and would show the names and surveys of rows that were mixed since."""
    samples = "SELECT attname FROM pg_stats WHERE tablename = 'surveys_inbox'"
    waiting = [
        Inbox(key=bytes([n]) * 16, version=version, sealed_under=bytes(16), box=bytes([n]) * 48)
        for n in range(200)
    ]
    Inbox.objects.bulk_create(waiting)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE surveys_inbox")
        cursor.execute(samples)
        assert cursor.fetchall() == []


TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
}


def test_every_trigger_exists_after_all_migrations() -> None:
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS[connection.vendor])
        names = {name for (name,) in cursor.fetchall()}
    expected = {
        f"surveys_{table}_no_{verb}"
        for table in (
            "version",
            "auditevent",
            "batch",
            "verdict",
            "publishoverride",
            "drawingkey",
            "ledgerentry",
            "chapter",
            "cutpoints",
        )
        for verb in ("update", "delete")
    }
    assert names == expected | {"surveys_survey_no_update"}


def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True)
