"""A table from an uploaded file: CSV, Parquet or SPSS, read in memory and never written to a disk."""

from __future__ import annotations

import io
import json
import math
import zlib
from typing import Any, Final, NamedTuple

from privacy.sdc.table import number_text
from releases.deposits.proposals import proposals_of
from surveys.errors.error import SurveyError
from surveys.formats.study_table import study_table
from surveys.unpacking.reader import read_in_child

__all__ = [
    "MOST_BYTES",
    "MOST_CELLS",
    "Taken",
    "document_pack",
    "table_from_file",
    "table_pack",
    "table_take",
]

MOST_BYTES: Final = 4_900_000
"""Of a file: bodies of requests are no larger than five million bytes."""
MOST_CELLS: Final = 2_000_000
MOST_COLUMNS: Final = 100
_MOST_UNPACKED: Final = 200_000_000
_MOST_CHARACTERS: Final = 50_000_000
_LONGEST_NAME: Final = 100
_SHORT_TEXT: Final = 64 * 1024
"""CSV of so many bytes holds what it shows, and is read before a process could be started for it."""
_ROWS_AT_A_TIME: Final = 1 << 18

Table = tuple[list[str], list[list[str]]]


class Taken(NamedTuple):
    """A table from a file, ready to be sealed.

    Parameters
    ----------
    columns : list of dict
        What is proposed for each.
    records : int
    packed : bytes
        The table as a deposit keeps it.
    """

    columns: list[dict[str, Any]]
    records: int
    packed: bytes


def table_take(name: str, raw: bytes) -> Taken:
    """Read a table from a file, in a child process unless it is a short text.

    Raises
    ------
    SurveyError
        As `table_from_file`; ``upload``: it takes too much memory or time.
    """
    _check_bytes(raw)
    if _ending(name) in _READERS or len(raw) > _SHORT_TEXT:
        plain, packed = read_in_child(table_pack, raw, name)
    else:
        plain, packed = table_pack(raw, name)
    return Taken(columns=plain["columns"], records=plain["records"], packed=packed)


def table_pack(raw: bytes, name: str) -> tuple[dict[str, Any], bytes]:
    """Return what is proposed for the columns of a file with its number of records, and the packed table."""
    header, rows = table_from_file(name, raw)
    columns = [proposal.plain() for proposal in proposals_of(header, rows)]
    packed = document_pack({"trees": {}, "header": header, "rows": rows})
    return {"columns": columns, "records": len(rows)}, packed


def document_pack(document: dict[str, Any]) -> bytes:
    """Return a JSON document, compressed."""
    return zlib.compress(json.dumps(document, ensure_ascii=False).encode())


def table_from_file(name: str, raw: bytes) -> Table:
    """Read header and rows, every cell as a text; an empty text is a missing value.

    Parameters
    ----------
    name : str
        Of the file; its end says the kind: ``.parquet``, ``.sav`` or ``.zsav``, anything else is read as CSV.
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
    _check_bytes(raw)
    header, rows = _READERS.get(_ending(name), _csv)(raw)
    header = [text.strip() for text in header]
    if len(header) > MOST_COLUMNS or len(header) * len(rows) > MOST_CELLS:
        raise SurveyError(
            "deposit_file.cells", len(rows), columns=len(header), most=MOST_CELLS, widest=MOST_COLUMNS
        )
    _check_characters(raw, sum(len(cell) for row in rows for cell in row))
    if not rows:
        raise SurveyError("study_file.empty")
    for text in header:
        if not text or len(text) > _LONGEST_NAME:
            raise SurveyError("deposit_file.name", text[:40], longest=_LONGEST_NAME)
        if header.count(text) > 1:
            raise SurveyError("study_file.several", name=text)
    return header, rows


def _ending(name: str) -> str:
    return name.lower().rpartition(".")[2]


def _check_bytes(raw: bytes) -> None:
    if len(raw) > MOST_BYTES:
        raise SurveyError("deposit_file.large", len(raw), most=f"{MOST_BYTES / 1e6:g}")


def _csv(raw: bytes) -> Table:
    table = study_table(raw, most_bytes=MOST_BYTES)
    return list(table.header), [[cell.strip() for cell in line] for line in table.lines]


def _parquet(raw: bytes) -> Table:
    # Loaded where it is used: pyarrow is a third of a web process.
    import pyarrow
    from pyarrow.parquet import ParquetFile

    try:
        about = ParquetFile(io.BytesIO(raw))
        names, head = list(about.schema_arrow.names), about.metadata
        unpacked = sum(head.row_group(number).total_byte_size for number in range(head.num_row_groups))
        _check_size(head.num_rows, len(names), unpacked)
        # Texts stay in their dictionaries: one long text of a million records is one text.
        file = ParquetFile(io.BytesIO(raw), read_dictionary=names)
        rows: list[list[str]] = []
        characters = 0
        for batch in file.iter_batches(batch_size=_ROWS_AT_A_TIME, use_threads=False):
            more = _rows([_cells(column) for column in batch.columns])
            characters += sum(len(cell) for row in more for cell in row)
            rows += more
            # The head is the file's own word: what counts is what comes.
            if len(rows) * len(names) > MOST_CELLS:
                raise _more(len(names))
            _check_characters(raw, characters)
    except (SurveyError, MemoryError):
        raise
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise SurveyError("deposit_file.damaged", kind="Parquet") from error
    return names, rows


def _cells(column: Any) -> list[Any]:
    if not hasattr(column, "dictionary"):
        return list(column.to_pylist())
    values = column.dictionary.to_pylist()
    return [None if index is None else values[index] for index in column.indices.to_pylist()]


def _spss(raw: bytes) -> Table:
    import pyreadstat

    try:
        _, about = pyreadstat.read_sav(io.BytesIO(raw), metadataonly=True)
        columns, width = len(about.column_names), sum(about.variable_storage_width.values())
        says = max(about.number_rows or 0, 0)
        _check_size(says, columns, says * width)
        # It may say that it does not know, or anything: one record more than fits is looked for.
        most = MOST_CELLS // max(columns, 1)
        frame, _ = pyreadstat.read_sav(
            io.BytesIO(raw), apply_value_formats=True, formats_as_category=False, row_limit=most + 1
        )
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError) as error:
        if "memory" in str(error):
            raise MemoryError from error
        raise SurveyError("deposit_file.damaged", kind="SPSS") from error
    if len(frame) > most:
        raise _more(columns)
    return list(frame.columns), _rows([frame[name].tolist() for name in frame.columns])


_READERS: Final = {"parquet": _parquet, "sav": _spss, "zsav": _spss}


def _check_size(rows: int, columns: int, unpacked: int) -> None:
    """Refuse by the head, before unpacking: a file of five megabytes can hold a thousand times as much."""
    if columns > MOST_COLUMNS or rows * columns > MOST_CELLS or unpacked > _MOST_UNPACKED:
        raise SurveyError("deposit_file.cells", rows, columns=columns, most=MOST_CELLS, widest=MOST_COLUMNS)


def _check_characters(raw: bytes, characters: int) -> None:
    if characters > _MOST_CHARACTERS:
        raise SurveyError("deposit_file.large", len(raw), most=f"{MOST_BYTES / 1e6:g}")


def _more(columns: int) -> SurveyError:
    most = MOST_CELLS // columns
    return SurveyError("deposit_file.more", most, columns=columns, most=MOST_CELLS, widest=MOST_COLUMNS)


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
