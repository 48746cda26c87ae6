"""Find columns that look like people by what they contain, because other columns are constant within them.

A column that is left out and repeats is asked about, whatever it contains. One that is published, such as a
number of the person that someone generalises, distinguishes people just as well.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.numeric_text import finite_number
from privacy.sdc.record_owners import keys_of
from privacy.tables.columns import Numbers, ReadColumn, ReadTable, agreement
from privacy.tables.names import KNOWN, is_about, is_amount

LEAST_VALUES: Final = 10
"""Columns with fewer values, such as sites or groups, do not look like people."""
CANDIDATES: Final = 6
"""Number of columns, those with the most values first, that may look like people."""
CHANCE: Final = 1e-6
"""Largest probability with which independent columns would be as constant by coincidence."""
ERRORS: Final = 0.02
"""Share of repetitions in which a constant column may differ by mistake."""
_DESCRIBES: Final = KNOWN.replace(" household", "")
"""Words in the names of columns that describe people. A household has people, too."""
_SAMPLE: Final = 2_000
"""Number of records in which pairs of columns are searched first."""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A column that repeats, or two together, and two others that are constant within each value.

    Parameters
    ----------
    columns : tuple of str
        One column, or two such as household and member.
    values : int
        Number of different values.
    constant : tuple of str
        Two columns that do not determine each other, such as sex and year of birth.
    """

    columns: tuple[str, ...]
    values: int
    constant: tuple[str, ...]


def panel_of(table: ReadTable) -> Panel | None:
    """Return the column, or the two, that look most like people in a table with several records each.

    A place has a constant region and country, too, but one of these determines the other. Two columns that do
    not determine each other, such as sex and year of birth, are constant within people.

    Parameters
    ----------
    table : ReadTable

    Examples
    --------
    >>> rows = [[f"p{n // 6}", "fm"[n // 6 % 2], "aabb"[n // 6 % 4], str(n % 6)] for n in range(240)]
    >>> panel_of(ReadTable.of_rows(["nr", "sex", "born", "wave"], rows))
    Panel(columns=('nr',), values=40, constant=('sex', 'born'))
    """
    counts = {column.name: len(np.unique(number[number >= 0])) for column, number in _numbered(table)}
    repeat = sorted(
        (
            column
            for column in table.columns
            if LEAST_VALUES <= counts[column.name] < len(table) and may_number_people(column)
        ),
        key=lambda column: -counts[column.name],
    )[:CANDIDATES]
    found = [each for column in repeat if (each := _panel(table, [column])) is not None]
    if found:
        return max(found, key=lambda each: each[1])[0]
    pairs = [panel for column in repeat for panel in _pairs(table, column)]
    return max(pairs, key=lambda each: (each.values, -counts[each.columns[1]]), default=None)


def may_number_people(column: ReadColumn) -> bool:
    """Return whether a column may number people, and does not describe or measure them.

    Parameters
    ----------
    column : ReadColumn

    Examples
    --------
    >>> table = ReadTable.of_rows(["nr", "wage", "age", "hours"], [["1", "9", "30", "7.5"]])
    >>> [may_number_people(column) for column in table.columns]
    [True, False, False, False]
    """
    if is_about(column.name, _DESCRIBES) or is_amount(column.name):
        return False
    numbers = [number for text in column.values if (number := finite_number(text)) is not None]
    return 2 * sum(not number.is_integer() for number in numbers) <= len(column.values)


def panel_check(table: ReadTable, published: Collection[str]) -> None:
    """Refuse to count records if columns look like people who have several.

    Parameters
    ----------
    table : ReadTable
    published : collection of str
        Columns that will be published.

    Raises
    ------
    PrivacyError
        ``people``: the columns are left out, or published.
    """
    panel = panel_of(table)
    if panel is None:
        return
    name, (one, other) = " + ".join(panel.columns), panel.constant
    case = "people.constant" if set(panel.columns) & set(published) else "people.constant_left_out"
    raise PrivacyError(
        case, panel.values, advice="person", name=name, records=len(table), one=one, other=other
    )


