"""Celery tasks. Each loads its inputs, calls a service, and stores nothing in the broker."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task
from django.utils import timezone

import surveys.runs.density_task  # noqa: F401  # registers its task
from surveys import worker  # noqa: F401  # connects the signal with which the life of a worker begins
from surveys.jobs.dispatch import Task
from surveys.jobs.heartbeats import WORKER_HEARTBEAT
from surveys.jobs.lease import Work, perform
from surveys.models.heartbeat import record_heartbeat

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
