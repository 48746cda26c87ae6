"""One process of a test run migrates; the databases of the others begin as copies of what it has then."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from django.db import connection

NAME = "sottovoce_migrated"


@contextlib.contextmanager
def migrated_once(shared: Path) -> Iterator[None]:
    """Make test databases so; processes of one test run meet in the directory `shared`."""
    creation: Any = connection.creation
    create, create_empty, mark = creation.create_test_db, creation._create_test_db, shared / NAME

    def copy(*given: Any, **named: Any) -> str:
        if connection.vendor == "sqlite":
            name: str = create_empty(*given, **named)
            shutil.copy(mark, name)
            return name
        with mock.patch.dict(connection.settings_dict["TEST"], TEMPLATE=mark.read_text()):
            found: str = create_empty(*given, **named)
            return found

    def first_or_copy(*given: Any, **named: Any) -> str:
        with (shared / "migrating").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not mark.exists():
                name: str = create(*given, **named)
                _keep(mark)
                return name
        with mock.patch.object(creation, "_create_test_db", copy):
            found: str = create(*given, **named)
            return found

    with mock.patch.object(creation, "create_test_db", first_or_copy):
        yield


def _keep(mark: Path) -> None:
    if connection.vendor == "sqlite":
        unfinished = mark.with_suffix(".unfinished")
        with contextlib.closing(sqlite3.connect(unfinished)) as target:
            connection.connection.backup(target)
        unfinished.replace(mark)
        return
    # PostgreSQL copies a database that nobody is connected to.
    name = f"{NAME}_{os.getpid()}"
    source = connection.settings_dict["NAME"]
    connection.close()
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]  # Django's own tests do so
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{source}"')
    mark.write_text(name)
    connection.ensure_connection()


def forget(shared: Path) -> None:
    """Drop the database that PostgreSQL copied; a file goes with its directory."""
    mark = shared / NAME
    if connection.vendor == "postgresql" and mark.exists():
        with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]  # as above
            cursor.execute(f'DROP DATABASE "{mark.read_text()}"')
        mark.unlink()
