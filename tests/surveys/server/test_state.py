"""Every process uses only a database of this program, and says in one sentence what any other one is."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django import Settings

from surveys.models import SchemaRecord
from surveys.server.doctor.diagnosis import Severity
from surveys.server.doctor.storage import no_database_of_the_earlier_name, the_schema_is_this_programs
from surveys.server.process_commands import web_command, worker_command
from surveys.server.refused_database import RefusedDatabaseError
from surveys.server.schema_of_migrations import facts_of_models, labels
from surveys.server.state import (
    STATE_FORMAT,
    StateKind,
    any_database_allowed,
    contents_read,
    database_state,
    digests_of,
    judge,
    pending_migrations,
    refuse_connection,
    refuse_database,
    refuse_to_migrate,
    schema_record,
    unknown_migrations,
)
from tests.attack.scratch import database_url, scratch_database
from tests.conftest import ROOT, SOAK
from tests.fixtures.databases import execute, first_release, with_column
from tests.fixtures.processes import python
from tests.fixtures.runs import answered_version
from tests.surveys.server.doctor.conftest import Doctor

NEWER = "the database was written by a newer Sottovoce"


def manage(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", *arguments]


def ended(command: list[str], **variables: str) -> tuple[int, str]:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url(), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.fixture
def doctor() -> Doctor:
    return Doctor()


@pytest.mark.django_db
def test_a_database_of_this_release_is_accepted() -> None:
    assert database_state().kind is StateKind.OK
    assert unknown_migrations() == pending_migrations() == []
    record = SchemaRecord.objects.get()
    assert (record.format, record.digests) == (STATE_FORMAT, digests_of(facts_of_models()))
    refuse_database()
    refuse_to_migrate(using="default")


def by_vendor(sqlite: str, postgresql: str) -> str:
    return sqlite if connection.vendor == "sqlite" else postgresql


CHANGED = {
    "a missing table": (lambda: "DROP TABLE surveys_wave", "the table surveys_wave is missing"),
    "an added column": (
        lambda: "ALTER TABLE surveys_receipt ADD COLUMN at text",
        "the column surveys_receipt.at is additional",
    ),
    "a removed column": (
        lambda: "ALTER TABLE surveys_beat DROP COLUMN says",
        "the column surveys_beat.says is missing",
    ),
    "an added table": (
        lambda: "CREATE TABLE surveys_savedview (id int)",
        "the table surveys_savedview is additional",
    ),
    "a missing trigger": (
        lambda: by_vendor(
            "DROP TRIGGER surveys_batch_no_update", "DROP TRIGGER surveys_batch_no_update ON surveys_batch"
        ),
        "the trigger surveys_batch_no_update of surveys_batch is missing",
    ),
    "a missing index": (
        lambda: "DROP INDEX surveys_receipt_fresh",
        "the index survey_id of surveys_receipt is missing",
    ),
}
POSTGRESQL = {
    "another type": (
        "ALTER TABLE surveys_beat ALTER COLUMN name TYPE text",
        "the column surveys_beat.name is text instead of varchar(120)",
    ),
    "a column that may be null": (
        "ALTER TABLE surveys_batch ALTER COLUMN packed DROP NOT NULL",
        "the column surveys_batch.packed is bytea or null instead of bytea",
    ),
    "a disabled trigger": (
        "ALTER TABLE surveys_batch DISABLE TRIGGER surveys_batch_no_update",
        "the trigger surveys_batch_no_update of surveys_batch is missing",
    ),
    "a trigger whose function does nothing": (
        "CREATE OR REPLACE FUNCTION surveys_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RETURN NEW; END $$",
        "the function surveys_refuse has other contents",
    ),
    "a trigger with another condition": (
        "DROP TRIGGER surveys_survey_no_update ON surveys_survey; CREATE TRIGGER surveys_survey_no_update "
        "BEFORE UPDATE ON surveys_survey FOR EACH ROW WHEN (OLD.state <> 'draft' AND NEW.slug <> OLD.slug) "
        "EXECUTE FUNCTION surveys_refuse('a survey cannot go back')",
        "the trigger surveys_survey_no_update of surveys_survey has other contents",
    ),
    "a missing constraint": (
        "ALTER TABLE surveys_drawingkey DROP CONSTRAINT surveys_drawingkey_one",
        "the constraint surveys_drawingkey_one of surveys_drawingkey is missing",
    ),
}
SQLITE = {
    "a trigger that does nothing": (
        "DROP TRIGGER surveys_batch_no_update; CREATE TRIGGER surveys_batch_no_update BEFORE UPDATE ON "
        "surveys_batch FOR EACH ROW BEGIN SELECT 1; END",
        "the trigger surveys_batch_no_update of surveys_batch has other contents",
    ),
    "rows with numbers": (
        "ALTER TABLE surveys_receipt RENAME TO old; CREATE TABLE surveys_receipt (survey_id bigint NOT NULL "
        "REFERENCES surveys_survey (id), key BLOB NOT NULL, digest BLOB NULL, fresh bool NOT NULL DEFAULT 0, "
        "PRIMARY KEY (survey_id, key)); DROP TABLE old; "
        "CREATE INDEX surveys_receipt_fresh ON surveys_receipt (survey_id) WHERE fresh",
        "the WITHOUT ROWID of surveys_receipt is missing",
    ),
}


def is_refused(kind: StateKind, said: str, doctor: Doctor) -> None:
    """Assert that every reader of the state refuses the database with the same sentence."""
    state = database_state()
    assert (state.kind, said in state.seen) == (kind, True), state
    sentence = str(RefusedDatabaseError(state.sentence))
    for refuse in (refuse_database, lambda: refuse_to_migrate(using="default")):
        with pytest.raises(RefusedDatabaseError) as refused:
            refuse()
        assert str(refused.value) == sentence
    with any_database_allowed():
        assert said in doctor.seen(the_schema_is_this_programs)


@pytest.mark.django_db
@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_schema_is_refused(name: str, doctor: Doctor) -> None:
    statement, said = CHANGED[name]
    execute(statement())
    is_refused(StateKind.CHANGED, said, doctor)


@pytest.mark.only("postgresql")
@pytest.mark.django_db
@pytest.mark.parametrize("name", POSTGRESQL)
def test_a_changed_postgresql_schema_is_refused(name: str, doctor: Doctor) -> None:
    statement, said = POSTGRESQL[name]
    execute(statement)
    is_refused(StateKind.CHANGED, said, doctor)


@pytest.mark.only("sqlite")
@pytest.mark.django_db
@pytest.mark.parametrize("name", SQLITE)
def test_a_changed_sqlite_schema_is_refused(name: str, doctor: Doctor) -> None:
    statements, said = SQLITE[name]
    execute(*statements.replace("; END", ";END").split("; "))
    is_refused(StateKind.CHANGED, said, doctor)


@pytest.mark.django_db
def test_an_additional_index_or_table_of_another_program_is_accepted() -> None:
    execute(
        "CREATE INDEX by_hand ON surveys_survey (state)",
        "CREATE TABLE weather (id int)",
        "CREATE VIEW surveys_open AS SELECT slug FROM surveys_survey",
    )
    assert database_state().kind is StateKind.OK


@pytest.mark.django_db
def test_the_same_migration_names_with_other_contents_are_refused_before_migrating(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1.0.0rc2 made such a database: its first migration had the same name and one column more."""
    with monkeypatch.context() as patch:
        first_release(patch)
        assert database_state().kind is StateKind.PENDING
        refuse_to_migrate(using="default")
    first_release(monkeypatch, with_column("surveys_drawingkey", "by_digest_to"))
    is_refused(StateKind.FOREIGN, "the column surveys_drawingkey.by_digest_to is additional", doctor)
    assert f"made on {timezone.now().day} {timezone.now():%B %Y} by" in database_state().seen
    assert "Export its surveys with the program that made it" in database_state().sentence


