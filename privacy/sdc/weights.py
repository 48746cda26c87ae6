"""Publish sampling weights: the mean of each class, because an exact weight singles people out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.table import Column, Table
from privacy.validation import number_text

DIGITS = 6
"""Significant digits of a published mean."""


def average_weights(table: Table) -> Table:
    """Return a table in which each sampling weight is the mean of its class.

    The records of a class differ in no weight, so a weight singles out no one that the class does not. Totals
    of classes, and so of the table, stay.

    Parameters
    ----------
    table : Table
        Published columns, with the role ``weight`` for sampling weights.

    Raises
    ------
    PrivacyError
        ``weights.sign``: a weight is not above 0.

    Examples
    --------
    >>> from privacy.sdc.table import ColumnRule
    >>> town = ColumnRule(name="town", role="quasi_identifier")
    >>> rules = [town, ColumnRule(name="w", role="weight", kind="numeric")]
    >>> table = Table.from_rows(["town", "w"], [["a", "0.5"], ["b", "2"], ["a", "1"], ["b", "2"]], rules)
    >>> average_weights(table).column("w").texts
    ['0.75', '2', '0.75', '2']
    """
    classes = Classes.of_columns(table.quasi_identifiers)
    columns = [_averaged(column, classes) if column.role == "weight" else column for column in table.columns]
    return replace(table, columns=tuple(columns))


def _averaged(column: Column, classes: Classes) -> Column:
    if column.numbers is None or column.numbers[0] <= 0:
        raise PrivacyError("weights.sign", column.values[0], column=column.name)
    sums = np.bincount(classes.number, weights=column.numbers[column.codes], minlength=classes.count)
    means = [float(f"{mean:.{DIGITS}g}") for mean in (sums / classes.sizes).tolist()]
    numbers, codes = np.unique(means, return_inverse=True)
    return replace(
        column,
        values=tuple(number_text(number) for number in numbers.tolist()),
        codes=codes.astype(np.int32)[classes.number],
        numbers=numbers,
    )