def same_people(table: ReadTable, panel: Panel) -> tuple[str, ...]:
    """Return the other columns with one value for each person, such as a second number of the same people.

    Parameters
    ----------
    table : ReadTable
    panel : Panel
        From `panel_of`.

    Examples
    --------
    >>> rows = [[f"p{n // 6}", f"{90 + n // 6}", "fm"[n // 6 % 2], "aabb"[n // 6 % 4]] for n in range(240)]
    >>> table = ReadTable.of_rows(["nr", "file", "sex", "born"], rows)
    >>> same_people(table, panel_of(table))
    ('file',)
    """
    own = [table.column(name) for name in panel.columns]
    return tuple(
        column.name
        for column, number in _numbered(table)
        if column.name not in panel.columns
        and may_number_people(column)
        and len(np.unique(number[number >= 0])) == panel.values
        and keys_of([*own, column])[0].max() + 1 == panel.values
    )


def _numbered(table: ReadTable) -> Iterator[tuple[ReadColumn, Whole]]:
    for column in table.columns:
        yield column, keys_of([column])[0]


def _pairs(table: ReadTable, first: ReadColumn) -> Iterator[Panel]:
    """Yield the panels of a column together with another; all records of a value are searched together."""
    number = keys_of([first])[0]
    rows = np.argsort(number, kind="stable")
    rows = rows[np.isin(number[rows], np.unique(number[rows[:_SAMPLE]]))] if len(rows) > _SAMPLE else rows
    sample = table if len(rows) == len(table) else _records(table, rows)
    for second in table.columns:
        if second.name == first.name or not may_number_people(second):
            continue
        if _panel(sample, [first, second]) is None:
            continue
        if (found := _panel(table, [first, second])) is not None:
            yield found[0]


def _panel(table: ReadTable, columns: Sequence[ReadColumn]) -> tuple[Panel, int] | None:
    """Return the panel of columns, and how many others are constant within their values."""
    names = tuple(column.name for column in columns)
    own = [table.column(name) for name in names]
    number = keys_of(own)[0]
    rows = np.flatnonzero(number >= 0)
    number = number[rows]
    # One record of each value.
    first = np.unique(number, return_index=True)[1]
    repeats = len(number) - len(first)
    constant = []
    for column in table.columns:
        if column.name in names or not _is_unlikely(agreement(column), repeats):
            continue
        codes = column.codes[rows]
        by_value = codes[first]
        is_key = len(np.unique(by_value)) == len(first)
        # A copy of one of two columns is constant within them, but says nothing about people.
        is_copy = len(columns) > 1 and any(_is_constant(each.codes[rows], codes) for each in own)
        if not is_key and not is_copy and _is_constant(number, codes):
            constant.append((column.name, by_value))
    for (one, its), (other, others) in combinations(constant, 2):
        if not _determines(its, others) and not _determines(others, its):
            return Panel(columns=names, values=len(first), constant=(one, other)), len(constant)
    return None


def _determines(codes: Numbers, others: Numbers) -> bool:
    """Return whether values of one column determine those of another, more than coincidence explains."""
    shares = np.unique(others, return_counts=True)[1] / len(others)
    repeats = len(others) - len(np.unique(codes))
    return _is_unlikely(float((shares**2).sum()), repeats) and _is_constant(codes, others)


def _is_constant(number: Numbers, codes: Numbers) -> bool:
    """Return whether a column is constant within the values of another, except for a few errors."""
    own, number = np.unique(number, return_inverse=True)
    width = int(codes.max()) + 1
    pairs, counts = np.unique(number * width + codes, return_counts=True)
    usual = np.zeros(len(own), dtype=np.int64)
    np.maximum.at(usual, pairs // width, counts)
    # Records that differ from the most frequent value of their group.
    return bool(len(number) - usual.sum() <= (len(number) - len(own)) * ERRORS)


def _records(table: ReadTable, rows: Whole) -> ReadTable:
    columns = (replace(column, codes=column.codes[rows]) for column in table.columns)
    return replace(table, columns=tuple(columns), lines=table.lines[rows])


def _is_unlikely(equal: float, repeats: int) -> bool:
    """Return whether so many repetitions would hardly agree, if two values are equal with a probability."""
    return 0 < equal < 1 and repeats * math.log(equal) < math.log(CHANCE)
