"""Fan-out: several workers count the batches not yet counted, then the run continues.

Any worker on any machine can process a part: it reads some batches, counts all itemsets of up to three items
in them and stores the counts in the database, once. The run adds them up. Parts do not depend on each other,
and no process waits for one: the broker counts the finished parts (a chord) and then sends the run's task. If
parts are missing because a worker was lost, the run shares out or counts only those.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import repeat
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.db import DatabaseError, connection, models, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from numpy.typing import ArrayLike

from mining.columns.count_cache import PRECOMPUTED_SIZE, precomputed_requests
from mining.columns.counted_rows import CountedRows, count_rows_of, counted_together
from mining.columns.counting import ENGINES
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from surveys.jobs import lease
from surveys.jobs.workers import Task, dispatch_parts
from surveys.models import Batch, Job, PartCounts, Run
from surveys.runs.column_cache import SegmentStore
from surveys.runs.releasable_rows import releasable_design, rows_disguised
from surveys.runs.snapshot import batches_between, batches_of, rows_of

MOST_PARTS: Final = 64
"""Most parts of a run; their counts together use at most 320 MB. Larger surveys have larger parts."""


@dataclass(frozen=True, kw_only=True)
class Missing:
    """Parts that a run still lacks.

    Attributes
    ----------
    parts : list of tuple of int
        First and last batches of the parts that are still to be counted.
    here : list of PartCounts
        Counts found in this home, stored with columns but not yet in the database.
    """

    parts: list[tuple[int, int]]
    here: list[PartCounts]


def requests_of(run: Run) -> Whole | None:
    """Return what the parts of a run count; None if counts alone are not enough.

    They are not enough for longer itemsets, for an explicitly requested counting engine, and if every answer
    is mined undisguised.
    """
    thresholds = run.thresholds
    is_fixed = run.engine in ENGINES and run.engine != "auto"
    if thresholds.max_size > PRECOMPUTED_SIZE or is_fixed:
        return None
    design = releasable_design(run.version)
    return None if index_of(design).undisguised[1] else precomputed_requests(design)


def segments_of(run: Run, batches: QuerySet[Batch]) -> SegmentStore:
    """Return the segments of the rows that a run's figures are computed from."""
    version = run.version
    # Drawn under the installation's key, batch by batch: the same rows on every machine.
    reader = partial(rows_disguised, version.to_design()) if version.holds_undisguised else rows_of
    return SegmentStore(releasable_design(version), run.survey_id, batches, reader)


def missing_parts(run: Run, batches: QuerySet[Batch], rows: int) -> Missing:
    """Find the batches that are neither stored nor in this home, in parts of about `rows` rows."""
    segments = segments_of(run, batches)
    rows = max(rows, -(-sum(batch.n for batch in segments.wanted) // MOST_PARTS))
    stored = _stored(run, segments)
    parts, here, start = [], [], 0
    while start < len(segments.wanted):
        if start in stored:
            start = stored[start]
            continue
        limit = min((first for first in stored if first > start), default=len(segments.wanted))
        segment = segments.longest(start)
        if segment is not None and segment.segment.precomputed is not None and segment.end <= limit:
            counted = CountedRows.of(segment.segment.matrix, segment.segment.precomputed)
            here.append(_part(run, segments, start, segment.end, counted))
            start = segment.end
            continue
        end = min(limit, segments.segment_end(start, rows))
        parts.append((segments.wanted[start].pk, segments.wanted[end - 1].pk))
        start = end
    return Missing(parts=parts, here=here)


def part_of(run: Run, segments: SegmentStore, first: int, last: int, counted: CountedRows) -> PartCounts:
    """Count the batches from number `first` to number `last`, and return the part to store."""
    return _part(run, segments, segments.number(first), segments.number(last) + 1, counted)


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


def parts_counted(run: Run, batches: QuerySet[Batch]) -> CountedRows | None:
    """Add up the parts of a run, counting missing ones here. None for a run that was not shared out."""
    if not PartCounts.objects.filter(run=run).exists():
        return None
    requests = requests_of(run)
    if requests is None:
        return None
    segments = segments_of(run, batches)
    stored = _stored(run, segments)
    total: CountedRows | None = None
    start = 0
    while start < len(segments.wanted):
        if start in stored:
            row = PartCounts.objects.get(run=run, first_batch=segments.wanted[start].pk)
            end = stored[start]
            counted = CountedRows.from_bytes(
                bytes(row.counts), segments.design, requests, n_direct=row.n_direct, n=row.n
            )
        else:
            end = min((first for first in stored if first > start), default=len(segments.wanted))
            counted = count_rows_of(segments.design, segments.rows(start, end), requests)
        total = counted if total is None else counted_together([total, counted])
        start = end
    return total


def _part(run: Run, segments: SegmentStore, start: int, end: int, counted: CountedRows) -> PartCounts:
    return PartCounts(
        run=run,
        first_batch=segments.wanted[start].pk,
        last_batch=segments.wanted[end - 1].pk,
        digest=segments.digest(start, end),
        n=counted.n,
        n_direct=counted.n_direct,
        counts=counted.to_bytes(),
    )


def _stored(run: Run, segments: SegmentStore) -> dict[int, int]:
    """Return where the stored parts begin and end among the wanted batches, if they match these batches."""
    ends = {}
    for first, last, digest in PartCounts.objects.filter(run=run).values_list(
        "first_batch", "last_batch", "digest"
    ):
        start, end = segments.number(first), segments.number(last) + 1
        if segments.digest(start, end) == digest:
            ends[start] = end
    return ends


_PLAIN: Final = (
    models.FloatField,
    models.IntegerField,
    models.CharField,
    models.BooleanField,
    models.ForeignKey,
)


def columns_insert(model: type[models.Model], columns: Mapping[str, Sequence[object]]) -> None:
    """Insert new rows, in the caller's transaction.

    Parameters
    ----------
    model : type of Model
        Its columns are numbers, texts, truth values and foreign keys, which Django need not convert for the
        database, and JSON.
    columns : mapping of str to sequence
        By the names of a model's attributes ("run_id"), plain Python values, all of one length. A column that
        is left out gets its default in every row.

    Raises
    ------
    TypeError
        The model has a column of another kind, or lacks a column.

    Notes
    -----
    ``bulk_create`` resolves every value of every row as an expression and builds one text of thousands of
    parameters; storing a run's rows was slower than finding them.
    """
    # The database assigns primary keys; a key that is also a foreign key comes from the caller.
    fields = [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    for field in fields:
        if not isinstance(field, (*_PLAIN, models.JSONField)):
            raise TypeError(f"{model.__name__}.{field.name} is no plain column; use bulk_create")
    unknown = set(columns) - {field.attname for field in fields}
    if unknown:
        raise TypeError(f"{model.__name__} has no column {min(unknown)}")
    size = len(next(iter(columns.values()), ()))
    values = [
        _adapted(field, columns[field.attname])
        if field.attname in columns
        else repeat(field.get_default(), size)
        for field in fields
    ]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    # Names from our own models; every value is a parameter.
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # nosec B608
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*values, strict=True)))


