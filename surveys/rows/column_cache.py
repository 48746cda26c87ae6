"""The column cache: convert batches to columns once; later runs map the files into memory.

There is one directory for each design of each survey, and one file for each range of batches. Batches that no
segment covers become a new segment, and segments are merged while the newer one has at least half as many
rows as the one before it, so n batches leave about log n files and each row is rewritten about log n times.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from django.db.models import QuerySet

from mining.columns.bitmatrix import BitMatrix
from mining.columns.joined import joined
from mining.columns.precomputed_counts import (
    PrecomputedCounts,
    added,
    precomputed_counts,
    precomputed_requests,
)
from privacy.survey.design import Design
from surveys.models import Batch
from surveys.rows.columns import batches_read, rows_of
from surveys.rows.directories import directory_of
from surveys.rows.segments import Segment, batches_said, read_segment, segment_name, write_segment

__all__ = ["Columns", "SegmentStore", "cached_columns"]

logger = logging.getLogger(__name__)

ROWS_OF_A_SEGMENT: Final = 1 << 24
"""Most rows of a segment, some hundred megabytes of columns."""

Reader: TypeAlias = Callable[[Iterable[Batch]], Iterator[bytes]]
Checkpoint: TypeAlias = Callable[[], None]
"""Yields the packed rows of batches, in the layout of a design; the same ones each time."""

# Files of an earlier release, named by the order of their batches.
_OLD_NAME: Final = re.compile("[0-9]+-[0-9]+")


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
    """Return the columns of these batches, and cache those that were not cached.

    Parameters
    ----------
    design : Design
        Design of the rows that `reader` returns.
    survey_id : int
    batches : queryset of Batch
        In the order of their numbers.
    reader : callable
        Rows of another reader follow another design.
    checkpoint : callable
        Called before each batch is read; it may raise, and complete segments stay.

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
    while start < len(store.wanted):
        placed = store.longest(start)
        if placed is None:
            placed = store.made(start, store.segment_end(start), checkpoint)
            read += placed.end - start
        segments_placed.append(placed)
        start = placed.end
    segments = [placed.segment for placed in store.merged(segments_placed)]
    if not segments:
        return Columns(matrix=BitMatrix.from_rows(design, b""), precomputed=None, read=0)
    parts = [segment.precomputed for segment in segments if segment.precomputed is not None]
    return Columns(
        matrix=joined([segment.matrix for segment in segments]),
        precomputed=added(parts) if len(parts) == len(segments) else None,
        read=read,
    )


