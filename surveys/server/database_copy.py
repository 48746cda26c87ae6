"""Copy a database into a backup, and load such a copy."""

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
from surveys.extension import installed
from surveys.intake.key_folder import flush
from surveys.server.disabled_applications import unclaimed_tables

NAMES: Final = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
"""File name of the database copy, by vendor."""


# Left out: session keys, with which readers of the backup could act as staff, and copies of the mixer's keys,
# with which the spare's disk would open waiting rows.
_SECRETS: Final = ("surveys_staffsession", "django_session", "surveys_keycopy", "surveys_sparekey")
_FORGET: Final = "DELETE FROM surveys_beat WHERE name = 'sweeper' OR name LIKE 'worker %'"
_RETIRE: Final = "UPDATE surveys_mixerkey SET current = FALSE, unnamed_at = ''"


def database_copy(directory: Path) -> Path:
    """Write a copy of the live database into a directory; return the file.

    Raises
    ------
    SurveyError
        ``backup.program``: PostgreSQL's program is missing or failed.
    """
    path = directory / NAMES[connection.vendor]
    (_sqlite_copy if connection.vendor == "sqlite" else _postgresql_copy)(path)
    path.chmod(0o600)
    return path


def tables_left_out() -> list[str]:
    """Return the tables of which a backup contains no rows.

    Applications declare theirs, and are asked even if they are disabled.
    """
    declared = [table for each in installed() for table in each.not_in_backups]
    return [*_SECRETS, *declared, *unclaimed_tables()]


def database_put(path: Path) -> None:
    """Load a file from `database_copy` into the empty database of this process, atomically.

    Raises
    ------
    SurveyError
        ``backup.program``: PostgreSQL's program is missing or failed.
    """
    (_sqlite_put if connection.vendor == "sqlite" else _postgresql_put)(path)


def database_is_empty() -> bool:
    """Return whether the database of this process has no tables, without creating a database file."""
    if connection.vendor == "sqlite" and not _sqlite_path().exists():
        return True
    with connection.cursor() as cursor:
        return not connection.introspection.table_names(cursor)


def _sqlite_path() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def _sqlite_copy(path: Path) -> None:
    with connection.cursor() as cursor:
        # VACUUM INTO writes row by row, so the copy contains no deleted data.
        cursor.execute("VACUUM INTO %s", [str(path)])
    with contextlib.closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA secure_delete = ON")
        # The tables may not exist, if their application was never enabled.
        tables_in_copy = {
            name for (name,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        for table in tables_left_out():
            if table in tables_in_copy:
                copy.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608 (names of tables)
        copy.commit()


def _sqlite_put(path: Path) -> None:
    target = _sqlite_path()
    connection.close()
    draft = target.with_name(f"{target.name}.part")
    shutil.copyfile(path, draft)
    draft.chmod(0o600)
    with contextlib.closing(sqlite3.connect(draft)) as copy:
        copy.execute(_FORGET)
        copy.execute(_RETIRE)
        copy.commit()
    for beside in ("-wal", "-shm"):
        target.with_name(f"{target.name}{beside}").unlink(missing_ok=True)
    flush(draft)
    draft.replace(target)
    flush(target.parent)


def _postgresql_copy(path: Path) -> None:
    options = ["--format=custom", "--no-owner", "--no-privileges"]
    options += [f"--exclude-table-data=*.{table}" for table in tables_left_out()]
    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(
            [_program("pg_dump"), *options, f"--file={path}"], env=_environment(), stderr=errors, check=False
        )
        if done.returncode:
            raise _failure("pg_dump", errors)


def _postgresql_put(path: Path) -> None:
    """Load the dump and run the statements after it in one transaction.

    With ``pg_restore`` alone, the old mixer key would be current for a moment or, after a power cut, forever.
    """
    restore = [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(path)]
    play = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--file=-"]
    connection.close()
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as restore_errors:
        player = subprocess.Popen(
            [_program("psql"), *play],
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        # `stdin` is a pipe, as requested above.
        assert player.stdin is not None  # noqa: S101  # for the type checker
        read = subprocess.run(restore, stdout=player.stdin, stderr=restore_errors, check=False)
        if read.returncode:
            # Kill psql so that the server rolls back. At the end of its input, psql would commit the
            # incomplete dump.
            if player.poll() is None:
                player.kill()
            player.communicate()
            errors.seek(0, os.SEEK_END)
            raise _failure("psql", errors) if errors.tell() else _failure("pg_restore", restore_errors)
        # The dump sets an empty search path, so reset it.
        after = ("RESET search_path", _FORGET, _RETIRE)
        player.communicate("".join(f"{statement};\n" for statement in after).encode("ascii"))
        if player.returncode:
            raise _failure("psql", errors)


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise SurveyError("backup.no_program", program=name)
    return path


def _environment() -> dict[str, str]:
    """Return the environment for PostgreSQL's programs, because arguments must not contain a password."""
    values = connection.settings_dict
    options, encryption = values.get("OPTIONS", {}), ("sslmode", "sslrootcert", "sslcert", "sslkey")
    tables = {
        "PGHOST": values["HOST"],
        "PGPORT": values["PORT"],
        "PGUSER": values["USER"],
        "PGPASSWORD": values["PASSWORD"],
        "PGDATABASE": values["NAME"],
        **{f"PG{name.upper()}": options.get(name) for name in encryption},
    }
    return {**os.environ, **{name: str(value) for name, value in tables.items() if value}}


def _failure(program: str, output: IO[bytes]) -> SurveyError:
    output.seek(0)
    lines = output.read().decode("utf-8", "replace").split("\n")
    text = next((line for line in lines if "error" in line.lower()), lines[0])
    return SurveyError("backup.program", program=program, said=" ".join(text.split())[:300])
