"""Give every column of a table a unique name."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from privacy.tables.columns import ReadTable
from privacy.tables.decisions import Decision, Decisions
from privacy.tables.formula_texts import safe_text
from privacy.tables.row_numbers import numbers_rows

LONGEST_NAME: Final = 100


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
