"""Publish sampling weights as means of classes, or rounded, because an exact weight singles people out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.numeric_text import number_text
from privacy.sdc.classes import Classes
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.joined_classes import Protected
from privacy.sdc.table import Column, Table

DIGITS = 6
"""Significant digits of a published mean."""
MOST_DIGITS = 3
"""Most significant digits of a rounded weight."""
WAYS = ("mean", "rounded")
"""How sampling weights are published."""


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
    >>> from privacy.sdc.column_rule import ColumnRule
    >>> town = ColumnRule(name="town", role="quasi_identifier")
    >>> rules = [town, ColumnRule(name="w", role="weight", kind="numeric")]
    >>> table = Table.from_rows(["town", "w"], [["a", "0.5"], ["b", "2"], ["a", "1"], ["b", "2"]], rules)
    >>> average_weights(table).column("w").texts
    ['0.75', '2', '0.75', '2']
    """
    classes = Classes.of_columns(table.quasi_identifiers)
    columns = [
        _with_numbers(column, _means(column, classes)) if column.role == "weight" else column
        for column in table.columns
    ]
    return replace(table, columns=tuple(columns))


def round_weights(
    table: Table, k: int, owners: Whole | None = None, goals: Sequence[Protected] = ()
) -> Table:
    """Return a table with rounded weights, each of which k people of its class share.

    Weights are rounded to three digits. Within a class, those that fewer than k people share, or among whose
    people the bounds of a sensitive column do not hold, join their neighbours, and a group gets its rounded
    mean. So someone who knows a weight learns no more than the bounds allow. A class that remains one group
    gets its mean.

    Parameters
    ----------
    table : Table
        As for `average_weights`. If it has several weights, groups are formed by the first one.
    k : int
        Smallest number of people.
    owners : int array, shape (n,), optional
        Person of each record; None if each record is a different person.
    goals : sequence of Protected
        Sensitive columns of the same records, with their bounds.

    Raises
    ------
    PrivacyError
        ``weights.sign``: a weight is not above 0.

    Notes
    -----
    Groups of neighbours with a common mean are univariate microaggregation.

    References
    ----------
    Domingo-Ferrer and Mateo-Sanz 2002.

    Examples
    --------
    >>> from privacy.sdc.column_rule import ColumnRule
    >>> town = ColumnRule(name="town", role="quasi_identifier")
    >>> rules = [town, ColumnRule(name="w", role="weight", kind="numeric")]
    >>> rows = [["a", "0.52"], ["a", "0.54"], ["a", "2.1"], ["a", "1.9"], ["b", "1"], ["b", "3"]]
    >>> round_weights(Table.from_rows(["town", "w"], rows, rules), 2).column("w").texts
    ['0.53', '0.53', '2', '2', '2', '2']
    """
    classes = Classes.of_columns(table.quasi_identifiers)
    weights = table.with_role("weight")
    means = {column.name: _means(column, classes) for column in weights}
    if not weights:
        return table
    groups = _grouped(weights[0], classes, k, owners, goals)
    shown = {column.name: _means(column, groups, MOST_DIGITS) for column in weights}
    # Means of two groups can round to the same number.
    keys = [np.unique(own, return_inverse=True)[1] for own in shown.values()]
    groups = Classes.from_numbers(distinct_rows([classes.number, *keys])[1])
    split = np.bincount(classes.number[distinct_rows([groups.number])[0]], minlength=classes.count) > 1
    unsafe = _fails(groups, k, owners, goals)
    split[classes.number[unsafe[groups.number]]] = False
    columns = tuple(
        _with_numbers(column, np.where(split[classes.number], shown[column.name], means[column.name]))
        if column.role == "weight"
        else column
        for column in table.columns
    )
    return replace(table, columns=columns)


def _grouped(
    column: Column, classes: Classes, k: int, owners: Whole | None, goals: Sequence[Protected]
) -> Classes:
    """Return groups of neighbouring weights within classes, joined until k people and the goals are met."""
    numbers = np.array([float(f"{each:.{MOST_DIGITS}g}") for each in _numbers(column).tolist()])
    pairs, cell = np.unique(
        np.column_stack([classes.number, numbers[column.codes]]), axis=0, return_inverse=True
    )
    cell, sizes = cell.ravel(), np.bincount(cell.ravel())
    own_class, logs = pairs[:, 0], np.log(pairs[:, 1]) * sizes
    joined = np.zeros(len(pairs), dtype=bool)
    while True:
        # Cells that are joined to the one before have its group.
        group = np.cumsum(~joined) - 1
        starts = np.flatnonzero(~joined)
        groups = Classes.from_numbers(group[cell])
        centres = np.add.reduceat(logs, starts) / np.add.reduceat(sizes, starts)
        gaps = np.where(np.diff(own_class[starts]) == 0, np.diff(centres), np.inf)
        before, after = np.append(np.inf, gaps), np.append(gaps, np.inf)
        fails = _fails(groups, k, owners, goals) & np.isfinite(np.minimum(before, after))
        if not fails.any():
            return groups
        # Numbers of groups that join the one before; of neighbouring ones, every second waits for a round.
        wanted = np.union1d(
            np.flatnonzero(fails & (before <= after)), np.flatnonzero(fails & (before > after)) + 1
        )
        runs = np.cumsum(np.diff(wanted, prepend=-2) > 1)
        place = np.arange(len(wanted)) - np.searchsorted(runs, runs)
        joined[starts[wanted[place % 2 == 0]]] = True


def _fails(groups: Classes, k: int, owners: Whole | None, goals: Sequence[Protected]) -> Flags:
    """Return for each group whether it has fewer than k people, or does not meet a goal."""
    fails: Flags = groups.crowds(owners) < k
    whole = Classes.from_numbers(np.zeros_like(groups.number))
    for goal in goals:
        fails |= goal.excess(goal.count(groups), goal.count(whole)) > 0
    return fails


def total_ratios(before: Table, after: Table) -> dict[str, float]:
    """Return the total of each published sampling weight, divided by that of the original one.

    Parameters
    ----------
    before, after : Table
        The same records with original and with published weights.
    """
    return {
        column.name: _total(after.column(column.name)) / _total(column)
        for column in before.with_role("weight")
    }


def _total(column: Column) -> float:
    return float(_numbers(column)[column.codes].sum())


def _numbers(column: Column) -> Array:
    """Return the distinct weights of a column, in ascending order; refuse those that are not above 0."""
    if column.numbers is None or column.numbers[0] <= 0:
        raise PrivacyError("weights.sign", column.values[0], column=column.name)
    return column.numbers


def _means(column: Column, groups: Classes, digits: int = DIGITS) -> Array:
    """Return the mean of its group for each record."""
    sums = np.bincount(groups.number, weights=_numbers(column)[column.codes], minlength=groups.count)
    means = [float(f"{mean:.{digits}g}") for mean in (sums / groups.sizes).tolist()]
    return np.array(means)[groups.number]


def _with_numbers(column: Column, shown: Array) -> Column:
    numbers, codes = np.unique(shown, return_inverse=True)
    values = tuple(number_text(number) for number in numbers.tolist())
    return replace(column, values=values, codes=codes.astype(np.int32), numbers=numbers)
