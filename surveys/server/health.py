"""Facts about the parts of this installation, and the pages /live and /ready.

`installation_facts` is the only place that decides whether a part works. /ready, /metrics, the doctor and the
administrators' first page show what it returns.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from surveys.intake.keys import current_key
from surveys.intake.spare import spare_status
from surveys.intake.write_lock import sqlite_write_lock
from surveys.jobs.heartbeats import Worker, workers
from surveys.jobs.sweeper import SECONDS_BETWEEN_ROUNDS, SWEEPER_HEARTBEAT
from surveys.models import Beat, Survey
from surveys.models.heartbeat import (
    SECONDS_UNTIL_LATE,
    SECONDS_UNTIL_WORKER_LATE,
    heartbeat_age,
    is_late,
)
from surveys.server.backup_problems import backup_problems
from surveys.server.clock_problem import clock_problem
from surveys.server.disk_space import LEAST_BYTES, free_bytes
from surveys.server.state import USABLE, State, any_database_allowed, database_state

CHECKED: Final = "doctor"
"""Name of the note that the last complete `sottovoce doctor` left: which promises failed."""

CERTIFICATE: Final = "certificate"
"""Name of the note in which the doctor leaves when the certificate ends, and from when on it is late."""

CHORES: Final = ("mixing", "disk", "certificate", "backup", "checks")
"""What can be left to do although every part works."""

SECONDS_UNTIL_DOUBTED: Final = 3 * SECONDS_BETWEEN_ROUNDS
"""Age of the sweeper's last round from which a missing key means that the sweeper has stopped."""

SECONDS_FOR_A_PAGE: Final = 0.5
"""How long the broker has to answer while a person waits for a page.

On one machine it takes 2 ms, but more than 50 ms was seen on a busy one, and an administrator would then read
that it does not answer.
"""

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


