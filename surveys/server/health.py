"""Findings of checks (the property, the observation, and the remedy), and the pages /live and /ready."""

from __future__ import annotations

import enum
import ipaddress
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from surveys.intake.keys import current_key
from surveys.intake.transactions import sqlite_write_lock
from surveys.jobs.workers import SWEEPER_HEARTBEAT, Worker, workers
from surveys.models import Beat
from surveys.models.staff import heartbeat_age, is_late
from surveys.server.state import USABLE, Kind, State, any_database_allowed, database_state


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


Check = Callable[[CheckContext], Iterator[Diagnosis]]


def ok(promise: str, seen: str) -> Diagnosis:
    """Return a finding for a check that passed."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.OK)


def warning(promise: str, seen: str, remedy: str) -> Diagnosis:
    """Return a finding for a property that could not be checked, or that someone must judge."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.WARNING, remedy=remedy)


def failure(promise: str, seen: str, remedy: str) -> Diagnosis:
    """Return a finding for a check that failed."""
    return Diagnosis(promise=promise, seen=seen, level=Severity.ERROR, remedy=remedy)


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
            if kind in {Kind.EMPTY, Kind.PENDING}:
                return "Run sottovoce migrate, then run doctor again."
            if kind is not Kind.OK:
                return "Do first what this report says about the schema."
        except DatabaseError:
            return "Check that the database runs and that DATABASE_URL is right, then run doctor again."
    return "Fix the error above, then run doctor again."


TEST_ROW_BYTES: Final = 65_536
"""Size of the row that `database_writes` tries, the largest size of a submission."""


def database_answers() -> bool:
    """Return whether the database answers a query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return bool(cursor.fetchone() == (1,))
    except DatabaseError:
        return False


def database_writes() -> bool:
    """Return whether the database has space for another answer.

    It writes a row larger than any answer and rolls it back. The row goes to the table of heartbeats, because
    its remains in the table of receipts would show when the receipts next to it were written.
    """
    says = {"test": secrets.token_hex(TEST_ROW_BYTES // 2)}
    try:
        with sqlite_write_lock(), _write_before_commit(), transaction.atomic():
            Beat.objects.create(name=f"test {secrets.token_hex(16)}", at=timezone.now(), says=says)
            transaction.set_rollback(True)
    except DatabaseError:
        return False
    return True


@contextmanager
def _write_before_commit() -> Iterator[None]:
    """Make SQLite write changed pages to its log before the commit, so that a rollback tests the disk too."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        (pages,) = cursor.execute("PRAGMA cache_size").fetchone()
        cursor.execute("PRAGMA cache_size = 1")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA cache_size = {pages:d}")


def broker_answers() -> bool:
    """Return whether the broker accepts a connection within two seconds."""
    # Imported here because the sweeper loads this module but needs neither.
    from kombu.exceptions import OperationalError

    from surveys.celery import app

    try:
        with app.connection_for_write() as link:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            return True
    except (OperationalError, OSError):
        return False


def sweeper_age_seconds() -> float | None:
    """Return the age of the sweeper's last round; None if there was none or the database does not answer."""
    try:
        age = heartbeat_age(SWEEPER_HEARTBEAT, now=timezone.now())
    except DatabaseError:
        return None
    return None if age is None else round(age.total_seconds(), 1)


def recent_workers() -> list[Worker]:
    """Return the workers with a recent heartbeat; none if the database does not answer."""
    try:
        return workers(now=timezone.now())
    except DatabaseError:
        return []


def mixer_vouches() -> bool:
    """Return whether a mixer vouches for a key to seal under; False if the database does not answer."""
    try:
        return current_key(anew=True) is not None
    except DatabaseError:
        return False


def schema_state() -> State | None:
    """Return the state of the database; None if it does not answer."""
    try:
        return database_state()
    except DatabaseError:
        return None


@never_cache
@require_safe
def live(_request: HttpRequest) -> JsonResponse:
    """Return 200, because this process accepts requests.

    Nothing else is checked, so that a watchdog for unresponsive processes does not restart this one because
    the database or the broker is unreachable.
    """
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Return 200 if database, tables, broker, sweeper, mixer and a worker work, or 503 with what failed.

    The database must accept a row. The sweeper and workers are not contacted, because they record when they
    last ran. Only requests from this machine see those times and the names of machines, because answers are
    mixed in the sweeper's rounds.
    """
    # Report a database that is not this program's. No other code may use the connection to it.
    with any_database_allowed():
        response, is_usable = _parts(request)
    if not is_usable:
        connection.close()
    return response


def _parts(request: HttpRequest) -> tuple[JsonResponse, bool]:
    database = database_answers()
    state = schema_state() if database else None
    migrations = "unknown" if state is None else str(state.kind)
    writes = migrations == "ok" and database_writes()
    broker = broker_answers()
    age = sweeper_age_seconds() if database else None
    seen = recent_workers() if database else []
    sweeper = _status([] if age is None else [age])
    worker = _status([worker_seen.age_seconds for worker_seen in seen])
    mixer = "ok" if database and mixer_vouches() else "no key"
    well = writes and broker and migrations == sweeper == worker == mixer == "ok"
    document: dict[str, object] = {
        "status": "ok" if well else "failing",
        "database": "ok" if database else "no answer",
        "migrations": migrations,
        "writes": "ok" if writes else "refused",
        "broker": "ok" if broker else "no answer",
        "sweeper": sweeper,
        "mixer": mixer,
        "worker": worker,
    }
    if _is_on_this_machine(request):
        if state is not None and state.seen:
            document["schema"] = state.sentence
        document["sweeper_age_seconds"] = age
        document["worker_age_seconds"] = {worker_seen.name: worker_seen.age_seconds for worker_seen in seen}
    response = JsonResponse(document, status=200 if well else 503)
    return response, state is None or state.kind in USABLE


def _is_on_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine, and not through a proxy on it."""
    if any(name.startswith("HTTP_X_FORWARDED_") or name == "HTTP_FORWARDED" for name in request.META):
        return False
    try:
        number = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback


def _status(ages: list[float]) -> str:
    """Return the status for the ages of heartbeats; one recent heartbeat is enough."""
    if not ages:
        return "never seen"
    return "late" if all(map(is_late, ages)) else "ok"
