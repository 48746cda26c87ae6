"""Jobs that take effect exactly once, whatever is killed.

The database is the truth and the broker a doorbell. A job row carries a lease, which its worker keeps
extending, and a fencing number, which each claim raises. A result is stored in the same transaction that
moves the job to *finished*, and only while the number is still the claimant's: a worker that was paused,
cut off or taken for dead can come back at any time and changes nothing. The sweeper takes back what was lost
and gives up on what keeps dying; the workers, who alone can do the work, look themselves for what is due.

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
from functools import partial

from django.contrib.auth.models import User
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db import OperationalError as DatabaseOutage
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from privacy.errors import PrivacyError
from surveys.errors.kept_refusals import refusal_kept
from surveys.jobs.dispatch import Task, dispatch
from surveys.models import Job, PartCounts

logger = logging.getLogger(__name__)

# A lost worker is noticed after LEASE; three missed beats in a row are needed for a false alarm.
LEASE = timedelta(seconds=6)
SECONDS_BETWEEN_BEATS = 1.5
SECONDS_BETWEEN_REPORTS = 0.5
ATTEMPTS = 5
# Stage of a job whose parts several workers make: its state is "queued", though they are at it.
SHARING = "sharing"
# A message that no worker took is sent again after 5, 10, 20, ... seconds, at most every five minutes.
RESEND_FIRST = timedelta(seconds=5)
RESEND_LONGEST = timedelta(minutes=5)

# Stored in English and translated where they are shown, by `surveys.errors.kept_refusals`.
LOST_TOO_OFTEN = gettext_noop(
    "The worker was lost in the middle of the work each time it was tried. Look at the worker's log; "
    "the usual cause is too little memory. Then ask for the run again, with a higher support or shorter "
    "itemsets."
)
FAULT = gettext_noop("The work stopped at a fault of this program. The worker's log has the details.")
OUTAGE = gettext_noop(
    "The work stopped each time it was tried: the machine had too little memory or disk, or the database did "
    "not answer. The worker's log has the details. Ask for the run again when that is mended."
)
# What another attempt may be spared. Anything else is a fault of the program, which draws no chance: the same
# rows would meet it again.
PASSING = (OSError, MemoryError, DatabaseOutage, InterfaceError)


class LostLease(Exception):
    """The job is no longer the claimant's: cancelled, or taken over after the lease ran out."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A worker's hold on a job: worth something only while `fence` is the row's."""

    job_id: int
    fence: int
    attempt: int


def enqueue(*, kind: str, requested_by: User | None, now: datetime, announce: bool = True) -> Job:
    """Write a queued job, and dispatch it once the surrounding transaction is committed.

    Without `announce` the caller means to do the work itself; should it die first, a worker finds the job
    after a lease's time.
    """
    due = now if announce else now + LEASE
    job = Job.objects.create(kind=kind, requested_by=requested_by, created_at=now, send_due_at=due)
    if announce:
        # robust: a broker that is down must not turn a stored request into an error page.
        transaction.on_commit(partial(dispatch_job, job.pk), robust=True)
    return job


