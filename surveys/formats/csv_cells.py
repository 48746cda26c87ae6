"""CSV files that spreadsheets do not evaluate: cells without formulas, and lines that are streamed."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

__all__ = ["Echo", "cell_of", "records_as_csv", "safe_text", "text_or_number"]

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters that spreadsheets interpret as the beginning of a formula."""

_NEGATIVE: Final = re.compile(r"-[0-9]+(\.[0-9]+)?")
"""A negative number, which is safe although it begins with a sign."""


def safe_text(text: str) -> str:
    """Return a text that no spreadsheet interprets as a formula.

    >>> safe_text("=1+1"), safe_text("affair"), safe_text("")
    ("'=1+1", 'affair', '')
    """
    return "'" + text if text.startswith(_FORMULA) else text


def text_or_number(text: str) -> str:
    """Return a text that no spreadsheet interprets as a formula; a number stays as written.

    >>> text_or_number("-0.5"), text_or_number("-x"), text_or_number("35-44")
    ('-0.5', "'-x", '35-44')
    """
    try:
        float(text)
    except ValueError:
        return safe_text(text)
    return text


def cell_of(value: object) -> object:
    """Return a value in the form of a CSV cell.

    >>> cell_of("=1+1"), cell_of("-2"), cell_of(-0.1), cell_of(None), cell_of(True)
    ("'=1+1", '-2', -0.1, '', 1)
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and not _NEGATIVE.fullmatch(value):
        return safe_text(value)
    return value


class Echo:
    """A file that returns what is written to it, so that rows are streamed."""

    def write(self, line: str) -> str:
        return line


def records_as_csv(columns: tuple[str, ...], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file, the header first; each record has all columns."""
    writer = csv.writer(Echo())
    yield writer.writerow(columns)
    for record in records:
        yield writer.writerow([cell_of(record[column]) for column in columns])