def broker_answers(*, seconds: float = 2.0) -> bool:
    """Return whether the broker accepts a connection and answers in time.

    Parameters
    ----------
    seconds : float
        Longest time for each step: the connection, and the answer. Without a limit for the answer, a stopped
        process that still accepts connections would hold the caller for ever.
    """
    # Imported here because the sweeper loads this module but needs neither.
    from kombu.exceptions import OperationalError

    from surveys.celery import app

    limits = {"socket_connect_timeout": seconds, "socket_timeout": seconds, "max_retries": 0}
    try:
        with app.connection_for_write(transport_options=limits) as link:
            link.ensure_connection(max_retries=1, interval_start=0, timeout=seconds)
            return True
    except (OperationalError, OSError):
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
    chores : mapping of str to str
        What an administrator has to do although every part works, as in `parts`: backup, disk, mixing, and
        the errors of the last `sottovoce doctor`.
    """

    parts: Mapping[str, str]
    schema: State | None
    clock: str
    sweeper_age_seconds: float | None
    workers: list[Worker]
    chores: Mapping[str, str]

    @property
    def is_ready(self) -> bool:
        """Whether every part works."""
        return all(status == "ok" for status in self.parts.values())


def installation_facts(*, wait: bool = True) -> Facts:
    """Return the state of database, migrations, broker, clock, sweeper, mixer, its spare, and workers.

    Nothing is raised: a part whose state cannot be found out does not work. The sweeper and workers are not
    contacted, because they record when they last ran.

    Parameters
    ----------
    wait : bool
        False while a person waits for a page: the broker has `SECONDS_FOR_A_PAGE` to answer, and a late
        sweeper is not observed to find out whether its clock is behind.
    """
    # Report a database that is not this program's. No other code may use the connection to it.
    with any_database_allowed():
        facts = _facts(wait=wait)
    if facts.schema is not None and facts.schema.kind not in USABLE:
        connection.close()
    return facts


def _facts(*, wait: bool) -> Facts:
    database = database_answers()
    schema = schema_state() if database else None
    migrations = "unknown" if schema is None else str(schema.kind)
    writes = migrations == "ok" and database_writes()
    broker = broker_answers() if wait else broker_answers(seconds=SECONDS_FOR_A_PAGE)
    clock, is_clock_known, sweeper, seen, mixer, spare = "", False, None, [], False, "unknown"
    chores = dict.fromkeys(CHORES, "unknown")
    if database:
        # The tables are missing if the migrations have not been applied.
        with suppress(DatabaseError):
            clock, is_clock_known = clock_problem(wait=wait), True
            age = heartbeat_age(SWEEPER_HEARTBEAT, now=timezone.now())
            sweeper = None if age is None else round(age.total_seconds(), 1)
            seen = workers(now=timezone.now())
            mixer = current_key(anew=True) is not None
            spare = spare_status() if settings.SOTTOVOCE_MIXERS else "ok"
            chores = _chores(timezone.now())
    parts = {
        "database": "ok" if database else "no answer",
        "migrations": migrations,
        "writes": "ok" if writes else "refused",
        "broker": "ok" if broker else "no answer",
        "clock": "wrong" if clock else "ok" if is_clock_known else "unknown",
        # The sweeper vouches for the key. If it stops, the key is missing long before a round is late.
        "sweeper": _status(
            [] if sweeper is None else [sweeper],
            clock,
            SECONDS_UNTIL_LATE if mixer else SECONDS_UNTIL_DOUBTED,
        ),
        "mixer": "ok" if mixer else "no key",
        **({"spare": spare} if settings.SOTTOVOCE_MIXERS else {}),
        "worker": _status([worker.age_seconds for worker in seen], clock, SECONDS_UNTIL_WORKER_LATE),
    }
    return Facts(
        parts=parts, schema=schema, clock=clock, sweeper_age_seconds=sweeper, workers=seen, chores=chores
    )


def _chores(now: datetime) -> dict[str, str]:
    """Return what is to do although every part works; "ok" where nothing is."""
    backups = next((problem.name for problem in backup_problems(now=now)), "ok")
    unmixed = Survey.objects.filter(
        state=Survey.State.CLOSED,
        settled=False,
        accepts_until__lt=now - timedelta(seconds=SECONDS_UNTIL_LATE),
    )
    notes = Beat.objects.in_bulk([SWEEPER_HEARTBEAT, CHECKED])
    failed = {name: note.says.get("failed", ()) for name, note in notes.items()}
    is_mixed = "mix" not in failed.get(SWEEPER_HEARTBEAT, ())
    return {
        "mixing": "waiting rows" if unmixed.exists() else "ok" if is_mixed else "failed",
        "disk": "almost full" if free_bytes() < LEAST_BYTES else "ok",
        "certificate": _certificate_status(now),
        "backup": backups.removeprefix("backup "),
        "checks": "failed" if failed.get(CHECKED) else "ok",
    }


def _certificate_status(now: datetime) -> str:
    """Return the status of the certificate that the last `sottovoce doctor` saw, as of `now`."""
    note = Beat.objects.filter(name=CERTIFICATE).first() if settings.HTTPS else None
    if note is None or now < datetime.fromisoformat(note.says["due"]):
        return "ok"
    return "expired" if now >= datetime.fromisoformat(note.says["end"]) else "expires soon"


def _status(ages: list[float], clock: str, latest: float = SECONDS_UNTIL_LATE) -> str:
    """Return the status for the ages of heartbeats; one recent heartbeat is enough."""
    if not ages:
        return "never seen"
    if not all(is_late(age, latest) for age in ages):
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
    # `is_ready` ignores chores: a late backup must not take the server out of service.
    if _is_on_this_machine(request):
        if facts.schema is not None and facts.schema.seen:
            document["schema"] = facts.schema.sentence
        document["sweeper_age_seconds"] = facts.sweeper_age_seconds
        document["worker_age_seconds"] = {worker.name: worker.age_seconds for worker in facts.workers}
        document["clock_difference"] = facts.clock
        document["chores"] = facts.chores
    return JsonResponse(document, status=200 if facts.is_ready else 503)


def _is_on_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine, and not through a proxy on it."""
    if any(name.startswith("HTTP_X_FORWARDED_") or name == "HTTP_FORWARDED" for name in request.META):
        return False
    try:
        number = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback
