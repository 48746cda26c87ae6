"""Suppressed records of a published table."""

from __future__ import annotations

import numpy as np

from privacy.arrays import Flags, Whole
from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.table import Table


def suppressed_rows(table: Table) -> Flags:
    """Return which records are suppressed: ``*`` in every quasi-identifier, and no value in any other column.

    Some tools leave such rows in place of the records that they suppress. A row that still has a sensitive
    value counts as published and belongs to a class. If all quasi-identifiers of all records are ``*``, the
    table is one class and no record is suppressed.

    Parameters
    ----------
    table : Table
        The published table, with all columns of the file.
    """
    all_stars = np.ones(len(table), dtype=bool)
    empty = np.ones(len(table), dtype=bool)
    for column in table.columns:
        is_star = np.array([value == SUPPRESSED for value in column.values])
        if column.role == "quasi_identifier":
            all_stars &= is_star[column.codes]
        else:
            without = is_star | ~column.is_real | np.array([not value for value in column.values])
            empty &= without[column.codes]
    return np.zeros(len(table), dtype=bool) if all_stars.all() else all_stars & empty


def without_suppressed(table: Table, owners: Whole | None) -> tuple[Table, Whole | None]:
    """Return the records that are not suppressed, with their persons.

    Parameters
    ----------
    table : Table
    owners : int64 array or None
        Person of each record; None if each is of a different person.
    """
    rows = np.flatnonzero(~suppressed_rows(table))
    return table.take(rows), None if owners is None else owners[rows]
