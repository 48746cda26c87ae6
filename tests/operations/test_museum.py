"""Databases of earlier commits (tests/museum) are upgraded, opened, backed up and restored.

./test --soak tries all exhibits. ./test tries the oldest one, which goes through all migrations, and opens
its pages on SQLite only, because they do not depend on the database. What pages read in the newest is what
this program writes.
"""

import contextlib
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from surveys.models import Run
from surveys.models.stored_json import StoredJSON
from tests.attack.scratch import scratch_database
from tests.conftest import ROOT, SOAK
from tests.museum import exhibits

pytestmark = pytest.mark.django_db(transaction=True)

# Backups contain no keys of the mixer, sessions or uploaded records. `migrate` writes the record of the
# schema, and pg_dump a random word.
NOT_RESTORED = re.compile(
    r"INSERT INTO \W?(public\.)?(surveys_(beat|mixerkey|schemarecord|staffsession)|django_session"
    r"|anonymisation_release(column|table))\W"
    r"|\\(un)?restrict "
)
PAGES = 12 if SOAK else 1
"""Pages opened per view."""
LEAST_VIEWS = 75
"""Views that the pages of the first exhibit lead to: a walk that reaches fewer has lost its way."""


def chosen() -> list[Path]:
    there = exhibits.exhibits(connection.vendor)
    return there if SOAK else there[:1]


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


def change(environment: Mapping[str, str], statement: str) -> None:
    """Change the database without the program."""
    url = environment["DATABASE_URL"]
    if connection.vendor == "sqlite":
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as link, link:
            link.execute(statement)
    else:
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", url, "-c", statement], check=True)


def rows(environment: Mapping[str, str]) -> list[str]:
    """Return every row, table and trigger that a backup contains, read without the program."""
    url = environment["DATABASE_URL"]
    if connection.vendor == "sqlite":
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as link:
            lines = list(link.iterdump())
    else:
        dump = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", f"--dbname={url}"]
        lines = subprocess.run(dump, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted(line for line in lines if not NOT_RESTORED.match(line))


def walked(environment: Mapping[str, str], most: int, how: str = "walk") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(environment, "-m", "tests.museum", how, str(most)))
    return found


def managed(environment: Mapping[str, str], *commands: list[str]) -> list[str]:
    """Run commands in one process, whose start costs more than they do; return the lines they print."""
    return run(environment, "-m", "tests.museum", "manage", json.dumps(commands)).splitlines()


@pytest.mark.parametrize("number", range(len(chosen())))
def test_an_earlier_database_is_upgraded_opened_backed_up_and_restored(number: int, tmp_path: Path) -> None:
    exhibit = chosen()[number]
    with installation(tmp_path / "home") as environment:
        load(exhibit, environment)
        walks = SOAK or connection.vendor == "sqlite"
        # The walk comes first, because it adds events.
        lines = managed(
            environment, ["migrate"], *[["walk", str(PAGES)]] * walks, ["backup", str(tmp_path / "backup")]
        )
        before = rows(environment)
        if walks:
            (seen,) = (json.loads(line) for line in lines if line.startswith('{"opened"'))
            assert seen["failed"] == {}
            assert len(seen["views"]) >= LEAST_VIEWS
    with installation(tmp_path / "restored") as environment:
        managed(environment, ["restore", str(tmp_path / "backup")], ["migrate"])
        assert rows(environment) == before
        # All pages read these rows.
        if SOAK:
            assert walked(environment, 1)["failed"] == {}


@pytest.mark.parametrize("number", range(len(exhibits.exhibits(connection.vendor, folder=exhibits.FOREIGN))))
@pytest.mark.few("0", why="one function refuses all")
def test_a_database_from_before_the_promise_is_refused_unaltered(number: int, tmp_path: Path) -> None:
    exhibit = exhibits.exhibits(connection.vendor, folder=exhibits.FOREIGN)[number]
    with installation(tmp_path / "home") as environment:
        load(exhibit, environment)
        before = tables(environment)
        # All commands ask the same function (tests/surveys/server/test_state.py).
        others = [["doctor"], ["backup", str(tmp_path / "backup")]] if SOAK else []
        for command in (["migrate"], *others):
            done = manage(environment, *command)
            said = done.stdout + done.stderr
            assert done.returncode != 0
            assert "Traceback" not in said
            assert "Export its surveys with the program that made it" in said, said
        assert tables(environment) == before
        assert not (tmp_path / "backup").exists()


def formats_in(database: Path, table: str, column: str) -> set[int]:
    """Return the format numbers of a column's documents; those without a number have format 1."""
    query = f"SELECT DISTINCT COALESCE(json_extract({column}, '$.stored_format'), 1) FROM {table}"
    with contextlib.closing(sqlite3.connect(database)) as link:
        if column not in {name for (name,) in link.execute("SELECT name FROM pragma_table_info(?)", [table])}:
            return set()
        return {number for (number,) in link.execute(f"{query} WHERE {column} IS NOT NULL")}


@pytest.mark.only("sqlite")
def test_an_exhibit_has_each_format_of_each_stored_document(tmp_path: Path) -> None:
    columns = [
        (model._meta.db_table, field.column, field.newest)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, StoredJSON)
    ]
    assert ("surveys_run", "parameters", 2) in columns
    found: dict[tuple[str, str], set[int]] = {column[:2]: set() for column in columns}
    for number, exhibit in enumerate(exhibits.exhibits("sqlite")):
        exhibits.sqlite_load(exhibit, tmp_path / str(number))
        for column in found:
            found[column] |= formats_in(tmp_path / str(number), *column)
    missing = {
        column[:2]: wanted - found[column[:2]]
        for column in columns
        if (wanted := set(range(1, column[2] + 1))) - found[column[:2]]
    }
    assert missing == {}, "make an exhibit (CONTRIBUTING, Migrations)"


@pytest.mark.soak
@pytest.mark.only("sqlite")
@pytest.mark.parametrize("number", range(1, Run._meta.get_field("summary").newest))
def test_figures_of_each_earlier_format_ask_for_a_new_analysis(number: int, tmp_path: Path) -> None:
    """They were stored without their method and n, which pages cannot state."""
    for place, exhibit in enumerate(exhibits.exhibits("sqlite")):
        exhibits.sqlite_load(exhibit, tmp_path / str(place))
        if number in formats_in(tmp_path / str(place), "surveys_run", "summary"):
            break
    with installation(tmp_path / "home") as environment:
        load(exhibit, environment)
        run(environment, "manage.py", "migrate")
        found = json.loads(run(environment, "-m", "tests.museum", "figures", "all"))
        assert found["silent"] == []
        assert found["asked"][str(number)] >= 4


@pytest.mark.soak
def test_the_doctor_names_a_column_that_was_changed_by_hand(tmp_path: Path) -> None:
    with installation(tmp_path / "home") as environment:
        load(exhibits.exhibits(connection.vendor)[-1], environment)
        run(environment, "manage.py", "migrate")
        change(environment, "ALTER TABLE surveys_run RENAME COLUMN engine TO motor")
        done = manage(environment, "doctor")
        assert done.returncode != 0
        assert "surveys_run.engine" in done.stdout


@pytest.mark.soak
def test_the_walk_finds_a_page_that_fails(tmp_path: Path) -> None:
    with installation(tmp_path / "home") as environment:
        load(exhibits.exhibits(connection.vendor)[-1], environment)
        run(environment, "manage.py", "migrate")
        change(environment, """UPDATE surveys_run SET parameters = '{"planted": 1}'""")
        assert walked(environment, 1, "stumble")["failed"] != {}
