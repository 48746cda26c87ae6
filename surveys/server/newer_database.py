"""Older code refuses a database that newer code has changed.

It would run: the tables it knows are there. But what newer code promises of them it does not know, and would
write rows that break it. So every connection is looked at when it is made; `doctor` alone looks on and tells.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib import import_module
from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

__all__ = [
    "NewerDatabaseError",
    "looking_on",
    "pending_migrations",
    "refuse_newer_database",
    "unknown_migrations",
]

_looking_on: ContextVar[bool] = ContextVar("looking_on", default=False)


class NewerDatabaseError(Exception):
    """The database was written by a newer Sotto; no handler of database errors takes this for an outage."""

    def __init__(self, unknown: list[str]) -> None:
        super().__init__(
            f"the database was written by a newer Sotto, which applied {', '.join(unknown[:3])}"
            f"{' and more' if len(unknown) > 3 else ''}. Put that release back in place, or restore a backup "
            "from before its migration (docs/operators.md)"
        )


def unknown_migrations(link: BaseDatabaseWrapper | None = None) -> list[str]:
    """Return the migrations that the database has seen and this program does not know."""
    known = _known()
    applied = _applied(link or connection)
    return sorted(f"{app}.{name}" for app, name in applied if app in known and name not in known[app])


def known_migrations() -> frozenset[str]:
    """Return the migrations of this program, as "app.name"."""
    return frozenset(f"{app}.{name}" for app, names in _known().items() for name in names)


def pending_migrations() -> list[str]:
    """Return the migrations that this program knows and the database has not seen."""
    return sorted(known_migrations() - {".".join(migration) for migration in _applied(connection)})


def _applied(link: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    if not MigrationRecorder(link).has_table():
        return set()
    # The recorder's own list is read through the connection under the alias, which may be another one.
    with link.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations")
        return {(app, name) for app, name in cursor.fetchall()}


def refuse_newer_database() -> None:
    """Look at the database before anything else does; one that does not answer is looked at later.

    Raises
    ------
    NewerDatabaseError
    """
    try:
        connection.ensure_connection()
    except DatabaseError:
        return
    finally:
        connection.close()


def look(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Refuse a connection, as soon as it is made, to a database that is newer than this program.

    Raises
    ------
    NewerDatabaseError
    """
    if _looking_on.get():
        return
    if unknown := unknown_migrations(connection):
        connection.close()
        raise NewerDatabaseError(unknown)


@contextmanager
def looking_on() -> Iterator[None]:
    """Let this thread connect to any database, to inspect it and write nothing."""
    token = _looking_on.set(True)
    try:
        yield
    finally:
        _looking_on.reset(token)


@lru_cache(maxsize=1)
def _known() -> dict[str, frozenset[str]]:
    """Names of the migrations of each app here, from the names of their files."""
    known = {}
    for config in apps.get_app_configs():
        try:
            room = import_module(f"{config.name}.migrations")
        except ModuleNotFoundError:
            continue
        # As Django's loader: a name that begins so is no migration.
        names = (module.name for module in pkgutil.iter_modules(room.__path__))
        known[config.label] = frozenset(name for name in names if not name.startswith(("_", "~")))
    return known
