"""Columns that only number the rows of a table."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from privacy.tables.columns import ReadColumn

_NUMBERS_ROWS: Final = re.compile(
    r"column \d+|unnamed: \d+|\.\.\.\d+|x|index|__index_level_0__|row(_?names?|_?numbers?|_?id)?"
)
"""Names that R and pandas give to the first column of tables they write."""

_NO_NAME: Final = re.compile(r"column \d+|unnamed: \d+|\.\.\.\d+|__index_level_0__|row_?names?")
"""Names that no one gives to a column of data. In such columns, row numbers may be in any order."""


def numbers_rows(column: ReadColumn) -> bool:
    """Return whether a column only numbers the rows.

    Rows of a subset keep their numbers, so there can be gaps. In a column that a program named, the numbers
    can be in any order.

    Parameters
    ----------
    column : ReadColumn

    Examples
    --------
    >>> from privacy.tables.columns import ReadTable
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
