"""Whose record is whose: which records of a table are of one person, so that people are counted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc import ColumnRule, Table
from privacy.sdc.table import finite_number, refuse_unsafe
from surveys.errors.error import SurveyError

__all__ = ["ALIKE", "RECORDS", "People", "identifies", "people_of", "words_of"]

RECORDS: Final = "records"
ALIKE: Final = "alike"
"""What can be said of the people of a table: each record is of a different one; records that are alike in
every column are of one. Unsaid, an identifying column decides; else records that are alike."""

# Words in the name of a column, in English and in Chinese.
_IDENTIFIES: Final = (
    "name names surname forename firstname lastname id ids uid uuid guid code email mail phone mobile "
    "telephone address street ip ssn passport account login user respondent participant patient person "
    "姓名 名字 身份证 电话 手机 邮箱 地址 编号 学号 工号 账号"
)
_WORD: Final = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """The people of a table in which people have several records.

    Parameters
    ----------
    column : str
        Whose values tell them apart; "" where records that are alike in every column are of one person.
    number : int64 array, shape (records,)
        Person of each record that was read, 0 .. count-1.
    """

    column: str
    number: Whole

    @property
    def count(self) -> int:
        """Different people."""
        return int(self.number.max()) + 1

    def of(self, table: Table) -> Whole | None:
        """Return the person of each record of a table; None where no person has two of them left."""
        used, number = np.unique(self.number[table.source_rows], return_inverse=True)
        return None if len(used) == len(table) else number.astype(np.int64)


def words_of(name: str) -> set[str]:
    """Return the words in the name of a column: ``zipCode`` has two.

    Examples
    --------
    >>> sorted(words_of("zipCode"))
    ['code', 'zip']
    """
    return set(_WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()))


def identifies(name: str) -> bool:
    """Whether the name of a column says that it identifies people."""
    return bool(words_of(name) & set(_IDENTIFIES.split()))


def people_of(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    left_out: Collection[str],
    *,
    stated: str = "",
    column: str = "",
) -> People | None:
    """Return the people of a table, or None where each record is of a different one.

    Parameters
    ----------
    header : sequence of str
    rows : iterable of sequence of str
        Walked once.
    left_out : collection of str
        Columns that are not published: one of them that identifies people and has fewer values than there are
        records tells them apart, of several the one of most values.
    stated : str
        `RECORDS` or `ALIKE`; "" where nothing is said.
    column : str
        In place of all that, the column that tells people apart.

    Raises
    ------
    SurveyError
        ``people.empty``: a record has nothing in the column that tells people apart.
    """
    watched = [name for name in header if name == column or (not column and name in left_out and not stated)]
    places = [header.index(name) for name in watched]
    cells: list[list[str]] = [[] for _ in watched]
    keys = []
    for row in rows:
        for values, index in zip(cells, places, strict=True):
            values.append(row[index] if index < len(row) else "")
        # A key in place of the record: a million records fit. Two keys that meet count two people as one.
        keys.append(hash(tuple(row)))
    repeated = {
        name: len(set(values))
        for name, values in zip(watched, cells, strict=True)
        if any(values) and len(set(values)) < len(values) and (column or _is_identifying(name, values))
    }
    if (column and not repeated) or (stated == RECORDS and not column):
        return None
    if repeated:
        name = max(repeated, key=lambda each: repeated[each])
        values = cells[watched.index(name)]
        if empty := sum(not value for value in values):
            raise SurveyError("people.empty", empty, name=name)
        return People(column=name, number=_numbered(values))
    number = _numbered(keys)
    return People(column="", number=number) if len(number) and number.max() + 1 < len(number) else None


def _numbered(keys: Sequence[str] | Sequence[int]) -> Whole:
    known: dict[str | int, int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)


def _is_identifying(name: str, values: Sequence[str]) -> bool:
    """Whether a column that is left out identifies people, rather than a day, a remark or a region."""
    if identifies(name):
        return True
    different = set(values)
    if len(different) < UNSAFE_LEAST_VALUES or len(different) <= UNSAFE_SHARE * len(values):
        return False
    if all(finite_number(value) is not None for value in different):
        return False
    try:
        refuse_unsafe(ColumnRule(name=name, role="quasi_identifier"), list(different), len(values))
    except PrivacyError:
        return False
    return True
