"""Read a table from a file of any known format."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Final

from privacy.errors import PrivacyError
from privacy.tables.columns import ReadTable
from privacy.tables.packed_file import READERS
from privacy.tables.text_file import text_read

MOST_COLUMNS: Final = 500
MOST_CELLS_OF_A_FILE: Final = 500_000_000


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
        ``table_file``: several sheets, too large, damaged, not a text, no header, no record, records of
        different lengths.
    """
    kind, read = READERS.get(_ending(name), ("", None))
    if read is None:
        return _check_size(text_read(file, most_cells=most_cells, watch=watch))
    try:
        return _check_size(read(file.read(), most_cells, sheet))
    except (PrivacyError, MemoryError):
        raise
    except Exception as error:
        # Libraries raise arbitrary exceptions for damaged files, and the message may contain a value.
        if "memory" in str(error):
            raise MemoryError from error
        raise PrivacyError("table_file.damaged", kind=kind) from error


def _ending(name: str) -> str:
    return name.lower().rpartition(".")[2]


def _check_size(table: ReadTable) -> ReadTable:
    if not len(table):
        raise PrivacyError("table_file.empty")
    if len(table.columns) > MOST_COLUMNS:
        raise PrivacyError("table_file.columns", len(table.columns), most=MOST_COLUMNS)
    return table
