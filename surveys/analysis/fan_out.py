"""Counting spread over workers: batches that are not columns yet are shared out, and the run comes after.

Each part makes one segment of the column cache: columns, and the counts of up to three items. Parts need
nothing of each other, and making one twice gives the same file. So no part is ever waited for: the broker
counts them down (a chord) and then rings the run's bell; a run that is rung after a part was lost with its
worker shares out or makes itself what is missing, and nothing else.

What a worker makes is of use to those only that see the same SOTTO_HOME. So the parts, and the bell after
them, go into the queue of the home in which they were shared out, where no other worker hears them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import F
from django.utils import timezone

from privacy.errors import PrivacyError
from surveys.jobs import lease
from surveys.jobs.dispatch import Task, dispatch_parts
from surveys.jobs.homes import home_token, queue_of
from surveys.models import Job, Run
from surveys.snapshots.column_cache import SegmentStore
from surveys.snapshots.snapshot import batches_of

__all__ = ["is_shared", "make_part", "share_out"]

logger = logging.getLogger(__name__)


def share_out(job_id: int, *, now: datetime) -> bool:
    """Share out what a run's rows still need, and hand the run over to whoever comes after the parts.

    Returns
    -------
    bool
        False where there is nothing worth sharing, or nothing to claim: the caller goes on as usual.

    Notes
    -----
    A run that was shared out is queued again. Its parts put off the time at which the sweeper rings for it;
    when all of them are silent for a lease's time, it does. A sharing and the run that comes after it are one
    of the job's attempts; parts that were lost cost another one. The last attempt is never shared out: parts
    that kill every worker end a job as any other work does.
    """
    run = Run.objects.select_related("version").filter(job=job_id).first()
    if run is None or (run.n or 0) < settings.SPREAD_FROM:
        return False
    try:
        parts = _missing(run)
    except PrivacyError:
        return False  # The run itself will say why.
    if len(parts) < 2 or Job.objects.filter(pk=job_id, attempts__gte=lease.ATTEMPTS - 1).exists():
        return False
    held = lease.claim(job_id, now=now, to_share=True)
    if held is None:
        return False
    Job.objects.filter(pk=job_id, state=Job.State.RUNNING, fence=held.fence).update(
        state=Job.State.QUEUED,
        lease_until=None,
        send_due_at=now + lease.LEASE,
        stage=lease.SHARING,
        done=0,
        total=len(parts),
    )
    here = queue_of(home_token(settings.SOTTO_HOME))
    shared = [(job_id, held.fence, first, last) for first, last in parts]
    dispatch_parts(Task.COUNT_PART, shared, then=Task.RUN_JOB, last=(job_id, held.fence), queue=here)
    return True


def is_shared(job_id: int, fence: int) -> bool:
    """Whether a job still waits for the parts that were shared out under this fence."""
    return Job.objects.filter(pk=job_id, state=Job.State.QUEUED, stage=lease.SHARING, fence=fence).exists()


def make_part(job_id: int, fence: int, first: int, last: int) -> None:
    """Make the segment of these batches, unless it is there or nobody waits for it any more.

    Whatever goes wrong is left to the run: it makes what is missing itself, and says what cannot be made.
    """
    if not is_shared(job_id, fence):
        return
    run = Run.objects.select_related("version").get(job=job_id)
    try:
        with _put_off(job_id, fence) as over:
            shelf = SegmentStore(run.version.to_design(), run.survey_id, batches_of(run))
            start, end = shelf.number(first), shelf.number(last) + 1
            found = shelf.longest(start)
            if found is None or found.end < end:
                shelf.made(start, end, partial(_go_on, over))
                # A part that two workers made is counted twice; the page stops at all of them.
                Job.objects.filter(pk=job_id, state=Job.State.QUEUED, fence=fence).update(done=F("done") + 1)
    except PrivacyError as refusal:
        logger.warning("a part of job %s: %s", job_id, refusal.message)
    except RunOver:
        logger.info("a part of job %s was given up: nobody waits for it", job_id)
    except Exception:
        logger.exception("a part of job %s stopped at a fault", job_id)


def _missing(run: Run) -> list[tuple[int, int]]:
    """First and last batches of the parts that are still to be made."""
    shelf = SegmentStore(run.version.to_design(), run.survey_id, batches_of(run))
    parts, start = [], 0
    while start < len(shelf.wanted):
        found = shelf.longest(start)
        if found is not None:
            start = found.end
            continue
        end = shelf.segment_end(start, settings.SPREAD_PART)
        parts.append((shelf.wanted[start].pk, shelf.wanted[end - 1].pk))
        start = end
    return parts


class RunOver(Exception):
    """Nobody waits for this part any more."""


def _go_on(over: threading.Event) -> None:
    if over.is_set():
        raise RunOver


@contextmanager
def _put_off(job_id: int, fence: int) -> Iterator[threading.Event]:
    """Tell the sweeper from time to time that the parts go on; the event is set when nobody waits."""
    stop, over = threading.Event(), threading.Event()

    def extend_lease() -> None:
        try:
            while True:
                try:
                    going = Job.objects.filter(pk=job_id, state=Job.State.QUEUED, fence=fence)
                    if not going.update(send_due_at=timezone.now() + lease.LEASE):
                        over.set()
                        return
                except DatabaseError:
                    logger.warning("a part of job %s could not put off the sweeper", job_id)
                if stop.wait(lease.SECONDS_BETWEEN_BEATS):
                    return
        finally:
            connection.close()

    thread = threading.Thread(target=extend_lease, name=f"part of job {job_id}", daemon=True)
    thread.start()
    try:
        yield over
    finally:
        stop.set()
        thread.join()
