"""Read a table from a file of any known format."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Final

from privacy.errors import PrivacyError
from privacy.tables.columns import ReadTable
from privacy.tables.file_signs import LOCKED, MOST_SEARCHED, file_sign, is_whole
from privacy.tables.packed_file import READERS
from privacy.tables.text_file import text_read

MOST_COLUMNS: Final = 500
MOST_CELLS_OF_A_FILE: Final = 500_000_000
_SIGN_BYTES: Final = 512


def is_packed(name: str) -> bool:
    """Return whether a file with this name must be unpacked.

    Parameters
    ----------
    name : str
        Name of a column.
    """
    return _ending(name) in READERS


def file_table(
    name: str,
    file: BinaryIO,
    *,
    sheet: str = "",
    most_cells: int = MOST_CELLS_OF_A_FILE,
    watch: Callable[[], None] = lambda: None,
) -> ReadTable:
    """Read a table from an open file.

    Parameters
    ----------
    name : str
        Name of the file; its ending determines the format: ``.xlsx``, ``.parquet``, ``.sav``, ``.zsav``,
        ``.dta``; anything else is read as text.
    file : binary file
        Seekable.
    sheet : str
        Sheet of a workbook; "" if only one sheet has cells.
    most_cells : int
    watch : callable
        As for `text_read`.

    Raises
    ------
    PrivacyError
        ``table_file``: several sheets, too large, damaged, protected by a password, of another kind than its
        name says, not a text, no header, no record, records of different lengths.
    """
    kind, read = READERS.get(_ending(name), ("", None))
    if read is None:
        _check_sign(_start(file), name)
        return _check_size(text_read(file, most_cells=most_cells, watch=watch))
    raw = file.read()
    if not raw or raw.isspace():
        raise PrivacyError("table_file.nothing")
    sign = _check_sign(raw, name)
    if not is_whole(raw, sign):
        raise PrivacyError("table_file.damaged", kind=kind)
    try:
        return _check_size(read(raw, most_cells, sheet))
    except (PrivacyError, MemoryError):
        raise
    except Exception as error:
        # Libraries raise arbitrary exceptions for damaged files, and the message may contain a value.
        if "memory" in str(error):
            raise MemoryError from error
        raise PrivacyError("table_file.damaged", kind=kind) from error


def _start(file: BinaryIO) -> bytes:
    """Return the bytes that show the kind of a file, or only a few bytes of a text; rewind the file."""
    start = file.read(_SIGN_BYTES)
    raw = start + file.read(MOST_SEARCHED) if file_sign(start) else start
    file.seek(0)
    return raw


def _check_sign(raw: bytes, name: str) -> str:
    """Refuse a file whose contents do not match its name; return its kind."""
    sign, ending = file_sign(raw), _ending(name)
    if sign == LOCKED:
        raise PrivacyError("table_file.locked")
    if sign and sign not in READERS:
        raise PrivacyError("table_file.other", sign)
    # SPSS writes both kinds under either name.
    if sign and sign != ending and not {sign, ending} <= {"sav", "zsav"}:
        raise PrivacyError("table_file.ending", sign, name=name)
    return sign


def _ending(name: str) -> str:
    return name.lower().rpartition(".")[2]


def _check_size(table: ReadTable) -> ReadTable:
    if not len(table):
        raise PrivacyError("table_file.empty")
    if len(table.columns) > MOST_COLUMNS:
        raise PrivacyError("table_file.columns", len(table.columns), most=MOST_COLUMNS)
    return table
