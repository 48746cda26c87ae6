"""Findings of a check: the promise, the observation, and the remedy."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import DatabaseError

from surveys.server.newer_database import pending_migrations


class Severity(enum.IntEnum):
    """Severity of a finding; the worst one is the command's exit code."""

    OK = 0
    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        """What programs and mails have read of it since before it was called so."""
        return ("well", "doubtful", "broken")[self]


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One line of the report.

    Parameters
    ----------
    promise : str
        What holds in a sound installation.
    seen : str
        What is the case here.
    level : Severity
    remedy : str
        What to do; empty where all is well.
    """

    promise: str
    seen: str
    level: Severity
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class CheckContext:
    """Context of the checks, beside settings, database and broker of this process.

    Parameters
    ----------
    address : str or None
        Where the web server is reached, such as ``https://survey.example.org``.
    client_digest : str or None
        The digest of the respondents' program as it was published.
    now : datetime
    """

    address: str | None
    client_digest: str | None
    now: datetime


Check = Callable[[CheckContext], Iterator[Diagnosis]]


def ok(promise: str, seen: str) -> Diagnosis:
    """Return the finding that a promise is kept."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.OK)


def warning(promise: str, seen: str, remedy: str) -> Diagnosis:
    """Return the finding that a promise could not be checked, or needs a decision."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.WARNING, remedy=remedy)


def failure(promise: str, seen: str, remedy: str) -> Diagnosis:
    """Return the finding that a promise is not kept."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.ERROR, remedy=remedy)


def examine(context: CheckContext, checks: tuple[Check, ...]) -> Iterator[Diagnosis]:
    """Run the checks, one after another; one that cannot look is a finding of its own."""
    for check in checks:
        try:
            yield from check(context)
        except (DatabaseError, OSError) as error:
            promise = check.__name__.strip("_").replace("_", " ")
            message = " ".join(str(error).split())[:200]
            yield failure(promise, f"could not look: {message}", _remedy(error))


def _remedy(error: DatabaseError | OSError) -> str:
    """Say what to type where the reason is that the tables are those of another release, or none."""
    if isinstance(error, DatabaseError):
        try:
            if pending_migrations():
                return "Run sotto migrate, and ask again."
        except DatabaseError:
            return "Look whether the database runs, and at DATABASE_URL; then ask again."
    return "Remove what is in the way, and ask again."
