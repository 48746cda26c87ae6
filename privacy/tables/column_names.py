"""Give every column of a table a unique name, and recognise columns that only number the rows."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import numpy as np

from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.decisions import Decision, Decisions
from privacy.tables.formula_texts import safe_text

LONGEST_NAME: Final = 100

_NUMBERS_ROWS: Final = re.compile(
    r"column \d+|unnamed: \d+|\.\.\.\d+|x|index|__index_level_0__|row(_?names?|_?numbers?|_?id)?"
)
"""Names that R and pandas give to the first column of tables they write."""
_NO_NAME: Final = re.compile(r"column \d+|unnamed: \d+|\.\.\.\d+|__index_level_0__|row_?names?")
"""Those that no one gives to a column of data; there, row numbers may be in any order."""


def name_columns(table: ReadTable) -> ReadTable:
    """Return the table with a unique name for every column.

    A column without a name is named after its position, and a repeated name gets a number. A name that
    is too long is shortened, and the full name becomes the label. A name that a spreadsheet would take for
    a formula gets an apostrophe in front.

    Parameters
    ----------
    table : ReadTable

    Examples
    --------
    >>> table = name_columns(ReadTable.of_rows(["", "age", "age", "=1+1"], [["1", "20", "21", "2"]]))
    >>> table.header
    ['column 1', 'age', 'age (2)', "'=1+1"]
    >>> print(table.decisions)
    The file gives no name to “column 1”.
    “age (2)” has the same name as an earlier column in the file.
    """
    used_names, old_names, columns, said = set(), set(table.header), [], []
    for place, column in enumerate(table.columns, 1):
        base = safe_text(column.name[:LONGEST_NAME]) or f"column {place}"
        name, again = base, 1
        while name in used_names or (name != column.name and name in old_names):
            again += 1
            name = f"{base} ({again})"
        used_names.add(name)
        label = column.label or ("" if len(column.name) <= LONGEST_NAME else column.name)
        columns.append(replace(column, name=name, label=label))
        if numbers_rows(columns[-1]):
            said.append(Decision.of("rows", name=name))
        elif not column.name:
            said.append(Decision.of("unnamed", name=name))
        elif again > 1:
            said.append(Decision.of("again", name=name))
    return replace(table, columns=tuple(columns), decisions=Decisions([*table.decisions, *said]))


def numbers_rows(column: ReadColumn) -> bool:
    """Return whether a column only numbers the rows.

    Rows of a subset keep their numbers, so there can be gaps. In a column that a program named, the numbers
    can be in any order.

    Parameters
    ----------
    column : ReadColumn

    Examples
    --------
    >>> names = ("column 1", "x", "age")
    >>> [numbers_rows(ReadTable.of_rows([name], ["1", "2", "7"]).columns[0]) for name in names]
    [True, True, False]
    """
    name, n = column.name.lower(), len(column.codes)
    if not _NUMBERS_ROWS.fullmatch(name) or len(column.values) < max(n, 2):
        return False
    if not all(text.isascii() and text.isdecimal() for text in column.values):
        return False
    numbers = np.array(column.values, dtype=np.float64)[column.codes]
    return bool(_NO_NAME.fullmatch(name)) or bool((np.diff(numbers) > 0).all())
