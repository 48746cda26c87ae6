"""The attacks of the tests leave the database unchanged."""

import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attack.sqlite_files import Theft
from tests.attack.traces import read_by_process

WRITE = """
import sqlite3, sys
link = sqlite3.connect(sys.argv[1], isolation_level=None)
link.execute("INSERT INTO kept VALUES (randomblob(100000))")
link.close()
"""


def copy(database: Path) -> None:
    Theft.of(database, database.with_name("copy"), survey=1, version=1, row_bytes=1)


def read(database: Path) -> None:
    for end in ("", "-wal", "-shm"):
        read_by_process(database.with_name(database.name + end))


@pytest.mark.parametrize("theft", [copy, read])
def test_reading_database_files_keeps_their_locks(theft: Callable[[Path], None], tmp_path: Path) -> None:
    database = tmp_path / "database"
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as link:
        link.execute("PRAGMA journal_mode = wal")
        link.execute("CREATE TABLE kept (value)")
        theft(database)
        # If this process had lost its locks, the next one would remove the log.
        subprocess.run([sys.executable, "-c", WRITE, str(database)], check=True)
        link.execute("INSERT INTO kept VALUES (x'00')")
        with contextlib.closing(sqlite3.connect(database)) as later:
            assert later.execute("SELECT length(value) FROM kept").fetchall() == [(100_000,), (1,)]
