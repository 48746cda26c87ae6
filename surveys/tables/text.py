"""Text files of cells: their encoding, what separates cells, and their records, read some at a time."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

from surveys.errors.error import SurveyError
from surveys.tables.encodings import older_encoding
from surveys.tables.table import ReadTable, TableBuilder

__all__ = ["encoding_of", "text_read"]

_SEPARATORS: Final = (",", ";", "\t", "|")
_STATED: Final = re.compile(r'"?sep=(?P<sign>[,;|\t]?)"?', re.IGNORECASE)
"""The line by which spreadsheets state their separator; a tab at its end was stripped."""
_AT_A_TIME: Final = 1 << 20
_SAMPLE: Final = 1 << 16
_CELLS_AT_A_TIME: Final = 1 << 18
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def text_read(file: BinaryIO, *, most_cells: int, watch: Callable[[], None] = lambda: None) -> ReadTable:
    """Read a text with a header: cells between commas, semicolons or tabs.

    Parameters
    ----------
    file : binary file
        It is walked twice.
    most_cells : int
    watch : callable
        Called between some thousand records; what it raises ends the reading.

    Raises
    ------
    SurveyError
        ``table_file``: no text, no header, a record of another length, an open quotation mark, too many
        cells.
    """
    encoding = encoding_of(file)
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, newline="")
    try:
        head = text.read(_AT_A_TIME >> 4).splitlines(keepends=True)
        text.seek(0)
        stated = _STATED.fullmatch(head[0].strip()) if head else None
        if stated:
            text.readline()
        counts = {sign: len(next(csv.reader(head, delimiter=sign), [])) for sign in _SEPARATORS}
        separator = stated["sign"] if stated else max(counts, key=counts.__getitem__)
        reader = csv.reader(text, delimiter=separator or "\t", strict=True)
        return _records(reader, most_cells, watch, first=1 if stated else 0)
    except UnicodeDecodeError:
        raise SurveyError("table_file.text") from None
    except csv.Error as error:
        raise SurveyError("table_file.quotes", reader.line_num, error=error) from error
    finally:
        text.detach()


def encoding_of(file: BinaryIO) -> str:
    """Return the name of the encoding of a file.

    Notes
    -----
    A mark at the beginning decides; then UTF-16 where bytes are empty; UTF-8 where all of it is;
    then as `surveys.tables.encodings.older_encoding` says.

    Examples
    --------
    >>> texts = [("性别", "gb18030"), ("Größe", "cp1252")]
    >>> [encoding_of(io.BytesIO(text.encode(name))) for text, name in texts]
    ['gb18030', 'cp1252']
    """
    start = file.read(4096)
    for mark, name in _MARKS.items():
        if start.startswith(mark):
            return name
    if empty := start.count(0):
        return "utf-16-le" if start[1::2].count(0) > empty / 2 else "utf-16-be"
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in iter(lambda: file.read(_AT_A_TIME), b""):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return _older_encoding(file)
    return "utf-8"


def _older_encoding(file: BinaryIO) -> str:
    file.seek(0)
    raw = file.read(_SAMPLE)
    # Whole lines, so that no character is cut in two.
    return older_encoding(raw if len(raw) < _SAMPLE else raw[: raw.rfind(b"\n") + 1])


def _numbered(reader: Any, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the line on which it begins."""
    before = first
    for row in reader:
        line, before = before + 1, first + reader.line_num
        if row:
            yield line, row


def _records(reader: Any, most_cells: int, watch: Callable[[], None], *, first: int) -> ReadTable:
    """Read header and records; heads of Qualtrics below it are labels, not people."""
    counted = _numbered(reader, first)
    _line, header = next(counted, (0, []))
    if not any(name.strip() for name in header):
        raise SurveyError("table_file.header")
    builder, width, labels = TableBuilder(header), len(header), {}
    top = list(itertools.islice(counted, 2))
    if len(top) == 2 and any(cell.startswith('{"ImportId"') for cell in top[1][1]):
        labels = dict(zip(builder.header, top[0][1], strict=False))
        top = []
    everything = itertools.chain(top, counted)
    while block := list(itertools.islice(everything, max(1, _CELLS_AT_A_TIME // width))):
        watch()
        for line, row in block:
            if len(row) != width:
                raise SurveyError("table_file.cells", len(row), row=line, columns=width)
        builder.add([row for _line, row in block], [line for line, _row in block])
        if builder.n * width > most_cells:
            raise SurveyError("table_file.more", most_cells // width, columns=width, most=most_cells)
    return builder.table(label=labels)