class SegmentStore:
    """The segments of some batches: read those on disk, and make others.

    Parameters
    ----------
    design, survey_id, batches, reader
        As for `cached_columns`.
    """

    def __init__(
        self, design: Design, survey_id: int, batches: QuerySet[Batch], reader: Reader = rows_of
    ) -> None:
        self.design, self._reader = design, reader
        self.wanted = [
            _Named(pk=pk, n=n, digest=digest) for pk, n, digest in batches.values_list("pk", "n", "digest")
        ]
        self._directory = directory_of(survey_id, design)
        self._requests = precomputed_requests(design)
        self._place = {named.pk: number for number, named in enumerate(self.wanted)}
        self._ends: dict[int, list[int]] = {}
        with contextlib.suppress(OSError):
            for path in self._directory.iterdir():
                if (said := batches_said(path)) is not None:
                    self._ends.setdefault(said[0], []).append(said[1])
                elif _OLD_NAME.fullmatch(path.name):
                    path.unlink(missing_ok=True)

    def number(self, pk: int) -> int:
        """Return the index of a batch among the wanted ones."""
        return self._place[pk]

    def newest(self) -> int:
        """Return the last batch at which a segment on disk ends; 0 if there is none."""
        return max((max(ends) for ends in self._ends.values()), default=0)

    def longest(self, start: int) -> _Placed | None:
        """Return the longest valid segment on disk that begins at this batch and ends at a wanted one."""
        for last in sorted(self._ends.get(self.wanted[start].pk, ()), reverse=True):
            if last in self._place:
                end = self._place[last] + 1
                path = self._path(start, end)
                segment = read_segment(path, self.design, self.digest(start, end), self._requests)
                if segment is not None and (segment.first, segment.last) == (self.wanted[start].pk, last):
                    return _Placed(start=start, end=end, segment=segment)
                if segment is not None:
                    # Made of other batches with the same rows, for which the server draws differently.
                    continue
                logger.warning("%s does not hold what its digests say; it is made again", path.name)
        return None

    def segment_end(self, start: int, rows: int = ROWS_OF_A_SEGMENT) -> int:
        """Return where to stop reading: at the next segment on disk, or after `rows` rows."""
        for end in range(start, len(self.wanted)):
            rows -= self.wanted[end].n
            if end > start and (self.wanted[end].pk in self._ends or rows < 0):
                return end
        return len(self.wanted)

    def rows(self, start: int, end: int, checkpoint: Checkpoint = lambda: None) -> Iterator[bytes]:
        """Read the packed rows of batches from the database; `checkpoint` may raise between two of them."""
        batches = batches_read([named.pk for named in self.wanted[start:end]])
        return self._reader(_with_checkpoints(batches, checkpoint))

    def made(self, start: int, end: int, checkpoint: Checkpoint = lambda: None) -> _Placed:
        """Read batches from the database and save their columns."""
        matrix = BitMatrix.from_rows(self.design, self.rows(start, end, checkpoint))
        precomputed = None if self._requests is None else precomputed_counts(matrix, self._requests)
        return self._put(start, end, matrix, precomputed)

    def merged(self, segments: Sequence[_Placed]) -> list[_Placed]:
        """Merge segments that are due, newest first, and delete the merged files."""
        stack: list[_Placed] = []
        for placed in segments:
            stack.append(placed)
            while len(stack) > 1 and _due(stack[-2].segment.matrix.n, stack[-1].segment.matrix.n):
                newer, older = stack.pop(), stack.pop()
                pair = [older.segment, newer.segment]
                parts = [segment.precomputed for segment in pair if segment.precomputed is not None]
                matrix = joined([segment.matrix for segment in pair])
                stack.append(self._put(older.start, newer.end, matrix, added(parts) if parts else None))
                for old in (older, newer):
                    # A reader that has mapped it keeps it; one that looks for it makes it again.
                    with contextlib.suppress(OSError):
                        self._path(old.start, old.end).unlink(missing_ok=True)
        return stack

    def _put(self, start: int, end: int, matrix: BitMatrix, precomputed: PrecomputedCounts | None) -> _Placed:
        segment = Segment(
            first=self.wanted[start].pk,
            last=self.wanted[end - 1].pk,
            batches_digest=self.digest(start, end),
            matrix=matrix,
            precomputed=precomputed,
        )
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_segment(self._path(start, end), segment)
        except OSError as error:
            # A full or foreign disk only costs time later.
            logger.warning("columns cannot be kept in %s: %s", self._directory, error)
        return _Placed(start=start, end=end, segment=segment)

    def _path(self, start: int, end: int) -> Path:
        return self._directory / segment_name(self.digest(start, end))

    def digest(self, start: int, end: int) -> str:
        """Return the SHA-256 over the digests of the wanted batches from number `start` to before `end`."""
        total = hashlib.sha256()
        for batch in self.wanted[start:end]:
            total.update(bytes.fromhex(batch.digest))
        return total.hexdigest()


def _with_checkpoints(batches: Generator[Batch, None, None], checkpoint: Checkpoint) -> Iterator[Batch]:
    # If `checkpoint` raises, the query ends at once, not when the exception is discarded.
    with contextlib.closing(batches):
        for batch in batches:
            checkpoint()
            yield batch


def _due(older: int, newer: int) -> bool:
    return 2 * newer >= older and older + newer <= ROWS_OF_A_SEGMENT