@pytest.mark.django_db
def test_a_program_with_other_tables_is_named_by_its_record(doctor: Doctor) -> None:
    execute("ALTER TABLE surveys_beat ADD COLUMN at_home text")
    SchemaRecord.objects.update(digests={"surveys": "0" * 64}, program="1.0.1 (commit 0123)")
    is_refused(
        StateKind.FOREIGN, "(1.0.1 (commit 0123)): the column surveys_beat.at_home is additional", doctor
    )


@pytest.mark.django_db
def test_a_database_of_unreleased_migrations_is_not_called_newer(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_release(monkeypatch, applied={("surveys", "0001_squashed_0057"): "2026-11-24 10:00"})
    is_refused(
        StateKind.FOREIGN,
        "made on 24 November 2026 by a Sottovoce that this release does not continue",
        doctor,
    )
    assert "it applied surveys.0001_squashed_0057" in database_state().seen


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["a migration", "the format", "a library's migration"])
def test_a_newer_database_is_refused(change: str, doctor: Doctor) -> None:
    SchemaRecord.objects.update(program="2.0.0 (commit 4567)")
    if change == "the format":
        SchemaRecord.objects.update(format=STATE_FORMAT + 1)
    else:
        label = "surveys" if change == "a migration" else "auth"
        MigrationRecorder(connection).record_applied(label, "9001_later")
        # A migration of another application, which does not concern Sottovoce.
        MigrationRecorder(connection).record_applied("elsewhere", "0001_initial")
    is_refused(StateKind.NEWER, "newer Sottovoce (2.0.0 (commit 4567)), which applied", doctor)


