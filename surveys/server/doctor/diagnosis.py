"""What a check of the installation finds, and how checks are run."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db import DatabaseError

from surveys.errors.typed_commands import as_typed
from surveys.server.health import Facts, installation_facts
from surveys.server.state import StateKind, database_state


class Severity(enum.IntEnum):
    """Severity of a finding. The worst severity is the command's exit code."""

    OK = 0
    WARNING = 1
    ERROR = 2


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One line of the report.

    Parameters
    ----------
    promise : str
        The property that was checked.
    seen : str
        The observation.
    level : Severity
    remedy : str
        What to do; empty if the check passed.
    """

    promise: str
    seen: str
    level: Severity
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class CheckContext:
    """Context of the checks, besides the settings, database and broker of this process.

    Parameters
    ----------
    address : str or None
        Address of the web server, such as ``https://survey.example.org``.
    client_digest : str or None
        Published digest of the respondents' program.
    now : datetime
    """

    address: str | None
    client_digest: str | None
    now: datetime

    @cached_property
    def facts(self) -> Facts:
        """Facts about the installation when a check first asked for them."""
        return installation_facts()


Check = Callable[[CheckContext], Iterator[Diagnosis]]


def ok(promise: str, seen: str) -> Diagnosis:
    """Return a finding for a check that passed."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.OK)


def warning(promise: str, seen: str, remedy: str) -> Diagnosis:
    """Return a finding for a property that could not be checked, or that someone must judge."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.WARNING, remedy=as_typed(remedy))


def failure(promise: str, seen: str, remedy: str) -> Diagnosis:
    """Return a finding for a check that failed."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.ERROR, remedy=as_typed(remedy))


def examine(context: CheckContext, checks: tuple[Check, ...]) -> Iterator[Diagnosis]:
    """Run the checks one after another; a check that cannot run yields a finding of its own."""
    for check in checks:
        try:
            yield from check(context)
        except (DatabaseError, OSError) as error:
            promise = check.__name__.strip("_").replace("_", " ")
            message = " ".join(str(error).split())[:200]
            yield failure(promise, f"the check failed: {message}", _remedy(error))


def _remedy(error: DatabaseError | OSError) -> str:
    """Return what to do about a check that could not run, such as applying migrations."""
    if isinstance(error, DatabaseError):
        try:
            kind = database_state().kind
            if kind in {StateKind.EMPTY, StateKind.PENDING}:
                return "Run sottovoce migrate, then run sottovoce doctor again."
            if kind is not StateKind.OK:
                return "Do first what this report says about the schema."
        except DatabaseError:
            return "Check that the database runs and DATABASE_URL is right, then run sottovoce doctor again."
    return "Fix the error above, then run sottovoce doctor again."
