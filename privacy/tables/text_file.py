"""Read a table from the bytes of a text file."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, BinaryIO, Final

from privacy.errors import PrivacyError
from privacy.tables.columns import ReadTable, TableBuilder
from privacy.tables.decisions import Decision
from privacy.tables.encodings import encoding_of
from privacy.tables.header import Line, head_of

_SEPARATORS: Final = (",", ";", "\t", "|")
_STATED: Final = re.compile(r'"?sep=(?P<sign>[,;|\t]?)"?', re.IGNORECASE)
"""The line in which spreadsheets state their separator; if it is a tab, stripping has removed it."""
_AT_A_TIME: Final = 1 << 20
_CELLS_AT_A_TIME: Final = 1 << 18
_LABEL_LINES: Final = 2


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
        separator = sep_line["sign"] if sep_line else separator_of(head)
        reader = csv.reader(text, delimiter=separator or "\t", strict=True)
        said = [] if encoding.startswith("utf-8") else [Decision.of("encoding", name=encoding.upper())]
        lines = _numbered_rows(reader, 1 if sep_line else 0)
        return lines_table(lines, most_cells=most_cells, watch=watch, decisions=said)
    except UnicodeDecodeError:
        raise PrivacyError("table_file.text") from None
    except csv.Error as error:
        raise PrivacyError("table_file.quotes", reader.line_num, error=error) from error
    finally:
        text.detach()


def separator_of(lines: Sequence[str]) -> str:
    """Return the sign that divides the longest run of lines into equally many cells; of several, into more.

    Parameters
    ----------
    lines : sequence of str
        Lines of a file.

    Examples
    --------
    >>> separator_of(["Survey, May", "a;b", "1,5;2", "2,5;3"])
    ';'
    """
    found = {}
    for sign in _SEPARATORS:
        widths = [len(row) for row in csv.reader(lines, delimiter=sign) if row]
        runs = [(len(list(run)), width) for width, run in itertools.groupby(widths) if width > 1]
        # Texts of a single column contain bars, and are not quoted for it.
        is_below_titles = sign == "|" and bool(widths) and widths[0] == 1
        found[sign] = max(runs, default=(0, 0)) if not is_below_titles else (0, 0)
    return max(found, key=found.__getitem__)


def _numbered_rows(reader: Any, first: int) -> Iterator[Line]:
    """Yield the non-empty rows, each with the line on which it begins."""
    before = first
    for row in reader:
        line, before = before + 1, first + reader.line_num
        if row:
            yield line, row


def lines_table(
    lines: Iterator[Line],
    *,
    most_cells: int,
    watch: Callable[[], None] = lambda: None,
    decisions: Sequence[Decision] = (),
    is_padded: bool = False,
    limits: Callable[[int], Any] | None = None,
) -> ReadTable:
    """Read header and records; Qualtrics puts two rows of labels below the header, which are not records.

    Parameters
    ----------
    lines : iterator of (int, list of str)
    most_cells : int
    watch : callable
        Called every few thousand records; reading stops if it raises an exception.
    decisions : sequence of Decision
        What was decided before.
    is_padded : bool
        As for `head_of`. Otherwise all records must have as many cells as the header.
    limits : callable, optional
        Called with the characters of each block of records; it may raise an exception.

    Raises
    ------
    PrivacyError
        ``table_file``: no header, a record of a different length, too many cells.
    """
    head = head_of(lines, is_padded=is_padded)
    if head is None:
        raise PrivacyError("table_file.header")
    builder, labels = TableBuilder(head.names), dict(zip(head.names, head.labels, strict=True))
    top = list(itertools.islice(head.records, 2))
    if len(top) == _LABEL_LINES and any(cell.startswith('{"ImportId"') for cell in top[1][1]):
        labels = dict(zip(builder.header, top[0][1], strict=False))
        top = []
    everything = itertools.chain(top, head.records)
    while block := list(itertools.islice(everything, max(1, _CELLS_AT_A_TIME // len(head.names)))):
        watch()
        rows = [_trimmed(row, number, builder, is_padded=is_padded) for number, row in block]
        if limits is not None:
            limits(sum(len(cell) for row in rows for cell in row))
        width = len(builder.header)
        builder.add([[*row, *[""] * (width - len(row))] for row in rows], [number for number, _row in block])
        if builder.n * width > most_cells:
            raise PrivacyError("table_file.more", most_cells // width, columns=width, most=most_cells)
    labels = {name: labels_of_column for name, labels_of_column in labels.items() if labels_of_column}
    table = builder.table([*decisions, *head.decisions], label=labels)
    columns = list(table.columns)
    while columns and not columns[-1].name and not set(columns[-1].values) - {""}:
        columns.pop()
    return replace(table, columns=tuple(columns))


def _trimmed(row: list[str], number: int, builder: TableBuilder, *, is_padded: bool) -> list[str]:
    """Return a record without empty cells beyond the header; make room for others if they are allowed."""
    width = len(builder.header)
    while len(row) > width and not row[-1].strip():
        row = row[:-1]
    if is_padded:
        builder.widen(len(row))
    elif len(row) != width:
        raise PrivacyError("table_file.cells", len(row), row=number, columns=width)
    return row
