"""Read a table from the bytes of a text file."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

from privacy.errors import PrivacyError
from privacy.tables.columns import ReadTable, TableBuilder
from privacy.tables.encodings import encoding_of

_SEPARATORS: Final = (",", ";", "\t", "|")
_STATED: Final = re.compile(r'"?sep=(?P<sign>[,;|\t]?)"?', re.IGNORECASE)
"""The line in which spreadsheets state their separator; if it is a tab, stripping has removed it."""
_AT_A_TIME: Final = 1 << 20
_CELLS_AT_A_TIME: Final = 1 << 18


def text_read(file: BinaryIO, *, most_cells: int, watch: Callable[[], None] = lambda: None) -> ReadTable:
    """Read a text file with a header and cells separated by commas, semicolons, tabs or bars.

    Parameters
    ----------
    file : binary file
        Read twice, so it must be seekable.
    most_cells : int
    watch : callable
        Called every few thousand records; reading stops if it raises an exception.

    Raises
    ------
    PrivacyError
        ``table_file``: not a text, no header, a record of a different length, an unclosed quotation mark,
        too many cells.
    """
    encoding = encoding_of(file)
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, newline="")
    try:
        head = text.read(_AT_A_TIME >> 4).splitlines(keepends=True)
        text.seek(0)
        sep_line = _STATED.fullmatch(head[0].strip()) if head else None
        if sep_line:
            text.readline()
        counts = {sign: len(next(csv.reader(head, delimiter=sign), [])) for sign in _SEPARATORS}
        separator = sep_line["sign"] if sep_line else max(counts, key=counts.__getitem__)
        reader = csv.reader(text, delimiter=separator or "\t", strict=True)
        return _records(reader, most_cells, watch, first=1 if sep_line else 0)
    except UnicodeDecodeError:
        raise PrivacyError("table_file.text") from None
    except csv.Error as error:
        raise PrivacyError("table_file.quotes", reader.line_num, error=error) from error
    finally:
        text.detach()


def _numbered_rows(reader: Any, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows, each with the line on which it begins."""
    before = first
    for row in reader:
        line, before = before + 1, first + reader.line_num
        if row:
            yield line, row


def _records(reader: Any, most_cells: int, watch: Callable[[], None], *, first: int) -> ReadTable:
    """Read header and records; Qualtrics puts two rows of labels below the header, which are not records."""
    rows = _numbered_rows(reader, first)
    _line, header = next(rows, (0, []))
    if not any(name.strip() for name in header):
        raise PrivacyError("table_file.header")
    builder, width, labels = TableBuilder(header), len(header), {}
    top = list(itertools.islice(rows, 2))
    if len(top) == 2 and any(cell.startswith('{"ImportId"') for cell in top[1][1]):
        labels = dict(zip(builder.header, top[0][1], strict=False))
        top = []
    everything = itertools.chain(top, rows)
    while block := list(itertools.islice(everything, max(1, _CELLS_AT_A_TIME // width))):
        watch()
        for line, row in block:
            if len(row) != width:
                raise PrivacyError("table_file.cells", len(row), row=line, columns=width)
        builder.add([row for _line, row in block], [line for line, _row in block])
        if builder.n * width > most_cells:
            raise PrivacyError("table_file.more", most_cells // width, columns=width, most=most_cells)
    return builder.table(label=labels)
