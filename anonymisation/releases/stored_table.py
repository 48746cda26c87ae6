"""The table of a release, sealed by column and opened one column at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from anonymisation.models import Release, ReleaseColumn, ReleaseTable
from anonymisation.releases.sealed_documents import bytes_open, bytes_seal
from privacy.arrays import Whole
from privacy.tables.columns import ReadColumn, ReadTable, column_pack, column_unpack
from surveys.errors.error import SurveyError

_COLUMN: Final = "column"


def columns_seal(record: ReleaseTable, table: ReadTable) -> None:
    """Store the columns of a table and, if it has equal records, a column that numbers distinct records."""
    columns = list(table.columns)
    record_numbers = table.record_numbers()
    if record_numbers.max() + 1 < len(table):
        columns.append(ReadColumn(name="", values=(), codes=record_numbers.astype(np.int32)))
    # Columns are packed one at a time, because those of a large table are large.
    for number, column in enumerate(columns):
        ciphertext = bytes_seal(column_pack(column), release_id=record.pk, kind=f"{_COLUMN} {number}")
        ReleaseColumn.objects.create(table=record, number=number, sealed=ciphertext)


def stored_table(release: Release, names: Collection[str] | None = None) -> ReadTable:
    """Return columns of the stored table as they were read: all, or only the named ones.

    Raises
    ------
    SurveyError
        ``release.gone``, ``release.sealed``.
    """
    return _table(release, stored_columns(release, names))


def stored_columns(release: Release, names: Collection[str] | None = None) -> Iterator[ReadColumn]:
    """Yield columns of the stored table one at a time, because those of a large table are large.

    Raises
    ------
    SurveyError
        ``release.gone``, ``release.sealed``.
    """
    positions = [
        number for number, column in enumerate(release.columns) if names is None or column["name"] in names
    ]
    opened = 0
    for column in _opened(release, positions):
        opened += 1
        yield column
    if opened < len(positions):
        raise SurveyError("release.gone")


def one_column_tables(release: Release, names: Collection[str]) -> Iterator[ReadTable]:
    """Yield a table for each of the named columns, as `stored_columns` does."""
    return (_table(release, [column]) for column in stored_columns(release, names))


def equal_records(release: Release) -> Whole:
    """Return numbers for the stored records; records that are equal in every column have the same number."""
    column = next(_opened(release, [len(release.columns)]), None)
    return np.arange(release.records) if column is None else column.codes.astype(np.int64)


def _table(release: Release, columns: Iterable[ReadColumn]) -> ReadTable:
    return ReadTable(columns=tuple(columns), lines=np.arange(release.records) + 2)


def _opened(release: Release, positions: Sequence[int]) -> Iterator[ReadColumn]:
    """Yield the columns at these positions, as far as they are stored."""
    rows = ReleaseColumn.objects.filter(table=release.pk, number__in=positions).order_by("number")
    for number, ciphertext in rows.values_list("number", "sealed").iterator(chunk_size=1):
        yield column_unpack(bytes_open(ciphertext, release_id=release.pk, kind=f"{_COLUMN} {number}"))
