"""Queue jobs, and announce them to workers until one claims them."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from surveys.jobs.dispatch import Task, dispatch
from surveys.jobs.lease import LEASE
from surveys.models import Job

# A message that no worker received is sent again after 5, 10, 20, ... seconds, up to five minutes.
RESEND_FIRST = timedelta(seconds=5)


RESEND_LONGEST = timedelta(minutes=5)


def enqueue(*, kind: str, requested_by: User | None, now: datetime, announce: bool = True) -> Job:
    """Write a queued job, and dispatch it once the surrounding transaction is committed.

    Without `announce`, the caller must do the work itself. If the caller dies first, a worker finds the job
    after the duration of one lease.
    """
    due = now if announce else now + LEASE
    job = Job.objects.create(kind=kind, requested_by=requested_by, created_at=now, send_due_at=due)
    if announce:
        # `robust` because a broker that is down must not turn a stored request into an error page.
        transaction.on_commit(partial(dispatch_job, job.pk), robust=True)
    return job


def dispatch_job(job_id: int) -> bool:
    """Send the job's number to the broker; return whether the broker accepted it.

    If the broker does not answer, the job stays queued and due, so a worker finds it.
    """
    if not dispatch(Task.RUN_JOB, job_id):
        return False
    job = Job.objects.filter(pk=job_id, state=Job.State.QUEUED).first()
    if job is not None:
        wait = min(RESEND_FIRST * 2 ** min(job.sends, 16), RESEND_LONGEST)
        Job.objects.filter(pk=job_id, state=Job.State.QUEUED, sends=job.sends).update(
            sends=F("sends") + 1, send_due_at=timezone.now() + wait
        )
    return True


def dispatch_due(*, now: datetime) -> None:
    """Dispatch due jobs, including those that the broker lost.

    Workers call this, because they are connected to the broker; without a broker no one would receive the
    message. If several workers send a job at the same time, it is still done only once.
    """
    due = Job.objects.filter(state=Job.State.QUEUED, send_due_at__lte=now).order_by("pk")
    for job_id in due.values_list("pk", flat=True):
        if not dispatch_job(job_id):
            # The broker would refuse the others too, each after its own time-out.
            break


def dispatch_step() -> None:
    """Dispatch due jobs at the current time; workers call this periodically."""
    dispatch_due(now=timezone.now())
