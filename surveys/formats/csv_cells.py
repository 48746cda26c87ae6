"""CSV files: cells that no spreadsheet reads as a formula, and rows as a stream of lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from privacy.tables.formula_texts import safe_text

_NEGATIVE: Final = re.compile(r"-[0-9]+(\.[0-9]+)?")
"""Negative numbers, which are safe although they begin with a sign."""


def text_or_number(text: str) -> str:
    """Like `safe_text`, but leave numbers as written.

    >>> text_or_number("-0.5"), text_or_number("-x"), text_or_number("35-44")
    ('-0.5', "'-x", '35-44')
    """
    try:
        float(text)
    except ValueError:
        return safe_text(text)
    return text


def cell_of(value: object) -> object:
    """Convert a value to a CSV cell.

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
    """A file-like object that returns each line written to it, to stream CSV rows."""

    def write(self, line: str) -> str:
        return line


def records_as_csv(columns: tuple[str, ...], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file, header first; each record must have all columns."""
    writer = csv.writer(Echo())
    yield writer.writerow(columns)
    for record in records:
        yield writer.writerow([cell_of(record[column]) for column in columns])
