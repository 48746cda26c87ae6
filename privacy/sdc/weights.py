"""Publish sampling weights as means of classes, or rounded, because an exact weight singles people out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes
from privacy.sdc.table import Column, Table
from privacy.validation import number_text

DIGITS = 6
"""Significant digits of a published mean."""
MOST_DIGITS = 3
"""Most significant digits of a rounded weight."""


def average_weights(table: Table) -> Table:
    """Return a table in which each sampling weight is the mean of its class.

    All records of a class have the same weight, so a weight singles out no one that the class does not.
    Totals of classes, and so of the table, stay the same.

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


def round_weights(table: Table, k: int, owners: Whole | None = None) -> Table:
    """Return a table with rounded weights, each of which k people of its class share.

    Each class gets the most significant digits, at most `MOST_DIGITS`, with which k people share every value
    of every weight in it. If one digit is too many, its weights are means.

    Parameters
    ----------
    table : Table
        As for `average_weights`.
    k : int
        Smallest number of people.
    owners : int array, shape (n,), optional
        Person of each record; None if each record is a different person.

    Raises
    ------
    PrivacyError
        ``weights.sign``: a weight is not above 0.

    Examples
    --------
    >>> from privacy.sdc.table import ColumnRule
    >>> town = ColumnRule(name="town", role="quasi_identifier")
    >>> rules = [town, ColumnRule(name="w", role="weight", kind="numeric")]
    >>> rows = [["a", "0.52"], ["a", "0.54"], ["a", "2.1"], ["a", "1.9"], ["b", "1"], ["b", "3"]]
    >>> round_weights(Table.from_rows(["town", "w"], rows, rules), 2).column("w").texts
    ['0.5', '0.5', '2', '2', '2', '2']
    """
    classes = Classes.of_columns(table.quasi_identifiers)
    weights = [column for column in table.columns if column.role == "weight"]
    if not weights:
        return table
    people = np.arange(len(table)) if owners is None else owners
    shown = {column.name: _means(column, classes) for column in weights}
    is_open = np.ones(classes.count, dtype=bool)
    for digits in range(MOST_DIGITS, 0, -1):
        rounded = {
            column.name: np.array([float(f"{number:.{digits}g}") for number in column.numbers.tolist()])[
                column.codes
            ]
            for column in weights
            if column.numbers is not None
        }
        key = np.column_stack([classes.number, *rounded.values()])
        group = np.unique(key, axis=0, return_inverse=True)[1].ravel()
        members = np.unique(np.column_stack([group, people]), axis=0)
        crowd = np.bincount(members[:, 0])[group]
        fewest = np.full(classes.count, len(table))
        np.minimum.at(fewest, classes.number, crowd)
        now = is_open & (fewest >= k)
        is_open &= ~now
        for name, values in rounded.items():
            shown[name] = np.where(now[classes.number], values, shown[name])
    columns = tuple(
        _with_numbers(column, shown[column.name]) if column.role == "weight" else column
        for column in table.columns
    )
    return replace(table, columns=columns)


def _averaged(column: Column, classes: Classes) -> Column:
    return _with_numbers(column, _means(column, classes))


def _means(column: Column, classes: Classes) -> Array:
    """Return the mean of its class for each record."""
    if column.numbers is None or column.numbers[0] <= 0:
        raise PrivacyError("weights.sign", column.values[0], column=column.name)
    sums = np.bincount(classes.number, weights=column.numbers[column.codes], minlength=classes.count)
    means = [float(f"{mean:.{DIGITS}g}") for mean in (sums / classes.sizes).tolist()]
    return np.array(means)[classes.number]


def _with_numbers(column: Column, shown: Array) -> Column:
    numbers, codes = np.unique(shown, return_inverse=True)
    values = tuple(number_text(number) for number in numbers.tolist())
    return replace(column, values=values, codes=codes.astype(np.int32), numbers=numbers)
