"""Give every column of a table a name, and recognise those that only number the rows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from surveys.formats.csv_cells import safe_text
from surveys.imports.table import ReadColumn, ReadTable

_LONGEST_NAME: Final = 100
_NUMBERS_ROWS: Final = re.compile(
    r"column \d+|unnamed: \d+|\.\.\.\d+|x|index|__index_level_0__|row(_?names?|_?numbers?|_?id)?"
)
"""Names that R and pandas give to the first column of tables they write."""


def name_columns(table: ReadTable) -> ReadTable:
    """Return the table with a unique name for every column.

    A column without a name is named after its position, and a repeated name gets a number. A name that
    is too long is shortened, and the full name becomes the label. A name that a spreadsheet would take for
    a formula gets an apostrophe in front.

    Examples
    --------
    >>> name_columns(ReadTable.of_rows(["", "age", "age", "=1+1"], [["1", "20", "21", "2"]])).header
    ['column 1', 'age', 'age (2)', "'=1+1"]
    """
    used_names, old_names, columns = set(), set(table.header), []
    for place, column in enumerate(table.columns, 1):
        base = safe_text(column.name[:_LONGEST_NAME]) or f"column {place}"
        name, again = base, 1
        while name in used_names or (name != column.name and name in old_names):
            again += 1
            name = f"{base} ({again})"
        used_names.add(name)
        label = column.label or ("" if len(column.name) <= _LONGEST_NAME else column.name)
        columns.append(replace(column, name=name, label=label))
    return replace(table, columns=tuple(columns))


def numbers_rows(column: ReadColumn) -> bool:
    """Return whether a column only numbers the rows, from 0 or 1.

    Examples
    --------
    >>> [numbers_rows(ReadTable.of_rows([name], ["1", "2", "3"]).columns[0]) for name in ("column 1", "age")]
    [True, False]
    """
    if not _NUMBERS_ROWS.fullmatch(column.name.lower()) or len(column.values) < len(column.codes):
        return False
    return any(column.values == tuple(map(str, range(first, first + len(column.values)))) for first in (0, 1))
