"""A published table with the roles of its columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.record_owners import owners_of, person_columns
from privacy.sdc.table import Table
from privacy.tables.columns import ReadTable
from privacy.tables.missing_texts import declared_missing, proposed_texts


def published_table(
    read: ReadTable,
    *,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    numeric: Sequence[str] = (),
    respondent: Sequence[str] = (),
) -> tuple[Table, Whole | None]:
    """Return a published table with roles, and the person of each record if a respondent column is named.

    In a sensitive column, an empty cell, ``*``, words such as NA and codes that the file declares as missing
    do not count as values. Other columns, apart from the respondent, are not checked.

    Parameters
    ----------
    read : ReadTable
        The table as it was read.
    quasi_identifiers : sequence of str
    sensitive : sequence of str
    numeric : sequence of str
        Sensitive columns with ordered numbers.
    respondent : sequence of str
        Columns that identify a person.

    Raises
    ------
    PrivacyError
        ``unknown_column``, ``frame``: a named column does not exist, has two roles, or does not identify
        people; ``no_quasi_identifier``.
    """
    names = [*quasi_identifiers, *sensitive]
    respondent = person_columns(respondent, read.header)
    for name in (*names, *numeric, *respondent):
        if name not in read.header:
            raise PrivacyError("unknown_column.name", name, names=", ".join(read.header))
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise PrivacyError("frame.twice", twice)
    if not quasi_identifiers:
        raise PrivacyError("no_quasi_identifier.space")
    rules = []
    for column in read.columns:
        name = column.name
        lacking = ("", SUPPRESSED, *proposed_texts(column.values), *declared_missing(column))
        is_known = name in quasi_identifiers
        role = "quasi_identifier" if is_known else "sensitive" if name in sensitive else "insensitive"
        rules.append(
            ColumnRule(
                name=name,
                role="identifier" if name in respondent else role,
                kind="numeric" if name in numeric else "categorical",
                missing="refuse" if name in numeric else "value",
                missing_texts=("",) if is_known else lacking,
            )
        )
    owners, count = owners_of(read, respondent, names)
    table = Table.from_codes(read.header, read.codes, rules, lenient=True)
    if count is not None and owners is None:
        owners = np.arange(len(read))
    return table, None if owners is None else owners[table.source_rows]