@pytest.mark.django_db
def test_lost_names_of_migrations_are_reported(doctor: Doctor) -> None:
    MigrationRecorder(connection).record_unapplied("surveys", "0001_initial")
    assert pending_migrations() == ["surveys.0001_initial"]
    is_refused(StateKind.CHANGED, "(django_migrations) lacks surveys.0001_initial", doctor)


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["row", "digest"])
def test_a_migrate_that_did_not_finish_is_repeated(change: str) -> None:
    if change == "row":
        SchemaRecord.objects.all().delete()
    else:
        SchemaRecord.objects.update(digests={"surveys": "0" * 64})
    assert database_state().kind is StateKind.PENDING
    with pytest.raises(RefusedDatabaseError, match=r"did not finish.*Type: sottovoce migrate\.$"):
        refuse_database()
    refuse_to_migrate(using="default")
    schema_record(using="default", program="this", now=timezone.now())
    assert database_state().kind is StateKind.OK


@pytest.mark.django_db
def test_nothing_is_recorded_about_a_database_of_another_program() -> None:
    execute("ALTER TABLE surveys_beat ADD COLUMN at_home text")
    before = SchemaRecord.objects.values().get()
    with pytest.raises(RefusedDatabaseError, match="at_home"):
        schema_record(using="default", program="this", now=timezone.now())
    assert SchemaRecord.objects.values().get() == before


