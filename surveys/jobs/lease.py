"""Jobs that are applied exactly once, even if processes are killed.

The database is the source of truth; the broker only wakes workers. A job row carries a lease, which its
worker keeps extending, and a fencing number, which each claim raises. A result is stored in the same
transaction that moves the job to *finished*, and only if the number is still the claimant's. A worker that
was paused, cut off or presumed dead can therefore resume at any time without changing anything. The sweeper
requeues lost jobs and fails those that keep losing their worker. Workers, the only processes that can do the
work, also look for due jobs themselves.

States: queued -> running -> finished | failed | cancelled; running -> queued when a worker is lost.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db import OperationalError as DatabaseOutage
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from mining import ProgressListener
from privacy.errors import PrivacyError
from surveys.errors.stored_refusals import refusal_json
from surveys.models import Job, PartCounts

logger = logging.getLogger(__name__)

# A lost worker is noticed after LEASE; a false alarm needs three missed heartbeats in a row.
LEASE = timedelta(seconds=6)
SECONDS_BETWEEN_BEATS = 1.5
SECONDS_BETWEEN_REPORTS = 0.5
ATTEMPTS = 5
# Stage of a job whose parts are computed by several workers. Its state is "queued" while they work.
SHARING = "sharing"

# Stored in English and translated for display by `surveys.errors.error`.
LOST_TOO_OFTEN = gettext_noop(
    "The worker disappeared during each attempt. Check the worker's log. The usual cause is too "
    "little memory. Then start the run again with a higher support or shorter itemsets."
)
FAULT = gettext_noop("An error in this program stopped the work. The worker's log has the details.")
OUTAGE = gettext_noop(
    "Each attempt stopped: the machine had too little memory or disk space, or the database did "
    "not answer. The worker's log has the details. Fix that, then start the run again."
)
# Errors that another attempt may avoid. Any other error is a bug: the work is deterministic, so the same rows
# would raise it again.
PASSING = (OSError, MemoryError, DatabaseOutage, InterfaceError)


class LostLease(Exception):
    """The job was cancelled, or another worker claimed it after the lease ran out."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A worker's hold on a job, valid only while `fence` equals the row's."""

    job_id: int
    fence: int
    attempt: int


def claim(job_id: int, *, now: datetime, to_share: bool = False) -> Claim | None:
    """Claim a job that is queued or whose lease ran out; return None if it cannot be claimed.

    The UPDATE names the fence that was read, so exactly one of several claimants wins. A worker that claims a
    job after its parts were shared out continues that attempt. Sharing it out (again) starts a new attempt.
    """
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        return None
    attempt = job.attempts if job.stage == SHARING and not to_share else job.attempts + 1
    if attempt > ATTEMPTS:
        return None
    n_claimed = Job.objects.filter(_claimable(now), pk=job_id, fence=job.fence).update(
        state=Job.State.RUNNING,
        fence=job.fence + 1,
        attempts=attempt,
        lease_until=now + LEASE,
        started_at=now,
        stage="",
        done=0,
        total=0,
    )
    return Claim(job_id=job_id, fence=job.fence + 1, attempt=attempt) if n_claimed else None


def heartbeat(
    claim: Claim, *, now: datetime, stage: str | None = None, done: int = 0, total: int = 0
) -> None:
    """Extend the lease and, when `stage` is given, store the progress.

    Raises
    ------
    LostLease
        The claim is no longer valid; the work must stop.
    """
    progress = {} if stage is None else {"stage": stage, "done": done, "total": total}
    if not _claimed_job(claim).update(lease_until=now + LEASE, **progress):
        raise LostLease(f"job {claim.job_id} is no longer held by claim {claim.fence}")


def finish(claim: Claim, *, now: datetime, store: Callable[[], None]) -> None:
    """Store the result and end the job in one transaction, or do neither.

    Raises
    ------
    LostLease
        The claim is no longer valid; nothing was stored.
    """
    with transaction.atomic():
        _end_job(claim, state=Job.State.FINISHED, message="", now=now)
        store()


def fail(claim: Claim, *, now: datetime, message: str) -> None:
    """End the job as failed; `surveys.errors.error` displays the message with its reason and remedy."""
    _end_job(claim, state=Job.State.FAILED, message=message, now=now)


def release(claim: Claim, *, now: datetime, message: str) -> None:
    """Return the job to the queue after an error, or end it after the last attempt."""
    if claim.attempt >= ATTEMPTS:
        fail(claim, now=now, message=message)
    elif not _claimed_job(claim).update(
        state=Job.State.QUEUED, lease_until=None, sends=0, send_due_at=now, message=message
    ):
        raise LostLease(f"job {claim.job_id} is no longer held by claim {claim.fence}")


def cancel(job_id: int, *, now: datetime) -> bool:
    """Cancel a job; return False if it was already over. Its worker notices at its next heartbeat."""
    return bool(
        Job.objects.filter(pk=job_id, state__in=(Job.State.QUEUED, Job.State.RUNNING)).update(
            state=Job.State.CANCELLED, lease_until=None, ended_at=now
        )
    )


