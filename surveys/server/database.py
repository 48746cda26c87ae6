"""State of the database: too new for this program, or with tables of applications that are off.

Older code would run on a database that newer code has changed, since the tables it knows are there. It does
not know what newer code promises about them and would write rows that break it. So every connection is
checked when it is made; only `doctor` reads such a database and reports it.

`SOTTOVOCE_APPS` can leave out an application whose tables the database still holds. Nothing of that
application runs, so deleting a survey deletes its rows there by the foreign keys of the database.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from django.apps import apps
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

_looking_on: ContextVar[bool] = ContextVar("looking_on", default=False)


class NewerDatabaseError(Exception):
    """The database was written by a newer program. It is not handled as an outage of the database."""

    def __init__(self, unknown: list[str]) -> None:
        super().__init__(
            f"the database was written by a newer Sottovoce, which applied {', '.join(unknown[:3])}"
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
    """Check the database before anything else does; if it does not answer, it is checked later.

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
    """Refuse each new connection to a database that is newer than this program.

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
    """Return the names of each app's migrations here, from the names of their files."""
    known = {}
    for config in apps.get_app_configs():
        try:
            migrations = import_module(f"{config.name}.migrations")
        except ModuleNotFoundError:
            continue
        # As in Django's loader: a name that begins like this is not a migration.
        names = (module.name for module in pkgutil.iter_modules(migrations.__path__))
        known[config.label] = frozenset(name for name in names if not name.startswith(("_", "~")))
    return known


_SURVEYS: Final = "surveys_survey"

# Only filled with quoted names of tables and columns that the database reports, never with user input.
_COUNT: Final = "SELECT COUNT(*) FROM {0}"
_HANGS_ON: Final = "{0} IN (SELECT {1} FROM {2} WHERE {3})"
_DELETE: Final = "DELETE FROM {0} WHERE {1}"


def absent_tables() -> list[str]:
    """Return the tables of applications that migrated this database and are off now."""
    enabled = {config.label for config in apps.get_app_configs()}
    migrated = {app for app, _name in MigrationRecorder(connection).applied_migrations()}
    off = tuple(f"{app}_" for app in migrated - enabled)
    with connection.cursor() as cursor:
        return sorted(name for name in connection.introspection.table_names(cursor) if name.startswith(off))


def absent_rows() -> dict[str, int]:
    """Count the rows of each such table, leaving out empty tables."""
    counted = {}
    with connection.cursor() as cursor:
        for table in absent_tables():
            cursor.execute(_COUNT.format(connection.ops.quote_name(table)))
            counted[table] = cursor.fetchone()[0]
    return {table: count for table, count in counted.items() if count}


def absent_rows_delete(survey_id: int) -> None:
    """Delete the rows of such tables that depend on a survey, dependent tables first."""
    quoted = connection.ops.quote_name
    left, chosen = absent_tables(), {_SURVEYS: f"{quoted('id')} = %s"}
    with connection.cursor() as cursor:
        keys = {table: connection.introspection.get_relations(cursor, table) for table in left}
        grown = True
        while grown:
            grown = False
            for table in set(left) - chosen.keys():
                for column, (there, above) in keys[table].items():
                    # One path to the survey is enough; a table may also refer to itself.
                    if above in chosen and table not in chosen:
                        columns = (quoted(column), quoted(there), quoted(above))
                        chosen[table] = _HANGS_ON.format(*columns, chosen[above])
                        grown = True
        for table in reversed(list(chosen)[1:]):
            cursor.execute(_DELETE.format(quoted(table), chosen[table]), [survey_id])
