"""Request and cancel runs, describe their progress, and share a run out among workers.

Fan-out: several workers count the batches that are not counted yet, then the run continues. Any worker on any
machine can process a part: it reads some batches, counts all itemsets of up to three items in them and stores
the counts in the database, once. The run adds them up. Parts are independent of each other, and no process
waits for one: the broker counts the finished parts (a Celery chord) and then sends the run's task. If a
worker was lost, the run shares out or counts only the missing parts.
"""

from __future__ import annotations

import logging
import threading
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mining.columns.counted_rows import CountedRows, count_rows_of, counted_together
from mining.columns.counting import ENGINES, PRECOMPUTED_SIZE, precomputed_requests
from mining.family import rule_family
from mining.thresholds import Thresholds
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from surveys.errors.error import SurveyError
from surveys.formats.figures import count_text
from surveys.jobs import lease
from surveys.jobs.lease import SHARING
from surveys.jobs.workers import Task, dispatch_parts
from surveys.models import Batch, Job, PartCounts, Run, Version
from surveys.models.audit_event import audit_event_record
from surveys.policy import LEAST_PROTECTED
from surveys.runs.column_cache import SegmentStore
from surveys.runs.releasable_rows import disguise_batches, releasable_design
from surveys.runs.snapshot import batches_between, batches_of, disclosure, rows_of, snapshot_of

COMMAND_LINE = "command line"


def run_request(
    *,
    version: Version,
    thresholds: Thresholds,
    by: User | None,
    now: datetime,
    announce: bool = True,
    engine: str = "auto",
    chapter: int | None = None,
) -> Run:
    """Create a run on the answers that may be mined now, and queue its job.

    Parameters
    ----------
    version : Version
        Any version with the design to be mined.
    thresholds : Thresholds
        Thresholds of the run.
    by : User or None
        The requester; None for the command line.
    now : datetime
        The current time.
    announce : bool
        Whether to notify a worker; false if the caller does the work itself.
    engine : str
        One of `mining.columns.counting.ENGINES`.
    chapter : int, optional
        Number of a closed chapter, whose answers alone are mined; by default all answers.

    Raises
    ------
    PrivacyError
        An allowed side names an item that the design does not have.
    SurveyError
        ``no_answers``, or ``too_few``: too few protected answers for any result; ``chapters.unknown``.
    """
    design = version.to_design()
    thresholds.sides.check(design)
    family = rule_family(design, thresholds.sides, thresholds.max_size, ordered=False)
    with transaction.atomic():
        snapshot = snapshot_of(version, chapter=chapter)
        if not disclosure(n=snapshot.n, practice=version.survey.practice).results:
            raise SurveyError("too_few", LEAST_PROTECTED, least=LEAST_PROTECTED)
        job = lease.enqueue(kind=Job.Kind.MINE, requested_by=by, now=now, announce=announce)
        run = Run.objects.create(
            survey=version.survey,
            version=version,
            job=job,
            design_id=version.design_id,
            parameters=thresholds.to_json(),
            first_batch=snapshot.first,
            last_batch=snapshot.last,
            batches=snapshot.batches,
            snapshot_digest=snapshot.digest,
            n=snapshot.n,
            # Blank until the run ends, unless the requester chose an engine.
            engine="" if engine == "auto" else engine,
        )
        audit_event_record(
            actor=by.get_username() if by else COMMAND_LINE,
            action="run_request",
            target=f"{version.survey.slug} run {run.pk}",
            detail={
                "parameters": run.parameters,
                "snapshot": snapshot.digest,
                # The run's tests are corrected for this number, so it is fixed before any row is read.
                "family": family.total,
            }
            | ({} if chapter is None else {"chapter": chapter}),
        )
    return run


def run_cancel(*, run: Run, by: User, now: datetime) -> bool:
    """Cancel a run; return False if it is already over."""
    with transaction.atomic():
        is_cancelled = lease.cancel(run.job_id, now=now)
        if is_cancelled:
            audit_event_record(
                actor=by.get_username(), action="run_cancel", target=f"{run.survey.slug} run {run.pk}"
            )
    return is_cancelled


LOOKED_AT: Final = 5
"""Number of the newest finished runs that are used to estimate a duration."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A run that is not over yet.

    Attributes
    ----------
    headline, detail : str
        The current state, and what it means for the reader.
    percent : int or None
        Completed part of the current stage; None while it is unknown.
    expected : str
        Expected duration, estimated from earlier runs.
    """

    state: str
    headline: str
    detail: str
    percent: int | None
    expected: str


