"""Number the people of a table in which people can have several records."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Whole
from privacy.errors import PrivacyError, plain, shown_list
from privacy.sdc.distinct_rows import distinct_rows
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.missing_texts import is_missing_word
from privacy.validation import MOST_ROWS

_ZEROS: Final = re.compile(r"(?=\d)0*+(\d*?)(?:[.,](?:0{1,2}|0{4,}))?")
"""Ways to write the number of a person: 7, 007, 7.0 and 7,0. Three zeros may be separated thousands."""
_POWER: Final = re.compile(r"(\d)e\+(\d\d)")
"""How R and spreadsheets write 100000: 1e+05."""


def person_key(text: str) -> str:
    """Return a text that is the same for all spellings of one person's number or name.

    Case, blanks and full-width letters do not count, nor does the way in which programs write a number.
    Two people whose spellings differ in nothing else count as one, which errs on the safe side.

    Parameters
    ----------
    text : str
        A number or name, as written in a cell.

    Examples
    --------
    >>> [person_key(text) for text in (" Ann  Lee", "ann lee", "7", "007", "7.0", "1e+05", "7.5", "1.000")]
    ['ann lee', 'ann lee', '7', '7', '7', '100000', '7.5', '1.000']
    >>> [person_key(text) for text in ("0", "00", "0.0", ".0", "")]
    ['0', '0', '0', '.0', '']
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if match := _POWER.fullmatch(plain):
        return match[1] + "0" * int(match[2])
    match = _ZEROS.fullmatch(plain)
    return (match[1] or "0") if match else plain


def person_numbers(
    columns: Sequence[tuple[Sequence[str], npt.NDArray[np.integer]]],
    is_missing: Callable[[str], bool] = lambda text: not text,
) -> tuple[Whole, int]:
    """Return the person of each record, and how many spellings were read as another one.

    Parameters
    ----------
    columns : sequence of (sequence of str, integer array of shape (n,))
        Distinct texts and codes of each column. Several columns name a person together.
    is_missing : callable
        Whether a text, as `person_key` returns it, means that a record has no value.

    Returns
    -------
    (int64 array of shape (n,), int)
        Numbers from 0; -1 if a value is missing.

    Examples
    --------
    >>> number, merged = person_numbers([(("7", "7.0", "8", ""), np.array([0, 1, 2, 0, 3]))])
    >>> number.tolist(), merged
    ([0, 0, 1, 0, -1], 1)
    """
    raw, keys, lacking = [], [], np.zeros(len(columns[0][1]), dtype=np.bool_)
    for values, codes in columns:
        known: dict[str, int] = {}
        texts = [person_key(value) for value in values]
        key = np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.int64)
        raw.append(codes.astype(np.int64))
        keys.append(key[codes])
        lacking |= np.array([is_missing(text) for text in texts], dtype=np.bool_)[codes]
    number = np.full(len(lacking), -1, dtype=np.int64)
    rows = np.flatnonzero(~lacking)
    if not len(rows):
        return number, 0
    first, number[rows] = distinct_rows([key[rows] for key in keys])
    return number, len(distinct_rows([codes[rows] for codes in raw])[0]) - len(first)


PAIRED: Final = 6
"""Number of columns, those with the most values first, of which two together may identify a person."""


@dataclass(frozen=True, kw_only=True)
class Repeated:
    """Columns that are left out and whose values repeat, so that they may say who is who.

    Parameters
    ----------
    columns : tuple of str
        One column, or several whose values are read together.
    values : int
        Number of different values.
    records : int
        Number of records that have a value.
    most : int
        Largest number of records with the same value.
    """

    columns: tuple[str, ...]
    values: int
    records: int
    most: int


def person_of(columns: Sequence[ReadColumn]) -> list[str]:
    """Return the person of each record as a text, as written in one column or in several together.

    Parameters
    ----------
    columns : sequence of ReadColumn

    Examples
    --------
    >>> table = ReadTable.of_rows(["home", "member"], ["a1", "a2"])
    >>> person_of(table.columns[:1]), person_of(table.columns)
    (['a', 'a'], ['a\\x1f1', 'a\\x1f2'])
    """
    return ["\x1f".join(parts) for parts in zip(*(column.texts for column in columns), strict=True)]


