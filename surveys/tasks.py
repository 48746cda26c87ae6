"""Celery tasks. Each loads its inputs, calls a service, and stores nothing in the broker."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Final

from celery import bootsteps, shared_task
from celery.signals import worker_init
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

import surveys.runs.density_task  # noqa: F401  # registers its task
from surveys.celery import app
from surveys.jobs.dispatch import Task
from surveys.jobs.heartbeats import WORKER_HEARTBEAT, facts_of_this_program, sign, sign_off
from surveys.jobs.lease import Work, perform
from surveys.models.heartbeat import record_heartbeat
from surveys.server.outages import Outages

logger = logging.getLogger(__name__)

outages = Outages(logger)

SECONDS_BETWEEN_BEATS: Final = 15.0
SECONDS_BETWEEN_JOBS: Final = 2.0


class Heartbeats(bootsteps.StartStopStep):
    """Bootstep that records heartbeats and dispatches due jobs while connected to the broker."""

    periodic: ClassVar[tuple[Callable[[], object], ...]] = ()
    """Functions to call periodically; `warm_workers` sets them."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._facts = facts_of_this_program()
        self._entries: list[Any] = []

    def start(self, consumer: Any) -> None:
        """Start the timers that record heartbeats and look for jobs; a reconnection starts them again."""
        for each, seconds in ((self._heartbeat, SECONDS_BETWEEN_BEATS), (self._run, SECONDS_BETWEEN_JOBS)):
            each()
            self._entries.append(consumer.timer.call_repeatedly(seconds, each))

    def stop(self, consumer: Any) -> None:
        """Stop both timers."""
        while self._entries:
            self._entries.pop().cancel()

    def shutdown(self, consumer: Any) -> None:
        """Record that this worker is shutting down."""
        self.stop(consumer)
        self._on_own_connection(sign_off)

    def _heartbeat(self) -> None:
        if self._on_own_connection(lambda: sign(now=timezone.now(), facts=self._facts)):
            # It was stored. Other steps may only read, which works with a full disk, too.
            outages.over()

    def _run(self) -> None:
        for step in self.periodic:
            self._on_own_connection(step)

    def _on_own_connection(self, work: Callable[[], object]) -> bool:
        # Close the connection immediately, so that processes forked later do not inherit it.
        try:
            work()
            return True
        except (DatabaseError, InterfaceError) as error:
            outages.log(error)
            return False
        finally:
            connection.close()


SECONDS_UNTIL_COLUMNS: Final = 5.0
"""How long prefetching of columns waits before it tries again after yielding to a run."""


@shared_task(name=Task.PING.value)
def ping() -> None:
    """Record a heartbeat in the database to show that broker, worker and database are connected."""
    record_heartbeat(WORKER_HEARTBEAT, now=timezone.now())


@shared_task(name=Task.RUN_JOB.value)
def run_job(job_id: int, fence: int | None = None) -> None:
    """Do the job with this key, unless it is over or another worker is doing it.

    If the job was shared out, this task follows its parts and carries their fence. It does nothing if they
    were shared out again.
    """
    # Imported here because the web process sends tasks too, and needs neither pandas nor mlxtend for that.
    from surveys.extension import extensions
    from surveys.models import Job
    from surveys.runs.after_run import AFTER_RUN
    from surveys.runs.audit_job import audit_rows_of_job
    from surveys.runs.mining_job import mine_snapshot
    from surveys.runs.shared_run import is_shared, share_out

    kind = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    by_one_worker: dict[str | None, Work] = {Job.Kind.AUDIT: audit_rows_of_job}
    for plugin in extensions():
        by_one_worker.update(plugin.works())
    if kind in by_one_worker:
        perform(job_id, by_one_worker[kind])
        return
    if kind != Job.Kind.MINE:
        # A job of a disabled application waits until the application is enabled, or until it is cancelled.
        return
    if fence is not None and not is_shared(job_id, fence):
        return
    if not share_out(job_id, now=timezone.now()) and perform(job_id, mine_snapshot):
        for follow_up in AFTER_RUN:
            follow_up(job_id)


# Not ignored, because the broker counts the finished parts of a chord by their results, which are empty.
@shared_task(name=Task.COUNT_PART.value, ignore_result=False)
def count_part(job_id: int, fence: int, first: int, last: int) -> None:
    """Count some batches of a run that several workers share."""
    from surveys.runs.shared_run import make_part

    make_part(job_id, fence, first, last)


@shared_task(name=Task.KEEP_COLUMNS.value, bind=True, max_retries=None)
def keep_columns(self: Any, version_id: int) -> None:
    """Prefetch columns and counts, in this home, of new batches of this version's design.

    While a run waits or is in progress, the task is retried later, because users wait for runs.
    """
    from surveys.runs.column_prefetch import RunWaits, keep_columns_of

    try:
        keep_columns_of(version_id)
    except RunWaits as waits:
        raise self.retry(exc=waits, countdown=SECONDS_UNTIL_COLUMNS) from waits


@worker_init.connect
def warm_workers(**_: object) -> None:
    """Load the code for runs before the first request, so that worker processes share it; add heartbeats."""
    # Load the modules that `run_job` needs. Otherwise each process would load them during its first run.
    import surveys.runs.after_run  # noqa: F401
    from surveys.extension import extensions
    from surveys.jobs.queue import dispatch_step
    from surveys.runs.column_prefetch import columns_step
    from surveys.server.refused_database import RefusedDatabaseError
    from surveys.server.state import refuse_database

    for plugin in extensions():
        plugin.works()
    try:
        refuse_database()
    except RefusedDatabaseError as error:
        # SystemExit, because Celery would log any other exception and continue.
        raise SystemExit(f"sottovoce: {error}") from error
    finally:
        # Processes forked later must not inherit the connection.
        connection.close()
    Heartbeats.periodic = (dispatch_step, columns_step)
    app.steps["consumer"].add(Heartbeats)
    # Compile in a process that ends afterwards, because compiling takes half of the memory of an idle worker.
    # Workers then read the compiled code from disk within two seconds.
    subprocess.run([sys.executable, "-c", "from mining.pipeline import warm_up; warm_up()"], check=False)
