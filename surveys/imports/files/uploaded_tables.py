"""Read a table from an uploaded file or a file on disk: limits, and a child process that unpacks."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from privacy.errors import PrivacyError
from privacy.tables.columns import ReadTable, column_body, column_read
from privacy.tables.decisions import Decisions
from privacy.tables.table_file import MOST_CELLS_OF_A_FILE, file_table, is_packed
from surveys.errors.error import SurveyError
from surveys.imports.files.child import MOST_ANSWER
from surveys.imports.files.reader_process import Read, read_in_child

MOST_TABLE_BYTES: Final = 4_900_000
"""Largest file that a page accepts; requests are limited to 5 MB."""
MOST_TABLE_CELLS: Final = 2_000_000
"""Most cells in a file that a page accepts."""
LARGEST_FILE: Final = 1_000_000_000
"""Largest file that a command accepts."""
MOST_ANSWER_OF_A_FILE: Final = 400_000_000
"""Most bytes that a command or a worker receives from a child process; a page receives `MOST_ANSWER`."""
_SHORT_TEXT: Final = 64 * 1024
"""Largest text file that is read in this process; starting a child would take longer than reading it."""


def table_read(
    name: str,
    raw: bytes,
    *,
    sheet: str = "",
    most_bytes: int = MOST_TABLE_BYTES,
    most_cells: int = MOST_TABLE_CELLS,
    most_answer: int = MOST_ANSWER,
) -> ReadTable:
    """Read a table from the bytes of a file, in a child process unless it is a short text.

    Parameters
    ----------
    name : str
        Name of the file; its ending determines the format: ``.xlsx``, ``.parquet``, ``.sav``, ``.zsav``,
        ``.dta``; anything else is read as text.
    raw : bytes
    sheet : str
        Sheet of a workbook; "" if only one sheet has cells.
    most_bytes, most_cells, most_answer : int
        Limits of the file, the table, and the bytes that a child process returns.

    Raises
    ------
    SurveyError
        ``table_file``: several sheets, too large, damaged, not a text, no header, no record, records of
        different lengths; ``upload``: reading needs too much memory or time.

    Examples
    --------
    >>> [column.values for column in table_read("people.csv", b"age;sex\\n31;f\\n").columns]
    [('31',), ('f',)]
    """
    if len(raw) > most_bytes:
        raise SurveyError("table_file.large", len(raw), most=f"{most_bytes / 1e6:g}")
    if not is_packed(name) and len(raw) <= _SHORT_TEXT:
        return text_table(io.BytesIO(raw), name, most_cells=most_cells)
    return _from_child(name, raw, most_cells, sheet, most=most_answer)


def table_open(path: Path, *, sheet: str = "") -> ReadTable:
    """Read a table from a file on disk, for a command.

    Raises
    ------
    SurveyError
        As for `table_read`, and ``table_file.missing``; the message names the file.
    """
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if size > LARGEST_FILE:
                raise SurveyError("table_file.large", size, most=f"{LARGEST_FILE / 1e6:,g}")
            if is_packed(path.name):
                return _from_child(
                    path.name, file.read(), MOST_CELLS_OF_A_FILE, sheet, most=MOST_ANSWER_OF_A_FILE
                )
            return text_table(file, path.name, most_cells=MOST_CELLS_OF_A_FILE)
    except OSError as error:
        raise SurveyError("table_file.missing", str(path), path=path, error=error.strerror) from error
    except SurveyError as error:
        # Name the file, because a command may read several.
        raise SurveyError(
            "table_file.named", error.value, path=path.name, message=error.message, remedy=error.remedy
        ) from error


def text_table(
    file: BinaryIO, name: str, *, most_cells: int, watch: Callable[[], None] = lambda: None
) -> ReadTable:
    """Read a text file like `file_table`, in this process."""
    with _worded():
        return file_table(name, file, most_cells=most_cells, watch=watch)


@contextmanager
def _worded() -> Iterator[None]:
    """Turn errors of the core into errors that have a status and speak the reader's language."""
    try:
        yield
    except SurveyError:
        raise
    except PrivacyError as error:
        fields: dict[str, Any] = {name: value for name, value in error.fields.items() if name != "value"}
        raise SurveyError(error.case, error.value, **fields) from error


def _from_child(name: str, raw: bytes, most_cells: int, sheet: str, *, most: int) -> ReadTable:
    with _worded():
        said, pieces = read_in_child(table_pack, raw, name, most_cells, sheet, most=most)
    *columns, lines = pieces
    return ReadTable(
        columns=tuple(map(column_read, columns)),
        lines=np.frombuffer(lines, dtype=np.int64),
        decisions=Decisions.of_documents(said),
    )


def table_pack(raw: bytes, name: str, most_cells: int, sheet: str) -> Read:
    """Return the decisions, and columns and line numbers as bytes; runs in the child process."""
    table = file_table(name, io.BytesIO(raw), sheet=sheet, most_cells=most_cells)
    return table.decisions.documents, [*map(column_body, table.columns), table.lines.tobytes()]
