"""The packed rows of batches, read in portions and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Final

from surveys.errors.error import SurveyError
from surveys.models import Batch

BATCHES_AT_A_TIME: Final = 100
"""Number of batches per query."""

BATCHES_IN_MEMORY: Final = 10
"""Batches whose rows are held at once: 3 MB if each has 20,000 rows of 16 bytes."""


def batches_read(numbers: Sequence[int]) -> Generator[Batch, None, None]:
    """Read batches with their rows, selected and ordered only by number.

    If batches were selected by survey and version in order, SQLite would first copy all their rows into a
    temporary table and sort it, on disk if memory is short.
    """
    for start in range(0, len(numbers), BATCHES_AT_A_TIME):
        some = Batch.objects.filter(pk__in=numbers[start : start + BATCHES_AT_A_TIME]).order_by("pk")
        yield from some.iterator(chunk_size=BATCHES_IN_MEMORY)


def rows_of(batches: Iterable[Batch]) -> Iterator[bytes]:
    """Yield the packed rows of each batch, after checking them.

    Raises
    ------
    SurveyError
        ``damaged_batch``: the rows of a batch do not have its digest.
    """
    for batch in batches:
        data = bytes(batch.packed)
        if hashlib.sha256(data).hexdigest() != batch.digest:
            raise SurveyError("damaged_batch", batch.pk, digest=batch.digest)
        yield data
