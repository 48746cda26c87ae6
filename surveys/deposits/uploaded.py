"""A table from an uploaded file: CSV, Parquet or SPSS, read in memory and never written to a disk."""

from __future__ import annotations

import contextlib
import io
import math
import os
from typing import Any, Final

from privacy.sdc.table import number_text
from surveys.elsewhere.reading import study_table
from surveys.errors.error import SurveyError

__all__ = ["MOST_BYTES", "MOST_CELLS", "table_from_file"]

MOST_BYTES: Final = 4_900_000
"""Of a file: bodies of requests are no larger than five million bytes."""
MOST_CELLS: Final = 2_000_000
MOST_COLUMNS: Final = 100
_MOST_UNPACKED: Final = 200_000_000
_MOST_CHARACTERS: Final = 50_000_000
_LONGEST_NAME: Final = 100

Table = tuple[list[str], list[list[str]]]


def table_from_file(name: str, raw: bytes) -> Table:
    """Read header and rows, every cell as a text; an empty text is a missing value.

    Parameters
    ----------
    name : str
        Of the file; its end says the kind: ``.csv``, ``.parquet`` or ``.sav``, anything else is read as CSV.
    raw : bytes

    Raises
    ------
    SurveyError
        ``deposit_file``: too large, of no such kind, damaged, with two columns of one name, or without rows.

    Examples
    --------
    >>> table_from_file("people.csv", b"age;sex\\n31;f\\n")
    (['age', 'sex'], [['31', 'f']])
    """
    if len(raw) > MOST_BYTES:
        raise SurveyError("deposit_file.large", len(raw), most=f"{MOST_BYTES / 1e6:g}")
    ending = name.lower().rpartition(".")[2]
    read = {"parquet": _parquet, "sav": _spss}.get(ending, _csv)
    header, rows = read(raw)
    header = [text.strip() for text in header]
    if len(header) > MOST_COLUMNS or len(header) * len(rows) > MOST_CELLS:
        raise SurveyError(
            "deposit_file.cells", len(rows), columns=len(header), most=MOST_CELLS, widest=MOST_COLUMNS
        )
    if sum(len(cell) for row in rows for cell in row) > _MOST_CHARACTERS:
        raise SurveyError("deposit_file.large", len(raw), most=f"{MOST_BYTES / 1e6:g}")
    if not rows:
        raise SurveyError("study_file.empty")
    for text in header:
        if not text or len(text) > _LONGEST_NAME:
            raise SurveyError("deposit_file.name", text[:40], longest=_LONGEST_NAME)
        if header.count(text) > 1:
            raise SurveyError("study_file.several", name=text)
    return header, rows


def _csv(raw: bytes) -> Table:
    table = study_table(raw, most_bytes=MOST_BYTES)
    return list(table.header), [[cell.strip() for cell in line] for line in table.lines]


def _parquet(raw: bytes) -> Table:
    # Loaded where it is used: pyarrow is a third of a web process.
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(raw))
        names, about = list(file.schema_arrow.names), file.metadata
        unpacked = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
        _check_size(about.num_rows, len(names), unpacked)
        # Texts stay in their dictionaries: one long text of a million records is one text.
        columns = pyarrow.parquet.read_table(io.BytesIO(raw), read_dictionary=names).columns
        cells = [[cell for chunk in column.chunks for cell in _cells(chunk)] for column in columns]
    except SurveyError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise SurveyError("deposit_file.damaged", kind="Parquet") from error
    return names, _rows(cells)


def _cells(chunk: Any) -> list[Any]:
    if not hasattr(chunk, "dictionary"):
        return list(chunk.to_pylist())
    values = chunk.dictionary.to_pylist()
    return [None if index is None else values[index] for index in chunk.indices.to_pylist()]


def _spss(raw: bytes) -> Table:
    import pyreadstat

    if not hasattr(os, "memfd_create"):
        raise SurveyError("deposit_file.spss")
    # The reader wants a file with a name; this one is memory, and gone when it is closed.
    descriptor = os.memfd_create("sav")
    with contextlib.closing(os.fdopen(descriptor, "wb")) as file:
        file.write(raw)
        file.flush()
        path = f"/proc/self/fd/{descriptor}"
        try:
            _, about = pyreadstat.read_sav(path, metadataonly=True)
            widths = sum(about.variable_storage_width.values())
            rows = about.number_rows if about.number_rows and about.number_rows > 0 else len(raw)
            _check_size(rows, len(about.column_names), rows * widths)
            frame, _ = pyreadstat.read_sav(path, apply_value_formats=True, formats_as_category=False)
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError) as error:
            raise SurveyError("deposit_file.damaged", kind="SPSS") from error
    return list(frame.columns), _rows([frame[name].tolist() for name in frame.columns])


def _check_size(rows: int, columns: int, unpacked: int) -> None:
    """Refuse before unpacking: a file of five megabytes can hold a thousand times as much."""
    if columns > MOST_COLUMNS or rows * columns > MOST_CELLS or unpacked > _MOST_UNPACKED:
        raise SurveyError("deposit_file.cells", rows, columns=columns, most=MOST_CELLS, widest=MOST_COLUMNS)


def _rows(columns: list[list[Any]]) -> list[list[str]]:
    return [[_text(value) for value in row] for row in zip(*columns, strict=True)]


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and math.isfinite(value):
        return number_text(float(value))
    return str(value).strip()
