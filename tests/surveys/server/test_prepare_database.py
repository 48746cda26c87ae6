import sqlite3
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from surveys.server import prepare_database
from surveys.server.refused_database import RefusedDatabaseError
from tests.fixtures.processes import python
from tests.fixtures.runs import answered_version


@pytest.mark.django_db
def test_a_start_says_that_an_earlier_database_is_not_used(tmp_path: Path, settings: Settings) -> None:
    settings.SOTTOVOCE_HOME = tmp_path
    (tmp_path / "sotto.sqlite3").touch()
    said: list[str] = []
    with pytest.raises(
        RefusedDatabaseError, match=r"sotto.sqlite3 was made under the program’s earlier name"
    ):
        prepare_database.prepare_database(say=said.append)
    assert said == []
    answered_version()
    prepare_database.prepare_database(say=said.append)
    assert said == [
        f"database: {tmp_path / 'sotto.sqlite3'} has the program's earlier name and is not used; see doctor",
        f"database: {connection.vendor}, up to date",
    ]


@pytest.mark.soak
def test_a_start_says_that_columns_of_a_missing_database_are_left(tmp_path: Path) -> None:
    (tmp_path / "columns" / "1").mkdir(parents=True)
    code = (
        "import django; django.setup(); "
        "from surveys.server.prepare_database import prepare_database; prepare_database(say=print)"
    )
    where = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/new.sqlite3",
        "DJANGO_SETTINGS_MODULE": "surveys.settings",
    }
    done = python(tmp_path, "-c", code, **where)
    first, second = done.stdout.splitlines()
    assert first.startswith(
        f"database: {tmp_path}/new.sqlite3 is empty, but {tmp_path}/columns belong to one"
    )
    assert second.startswith("database: sqlite, applying")


def test_a_live_sqlite_database_is_copied_completely(tmp_path: Path) -> None:
    database = tmp_path / "sottovoce.sqlite3"
    live = sqlite3.connect(database)
    live.execute("PRAGMA journal_mode=WAL")
    live.execute("CREATE TABLE words (word)")
    live.execute("INSERT INTO words VALUES ('sottovoce')")
    live.commit()
    # The row is still in the write-ahead log, so copying only the file would lose it.
    assert prepare_database.copy_sqlite(database) == prepare_database.copy_sqlite(database)
    copy = sqlite3.connect(prepare_database.copy_sqlite(database))
    assert copy.execute("SELECT word FROM words").fetchall() == [("sottovoce",)]
    copy.close()
    live.close()
    assert not list(tmp_path.glob("*.part"))