def progress_of(run: Run, *, now: datetime) -> Progress:
    """Return the progress of a run that is not over."""
    job = run.job
    if job.state == Job.State.QUEUED:
        if job.stage == SHARING:
            return _parts_progress(run, now)
        headline, detail = queued_texts(job, now)
        return Progress(state=job.state, headline=headline, detail=detail, percent=None, expected="")
    return Progress(
        state=job.state,
        headline=_stage_text(job.stage),
        detail=_("Attempt %(attempt)s: an earlier worker stopped. No data was lost.")
        % {"attempt": job.attempts}
        if job.attempts > 1
        else "",
        percent=round(100 * job.done / job.total) if job.total else None,
        expected=_expected_text(run, now),
    )


def _parts_progress(run: Run, now: datetime) -> Progress:
    """Return the progress of a job that waits for other workers' parts; readers see it as running."""
    job = run.job
    return Progress(
        state=Job.State.RUNNING,
        headline=_("Several workers are reading the disguised rows"),
        detail=_("%(done)s of %(parts)s parts have been read.")
        % {"done": count_text(min(job.done, job.total)), "parts": count_text(job.total)},
        percent=round(100 * min(job.done, job.total) / job.total) if job.total else None,
        expected=_expected_text(run, now),
    )


def queued_texts(job: Job, now: datetime) -> tuple[str, str]:
    """Describe why a queued job is waiting."""
    if not job.sends:
        return (
            _("Queued. The broker has not accepted the job yet."),
            _(
                "The broker does not respond, or has just restarted. Nothing is lost: the job is stored in "
                "the database, and the sweeper sends it as soon as possible. Operators: check /ready."
            ),
        )
    active_jobs = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING))
    ahead = active_jobs.filter(pk__lt=job.pk).count()
    if ahead:
        waiting = ngettext("Queued behind one other job.", "Queued behind %(jobs)s other jobs.", ahead)
        return waiting % {"jobs": count_text(ahead)}, _(
            "Workers process runs and audits one after the other."
        )
    if (now - job.created_at).total_seconds() > 10:
        return (
            _("Queued. No worker has started the job yet."),
            _(
                "All workers are busy, or none is running. The job is announced again until a "
                "worker starts it."
            ),
        )
    return _("Queued. A worker starts it in a moment."), ""


def _stage_text(stage: str) -> str:
    texts = {
        "": _("Starting"),
        "loading": _("Reading the disguised rows"),
        "candidates": _("Extending itemsets"),
        "counting": _("Counting rows"),
        "intervals": _("Computing the intervals"),
        "rules": _("Listing rules and their measures"),
        "tests": _("Testing the rules"),
        "flips": _("Finding how many false rows would overturn each test"),
        "groups": _("Comparing and combining the groups"),
        "truth": _("Comparing with the known truth"),
        "storing": _("Storing the result"),
    }
    return texts.get(stage, stage)


def _expected_text(run: Run, now: datetime) -> str:
    """Describe the expected duration, estimated from finished runs and their numbers of rows."""
    seconds = (now - run.job.started_at).total_seconds() if run.job.started_at else 0.0
    running = _("Running for %(seconds)s s.") % {"seconds": round(seconds)}
    earlier = _earlier_runs(run.survey_id)
    if not earlier:
        return (
            running + " " + _("This is the first run on this survey, so we cannot estimate the duration yet.")
        )
    size = run.parameters["max_size"]
    took, n, _longest = min(earlier, key=lambda past: past[2] != size)
    expected = max(1, round(took * (run.n or 1) / (n or 1)))
    if seconds > 2 * expected + 5:
        return running + " " + _("This is longer than earlier runs: its thresholds need more work.")
    return running + " " + _("About %(seconds)s s, estimated from earlier runs.") % {"seconds": expected}


def _earlier_runs(survey_id: int) -> list[tuple[float, int, int]]:
    """Return seconds, rows and largest itemset size of the newest finished runs, newest first."""
    runs = Run.objects.filter(
        survey=survey_id, job__state=Job.State.FINISHED, duration_seconds__isnull=False
    ).order_by("-job__ended_at")
    rows = runs.values_list("duration_seconds", "n", "parameters__max_size")[:LOOKED_AT]
    return [(took or 0.0, n or 1, size) for took, n, size in rows]


MOST_PARTS: Final = 64
"""Most parts of a run, so that their counts use at most 320 MB. Larger surveys have larger parts."""


@dataclass(frozen=True, kw_only=True)
class Missing:
    """Parts of a run that are not in the database yet.

    Attributes
    ----------
    parts : list of tuple of int
        First and last batches of the parts to count.
    here : list of PartCounts
        Counts from this home's column cache.
    """

    parts: list[tuple[int, int]]
    here: list[PartCounts]


