"""Read a table from a file, whatever its kind: the one door for pages and commands."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from surveys.errors.error import SurveyError
from surveys.tables.packed import READERS
from surveys.tables.table import ReadTable, column_pack, column_unpack
from surveys.tables.text import text_read
from surveys.unpacking.reader import read_in_child

__all__ = [
    "LARGEST_FILE",
    "MOST_BYTES",
    "MOST_CELLS",
    "MOST_CELLS_OF_A_FILE",
    "is_packed",
    "table_open",
    "table_read",
    "text_table",
]

MOST_BYTES: Final = 4_900_000
"""Of a file that a page takes: bodies of requests are no larger than five million bytes."""
MOST_CELLS: Final = 2_000_000
"""Of a file that a page takes."""
LARGEST_FILE: Final = 1_000_000_000
"""That a command takes."""
MOST_COLUMNS: Final = 500
MOST_CELLS_OF_A_FILE: Final = 500_000_000
_SHORT_TEXT: Final = 64 * 1024
"""A text of so many bytes holds what it shows, and is read before a process could be started for it."""


def table_read(
    name: str, raw: bytes, *, most_bytes: int = MOST_BYTES, most_cells: int = MOST_CELLS
) -> ReadTable:
    """Read a table from the bytes of a file, in a child process unless it is a short text.

    Parameters
    ----------
    name : str
        Of the file; its end says the kind: ``.xlsx``, ``.parquet``, ``.sav``, ``.zsav``, ``.dta``; anything
        else is read as text.
    raw : bytes
    most_bytes, most_cells : int
        What it may have.

    Raises
    ------
    SurveyError
        ``table_file``: too large, damaged, no text, no header, no record, records of another length;
        ``upload``: it takes too much memory or time.

    Examples
    --------
    >>> [column.values for column in table_read("people.csv", b"age;sex\\n31;f\\n").columns]
    [('31',), ('f',)]
    """
    if len(raw) > most_bytes:
        raise SurveyError("table_file.large", len(raw), most=f"{most_bytes / 1e6:g}")
    if not is_packed(name) and len(raw) <= _SHORT_TEXT:
        return text_table(io.BytesIO(raw), most_cells=most_cells)
    return _from_child(name, raw, most_cells)


def table_open(path: Path) -> ReadTable:
    """Read a table from a file on the disk, for a command.

    Raises
    ------
    SurveyError
        As `table_read`, and ``table_file.missing``; the message names the file.
    """
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if size > LARGEST_FILE:
                raise SurveyError("table_file.large", size, most=f"{LARGEST_FILE / 1e6:g}")
            if is_packed(path.name):
                return _from_child(path.name, file.read(), MOST_CELLS_OF_A_FILE)
            return text_table(file, most_cells=MOST_CELLS_OF_A_FILE)
    except OSError as error:
        raise SurveyError("table_file.missing", str(path), path=path, error=error.strerror) from error
    except SurveyError as error:
        # A command may have been given several.
        raise SurveyError(
            "table_file.named", error.value, path=path.name, message=error.message, remedy=error.remedy
        ) from error


def text_table(file: BinaryIO, *, most_cells: int, watch: Callable[[], None] = lambda: None) -> ReadTable:
    """Read a text, as `text_read`; and refuse one without a record, or with too many columns."""
    return _checked(text_read(file, most_cells=most_cells, watch=watch))


def is_packed(name: str) -> bool:
    """Return whether a file of a name has to be unpacked."""
    return _ending(name) in READERS


def _ending(name: str) -> str:
    return name.lower().rpartition(".")[2]


def _checked(table: ReadTable) -> ReadTable:
    if not len(table):
        raise SurveyError("table_file.empty")
    if len(table.columns) > MOST_COLUMNS:
        raise SurveyError("table_file.columns", len(table.columns), most=MOST_COLUMNS)
    return table


def _from_child(name: str, raw: bytes, most_cells: int) -> ReadTable:
    sizes, packed = read_in_child(table_pack, raw, name, most_cells)
    ends = np.cumsum(sizes)
    parts = [packed[end - size : end] for end, size in zip(ends.tolist(), sizes, strict=True)]
    return ReadTable(
        columns=tuple(map(column_unpack, parts[:-1])), lines=np.frombuffer(parts[-1], dtype=np.int64)
    )


def table_pack(raw: bytes, name: str, most_cells: int) -> tuple[list[int], bytes]:
    """Return a table's columns and lines as bytes, with their sizes; runs in the child process."""
    kind, read = READERS.get(_ending(name), ("", None))
    if read is None:
        table = text_table(io.BytesIO(raw), most_cells=most_cells)
    else:
        table = _unpacked(read, kind, raw, most_cells)
    parts = [*map(column_pack, table.columns), table.lines.tobytes()]
    return list(map(len, parts)), b"".join(parts)


def _unpacked(read: Any, kind: str, raw: bytes, most_cells: int) -> ReadTable:
    try:
        return _checked(read(raw, most_cells))
    except (SurveyError, MemoryError):
        raise
    except Exception as error:
        # Libraries raise what they like for a damaged file; its text may hold a value.
        if "memory" in str(error):
            raise MemoryError from error
        raise SurveyError("table_file.damaged", kind=kind) from error