@pytest.mark.django_db
def test_a_disabled_application_is_no_difference(settings: Settings) -> None:
    settings.INSTALLED_APPS = [name for name in settings.INSTALLED_APPS if name != "anonymisation"]
    assert labels() == ["surveys"]
    assert database_state().kind is StateKind.OK
    schema_record(using="default", program="this", now=timezone.now())
    assert set(SchemaRecord.objects.get().digests) == {"surveys", "anonymisation"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_a_database_of_the_first_migration_is_upgraded(tmp_path: Path) -> None:
    with scratch_database() as url:
        url = url or f"sqlite:///{tmp_path}/sottovoce.sqlite3"

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            return python(tmp_path, "-m", "surveys.management", *arguments, DATABASE_URL=url)

        assert run("migrate", "surveys", "0001").returncode == 0
        done = run("sweep", "--once")
        assert done.returncode == 1
        assert done.stderr.startswith("sottovoce: the database has not been prepared for this release")
        assert "then type: .venv/bin/python manage.py migrate" in done.stderr
        assert run("migrate").returncode == 0
        done = run("doctor", "--stored")
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.django_db
def test_each_connection_is_checked_by_the_names_of_migrations() -> None:
    refuse_connection(connection)
    MigrationRecorder(connection).record_applied("surveys", "9001_later")
    closed = connection.close
    connection.close = lambda: None  # type: ignore[method-assign] - the test's transaction goes on
    try:
        with pytest.raises(RefusedDatabaseError, match=NEWER):
            refuse_connection(connection)
    finally:
        connection.close = closed  # type: ignore[method-assign]
    with any_database_allowed():
        refuse_connection(connection)


@pytest.fixture
def newer(transactional_db: None) -> Iterator[None]:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("surveys", "9001_later")
    yield
    with any_database_allowed():
        recorder.migration_qs.filter(name="9001_later").delete()


@pytest.mark.soak
def test_no_process_starts_on_a_newer_database(newer: None, broker: str) -> None:
    for command in (manage("migrate"), worker_command(concurrency=1), web_command("127.0.0.1", 0)):
        code, said = ended(command)
        assert code != 0
        assert NEWER in said


@pytest.mark.soak
def test_the_doctor_reports_a_newer_database(newer: None) -> None:
    code, said = ended(manage("doctor"))
    assert code == 2
    assert NEWER in said


@pytest.mark.soak
def test_commands_explain_a_newer_database_in_one_line(newer: None) -> None:
    code, said = ended(manage("sweep", "--once"))
    assert code == 1
    assert said.startswith(f"sottovoce: {NEWER}")
    assert "Put that release back in place" in said
    assert len(said.splitlines()) == 1
    connection.close()
    with pytest.raises(CommandError, match=NEWER):
        call_command("doctor", accept_key=True)


def files(name: str, home: Path) -> str:
    """Put a file in place of the database; return what every command says about it."""
    path = home / "sottovoce.sqlite3"
    if name == "an empty file":
        path.touch()
        return "sottovoce: the database is empty"
    if name == "no database":
        path.write_text("Not a database, but as long as one. " * 40)
        return f"sottovoce: the database {path} cannot be used: file is not a database"
    if name == "a folder":
        path.mkdir()
        return f"sottovoce: the database {path} does not answer: unable to open database file"
    (home / "sotto.sqlite3").touch()
    return f"sottovoce: {home / 'sotto.sqlite3'} was made under the program’s earlier name, Sotto"


@pytest.mark.parametrize("name", ["an empty file", "no database", "a folder", "an earlier name"])
@pytest.mark.few("no database", why="the others differ in the file alone")
def test_commands_say_in_one_line_what_a_file_is(name: str, tmp_path: Path) -> None:
    said = files(name, tmp_path)
    variables = {"SOTTOVOCE_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "surveys.settings"}
    url = f"sqlite:///{tmp_path}/sottovoce.sqlite3"
    # All commands ask the same function; the start of each takes a second.
    commands = [["publish", "sleep"]] + [["migrate"]] * (SOAK and name != "an empty file")
    for command in commands:
        code, output = ended(manage(*command), DATABASE_URL=url, **variables)
        assert (code, output.startswith(said), len(output.splitlines())) == (1, True, 1), output


@pytest.mark.django_db
def test_a_file_of_the_earlier_name_is_not_passed_over(
    tmp_path: Path, settings: Settings, doctor: Doctor
) -> None:
    settings.SOTTOVOCE_HOME = tmp_path / "sottovoce"
    for place in (tmp_path / "sottovoce" / "sotto.sqlite3", tmp_path / "sotto" / "sotto.sqlite3"):
        assert database_state().kind is StateKind.OK
        assert doctor.level(no_database_of_the_earlier_name) is Severity.OK
        place.parent.mkdir()
        place.touch()
        is_refused(StateKind.EARLIER_NAME, str(place), doctor)
        place.unlink()
    place.touch()
    # Surveys are in use here, so the doctor and the start name the file and nothing is refused.
    answered_version()
    assert database_state().kind is StateKind.OK
    assert str(place) in doctor.seen(no_database_of_the_earlier_name)


@pytest.mark.only("sqlite")
@pytest.mark.django_db
def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "wordpress.sqlite3") as other:
        other.execute("CREATE TABLE wp_posts (id int)")
        state = judge(contents_read(other.cursor(), "sqlite"))
    other.close()
    assert state.kind is StateKind.FOREIGN
    assert state.sentence == (
        "The database has tables of another program: wp_posts. Name an empty database in DATABASE_URL."
    )
