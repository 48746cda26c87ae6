"""Facts about the parts of this installation, findings of checks, and the pages /live, /ready and /metrics.

`installation_facts` is the only place that decides whether a part works. /ready, /metrics and the doctor show
what it returns.
"""

from __future__ import annotations

import enum
import ipaddress
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from surveys.intake.keys import current_key
from surveys.intake.transactions import sqlite_write_lock
from surveys.jobs.workers import SECONDS_BETWEEN_ROUNDS, SWEEPER_HEARTBEAT, Worker, workers
from surveys.models import Beat
from surveys.models.staff import SECONDS_AHEAD, heartbeat_age, is_late
from surveys.server.database import database_now
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


SECONDS_TO_MOVE: Final = 2 * SECONDS_BETWEEN_ROUNDS
"""How long to wait for another round of a sweeper that seems late."""
MOST_CLOCK_DIFFERENCE: Final = 5.0
"""Largest difference, in seconds, from the database's clock."""


def clock_problem() -> str:
    """Return in words how this machine's clock differs from the others'; "" if nothing shows a difference.

    A heartbeat in the future shows one. So does a sweeper that seems late and still makes rounds: its clock
    is behind. To see that, this function waits for some seconds if the sweeper seems late.

    Raises
    ------
    DatabaseError
    """
    off = (database_now() - timezone.now()).total_seconds()
    if abs(off) > MOST_CLOCK_DIFFERENCE:
        return (
            f"the database's clock is {abs(off):.0f} s {'ahead of' if off > 0 else 'behind'} this machine's"
        )
    now = timezone.now()
    ages = {worker.name: worker.age_seconds for worker in workers(now=now)}
    sweeper = heartbeat_age(SWEEPER_HEARTBEAT, now=now)
    if sweeper is not None:
        ages["the sweeper"] = sweeper.total_seconds()
    for name, age in ages.items():
        if age < -SECONDS_AHEAD:
            return f"the last heartbeat of {name} is {-age:.0f} s in the future"
    if sweeper is not None and is_late(sweeper.total_seconds()) and _sweeper_moves():
        return f"the sweeper's clock is {sweeper.total_seconds():.0f} s behind this machine's"
    return ""


def _sweeper_moves() -> bool:
    """Return whether the sweeper makes a round within `SECONDS_TO_MOVE`."""
    found = Beat.objects.filter(name=SWEEPER_HEARTBEAT).values_list("at", flat=True)
    before, deadline = found.get(), time.monotonic() + SECONDS_TO_MOVE
    while time.monotonic() < deadline:
        time.sleep(0.2)
        if found.get() != before:
            return True
    return False


@dataclass(frozen=True, kw_only=True)
class Facts:
    """State of each part of the installation.

    Parameters
    ----------
    parts : mapping of str to str
        One or two words for each part; "ok" if it works.
    schema : State or None
        State of the database; None if it does not answer.
    clock : str
        How the clocks differ, in words; empty if they agree or that is unknown.
    sweeper_age_seconds : float or None
        Age of the sweeper's last round; None if there was none or the database does not answer.
    workers : list of Worker
        Those with a recent heartbeat; none if the database does not answer.
    """

    parts: Mapping[str, str]
    schema: State | None
    clock: str
    sweeper_age_seconds: float | None
    workers: list[Worker]

    @property
    def is_ready(self) -> bool:
        """Whether every part works."""
        return all(status == "ok" for status in self.parts.values())


def installation_facts() -> Facts:
    """Return the state of database, migrations, broker, clock, sweeper, mixer and workers.

    Nothing is raised: a part whose state cannot be found out does not work. The sweeper and workers are not
    contacted, because they record when they last ran.
    """
    # Report a database that is not this program's. No other code may use the connection to it.
    with any_database_allowed():
        facts = _facts()
    if facts.schema is not None and facts.schema.kind not in USABLE:
        connection.close()
    return facts


def _facts() -> Facts:
    database = database_answers()
    schema = schema_state() if database else None
    migrations = "unknown" if schema is None else str(schema.kind)
    writes = migrations == "ok" and database_writes()
    broker = broker_answers()
    clock, is_clock_known, sweeper, seen, mixer = "", False, None, [], False
    if database:
        # The tables are missing if the migrations have not been applied.
        with suppress(DatabaseError):
            clock, is_clock_known = clock_problem(), True
            age = heartbeat_age(SWEEPER_HEARTBEAT, now=timezone.now())
            sweeper = None if age is None else round(age.total_seconds(), 1)
            seen = workers(now=timezone.now())
            mixer = current_key(anew=True) is not None
    parts = {
        "database": "ok" if database else "no answer",
        "migrations": migrations,
        "writes": "ok" if writes else "refused",
        "broker": "ok" if broker else "no answer",
        "clock": "wrong" if clock else "ok" if is_clock_known else "unknown",
        "sweeper": _status([] if sweeper is None else [sweeper], clock),
        "mixer": "ok" if mixer else "no key",
        "worker": _status([worker.age_seconds for worker in seen], clock),
    }
    return Facts(parts=parts, schema=schema, clock=clock, sweeper_age_seconds=sweeper, workers=seen)


def _status(ages: list[float], clock: str) -> str:
    """Return the status for the ages of heartbeats; one recent heartbeat is enough."""
    if not ages:
        return "never seen"
    if not all(map(is_late, ages)):
        return "ok"
    # A wrong clock makes ages meaningless.
    return "unknown" if clock else "late"


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
    """Return 200 if all parts of the installation work, or 503 with what failed.

    Only requests from this machine see times and the names of machines, because answers are mixed in the
    sweeper's rounds.
    """
    facts = installation_facts()
    document: dict[str, object] = {"status": "ok" if facts.is_ready else "failing", **facts.parts}
    if _is_on_this_machine(request):
        if facts.schema is not None and facts.schema.seen:
            document["schema"] = facts.schema.sentence
        document["sweeper_age_seconds"] = facts.sweeper_age_seconds
        document["worker_age_seconds"] = {worker.name: worker.age_seconds for worker in facts.workers}
        document["clock_difference"] = facts.clock
    return JsonResponse(document, status=200 if facts.is_ready else 503)


@never_cache
@require_safe
def metrics(_request: HttpRequest) -> HttpResponse:
    """Return the state of each part in the OpenMetrics format, always with 200, because monitors expect it.

    The page counts neither rows, requests nor bytes, and reports no time and no age: stored once a minute,
    each would show when people answered. The collectors that the library registers by default (processor
    time, memory, file descriptors) would show it too, so this page has a registry of its own. A stranger who
    reaches it learns what `ready` tells strangers. The proxies in ``deploy`` refuse both.
    """
    # Imported here, because most installations never answer this page.
    from prometheus_client import CollectorRegistry, Gauge
    from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest

    facts = installation_facts()
    registry = CollectorRegistry()
    Gauge("sottovoce_ready", "Whether all parts work.", registry=registry).set(facts.is_ready)
    part_ok = Gauge("sottovoce_part_ok", "Whether a part works.", ["part", "status"], registry=registry)
    for part, status in facts.parts.items():
        part_ok.labels(part, status).set(status == "ok")
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _is_on_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine, and not through a proxy on it."""
    if any(name.startswith("HTTP_X_FORWARDED_") or name == "HTTP_FORWARDED" for name in request.META):
        return False
    try:
        number = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback
