"""The columns of an uploaded table: their names are checked, and each is kept sealed by itself."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np

from anonymisation.deposits.vault import bytes_open, bytes_seal
from anonymisation.models import Deposit, DepositColumn, DepositTable
from privacy.arrays import Whole
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadColumn, ReadTable, column_pack, column_unpack
from surveys.imports.table_reading import table_read

__all__ = ["alike_held", "columns_hold", "names_check", "table_held", "table_take"]

_LONGEST_NAME: Final = 100
_COLUMN: Final = "column"


def table_take(name: str, raw: bytes) -> ReadTable:
    """Read a table from a file whose columns have names of their own.

    Raises
    ------
    SurveyError
        As `table_read`; ``deposit_file.name``; ``deposit_file.several``.
    """
    table = table_read(name, raw)
    names_check(table)
    return table


def names_check(table: ReadTable) -> None:
    """Refuse columns without names of their own.

    Raises
    ------
    SurveyError
        ``deposit_file.name``; ``deposit_file.several``.
    """
    for text in table.header:
        if not text or len(text) > _LONGEST_NAME:
            raise SurveyError("deposit_file.name", text[:40], longest=_LONGEST_NAME)
        if table.header.count(text) > 1:
            raise SurveyError("deposit_file.several", name=text)


def columns_hold(held: DepositTable, table: ReadTable) -> None:
    """Keep the columns of a table, and behind them which records are alike, where some are."""
    columns = list(table.columns)
    alike = table.alike()
    if alike.max() + 1 < len(table):
        columns.append(ReadColumn(name="", values=(), codes=alike.astype(np.int32)))
    # One at a time: packed, those of a large table are large, too.
    for number, column in enumerate(columns):
        sealed = bytes_seal(column_pack(column), deposit_id=held.pk, kind=f"{_COLUMN} {number}")
        DepositColumn.objects.create(table=held, number=number, sealed=sealed)


def table_held(deposit: Deposit, names: Collection[str] | None = None) -> ReadTable:
    """Return columns of the kept table as they were read: all, or some by their names.

    Raises
    ------
    SurveyError
        ``deposit.gone``, ``deposit.sealed``.
    """
    wanted = [
        number for number, column in enumerate(deposit.columns) if names is None or column["name"] in names
    ]
    columns = [_opened(deposit, number) for number in wanted]
    if None in columns:
        raise SurveyError("deposit.gone")
    return ReadTable(columns=tuple(filter(None, columns)), lines=np.arange(deposit.records) + 2)


def alike_held(deposit: Deposit) -> Whole:
    """Return a number for each record of the kept table, one for those that are alike in every column."""
    column = _opened(deposit, len(deposit.columns))
    return np.arange(deposit.records) if column is None else column.codes.astype(np.int64)


def _opened(deposit: Deposit, number: int) -> ReadColumn | None:
    sealed = (
        DepositColumn.objects.filter(table=deposit.pk, number=number).values_list("sealed", flat=True).first()
    )
    if sealed is None:
        return None
    return column_unpack(bytes_open(sealed, deposit_id=deposit.pk, kind=f"{_COLUMN} {number}"))
