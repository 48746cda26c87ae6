"""Log lines as JSON objects, with a time only where it cannot reveal when an answer arrived.

A line about intake, mixing or a page may be written because an answer arrived; its time would reveal when. So
only listed loggers, whose lines never depend on answers, write a time. The sweeper's own line has no time
either, because its steps include the mix.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Final

from surveys.errors.outage import is_outage
from surveys.extension import extensions

TIMED: Final = frozenset(
    {
        "surveys.accounts",
        "surveys.runs.fan_out",
        "surveys.runs.mining_job",
        "surveys.estimates",
        "surveys.authoring",
        "surveys.doctor",
        "surveys.export",
        "surveys.jobs.lease",
        "surveys.jobs.workers",
        "surveys.report",
        "surveys.server.alerts",
        "surveys.server.backup",
    }
)
"""Loggers (and their children) whose lines come from staff actions or a clock; extensions add their own."""


def is_timed(logger: str) -> bool:
    """Whether a logger's lines have a time.

    >>> is_timed("surveys.jobs.lease"), is_timed("surveys.intake.mix"), is_timed("surveys.accounts.people")
    (True, False, True)
    >>> is_timed("surveys.jobs.dispatch"), is_timed("surveys.accountsx"), is_timed("django.request")
    (False, False, False)
    """
    parts = logger.split(".")
    timed = TIMED.union(*(app.timed_loggers for app in extensions()))
    return any(".".join(parts[:length]) in timed for length in range(1, len(parts) + 1))


class JsonLines(logging.Formatter):
    """Format a record as one line: level, logger, message, any trace, and the time if it is allowed."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, str] = {}
        if is_timed(record.name):
            fields["time"] = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields |= {"level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


class FaultsOnly(logging.Filter):
    """Pass only lines about bugs in the program: those with a traceback that an unreachable database did not
    cause.

    A line about a page that could not be made during an outage would reveal when someone visited.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the line is written."""
        return record.exc_info is not None and not is_outage(record.exc_info[1])