def keys_of(columns: Sequence[ReadColumn]) -> tuple[Whole, int]:
    """Return `person_numbers` of columns of a table, in which words can mean that a value is missing.

    Parameters
    ----------
    columns : sequence of ReadColumn

    Examples
    --------
    >>> keys_of(ReadTable.of_rows(["nr"], [["7"], ["8"], [""]]).columns)[0].tolist()
    [0, 1, -1]
    """
    texts = [(column.values, column.codes) for column in columns]
    return person_numbers(texts, lambda text: not text or is_missing_word(text))


def _repeated(columns: Sequence[ReadColumn]) -> Repeated | None:
    """Return the counts of columns read together if their values repeat; a single value names no one."""
    number = keys_of(columns)[0]
    counts = np.bincount(number[number >= 0])
    if len(counts) < 2 or counts.max() < 2:
        return None
    names = tuple(column.name for column in columns)
    return Repeated(columns=names, values=len(counts), records=int(counts.sum()), most=int(counts.max()))


def repeated_columns(columns: Iterable[ReadColumn]) -> tuple[Repeated, ...]:
    """Return the columns whose values repeat, those with the most values first.

    Parameters
    ----------
    columns : iterable of ReadColumn

    Examples
    --------
    >>> table = ReadTable.of_rows(["nr", "home", "sex"], ["1af", "1af", "2am", "3bf", "3bf"])
    >>> [(each.columns, each.values, each.most) for each in repeated_columns(table.columns)]
    [(('nr',), 3, 2), (('home',), 2, 3), (('sex',), 2, 4)]
    """
    found = (_repeated([column]) for column in columns)
    return tuple(sorted(filter(None, found), key=lambda each: -each.values))


def repeated_pair(table: ReadTable, found: Sequence[Repeated]) -> Repeated | None:
    """Return the two columns, of those with the most values, that identify the fewest people together.

    Together they must have more values than each alone, and still repeat. None if there are none.

    Parameters
    ----------
    table : ReadTable
    found : sequence of Repeated
        From `repeated_columns`.

    Examples
    --------
    >>> table = ReadTable.of_rows(["home", "member"], ["a1", "a2", "b1", "a1", "a2", "b1"])
    >>> repeated_pair(table, repeated_columns(table.columns))
    Repeated(columns=('home', 'member'), values=3, records=6, most=2)
    """
    pairs = []
    for first, second in combinations(found[:PAIRED], 2):
        both = _repeated([table.column(each.columns[0]) for each in (first, second)])
        if both is not None and both.values > max(first.values, second.values):
            pairs.append(both)
    return min(pairs, key=lambda each: each.values, default=None)


def person_columns(names: Sequence[str], header: Collection[str]) -> tuple[str, ...]:
    """Return the columns that identify people; questions about people name two as "household + member".

    Parameters
    ----------
    names : sequence of str
    header : collection of str
        Names of all columns.

    Examples
    --------
    >>> person_columns(["home + member"], ["home", "member"]), person_columns(["a + b"], ["a + b"])
    (('home', 'member'), ('a + b',))
    """
    parts = ([name] if name in header else name.split(" + ") for name in names)
    return tuple(part for own in parts for part in own)


def owners_of(
    table: ReadTable, names: Sequence[str], roles: Collection[str], index: Sequence[Any] = range(MOST_ROWS)
) -> tuple[Whole | None, int | None]:
    """Return the person of each record, and the number of people; None if people have one record each.

    Parameters
    ----------
    table : ReadTable
    names : sequence of str
        Columns that identify people together; (None, None) if there are none.
    roles : collection of str
        Columns with a role. None of `names` may have one, since these columns are not published.
    index : sequence
        Labels of the records in error messages.

    Raises
    ------
    PrivacyError
        ``frame``: an unknown column, one with a role, an empty cell, or one person in all records.
    """
    if not names:
        return None, None
    names = person_columns(names, table.header)
    for name in names:
        if name not in table.header:
            raise PrivacyError("frame.unknown", name, names=shown_list(table.header[:20]))
        if name in roles:
            raise PrivacyError("frame.twice", name)
    number = keys_of([table.column(name) for name in names])[0]
    joined = " + ".join(names)
    if (number < 0).any():
        rows = np.flatnonzero(number < 0)
        raise PrivacyError(
            "frame.missing", "", column=joined, count=len(rows), n=len(number), row=plain(index[rows[0]])
        )
    count = int(number.max()) + 1
    if count == 1 < len(number):
        raise PrivacyError("frame.one_person", len(number), column=joined)
    return None if count == len(number) else number, count
