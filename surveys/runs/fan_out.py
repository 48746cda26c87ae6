"""Share a run out among workers: divide its batches into parts, count them, and add the counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, QuerySet

from mining.columns.counted_rows import CountedRows, count_rows_of, counted_together
from mining.columns.engines import ENGINES
from mining.columns.precomputed_counts import PRECOMPUTED_SIZE, precomputed_requests
from privacy.arrays import Whole
from privacy.estimation.design_index import index_of
from surveys.jobs import lease
from surveys.models import Batch, Job, PartCounts, Run
from surveys.runs.batch_rows import rows_of
from surveys.runs.column_cache import SegmentStore
from surveys.runs.redisguise import disguise_batches
from surveys.runs.releasable_rows import releasable_design

MOST_RUN_PARTS: Final = 64
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
    rows = max(rows, -(-sum(batch.n for batch in segments.entries) // MOST_RUN_PARTS))
    ends = _part_bounds(run, segments)
    parts, local_parts, start = [], [], 0
    while start < len(segments.entries):
        if start in ends:
            start = ends[start]
            continue
        limit = min((first for first in ends if first > start), default=len(segments.entries))
        segment = segments.longest(start)
        if segment is not None and segment.segment.precomputed is not None and segment.end <= limit:
            part = CountedRows.of(segment.segment.matrix, segment.segment.precomputed)
            local_parts.append(_part(run, segments, start, segment.end, part))
            start = segment.end
            continue
        end = min(limit, segments.segment_end(start, rows))
        parts.append((segments.entries[start].pk, segments.entries[end - 1].pk))
        start = end
    return Missing(parts=parts, here=local_parts)


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
