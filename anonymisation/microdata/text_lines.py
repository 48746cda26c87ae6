"""Lines and cells of the texts in which attackers' beliefs and experts' matrices are written."""

from __future__ import annotations

import csv
from typing import Final

from privacy.numeric_text import finite_number, number_text
from privacy.sdc.table import Column

MOST_LINES: Final = 10_000


def numbered_lines(text: str) -> list[tuple[int, list[str]]]:
    """Split each nonempty line at commas or semicolons, also Chinese ones; return its number and its cells.

    Examples
    --------
    >>> numbered_lines("flu; 3\\n\\ncold; 1")
    [(1, ['flu', '3']), (3, ['cold', '1'])]
    """
    text = text.replace("\uff0c", ",").replace("\uff1b", ";").removeprefix("\ufeff")
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    return [
        (number, [cell.strip() for cell in row])
        for number, row in enumerate(csv.reader(text.splitlines(), delimiter=separator), start=1)
        if any(cell.strip() for cell in row)
    ]


def cell_number(text: str) -> float | None:
    """Read a number or a percentage such as ``10 %``; None if the text is neither."""
    return finite_number(text.removesuffix("%"))


def plain_value(column: Column, value: str) -> str:
    """Return a value as its column writes it; numbers are normalised."""
    number = cell_number(value) if column.numbers is not None else None
    return value if number is None else number_text(number)
