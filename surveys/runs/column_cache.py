"""The column cache: convert batches to columns once; later runs map the files into memory.

There is one directory for each design of each survey, and one file (a segment) for each range of batches.
Batches that no segment covers become a new segment. Neighbouring segments are merged while the newer one has
at least half as many rows as the older, so n batches leave about log n files and each row is rewritten about
log n times. Workers prefetch the columns of many new rows, but runs go first, because users wait for runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from django.db.models import QuerySet

from mining.columns.bitmatrix import BitMatrix, join_matrices
from mining.columns.precomputed_counts import (
    PrecomputedCounts,
    add_counts,
    precomputed_counts,
    precomputed_requests,
)
from privacy.survey.design import Design
from surveys.jobs.home_files import directory_of
from surveys.models import Batch
from surveys.runs.batch_rows import batches_read, rows_of
from surveys.runs.segment_file import Segment, batch_range, read_segment, segment_name, write_segment

logger = logging.getLogger(__name__)

ROWS_OF_A_SEGMENT: Final = 1 << 24
"""Most rows of a segment: some hundred megabytes of columns."""

Reader: TypeAlias = Callable[[Iterable[Batch]], Iterator[bytes]]
"""Yields the packed rows of batches in the layout of a design, always the same ones for the same batches."""

Checkpoint: TypeAlias = Callable[[], None]


@dataclass(frozen=True, kw_only=True, eq=False)
class Columns:
    """The rows of some batches, ready to be mined.

    Attributes
    ----------
    matrix : BitMatrix
    precomputed : PrecomputedCounts or None
        Counts that need no rows; None for a design with too many itemsets.
    read : int
        Number of batches that had to be read from the database.
    """

    matrix: BitMatrix
    precomputed: PrecomputedCounts | None
    read: int


@dataclass(frozen=True, kw_only=True)
class _Named:
    """A batch without its rows."""

    pk: int
    n: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class _Placed:
    """A segment of the wanted batches from number `start` up to, but not including, `end`."""

    start: int
    end: int
    segment: Segment


def cached_columns(
    design: Design,
    survey_id: int,
    batches: QuerySet[Batch],
    reader: Reader = rows_of,
    checkpoint: Checkpoint = lambda: None,
) -> Columns:
    """Return the columns of these batches; read and cache those that are not cached yet.

    Parameters
    ----------
    design : Design
        Design of the rows that `reader` returns.
    survey_id : int
    batches : queryset of Batch
        Ordered by number.
    reader : callable
        Returns packed rows of `design`.
    checkpoint : callable
        Called before each batch is read. It may raise; complete segments are kept.

    Raises
    ------
    SurveyError
        ``damaged_batch``: the rows of a batch do not have its digest.
    PrivacyError
        ``row_length``: a batch does not hold whole rows of the design.
    """
    store = SegmentStore(design, survey_id, batches, reader)
    segments_placed: list[_Placed] = []
    start = read = 0
    while start < len(store.entries):
        entry = store.longest(start)
        if entry is None:
            entry = store.make(start, store.segment_end(start), checkpoint)
            read += entry.end - start
        segments_placed.append(entry)
        start = entry.end
    segments = [entry.segment for entry in store.merge(segments_placed)]
    if not segments:
        return Columns(matrix=BitMatrix.from_rows(design, b""), precomputed=None, read=0)
    parts = [segment.precomputed for segment in segments if segment.precomputed is not None]
    return Columns(
        matrix=join_matrices([segment.matrix for segment in segments]),
        precomputed=add_counts(parts) if len(parts) == len(segments) else None,
        read=read,
    )


class SegmentStore:
    """The segments of some batches: read those on disk, and create the others.

    Parameters
    ----------
    design, survey_id, batches, reader
        As for `cached_columns`.
    """

    def __init__(
        self, design: Design, survey_id: int, batches: QuerySet[Batch], reader: Reader = rows_of
    ) -> None:
        self.design, self._reader = design, reader
        self.entries = [
            _Named(pk=pk, n=n, digest=digest) for pk, n, digest in batches.values_list("pk", "n", "digest")
        ]
        self._directory = directory_of(survey_id, design)
        self._requests = precomputed_requests(design)
        self._place = {batch.pk: number for number, batch in enumerate(self.entries)}
        self._ends: dict[int, list[int]] = {}
        with contextlib.suppress(OSError):
            for path in self._directory.iterdir():
                if (span := batch_range(path)) is not None:
                    self._ends.setdefault(span[0], []).append(span[1])

    def number(self, pk: int) -> int:
        """Return the index of a batch among the wanted ones."""
        return self._place[pk]

    def newest(self) -> int:
        """Return the last batch of all segments on disk; 0 without segments."""
        return max((max(ends) for ends in self._ends.values()), default=0)

    def longest(self, start: int) -> _Placed | None:
        """Return the longest valid segment on disk that begins at this batch and ends at a wanted one."""
        for last in sorted(self._ends.get(self.entries[start].pk, ()), reverse=True):
            if last in self._place:
                end = self._place[last] + 1
                path = self._path(start, end)
                segment = read_segment(path, self.design, self.digest(start, end), self._requests)
                if segment is not None and (segment.first, segment.last) == (self.entries[start].pk, last):
                    return _Placed(start=start, end=end, segment=segment)
                if segment is not None:
                    # Other batches with the same rows: the server disguises these differently.
                    continue
                logger.warning("%s does not hold what its digests say; it is made again", path.name)
        return None

    def segment_end(self, start: int, rows: int = ROWS_OF_A_SEGMENT) -> int:
        """Return where to stop reading: at the next segment on disk, or after `rows` rows."""
        for end in range(start, len(self.entries)):
            rows -= self.entries[end].n
            if end > start and (self.entries[end].pk in self._ends or rows < 0):
                return end
        return len(self.entries)

    def rows(self, start: int, end: int, checkpoint: Checkpoint = lambda: None) -> Iterator[bytes]:
        """Read the packed rows of batches from the database; `checkpoint` may raise between two of them."""
        batches = batches_read([batch.pk for batch in self.entries[start:end]])
        return self._reader(_with_checkpoints(batches, checkpoint))

    def make(self, start: int, end: int, checkpoint: Checkpoint = lambda: None) -> _Placed:
        """Read batches from the database and save their columns."""
        matrix = BitMatrix.from_rows(self.design, self.rows(start, end, checkpoint))
        precomputed = None if self._requests is None else precomputed_counts(matrix, self._requests)
        return self._put(start, end, matrix, precomputed)

    def merge(self, segments: Sequence[_Placed]) -> list[_Placed]:
        """Merge segments that are due, newest first, and delete the merged files."""
        stack: list[_Placed] = []
        for entry in segments:
            stack.append(entry)
            while len(stack) > 1 and _due(stack[-2].segment.matrix.n, stack[-1].segment.matrix.n):
                newer, older = stack.pop(), stack.pop()
                pair = [older.segment, newer.segment]
                parts = [segment.precomputed for segment in pair if segment.precomputed is not None]
                matrix = join_matrices([segment.matrix for segment in pair])
                stack.append(self._put(older.start, newer.end, matrix, add_counts(parts) if parts else None))
                for old in (older, newer):
                    # A process that has mapped the file keeps it; one that looks for it creates it again.
                    with contextlib.suppress(OSError):
                        self._path(old.start, old.end).unlink(missing_ok=True)
        return stack

    def _put(self, start: int, end: int, matrix: BitMatrix, precomputed: PrecomputedCounts | None) -> _Placed:
        segment = Segment(
            first=self.entries[start].pk,
            last=self.entries[end - 1].pk,
            batches_digest=self.digest(start, end),
            matrix=matrix,
            precomputed=precomputed,
        )
        write_segment(self._path(start, end), segment)
        return _Placed(start=start, end=end, segment=segment)

    def _path(self, start: int, end: int) -> Path:
        return self._directory / segment_name(self.digest(start, end))

    def digest(self, start: int, end: int) -> str:
        """Return the SHA-256 over the digests of the wanted batches from number `start` to before `end`."""
        total = hashlib.sha256()
        for batch in self.entries[start:end]:
            total.update(bytes.fromhex(batch.digest))
        return total.hexdigest()


def _with_checkpoints(batches: Generator[Batch, None, None], checkpoint: Checkpoint) -> Iterator[Batch]:
    # If `checkpoint` raises, close the query immediately, not only when the exception is discarded.
    with contextlib.closing(batches):
        for batch in batches:
            checkpoint()
            yield batch


def _due(older: int, newer: int) -> bool:
    return 2 * newer >= older and older + newer <= ROWS_OF_A_SEGMENT