def _adapted(field: models.Field[Any, Any], values: Sequence[object]) -> Sequence[object]:
    if not isinstance(field, models.JSONField):
        return values
    return [field.get_db_prep_save(value, connection) for value in values]


def or_null(values: ArrayLike, known: ArrayLike | None = None) -> list[float | None]:
    """Return floats with None for NaN, which each database would store differently.

    Parameters
    ----------
    values : array_like of float
    known : array_like of bool, optional
        Where False, the value is None too.

    Examples
    --------
    >>> or_null([0.5, float("nan"), 2.0], [True, True, False])
    [0.5, None, None]
    """
    array = np.asarray(values, dtype=np.float64)
    gone = np.isnan(array) if known is None else np.isnan(array) | ~np.asarray(known)
    floats: list[float | None] = array.tolist()
    for position in np.flatnonzero(gone).tolist():
        floats[position] = None
    return floats


logger = logging.getLogger(__name__)


def share_out(job_id: int, *, now: datetime) -> bool:
    """Dispatch the uncounted parts of a run, followed by the run itself.

    Returns
    -------
    bool
        False if nothing is worth sharing, or there is nothing to claim: the caller continues as usual.

    Notes
    -----
    A run that was shared out is queued again. Its parts postpone the time at which the sweeper dispatches it;
    if all of them are silent for the duration of a lease, it does. A sharing and the run after it are one of
    the job's attempts; lost parts cost another one. The last attempt is never shared out, so that parts that
    kill every worker end the job as any other work would.
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
            # Batches that are already columns here need no reading.
            PartCounts.objects.bulk_create(missing.here, ignore_conflicts=True)
    shared = [(job_id, lease_held.fence, first, last) for first, last in parts]
    dispatch_parts(Task.COUNT_PART, shared, then=Task.RUN_JOB, last=(job_id, lease_held.fence))
    return True


def is_shared(job_id: int, fence: int) -> bool:
    """Whether a job still waits for the parts dispatched under this fence."""
    return Job.objects.filter(pk=job_id, state=Job.State.QUEUED, stage=lease.SHARING, fence=fence).exists()


def make_part(job_id: int, fence: int, first: int, last: int) -> None:
    """Count these batches, unless they are counted or the run is over.

    Errors are left to the run, which counts missing parts itself and reports what cannot be counted.
    """
    if not is_shared(job_id, fence):
        return
    run = Run.objects.select_related("version").get(job=job_id)
    if PartCounts.objects.filter(run=run, first_batch=first).exists():
        return
    try:
        with _put_off(job_id, fence) as over:
            requests = requests_of(run)
            if requests is None:
                return
            # Its own batches only: there may be many parts, and the run itself checks all batches.
            store = segments_of(run, batches_between(run, first, last))
            rows = store.rows(0, len(store.wanted), partial(_go_on, over))
            part_store(part_of(run, store, first, last, count_rows_of(store.design, rows, requests)), fence)
    except PrivacyError as error:
        logger.warning("a part of job %s: %s", job_id, error.message)
    except RunOver:
        logger.info("a part of job %s was given up: nobody waits for it", job_id)
    except Exception:
        logger.exception("a part of job %s stopped at a fault", job_id)


class RunOver(Exception):
    """The run that this part was dispatched for is over."""


def _go_on(over: threading.Event) -> None:
    if over.is_set():
        raise RunOver


def _put_off(job_id: int, fence: int) -> AbstractContextManager[threading.Event]:
    """Renew the job's due time while a part is counted; the event is set when the run is over."""

    def put_off() -> bool:
        try:
            going = Job.objects.filter(pk=job_id, state=Job.State.QUEUED, fence=fence)
            return bool(going.update(send_due_at=timezone.now() + lease.LEASE))
        except DatabaseError:
            logger.warning("a part of job %s could not put off the sweeper", job_id)
            return True

    return lease.repeatedly(put_off, f"part of job {job_id}")
