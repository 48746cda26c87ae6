"""Read the rows of batches, checked."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Final

from surveys.errors.error import SurveyError
from surveys.models import Batch

__all__ = ["batches_read", "rows_of"]

BATCHES_AT_A_TIME: Final = 100
"""Batches that one query names."""

BATCHES_IN_MEMORY: Final = 10
"""Batches whose rows are held at once: 3 MB where each has 20,000 rows of 16 bytes."""


def batches_read(numbers: Sequence[int]) -> Generator[Batch, None, None]:
    """Read batches with their rows, by ascending numbers and nothing else.

    Asked for in order by what their survey and version say, SQLite would first copy all their rows into a
    table of its own and sort that, on disk where memory ends.
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
        packed = bytes(batch.packed)
        if hashlib.sha256(packed).hexdigest() != batch.digest:
            raise SurveyError("damaged_batch", batch.pk, digest=batch.digest)
        yield packed
