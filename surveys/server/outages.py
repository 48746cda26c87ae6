"""Outages of the database: recognise them, wait ever longer, and log them without tracebacks.

An outage is not a bug, so it is logged without a traceback. No log line has a time, because it could be that
of an answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError, connection

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
