"""Checks before and after an upgrade: they read what the oldest release that can be upgraded has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db import connection
from django.utils import timezone

from surveys.doctor.diagnosis import Check, CheckContext, Diagnosis, Severity, failure, ok, warning
from surveys.doctor.storage import imported_rows_could_be_sent, migrations_are_applied
from surveys.jobs.heartbeats import workers
from surveys.jobs.provenance import program_version
from surveys.models import Job
from surveys.server.backup_notes import MADE, noted
from surveys.server.disk import LEAST_BYTES, database_bytes, room
from surveys.server.newer_database import pending_migrations, unknown_migrations

FRESH: Final = timedelta(days=1)
"""A backup that is older does not count as one from before the upgrade."""

_WORKERS_SAY: Final = {"surveys.0001_beat", "surveys.0020_what_parts_say"}


def the_database_fits(context: CheckContext) -> Iterator[Diagnosis]:
    """Check as the doctor does; migrations that are pending are the upgrade's work, and no fault."""
    newer = unknown_migrations()
    for finding in migrations_are_applied(context):
        if finding.level is Severity.ERROR and not newer:
            remedy = "Back up, stop the three parts, run migrate and collectstatic, start them again."
            yield warning(finding.promise, finding.seen, remedy)
        else:
            yield finding


def a_backup_is_fresh(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for a fresh backup: an older release does not start on a changed database."""
    promise = "there is a backup of today to go back to"
    heartbeat = noted(MADE)
    seen = (
        "none was made by the command backup"
        if heartbeat is None
        else f"the last is of {heartbeat.at:%Y-%m-%d %H:%M} UTC"
    )
    if heartbeat is not None and timedelta(0) <= context.now - heartbeat.at <= FRESH:
        yield ok(promise, seen)
    elif pending_migrations():
        yield failure(promise, seen, "Run sotto backup DIR. Only then sotto migrate.")
    else:
        yield warning(promise, seen, "Run sotto backup DIR, once a day.")


def there_is_room(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check free space: a migration may write a table anew, beside the old one."""
    promise = "there is room for the database a second time"
    needed = LEAST_BYTES + database_bytes()
    free = room().free
    seen = f"{free >> 20} MB are free, {needed >> 20} MB may be needed"
    if connection.vendor == "sqlite" and free < needed:
        yield failure(promise, seen, "Make room first.")
    elif free < needed:
        yield warning(promise, seen, "Look whether the server's disk has room; this machine's has not.")
    else:
        yield ok(promise, seen)


def no_run_is_at_work(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check for runs at work: an interrupted one begins again, and loses its time only."""
    promise = "nobody waits for a run"
    count = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).count()
    if count:
        yield warning(promise, f"{count} are queued or at work", "Wait for them, or let them begin again.")
    else:
        yield ok(promise, "no run is queued or at work")


def workers_run_this_program(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check the version of workers: the old one before the upgrade, the new one after it."""
    promise = "workers run this program"
    if _WORKERS_SAY & set(pending_migrations()):
        yield warning(promise, "those of that release do not say what they run", "Stop them before migrate.")
        return
    living = [worker for worker in workers(now=timezone.now()) if worker.lives]
    old = [worker.name for worker in living if worker.program != program_version()]
    if old:
        yield warning(promise, f"another one runs on {', '.join(old)}", "Start them again after migrate.")
    else:
        yield ok(promise, ", ".join(worker.name for worker in living) or "none is alive")


CHECKS: tuple[Check, ...] = (
    the_database_fits,
    a_backup_is_fresh,
    there_is_room,
    no_run_is_at_work,
    workers_run_this_program,
    imported_rows_could_be_sent,
)
