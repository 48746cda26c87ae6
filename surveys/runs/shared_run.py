"""Share a run among several workers."""

from __future__ import annotations

import logging
import threading
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from mining.columns.counted_rows import count_rows_of
from privacy.errors import PrivacyError
from surveys.jobs import lease
from surveys.jobs.dispatch import Task, dispatch_parts
from surveys.models import Job, PartCounts, Run
from surveys.runs.fan_out import missing_parts, part_of, part_store, requests_of, segments_of
from surveys.runs.snapshot import batches_between, batches_of

logger = logging.getLogger(__name__)


def share_out(job_id: int, *, now: datetime) -> bool:
    """Dispatch the uncounted parts of a run, followed by the run itself.

    Returns
    -------
    bool
        False if the run is not worth sharing or cannot be claimed. The caller then continues as usual.

    Notes
    -----
    A run that was shared out is queued again. Its parts keep postponing the time at which the sweeper
    dispatches it; if all are silent for the duration of a lease, the sweeper does. Sharing out and the run
    after it are one of the job's attempts; lost parts cost another one. The last attempt is never shared out,
    so parts that kill every worker end the job as any other work would.
    """
    run = Run.objects.select_related("version").filter(job=job_id).first()
    if run is None or (run.n or 0) < settings.SPREAD_FROM:
        return False
    try:
        if requests_of(run) is None:
            return False
        missing = missing_parts(run, batches_of(run), settings.SPREAD_PART)
    except PrivacyError:
        return False  # The run itself will report the reason.
    parts = missing.parts
    if len(parts) < 2 or Job.objects.filter(pk=job_id, attempts__gte=lease.ATTEMPTS - 1).exists():
        return False
    lease_held = lease.claim(job_id, now=now, to_share=True)
    if lease_held is None:
        return False
    with transaction.atomic():
        ours = Job.objects.filter(pk=job_id, state=Job.State.RUNNING, fence=lease_held.fence).update(
            state=Job.State.QUEUED,
            lease_until=None,
            send_due_at=now + lease.LEASE,
            stage=lease.SHARING,
            done=0,
            total=len(parts),
        )
        if ours:
            # Batches in this home's column cache need not be read again.
            PartCounts.objects.bulk_create(missing.here, ignore_conflicts=True)
    tasks = [(job_id, lease_held.fence, first, last) for first, last in parts]
    dispatch_parts(Task.COUNT_PART, tasks, then=Task.RUN_JOB, last=(job_id, lease_held.fence))
    return True


def is_shared(job_id: int, fence: int) -> bool:
    """Whether a job still waits for the parts dispatched under this fence."""
    return Job.objects.filter(pk=job_id, state=Job.State.QUEUED, stage=lease.SHARING, fence=fence).exists()


def make_part(job_id: int, fence: int, first: int, last: int) -> None:
    """Count these batches, unless they are already counted or the run is over.

    Errors are left to the run: it counts missing parts itself and reports what cannot be counted.
    """
    if not is_shared(job_id, fence):
        return
    run = Run.objects.select_related("version").get(job=job_id)
    if PartCounts.objects.filter(run=run, first_batch=first).exists():
        return
    try:
        with _postpone_sweeper(job_id, fence) as over:
            requests = requests_of(run)
            if requests is None:
                return
            # Check only this part's batches: there may be many parts, and the run itself checks all.
            store = segments_of(run, batches_between(run, first, last))
            rows = store.rows(0, len(store.entries), partial(_stop_if, over))
            part_store(part_of(run, store, first, last, count_rows_of(store.design, rows, requests)), fence)
    except PrivacyError as error:
        logger.warning("a part of job %s: %s", job_id, error.message)
    except RunOver:
        logger.info("a part of job %s was given up: its run is over", job_id)
    except Exception:
        logger.exception("a part of job %s stopped at a fault", job_id)


class RunOver(Exception):
    """The run that this part was dispatched for is over."""


def _stop_if(over: threading.Event) -> None:
    if over.is_set():
        raise RunOver


def _postpone_sweeper(job_id: int, fence: int) -> AbstractContextManager[threading.Event]:
    """Renew the job's due time while a part is counted; the event is set when the run is over."""

    def postpone() -> bool:
        try:
            going = Job.objects.filter(pk=job_id, state=Job.State.QUEUED, fence=fence)
            return bool(going.update(send_due_at=timezone.now() + lease.LEASE))
        except DatabaseError:
            logger.warning("a part of job %s could not postpone the sweeper", job_id)
            return True

    return lease.repeatedly(postpone, f"part of job {job_id}")