def requests_of(run: Run) -> Whole | None:
    """Return what the parts of a run count; None if counts alone are not enough.

    Counts are not enough for longer itemsets, for an explicitly requested engine, or if every answer is mined
    undisguised.
    """
    thresholds = run.thresholds
    is_fixed = run.engine in ENGINES and run.engine != "auto"
    if thresholds.max_size > PRECOMPUTED_SIZE or is_fixed:
        return None
    design = releasable_design(run.version)
    return None if index_of(design).without_disguise[1] else precomputed_requests(design)


def segments_of(run: Run, batches: QuerySet[Batch]) -> SegmentStore:
    """Return the column segments of the rows that a run's figures are computed from."""
    version = run.version
    # The installation's key decides the disguise of each batch, so every machine gets the same rows.
    reader = partial(disguise_batches, version.to_design()) if version.holds_undisguised else rows_of
    return SegmentStore(releasable_design(version), run.survey_id, batches, reader)


def missing_parts(run: Run, batches: QuerySet[Batch], rows: int) -> Missing:
    """Find the batches whose counts are not stored; divide them into parts of about `rows` rows."""
    segments = segments_of(run, batches)
    rows = max(rows, -(-sum(batch.n for batch in segments.entries) // MOST_PARTS))
    ends = _part_bounds(run, segments)
    parts, here, start = [], [], 0
    while start < len(segments.entries):
        if start in ends:
            start = ends[start]
            continue
        limit = min((first for first in ends if first > start), default=len(segments.entries))
        segment = segments.longest(start)
        if segment is not None and segment.segment.precomputed is not None and segment.end <= limit:
            part = CountedRows.of(segment.segment.matrix, segment.segment.precomputed)
            here.append(_part(run, segments, start, segment.end, part))
            start = segment.end
            continue
        end = min(limit, segments.segment_end(start, rows))
        parts.append((segments.entries[start].pk, segments.entries[end - 1].pk))
        start = end
    return Missing(parts=parts, here=here)


def part_of(run: Run, segments: SegmentStore, first: int, last: int, row_counts: CountedRows) -> PartCounts:
    """Return the part to store: the counts of the batches from number `first` to number `last`."""
    return _part(run, segments, segments.number(first), segments.number(last) + 1, row_counts)


def part_store(part: PartCounts, fence: int) -> bool:
    """Store a part once, if its run still waits for it under this fence; return whether it was stored.

    The job's row is locked before the part is looked up, so two workers with the same part take turns.
    """
    with transaction.atomic():
        waiting = Job.objects.filter(
            pk=part.run.job_id, state=Job.State.QUEUED, stage=lease.SHARING, fence=fence
        )
        if not waiting.update(done=F("done") + 1):
            return False
        if PartCounts.objects.filter(run=part.run_id, first_batch=part.first_batch).exists():
            transaction.set_rollback(True)
            return False
        part.save(force_insert=True)
    return True


def sum_parts(run: Run, batches: QuerySet[Batch]) -> CountedRows | None:
    """Add up the parts of a run, counting missing ones here; return None if it was not shared out."""
    if not PartCounts.objects.filter(run=run).exists():
        return None
    requests = requests_of(run)
    if requests is None:
        return None
    segments = segments_of(run, batches)
    ends = _part_bounds(run, segments)
    total: CountedRows | None = None
    start = 0
    while start < len(segments.entries):
        if start in ends:
            row = PartCounts.objects.get(run=run, first_batch=segments.entries[start].pk)
            end = ends[start]
            part = CountedRows.from_bytes(
                bytes(row.counts), segments.design, requests, n_direct=row.n_direct, n=row.n
            )
        else:
            end = min((first for first in ends if first > start), default=len(segments.entries))
            part = count_rows_of(segments.design, segments.rows(start, end), requests)
        total = part if total is None else counted_together([total, part])
        start = end
    return total


def _part(run: Run, segments: SegmentStore, start: int, end: int, row_counts: CountedRows) -> PartCounts:
    return PartCounts(
        run=run,
        first_batch=segments.entries[start].pk,
        last_batch=segments.entries[end - 1].pk,
        digest=segments.digest(start, end),
        n=row_counts.n,
        n_direct=row_counts.n_direct,
        counts=row_counts.to_bytes(),
    )


def _part_bounds(run: Run, segments: SegmentStore) -> dict[int, int]:
    """Return where the stored parts begin and end among the wanted batches; skip parts that do not match."""
    ends = {}
    for first, last, digest in PartCounts.objects.filter(run=run).values_list(
        "first_batch", "last_batch", "digest"
    ):
        start, end = segments.number(first), segments.number(last) + 1
        if segments.digest(start, end) == digest:
            ends[start] = end
    return ends


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
