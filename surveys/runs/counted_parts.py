"""The counts of a run's parts, in the database: any worker on any machine can make them or add them up.

A run on itemsets no longer than those with stored counts needs no row and no column, only the sum of its
parts' counts. A part is stored once, no matter which workers make it and how often. Its counts belong to one
run and are deleted when the run is over. They are stored in the same database as their batches, so anyone who
can read them could also compute them. No page, export or program reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Final

import numpy as np
from django.db import connection, models, transaction
from django.db.models import F, QuerySet
from numpy.typing import ArrayLike

from mining.columns.counted_rows import CountedRows, count_rows_of, counted_together
from mining.columns.counting import ENGINES
from mining.columns.precomputed_counts import PRECOMPUTED_SIZE, precomputed_requests
from privacy.arrays import Whole
from privacy.estimation.design_index import index_of
from surveys.jobs import lease
from surveys.models import Batch, Job, PartCounts, Run
from surveys.rows.column_cache import SegmentStore
from surveys.rows.columns import rows_of
from surveys.rows.redisguise import rows_disguised
from surveys.rows.releasable_rows import releasable_design

__all__ = [
    "MOST_PARTS",
    "Missing",
    "columns_insert",
    "missing_parts",
    "or_null",
    "part_of",
    "part_store",
    "parts_counted",
    "requests_of",
    "segments_of",
]


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
        database.
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
        if not isinstance(field, _PLAIN):
            raise TypeError(f"{model.__name__}.{field.name} is no plain column; use bulk_create")
    unknown = set(columns) - {field.attname for field in fields}
    if unknown:
        raise TypeError(f"{model.__name__} has no column {min(unknown)}")
    size = len(next(iter(columns.values()), ()))
    values = [
        columns[field.attname] if field.attname in columns else repeat(field.get_default(), size)
        for field in fields
    ]
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    # Names from our own models; every value is a parameter.
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # nosec B608
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*values, strict=True)))


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
