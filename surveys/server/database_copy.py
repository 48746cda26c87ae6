"""The database as one file, and such a file as the database: SQLite by itself, PostgreSQL by its programs.

Both take one snapshot of a database that is in use: a submission is in it whole, with its receipt and its
row, or not at all, and so is a batch with the rows that it took away. Sessions of the staff stay out: they
are keys to a door that is open now; and so do records that wait to be published.

A copy that is put in place has no mixer behind it. Whether the key that was current when it was made still
opens anything nobody knows yet, so it is current no more: answers are refused with 503 until a mixer offers
a key. No worker and no sweeper of then counts as alive, and where the log of another server stood says
nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from typing import IO, Final

from django.db import connection

from surveys.errors.error import SurveyError

NAMES: Final = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""Name of the file by vendor."""

# The first says whose the second are, and names them.
_SESSIONS: Final = ("surveys_staffsession", "django_session")
# Records that somebody uploaded are kept for a day, and a backup for longer.
_LEFT_OUT: Final = (*_SESSIONS, "surveys_depositcolumn", "surveys_depositpart", "surveys_deposittable")
_FORGET: Final = "DELETE FROM surveys_beat WHERE name = 'sweeper' OR name LIKE 'worker %'"
# Of a table that the oldest programs, whose backups are restored too, did not have.
_RETIRE: Final = "UPDATE surveys_mixerkey SET current = FALSE, unnamed_at = ''"


def database_copy(directory: Path) -> Path:
    """Write the database of this process into a directory, while everything goes on; return the file.

    Raises
    ------
    SurveyError
        ``backup.program``: PostgreSQL's program is missing, or failed.
    """
    path = directory / NAMES[connection.vendor]
    (_sqlite_copy if connection.vendor == "sqlite" else _postgresql_copy)(path)
    path.chmod(0o600)
    return path


def database_put(path: Path) -> None:
    """Put a file that `database_copy` wrote into the empty database of this process, whole or not at all.

    Raises
    ------
    SurveyError
        ``backup.program``: PostgreSQL's program is missing, or failed.
    """
    (_sqlite_put if connection.vendor == "sqlite" else _postgresql_put)(path)


def database_is_empty() -> bool:
    """Return whether the database of this process has no table; none is made by looking."""
    if connection.vendor == "sqlite" and not _sqlite_path().exists():
        return True
    with connection.cursor() as cursor:
        return not connection.introspection.table_names(cursor)


def _sqlite_path() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def _sqlite_copy(path: Path) -> None:
    with connection.cursor() as cursor:
        # Written anew, row by row: nothing of what was deleted.
        cursor.execute("VACUUM INTO %s", [str(path)])
    with contextlib.closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA secure_delete = ON")
        # Before an upgrade the new program backs up what an older one wrote, without some of these tables.
        there = {name for (name,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        for table in _LEFT_OUT:
            if table in there:
                copy.execute(f"DELETE FROM {table}")  # nosec B608
        copy.commit()


def _sqlite_put(path: Path) -> None:
    target = _sqlite_path()
    connection.close()
    draft = target.with_name(f"{target.name}.part")
    shutil.copyfile(path, draft)
    draft.chmod(0o600)
    with contextlib.closing(sqlite3.connect(draft)) as copy:
        copy.execute(_FORGET)
        if copy.execute("SELECT 1 FROM sqlite_schema WHERE name = 'surveys_mixerkey'").fetchone():
            copy.execute(_RETIRE)
        copy.commit()
    for beside in ("-wal", "-shm"):
        target.with_name(f"{target.name}{beside}").unlink(missing_ok=True)
    for synced in (draft, target.parent):
        descriptor = os.open(synced, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if synced is draft:
            draft.replace(target)


def _postgresql_copy(path: Path) -> None:
    options = ["--format=custom", "--no-owner", "--no-privileges"]
    options += [f"--exclude-table-data=*.{table}" for table in _LEFT_OUT]
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            [_program("pg_dump"), *options, f"--file={path}"], env=_environment(), stderr=said, check=False
        )
        if done.returncode:
            raise _failed("pg_dump", said)


def _postgresql_put(path: Path) -> None:
    """Play the dump and what follows it in one transaction.

    ``pg_restore`` alone would leave a moment, or for ever after a power cut, in which the old key is current.
    """
    restore = [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(path)]
    play = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--file=-"]
    connection.close()
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as said_by_reader:
        player = subprocess.Popen(
            [_program("psql"), *play],
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        # For the type checker: it was asked for.
        assert player.stdin is not None  # nosec B101
        read = subprocess.run(restore, stdout=player.stdin, stderr=said_by_reader, check=False)
        if read.returncode:
            # At the end of its input it would commit what has come; the server takes that back when it dies.
            if player.poll() is None:
                player.kill()
            player.communicate()
            said.seek(0, os.SEEK_END)
            raise _failed("psql", said) if said.tell() else _failed("pg_restore", said_by_reader)
        # The dump has set an empty search path.
        retire = f"DO $$ BEGIN {_RETIRE}; EXCEPTION WHEN undefined_table THEN NULL; END $$"
        after = ("RESET search_path", _FORGET, retire)
        player.communicate("".join(f"{statement};\n" for statement in after).encode("ascii"))
        if player.returncode:
            raise _failed("psql", said)


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise SurveyError("backup.no_program", program=name)
    return path


def _environment() -> dict[str, str]:
    """Return an environment by which PostgreSQL's programs find the database: arguments hold no password."""
    values = connection.settings_dict
    options = {
        name: values.get("OPTIONS", {}).get(name) for name in ("sslmode", "sslrootcert", "sslcert", "sslkey")
    }
    tables = {
        "PGHOST": values["HOST"],
        "PGPORT": values["PORT"],
        "PGUSER": values["USER"],
        "PGPASSWORD": values["PASSWORD"],
        "PGDATABASE": values["NAME"],
        **{f"PG{name.upper()}": value for name, value in options.items()},
    }
    return {**os.environ, **{name: str(value) for name, value in tables.items() if value}}


def _failed(program: str, said: IO[bytes]) -> SurveyError:
    said.seek(0)
    lines = said.read().decode("utf-8", "replace").split("\n")
    text = next((line for line in lines if "error" in line.lower()), lines[0])
    return SurveyError("backup.program", program=program, said=" ".join(text.split())[:300])