def sweep(*, now: datetime) -> None:
    """Requeue jobs whose worker is lost, fail those lost too often, and delete part counts of ended runs."""
    lost_jobs = Job.objects.filter(state=Job.State.RUNNING, lease_until__lte=now)
    lost_jobs.filter(attempts__gte=ATTEMPTS).update(
        state=Job.State.FAILED, message=LOST_TOO_OFTEN, lease_until=None, ended_at=now
    )
    lost_jobs.filter(attempts__lt=ATTEMPTS).update(
        state=Job.State.QUEUED, lease_until=None, sends=0, send_due_at=now
    )
    # The counts of its parts are no longer needed, however a run ended.
    over = (Job.State.FINISHED, Job.State.FAILED, Job.State.CANCELLED)
    left = PartCounts.objects.filter(run__job__state__in=over)
    if left.exists():
        left.delete()


def sweep_step() -> None:
    """Sweep at the current time; the sweeper's loop calls this."""
    sweep(now=timezone.now())


Report = Callable[[str, int, int], None]
"""Called with stage, done and total during the work; raises `LostLease` when the work must stop."""


def listener(report: Report) -> ProgressListener:
    """Return a progress listener that reports each step of a job's work."""
    return lambda step: report(step.stage, step.done, step.total)


Work = Callable[[int, Report], Callable[[], None]]
"""Does the work of the job with this key, and returns a function that stores the result."""


def perform(job_id: int, work: Work) -> bool:
    """Claim the job, do the work and store its result once; return whether the job could be claimed.

    A refusal (`PrivacyError`) or a bug ends the job as failed. If the machine lacked a resource that may be
    available next time, the job is requeued until its attempts are used up.
    """
    lease = claim(job_id, now=timezone.now())
    if lease is None:
        return False
    try:
        with heartbeats(lease) as is_lost:
            try:
                store = work(job_id, _reporter(lease, is_lost))
                finish(lease, now=timezone.now(), store=store)
            except PrivacyError as error:
                fail(lease, now=timezone.now(), message=refusal_json(error))
            except LostLease:
                raise
            except PASSING:
                logger.exception("job %s was stopped in attempt %s", job_id, lease.attempt)
                release(lease, now=timezone.now(), message=OUTAGE)
            except Exception:
                logger.exception("job %s stopped at a fault in attempt %s", job_id, lease.attempt)
                fail(lease, now=timezone.now(), message=FAULT)
    except LostLease:
        logger.warning("job %s is no longer held by attempt %s; nothing was stored", job_id, lease.attempt)
    return True


def heartbeats(claim: Claim) -> AbstractContextManager[threading.Event]:
    """Keep the lease alive during the work; the event is set when the lease is lost."""

    def extend_lease() -> bool:
        try:
            heartbeat(claim, now=timezone.now())
        except LostLease:
            return False
        except (DatabaseError, InterfaceError):
            # The lease survives one or two missed heartbeats. If the outage lasts longer, the fence decides.
            connection.close()
            logger.warning("job %s could not extend its lease", claim.job_id)
        return True

    return repeatedly(extend_lease, f"lease of job {claim.job_id}", first_after=SECONDS_BETWEEN_BEATS)


@contextmanager
def repeatedly(
    extend: Callable[[], bool], name: str, *, first_after: float = 0.0
) -> Iterator[threading.Event]:
    """Call `extend` regularly from a thread, until the block ends or `extend` returns false.

    Yields
    ------
    over : threading.Event
        Set when `extend` returns false.
    """
    stop, over = threading.Event(), threading.Event()

    def go_on() -> None:
        pause = first_after
        try:
            while not stop.wait(pause):
                pause = SECONDS_BETWEEN_BEATS
                if not extend():
                    over.set()
                    return
        finally:
            connection.close()

    thread = threading.Thread(target=go_on, name=name, daemon=True)
    thread.start()
    try:
        yield over
    finally:
        stop.set()
        thread.join()


def _reporter(claim: Claim, is_lost: threading.Event) -> Report:
    """Return a `Report` that checks `is_lost` on each call and writes to the database occasionally."""
    due = time.monotonic()
    shown = ""

    def report(stage: str, done: int, total: int) -> None:
        nonlocal due, shown
        if is_lost.is_set():
            raise LostLease(f"job {claim.job_id} is no longer held by claim {claim.fence}")
        if stage != shown or time.monotonic() >= due:
            heartbeat(claim, now=timezone.now(), stage=stage, done=done, total=total)
            due, shown = time.monotonic() + SECONDS_BETWEEN_REPORTS, stage

    return report


def _claimable(now: datetime) -> Q:
    return Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_until__lte=now)


def _claimed_job(claim: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=claim.job_id, state=Job.State.RUNNING, fence=claim.fence)


def _end_job(claim: Claim, *, state: Job.State, message: str, now: datetime) -> None:
    if not _claimed_job(claim).update(state=state, message=message, lease_until=None, ended_at=now):
        raise LostLease(f"job {claim.job_id} is no longer held by claim {claim.fence}")
