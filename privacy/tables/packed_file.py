"""Read a table from the bytes of a file: text, Excel, Parquet, SPSS or Stata."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from privacy.errors import PrivacyError
from privacy.tables.cell_text import cell_text
from privacy.tables.columns import ReadColumn, ReadTable, TableBuilder
from privacy.tables.decisions import Decisions
from privacy.tables.merged_cells import MergedCells
from privacy.tables.text_file import lines_table

_MOST_UNPACKED: Final = 200_000_000
_MOST_CHARACTERS: Final = 50_000_000
_ROWS_AT_A_TIME: Final = 1 << 16
Reader: TypeAlias = Callable[[bytes, int, str], ReadTable]


class TableLimits:
    """Limits of a table, counted while it is unpacked because a file can misstate its size.

    Parameters
    ----------
    columns, most_cells : int
    """

    def __init__(self, columns: int, most_cells: int) -> None:
        self.columns, self.most_cells, self.most = columns, most_cells, most_cells // max(columns, 1)
        self._rows = self._characters = 0

    def check_head(self, rows: int, size: int) -> None:
        """Check the stated size: a file of 5 MB can unpack to a thousand times as much."""
        if rows > self.most or size > _MOST_UNPACKED:
            raise PrivacyError("table_file.wide", rows, columns=self.columns, most=self.most_cells)

    def check(self, columns: Sequence[Sequence[str]]) -> None:
        """Count unpacked records, and refuse a table with too many."""
        self._rows += len(columns[0]) if columns else 0
        self._characters += sum(sum(map(len, cells)) for cells in columns)
        if self._rows > self.most or self._characters > _MOST_CHARACTERS:
            raise PrivacyError("table_file.more", self.most, columns=self.columns, most=self.most_cells)


def _require(package: str, kind: str) -> None:
    """Refuse to read a format whose optional package is not installed."""
    if find_spec(package) is None:
        raise PrivacyError("table_file.package", package, kind=kind)


def _excel(raw: bytes, most_cells: int, sheet: str = "") -> ReadTable:
    _require("openpyxl", "Excel")
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
    for each in book.worksheets:
        # The stated size of a sheet can be too small.
        each.reset_dimensions()
    chosen = _sheet(book, sheet)
    rows = ((number, list(map(_sheet_text, row))) for number, row in enumerate(chosen.iter_rows(), 1))
    # openpyxl leaves out merged cells when it reads row by row.
    filled = MergedCells.of_sheet(chosen._get_source())
    lines = ((number, cells) for number, cells in filled.filled(rows) if any(cells))
    table = lines_table(lines, most_cells=most_cells, is_padded=True, limits=_character_limit(most_cells))
    return replace(table, decisions=Decisions([*table.decisions, *filled.decisions()]))


def _sheet_text(cell: Any) -> str:
    """Return a cell as text; a format such as 00000 shows zeros before a number, as in codes."""
    text = cell_text(cell.value)
    form = getattr(cell, "number_format", None) or ""
    return text.zfill(len(form)) if text.isdecimal() and len(form) > 1 and not form.strip("0") else text


def _character_limit(most_cells: int) -> Callable[[int], None]:
    """Return a function that counts unpacked characters, and refuses too many."""
    total = 0

    def check(characters: int) -> None:
        nonlocal total
        total += characters
        if total > _MOST_CHARACTERS:
            raise PrivacyError("table_file.more", most_cells, columns=1, most=most_cells)

    return check


def _sheet(book: Any, name: str) -> Any:
    """Return the sheet with this name; without a name, the only sheet with cells."""
    nonempty = [
        sheet
        for sheet in book.worksheets
        if any(cell is not None for line in sheet.iter_rows(values_only=True) for cell in line)
    ]
    matches = [sheet for sheet in nonempty if sheet.title == name] if name else nonempty
    if not nonempty or len(matches) == 1:
        return (matches or book.worksheets)[0]
    case = "table_file.sheet" if name else "table_file.sheets"
    raise PrivacyError(case, name or len(nonempty), names=", ".join(sheet.title for sheet in nonempty))


def _parquet(raw: bytes, most_cells: int, _sheet: str = "") -> ReadTable:
    _require("pyarrow", "Parquet")
    from pyarrow.parquet import ParquetFile

    about = ParquetFile(io.BytesIO(raw))
    names, head = list(about.schema_arrow.names), about.metadata
    limits = TableLimits(len(names), most_cells)
    size = sum(head.row_group(number).total_byte_size for number in range(head.num_row_groups))
    limits.check_head(head.num_rows, size)
    # Keep texts in dictionaries: a long text in a million records is then stored once.
    file = ParquetFile(io.BytesIO(raw), read_dictionary=names)
    builder = TableBuilder(names)
    for batch in file.iter_batches(batch_size=_ROWS_AT_A_TIME, use_threads=False):
        columns = [_cells(column) for column in batch.columns]
        limits.check(columns)
        builder.add_columns(columns)
    return builder.table()


def _cells(column: Any) -> list[str]:
    if not hasattr(column, "dictionary"):
        return list(map(cell_text, column.to_pylist()))
    values = [*map(cell_text, column.dictionary.to_pylist()), ""]
    return [values[-1 if index is None else index] for index in column.indices.to_pylist()]


def _read_labelled(read: str, raw: bytes, most_cells: int, _sheet: str = "") -> ReadTable:
    """Read SPSS or Stata: cells contain codes; labels and declared missing codes are kept separately."""
    _require("pyreadstat", "SPSS and Stata")
    import pyreadstat

    take = getattr(pyreadstat, read)
    _, about = take(io.BytesIO(raw), metadataonly=True)
    limits = TableLimits(len(about.column_names), most_cells)
    says = max(about.number_rows or 0, 0)
    limits.check_head(says, says * sum(about.variable_storage_width.values()))
    # The stated number of records may be missing or wrong, so read one record more than allowed.
    cells, about = take(io.BytesIO(raw), user_missing=True, output_format="dict", row_limit=limits.most + 1)
    columns = [list(map(cell_text, cells[name])) for name in about.column_names]
    limits.check(columns)
    builder = TableBuilder(about.column_names)
    builder.add_columns(columns)
    table = builder.table(
        label={name: label or "" for name, label in about.column_names_to_labels.items()},
        value_labels={
            name: {cell_text(value): str(label).strip() for value, label in labels.items()}
            for name, labels in about.variable_value_labels.items()
        },
    )
    with_codes = (_with_missing(column, about) for column in table.columns)
    return ReadTable(columns=tuple(with_codes), lines=table.lines)


def _with_missing(column: ReadColumn, about: Any) -> ReadColumn:
    """Add the codes that the file declares as missing: ranges in SPSS, letters in Stata."""
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


READERS: Final[Mapping[str, tuple[str, Reader]]] = {
    "xlsx": ("Excel", _excel),
    "parquet": ("Parquet", _parquet),
    "sav": ("SPSS", partial(_read_labelled, "read_sav")),
    "zsav": ("SPSS", partial(_read_labelled, "read_sav")),
    "dta": ("Stata", partial(_read_labelled, "read_dta")),
}
"""Name and reader of each format, by the ending of the file's name."""
