"""Files that have to be unpacked: Excel, Parquet, SPSS and Stata; in the child process alone."""

from __future__ import annotations

import datetime
import io
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

from privacy.sdc.table import number_text
from surveys.errors.error import SurveyError
from surveys.tables.table import ReadColumn, ReadTable, TableBuilder

__all__ = ["READERS", "Reader", "Room"]

_MOST_UNPACKED: Final = 200_000_000
_MOST_CHARACTERS: Final = 50_000_000
_ROWS_AT_A_TIME: Final = 1 << 16
Reader: TypeAlias = Callable[[bytes, int], ReadTable]


class Room:
    """What a table may take, counted while it is unpacked: what a file says of its size is its own word.

    Parameters
    ----------
    columns, most_cells : int
    """

    def __init__(self, columns: int, most_cells: int) -> None:
        self.columns, self.most_cells, self.most = columns, most_cells, most_cells // max(columns, 1)
        self._rows = self._characters = 0

    def check_head(self, rows: int, unpacked: int) -> None:
        """Refuse by the head: a file of five megabytes can hold a thousand times as much."""
        if rows > self.most or unpacked > _MOST_UNPACKED:
            raise SurveyError("table_file.wide", rows, columns=self.columns, most=self.most_cells)

    def check(self, columns: Sequence[Sequence[str]]) -> None:
        """Count records that were unpacked, and refuse one too many."""
        self._rows += len(columns[0]) if columns else 0
        self._characters += sum(sum(map(len, cells)) for cells in columns)
        if self._rows > self.most or self._characters > _MOST_CHARACTERS:
            raise SurveyError("table_file.more", self.most, columns=self.columns, most=self.most_cells)


def _excel(raw: bytes, most_cells: int) -> ReadTable:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
    lines = book.worksheets[0].iter_rows(values_only=True)
    header = [_text(cell) for cell in next(lines, ())]
    while header and not header[-1]:
        header.pop()
    if not header:
        raise SurveyError("table_file.header")
    builder, room = TableBuilder(header), Room(len(header), most_cells)
    filled = (
        (number, line) for number, line in enumerate(lines, 2) if any(cell is not None for cell in line)
    )
    while block := list(islice(filled, _ROWS_AT_A_TIME)):
        # A row ends with its last cell.
        rows = [[*map(_text, line), *[""] * len(header)][: len(header)] for _number, line in block]
        room.check(list(zip(*rows, strict=True)))
        builder.add(rows, [number for number, _line in block])
    return builder.table()


def _parquet(raw: bytes, most_cells: int) -> ReadTable:
    from pyarrow.parquet import ParquetFile

    about = ParquetFile(io.BytesIO(raw))
    names, head = list(about.schema_arrow.names), about.metadata
    room = Room(len(names), most_cells)
    unpacked = sum(head.row_group(number).total_byte_size for number in range(head.num_row_groups))
    room.check_head(head.num_rows, unpacked)
    # Texts stay in their dictionaries: one long text of a million records is one text.
    file = ParquetFile(io.BytesIO(raw), read_dictionary=names)
    builder = TableBuilder(names)
    for batch in file.iter_batches(batch_size=_ROWS_AT_A_TIME, use_threads=False):
        columns = [_cells(column) for column in batch.columns]
        room.check(columns)
        builder.add_columns(columns)
    return builder.table()


def _cells(column: Any) -> list[str]:
    if not hasattr(column, "dictionary"):
        return list(map(_text, column.to_pylist()))
    values = [*map(_text, column.dictionary.to_pylist()), ""]
    return [values[-1 if index is None else index] for index in column.indices.to_pylist()]


def _labelled(read: str, raw: bytes, most_cells: int) -> ReadTable:
    """Read SPSS or Stata: cells hold codes, and labels and declared missing codes stay beside them."""
    import pyreadstat

    take = getattr(pyreadstat, read)
    _, about = take(io.BytesIO(raw), metadataonly=True)
    room = Room(len(about.column_names), most_cells)
    says = max(about.number_rows or 0, 0)
    room.check_head(says, says * sum(about.variable_storage_width.values()))
    # It may say that it does not know, or anything: one record more than fits is looked for.
    cells, about = take(io.BytesIO(raw), user_missing=True, output_format="dict", row_limit=room.most + 1)
    columns = [list(map(_text, cells[name])) for name in about.column_names]
    room.check(columns)
    builder = TableBuilder(about.column_names)
    builder.add_columns(columns)
    table = builder.table(
        label={name: label or "" for name, label in about.column_names_to_labels.items()},
        value_labels={
            name: {_text(value): str(label).strip() for value, label in labels.items()}
            for name, labels in about.variable_value_labels.items()
        },
    )
    declared = (_declared(column, about) for column in table.columns)
    return ReadTable(columns=tuple(declared), lines=table.lines)


def _declared(column: ReadColumn, about: Any) -> ReadColumn:
    """Return a column with the codes that its file declares as missing: ranges of SPSS, letters of Stata."""
    from dataclasses import replace

    ranges = about.missing_ranges.get(column.name, ())
    letters = set(map(str, about.missing_user_values.get(column.name, ())))
    codes = [text for text in column.values if text in letters or any(_within(text, span) for span in ranges)]
    return replace(column, missing_codes=tuple(codes))


def _within(text: str, span: Mapping[str, Any]) -> bool:
    low, high = span["lo"], span["hi"]
    if isinstance(low, str):
        return text == low.strip()
    try:
        return bool(low <= float(text) <= high)
    except ValueError:
        return False


def _spss(raw: bytes, most_cells: int) -> ReadTable:
    return _labelled("read_sav", raw, most_cells)


def _stata(raw: bytes, most_cells: int) -> ReadTable:
    return _labelled("read_dta", raw, most_cells)


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and math.isfinite(value):
        return number_text(float(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()


READERS: Final[Mapping[str, tuple[str, Reader]]] = {
    "xlsx": ("Excel", _excel),
    "parquet": ("Parquet", _parquet),
    "sav": ("SPSS", _spss),
    "zsav": ("SPSS", _spss),
    "dta": ("Stata", _stata),
}
"""By the end of a file's name: what its kind is called, and what reads it."""
