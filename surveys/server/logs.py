"""Outages of the database, and which errors are logged. No line has a time: it could be that of an answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError, connection

SECONDS_BETWEEN_LINES: Final = 60.0
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 16.0

# SQLite has one error for a file that is away and for a statement that is wrong.
_OF_SQLITE: Final = ("unable to open", "is locked", "disk", "readonly")


def is_outage(error: BaseException | None) -> bool:
    """Return whether an error is one of a database that is away, full or busy, and not of this program."""
    if isinstance(error, InterfaceError):
        return True
    if not isinstance(error, OperationalError):
        return False
    return connection.vendor != "sqlite" or any(words in str(error) for words in _OF_SQLITE)


def database_is_away() -> bool:
    """Return whether the database answers nothing, on a connection of its own."""
    connection.close()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return False
    except DatabaseError:
        return True


class Outages:
    """Waiting times of one process for its database, with one log line a minute.

    Parameters
    ----------
    logger : logging.Logger
    """

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger, self._clock = logger, clock
        self._told = -SECONDS_BETWEEN_LINES
        self._pause = FIRST_PAUSE

    def tell(self, error: BaseException) -> None:
        """Log a line without a trace, unless one was logged within the last minute."""
        now = self._clock()
        if now - self._told >= SECONDS_BETWEEN_LINES:
            self._told = now
            self._logger.warning("the database does not answer: %s", type(error).__name__)

    def pause(self) -> float:
        """Return how many seconds to wait before the next look: each time twice as many, 16 at most."""
        pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
        return pause

    def over(self) -> None:
        """Begin with short pauses the next time."""
        self._pause = FIRST_PAUSE


class FaultsOnly(logging.Filter):
    """Pass only lines about bugs in the program: those with a traceback that an unreachable database did not
    cause.

    A line about a page that could not be made during an outage would reveal when someone visited.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is written."""
        return record.exc_info is not None and not is_outage(record.exc_info[1])
