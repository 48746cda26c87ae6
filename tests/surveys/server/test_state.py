"""Older code refuses to start on a newer database and says why; the doctor also reports this."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from surveys.server.launch import web_command, worker_command
from surveys.server.state import any_database_allowed, pending_migrations, unknown_migrations
from tests.attack.scratch import database_url
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

SAYS = "the database was written by a newer Sottovoce, which applied surveys.9001_later"


@pytest.fixture
def newer() -> Iterator[None]:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("surveys", "9001_later")
    # A migration of another application, which does not concern Sottovoce.
    recorder.record_applied("elsewhere", "0001_initial")
    yield
    with any_database_allowed():
        recorder.migration_qs.filter(name="9001_later").delete()
        recorder.migration_qs.filter(app="elsewhere").delete()


def ended(command: list[str]) -> tuple[int, str]:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def test_a_missing_database_schema_error_states_the_command_to_run(tmp_path: Path) -> None:
    done = subprocess.run(
        manage("publish", "sleep"),
        cwd=ROOT,
        env={
            **os.environ,
            "SOTTOVOCE_HOME": str(tmp_path),
            "DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite3",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "is empty" in done.stderr
    assert "Type: migrate." in done.stderr
    assert "Traceback" not in done.stderr


def manage(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", *arguments]


@pytest.mark.soak
def test_no_process_starts_on_a_newer_database(newer: None, broker: str) -> None:
    for command in (manage("migrate"), worker_command(concurrency=1), web_command("127.0.0.1", 0)):
        code, said = ended(command)
        assert code != 0
        assert SAYS in said


@pytest.mark.soak
def test_the_doctor_reports_a_newer_database(newer: None) -> None:
    code, said = ended(manage("doctor"))
    assert code == 2
    assert "a newer Sottovoce changed it and applied surveys.9001_later" in said


@pytest.mark.soak
def test_commands_explain_a_newer_database_in_one_line(newer: None) -> None:
    code, said = ended(manage("sweep", "--once"))
    assert code == 1
    assert said.startswith(f"sottovoce: {SAYS}. Put that release back in place")
    assert len(said.splitlines()) == 1
    connection.close()
    with pytest.raises(CommandError, match=SAYS):
        call_command("doctor", accept_key=True)


def test_a_database_of_this_release_is_accepted() -> None:
    assert unknown_migrations() == pending_migrations() == []


def test_unapplied_migrations_are_named() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("surveys", "0001_initial")
    try:
        assert pending_migrations() == ["surveys.0001_initial"]
    finally:
        recorder.record_applied("surveys", "0001_initial")