def dispatch_job(job_id: int) -> bool:
    """Send the job's number to the broker; return whether the broker took it.

    A broker that does not answer leaves the job queued and due, so that a worker finds it.
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


def claim(job_id: int, *, now: datetime, to_share: bool = False) -> Claim | None:
    """Take a queued job, or one whose lease ran out; return None when there is nothing to take.

    The UPDATE names the fence that was read, so of several claimants one wins. A worker that takes a job
    after its parts were shared out goes on with that attempt; to share it out (again) is a new one.
    """
    job = Job.objects.filter(pk=job_id).first()
    if job is None:
        return None
    attempt = job.attempts if job.stage == SHARING and not to_share else job.attempts + 1
    if attempt > ATTEMPTS:
        return None
    taken = Job.objects.filter(_free(now), pk=job_id, fence=job.fence).update(
        state=Job.State.RUNNING,
        fence=job.fence + 1,
        attempts=attempt,
        lease_until=now + LEASE,
        started_at=now,
        stage="",
        done=0,
        total=0,
    )
    return Claim(job_id=job_id, fence=job.fence + 1, attempt=attempt) if taken else None


def heartbeat(held: Claim, *, now: datetime, stage: str | None = None, done: int = 0, total: int = 0) -> None:
    """Extend the lease and, when `stage` is given, store the progress.

    Raises
    ------
    LostLease
        The job is not the claimant's any more; the work must stop.
    """
    progress = {} if stage is None else {"stage": stage, "done": done, "total": total}
    if not _held(held).update(lease_until=now + LEASE, **progress):
        raise LostLease(f"job {held.job_id} is no longer held by claim {held.fence}")


def finish(held: Claim, *, now: datetime, store: Callable[[], None]) -> None:
    """Store the result and end the job in one transaction, or do neither.

    Raises
    ------
    LostLease
        The job is not the claimant's any more; nothing was stored.
    """
    with transaction.atomic():
        _end(held, state=Job.State.FINISHED, message="", now=now)
        store()


def fail(held: Claim, *, now: datetime, message: str) -> None:
    """End the job as failed; `surveys.errors.kept_refusals` says the message, why and what to do."""
    _end(held, state=Job.State.FAILED, message=message, now=now)


def release(held: Claim, *, now: datetime, message: str) -> None:
    """Give the job back after a fault; a worker takes it again, or it ends after the last attempt."""
    if held.attempt >= ATTEMPTS:
        fail(held, now=now, message=message)
    elif not _held(held).update(
        state=Job.State.QUEUED, lease_until=None, sends=0, send_due_at=now, message=message
    ):
        raise LostLease(f"job {held.job_id} is no longer held by claim {held.fence}")


def cancel(job_id: int, *, now: datetime) -> bool:
    """Cancel a job that is not over, whose worker notices at its next heartbeat; return whether it was."""
    return bool(
        Job.objects.filter(pk=job_id, state__in=(Job.State.QUEUED, Job.State.RUNNING)).update(
            state=Job.State.CANCELLED, lease_until=None, ended_at=now
        )
    )


def sweep(*, now: datetime) -> None:
    """Take back jobs whose worker is lost, end those lost too often, forget parts."""
    expired = Job.objects.filter(state=Job.State.RUNNING, lease_until__lte=now)
    expired.filter(attempts__gte=ATTEMPTS).update(
        state=Job.State.FAILED, message=LOST_TOO_OFTEN, lease_until=None, ended_at=now
    )
    expired.filter(attempts__lt=ATTEMPTS).update(
        state=Job.State.QUEUED, lease_until=None, sends=0, send_due_at=now
    )
    # However a run ended: the counts of its parts are of no use any more.
    over = (Job.State.FINISHED, Job.State.FAILED, Job.State.CANCELLED)
    left = PartCounts.objects.filter(run__job__state__in=over)
    if left.exists():
        left.delete()


def dispatch_due(*, now: datetime) -> None:
    """Dispatch due jobs, also those that the broker lost.

    Workers do it: they are connected to the broker, and while there is none, nobody would hear. Of several
    that send a job at once one has it done.
    """
    due = Job.objects.filter(state=Job.State.QUEUED, send_due_at__lte=now).order_by("pk")
    for job_id in due.values_list("pk", flat=True):
        if not dispatch_job(job_id):
            # It would refuse the others too, each after its own time-out.
            break


def sweep_step() -> None:
    """Sweep by the system's clock: the step that the sweeper's loop runs."""
    sweep(now=timezone.now())


def dispatch_step() -> None:
    """Send by the system's clock: what a worker does from time to time."""
    dispatch_due(now=timezone.now())


Report = Callable[[str, int, int], None]
"""Called with stage, done and total while the work goes on; raises `LostLease` when it must stop."""

Work = Callable[[int, Report], Callable[[], None]]
"""Does the work of the job with this number and returns what stores the result."""


def perform(job_id: int, work: Work) -> bool:
    """Claim the job, do the work, store its result once; return whether there was anything to claim.

    A refusal that names value and remedy ends the job as failed, and so does a fault of the program. What the
    machine lacked may be there the next time: the job is given back until the attempts are used up.
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
                fail(lease, now=timezone.now(), message=refusal_kept(error))
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


def heartbeats(held: Claim) -> AbstractContextManager[threading.Event]:
    """Keep the lease alive while the work computes; the event is set when the lease is lost."""

    def extend_lease() -> bool:
        try:
            heartbeat(held, now=timezone.now())
        except LostLease:
            return False
        except DatabaseError:
            # The lease outlasts a beat or two; if the database stays away, the fence decides.
            logger.warning("job %s could not extend its lease", held.job_id)
        return True

    return repeatedly(extend_lease, f"lease of job {held.job_id}", first_after=SECONDS_BETWEEN_BEATS)


@contextmanager
def repeatedly(
    extend: Callable[[], bool], name: str, *, first_after: float = 0.0
) -> Iterator[threading.Event]:
    """Extend something from a thread of its own, until the block ends or there is nothing to extend.

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


def _reporter(held: Claim, is_lost: threading.Event) -> Report:
    """Return a report that looks at `is_lost` each time and writes to the database now and then."""
    due = time.monotonic()
    shown = ""

    def report(stage: str, done: int, total: int) -> None:
        nonlocal due, shown
        if is_lost.is_set():
            raise LostLease(f"job {held.job_id} is no longer held by claim {held.fence}")
        if stage != shown or time.monotonic() >= due:
            heartbeat(held, now=timezone.now(), stage=stage, done=done, total=total)
            due, shown = time.monotonic() + SECONDS_BETWEEN_REPORTS, stage

    return report


def _free(now: datetime) -> Q:
    return Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_until__lte=now)


def _held(held: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=held.job_id, state=Job.State.RUNNING, fence=held.fence)


def _end(held: Claim, *, state: Job.State, message: str, now: datetime) -> None:
    if not _held(held).update(state=state, message=message, lease_until=None, ended_at=now):
        raise LostLease(f"job {held.job_id} is no longer held by claim {held.fence}")
