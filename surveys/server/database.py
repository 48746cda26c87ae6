"""A database that is unreachable or full, or has tables of disabled applications.

`SOTTOVOCE_APPS` can leave out an application whose tables the database still has. None of that application's
code runs, so deleting a survey must delete its rows there by following the foreign keys of the database.

An outage is not a bug, so it is logged without a traceback. No log line has a time, because it could be that
of an answer.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone


class RefusedDatabaseError(Exception):
    """The database is not this program's, or not prepared. This is not handled as a database outage.

    Parameters
    ----------
    sentence : str
        What is so and what to do, from `surveys.server.state`.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence[:1].lower() + sentence[1:])


def database_now() -> datetime:
    """Return the time by the database's clock; for SQLite, by this machine's."""
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    moment: datetime = now
    return moment


_SURVEYS: Final = "surveys_survey"

# Only quoted names of tables and columns from the database are inserted, never user input.
_COUNT: Final = "SELECT COUNT(*) FROM {0}"
_DEPENDS_ON: Final = "{0} IN (SELECT {1} FROM {2} WHERE {3})"
_DELETE: Final = "DELETE FROM {0} WHERE {1}"


def absent_tables() -> list[str]:
    """Return the tables of applications that migrated this database and are disabled now."""
    active_apps = {config.label for config in apps.get_app_configs()}
    known_apps = {app for app, _name in MigrationRecorder(connection).applied_migrations()}
    off = tuple(f"{app}_" for app in known_apps - active_apps)
    with connection.cursor() as cursor:
        return sorted(name for name in connection.introspection.table_names(cursor) if name.startswith(off))


def absent_rows() -> dict[str, int]:
    """Count the rows of each table of a disabled application; leave out empty tables."""
    counts = {}
    with connection.cursor() as cursor:
        for table in absent_tables():
            cursor.execute(_COUNT.format(connection.ops.quote_name(table)))
            counts[table] = cursor.fetchone()[0]
    return {table: count for table, count in counts.items() if count}


def absent_rows_delete(survey_id: int) -> None:
    """Delete the rows of disabled applications that depend on a survey, dependent tables first."""
    quote = connection.ops.quote_name
    left, conditions = absent_tables(), {_SURVEYS: f"{quote('id')} = %s"}
    with connection.cursor() as cursor:
        keys = {table: connection.introspection.get_relations(cursor, table) for table in left}
        has_grown = True
        while has_grown:
            has_grown = False
            for table in set(left) - conditions.keys():
                for column, (there, above) in keys[table].items():
                    # One path to the survey is enough, and a table may also refer to itself.
                    if above in conditions and table not in conditions:
                        columns = (quote(column), quote(there), quote(above))
                        conditions[table] = _DEPENDS_ON.format(*columns, conditions[above])
                        has_grown = True
        for table in reversed(list(conditions)[1:]):
            cursor.execute(_DELETE.format(quote(table), conditions[table]), [survey_id])


SECONDS_BETWEEN_LINES: Final = 60.0
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 16.0

# SQLite raises the same error for a missing file and for a wrong statement, so compare its text.
_DISK_FULL: Final = "53100"
"""PostgreSQL's code of the error."""
_SQLITE_OUTAGES: Final = ("unable to open", "is locked", "disk", "readonly")


def is_outage(error: BaseException | None) -> bool:
    """Return whether an error means that the database is unreachable, full or busy, rather than a bug."""
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    return connection.vendor != "sqlite" or any(words in str(error) for words in _SQLITE_OUTAGES)


def is_full(error: BaseException | None) -> bool:
    """Return whether an error means that the database's disk is full. Reading still works then.

    >>> is_full(OperationalError("database or disk is full")), is_full(OperationalError("database is locked"))
    (True, False)
    """
    return isinstance(error, OperationalError) and (
        getattr(error.__cause__, "sqlstate", None) == _DISK_FULL or "disk is full" in str(error)
    )


def database_is_away() -> bool:
    """Return whether the database does not answer on a new connection."""
    connection.close()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return False
    except DatabaseError:
        return True


class Outages:
    """Waiting times of one process during database outages, with at most one log line a minute.

    Parameters
    ----------
    logger : logging.Logger
    """

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger, self._clock = logger, clock
        self._line_time = -SECONDS_BETWEEN_LINES
        self._pause = FIRST_PAUSE
        self._since: float | None = None
        self._is_full = False

    def log(self, error: BaseException) -> None:
        """Log a line without a traceback, unless one was logged within the last minute."""
        now = self._clock()
        if self._since is None:
            self._since, self._is_full = now, is_full(error)
        if now - self._line_time >= SECONDS_BETWEEN_LINES:
            self._line_time = now
            if is_full(error):
                self._logger.warning("the database's disk is full, so nothing can be stored")
            else:
                self._logger.warning("the database does not answer: %s", type(error).__name__)

    def pause(self) -> float:
        """Return how many seconds to wait before the next try: twice as many each time, at most 16."""
        pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
        return pause

    def over(self) -> None:
        """Start again with short pauses at the next outage; log that this one is over.

        While the disk is full, the log may be unable to keep a line, so this one may be the only one.
        """
        self._pause, self._line_time = FIRST_PAUSE, -SECONDS_BETWEEN_LINES
        if self._since is not None:
            problem = "disk was full" if self._is_full else "server did not answer"
            seconds, self._since = self._clock() - self._since, None
            self._logger.warning("the database's %s for %.0f s; it works again", problem, seconds)


class FaultsOnly(logging.Filter):
    """Pass only lines about bugs: lines with a traceback that was not caused by a database outage.

    A line about a page that failed during an outage would reveal when someone visited.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write the line."""
        return record.exc_info is not None and not is_outage(record.exc_info[1])


def keep_private(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Make SQLite's files unreadable for other accounts, once a connection has created or found them."""
    if connection.vendor == "sqlite":
        for beside in ("", "-wal", "-shm"):
            path = Path(f"{connection.settings_dict['NAME']}{beside}")
            if path.is_file() and path.stat().st_mode & 0o077:
                path.chmod(0o600)
