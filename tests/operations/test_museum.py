"""Databases of earlier commits (tests/museum) are upgraded, opened, backed up and restored.

./test tries the oldest and the newest exhibit, ./test --soak all of them.
"""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.attack.scratch import scratch_database
from tests.conftest import ROOT, SOAK
from tests.museum import exhibits

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = 12 if SOAK else 3
"""Pages opened per view."""
LEAST_VIEWS = 75
"""Views that the pages of the first exhibit lead to: a walk that reaches fewer has lost its way."""


def chosen() -> list[Path]:
    there = exhibits.exhibits(connection.vendor)
    return there if SOAK else sorted({there[0], there[-1]})


@contextlib.contextmanager
def installation(home: Path) -> Iterator[Mapping[str, str]]:
    """Yield the environment of an empty installation, whose database exists only on PostgreSQL."""
    home.mkdir()
    with scratch_database() as url:
        yield {
            **{name: value for name, value in os.environ.items() if not name.startswith("SOTTOVOCE_")},
            "SECRET_KEY": exhibits.SECRET_KEY,
            "SOTTOVOCE_HOME": str(home),
            "SOTTOVOCE_TEST_HOME": str(home),
            "DATABASE_URL": url or f"sqlite:///{home / 'sottovoce.sqlite3'}",
        }


def load(exhibit: Path, environment: Mapping[str, str]) -> None:
    if connection.vendor == "sqlite":
        exhibits.sqlite_load(exhibit, Path(environment["DATABASE_URL"].removeprefix("sqlite:///")))
    else:
        exhibits.postgresql_load(exhibit, environment["DATABASE_URL"])


def run(environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def manage(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def tables(environment: Mapping[str, str]) -> list[str]:
    """Return every table and column, read without the program."""
    url = environment["DATABASE_URL"]
    if connection.vendor == "sqlite":
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as link:
            return [str(row) for row in link.execute("SELECT name, sql FROM sqlite_schema ORDER BY name")]
    query = "SELECT table_name, column_name FROM information_schema.columns ORDER BY 1, 2"
    done = subprocess.run(["psql", "-qAt", url, "-c", query], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def walked(environment: Mapping[str, str], most: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(environment, "-m", "tests.museum", "walk", str(most)))
    return found


@pytest.mark.parametrize("number", range(len(chosen())))
def test_an_earlier_database_is_upgraded_opened_backed_up_and_restored(number: int, tmp_path: Path) -> None:
    exhibit = chosen()[number]
    with installation(tmp_path / "home") as environment:
        load(exhibit, environment)
        run(environment, "manage.py", "migrate")
        seen = walked(environment, PAGES)
        assert seen["failed"] == {}
        assert len(seen["views"]) >= LEAST_VIEWS
        run(environment, "manage.py", "backup", str(tmp_path / "backup"))
    with installation(tmp_path / "restored") as environment:
        run(environment, "manage.py", "restore", str(tmp_path / "backup"))
        run(environment, "manage.py", "migrate")
        assert walked(environment, 1)["failed"] == {}


@pytest.mark.parametrize("number", range(len(exhibits.exhibits(connection.vendor, folder=exhibits.FOREIGN))))
def test_a_database_from_before_the_promise_is_refused_unaltered(number: int, tmp_path: Path) -> None:
    exhibit = exhibits.exhibits(connection.vendor, folder=exhibits.FOREIGN)[number]
    with installation(tmp_path / "home") as environment:
        load(exhibit, environment)
        before = tables(environment)
        for command in (["migrate"], ["doctor"], ["backup", str(tmp_path / "backup")]):
            done = manage(environment, *command)
            said = done.stdout + done.stderr
            assert done.returncode != 0
            assert "Traceback" not in said
            assert "Export its surveys with the program that made it" in said, said
        assert tables(environment) == before
        assert not (tmp_path / "backup").exists()


def test_the_doctor_names_a_column_that_was_changed_by_hand(tmp_path: Path) -> None:
    with installation(tmp_path / "home") as environment:
        load(exhibits.exhibits(connection.vendor)[-1], environment)
        run(environment, "manage.py", "migrate")
        statement = "ALTER TABLE surveys_run RENAME COLUMN engine TO motor"
        code = f"from django.db import connection; connection.cursor().execute({statement!r})"
        run(environment, "manage.py", "shell", "--command", code)
        done = manage(environment, "doctor")
        assert done.returncode != 0
        assert "surveys_run.engine" in done.stdout


def test_the_walk_finds_a_page_that_fails(tmp_path: Path) -> None:
    with installation(tmp_path / "home") as environment:
        load(exhibits.exhibits(connection.vendor)[-1], environment)
        run(environment, "manage.py", "migrate")
        planted = "from surveys.models import Run; Run.objects.update(parameters={'planted': 1})"
        run(environment, "manage.py", "shell", "--command", planted)
        assert walked(environment, 1)["failed"] != {}
