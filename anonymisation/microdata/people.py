"""Find out which records of a table belong to one person, so that bounds can count people."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc.table import ColumnRule, Table, refuse_unsafe
from privacy.validation import finite_number
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadColumn, ReadTable

RECORDS: Final = "records"
ALIKE: Final = "alike"
"""Statements that a publisher can make about a table: every record belongs to a different person, or records
that are equal in every column belong to one person."""

# Words in the names of columns that identify people, in English and Chinese.
_IDENTIFIES: Final = (
    "name names surname forename firstname lastname id ids uid uuid guid code email mail phone mobile "
    "telephone address street ip ssn passport account login user respondent participant patient person "
    "姓名 名字 身份证 电话 手机 邮箱 地址 编号 学号 工号 账号"
)
# Words in the names of columns that number people, so that equal values mean the same person.
_NUMBERS_PEOPLE: Final = (
    "respondent participant patient person user login account uid email mail ssn passport "
    "身份证 邮箱 学号 工号 账号 患者 病人 受访者 参与者 学生 用户 员工"
)
_ID: Final = frozenset(("id", "ids", "uuid", "guid"))
# Words in the names of columns whose values several people share.
_SHARED: Final = (
    "address street ip zip postcode family household school class "
    "surname forename firstname lastname first last 地址"
)
DEPENDENCE: Final = 2
"""Ask the publisher if equal records are more than this many times as frequent as in independent columns."""
_SURELY_MORE: Final = 0.01
"""Ask the publisher if the probability of so many equal records by chance is below this."""
_PREPOSITIONS: Final = frozenset(("of", "at", "in", "by"))
_ENDINGS: Final = frozenset(
    (
        *("group", "grp", "category", "cat", "code", "level", "band", "range", "bracket", "years", "months"),
        *("number", "num", "no", "value", "type", "status", "title"),
    )
)
"""Words at the end of a name that describe the column instead of naming its subject."""
_WORD: Final = re.compile(r"[a-z]+|[\u4e00-\u9fff]+")


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """The people of a table in which people have several records.

    Parameters
    ----------
    column : str
        Column whose values distinguish people; "" if equal records belong to one person.
    number : int64 array, shape (records,)
        Person of each record that was read, 0 .. count-1.
    """

    column: str
    number: Whole

    @property
    def count(self) -> int:
        """Number of people."""
        return int(self.number.max()) + 1

    def of(self, table: Table) -> Whole | None:
        """Return the person of each record of a table; None if no person has more than one left in it."""
        owners, number = np.unique(self.number[table.source_rows], return_inverse=True)
        return None if len(owners) == len(table) else number.astype(np.int64)


def words_of(name: str) -> set[str]:
    """Return the words in the name of a column; ``zipCode`` has two.

    Examples
    --------
    >>> sorted(words_of("zipCode"))
    ['code', 'zip']
    """
    return set(_ordered_words(name))


def _ordered_words(name: str) -> list[str]:
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def identifies(name: str) -> bool:
    """Return whether a column identifies people, judging by its name."""
    return says(name, _IDENTIFIES)


def says(name: str, words: str) -> bool:
    """Return whether a column's name contains one of some words; a Chinese word may be part of a longer one.

    Examples
    --------
    >>> [says(name, "address 出生 市") for name in ("homeAddress", "患者出生日期", "所在市", "市场")]
    [True, True, True, False]
    """
    parts = words_of(name)
    # A single Chinese character counts only at the end, because inside it usually belongs to another word.
    return any(
        word in parts
        or (not word.isascii() and any(word in run if len(word) > 1 else run.endswith(word) for run in parts))
        for word in words.split()
    )


def is_about(name: str, words: str) -> bool:
    """Return whether the subject of a column's name, not just any word in it, is one of some words.

    Examples
    --------
    >>> names = ("age_group", "sex_at_birth", "two_year_recid", "性别")
    >>> [is_about(name, "age sex year 性别") for name in names]
    [True, True, False, True]
    """
    parts = _ordered_words(name)
    if not all(map(str.isascii, parts)):
        return says(name, words)
    before = [*takewhile(lambda word: word not in _PREPOSITIONS, parts)]
    subject = [word for word in before if word not in _ENDINGS] or parts
    return bool(subject) and subject[-1] in words.split()


def agreement(column: ReadColumn) -> float:
    """Return the share of all pairs of records that have the same value in a column.

    Examples
    --------
    >>> agreement(ReadTable.of_rows(["sex"], ["f", "f", "m"]).column("sex"))
    0.3333333333333333
    """
    counts, n = np.bincount(column.codes).astype(float), len(column.codes)
    return float((counts * (counts - 1)).sum() / max(1, n * (n - 1)))


def people_of(
    table: ReadTable,
    left_out: Collection[str],
    *,
    record_numbers: Whole | None = None,
    agreements: Iterable[float] | None = None,
    statement: str = "",
    column: str = "",
) -> People | None:
    """Return the people of a table, or None if each record belongs to a different person.

    The publisher's statement decides. Without one, a column decides that is left out and has a different
    value in every record; failing that, a column that numbers people. Equal records count as one person only
    if the publisher says so, because a table with few columns has many equal records. If the table leaves it
    open, the publisher is asked.

    Parameters
    ----------
    table : ReadTable
    left_out : collection of str
        Columns that are not published.
    record_numbers : int64 array, shape (n,), or None
        Numbers that are the same for records that are equal in every column; None to compute them from
        `table`.
    agreements : iterable of float or None
        `agreement` of every column; None to compute it from `table`.
    statement : str
        `RECORDS` or `ALIKE`; "" if not stated.
    column : str
        The column that the publisher named to distinguish people, if any; overrides `statement`.

    Raises
    ------
    SurveyError
        ``people.empty``: a record has an empty cell in the column that distinguishes people;
        ``people.repeated``: it is unclear whether a column numbers people; ``people.alike``: more records are
        equal than coincidence explains.
    """
    if column:
        id_column = table.column(column)
        return _by_column(id_column) if len(id_column.values) < len(table) else None
    if statement == RECORDS:
        return None
    number = table.record_numbers() if record_numbers is None else record_numbers
    if statement == ALIKE:
        return People(column="", number=number) if len(number) and number.max() + 1 < len(number) else None
    n = len(table)
    identifying = [
        each
        for each in table.columns
        if each.name in left_out and any(each.values) and is_identifying(each.name, each.values, n)
    ]
    candidates = sorted(
        (each for each in identifying if len(each.values) < n),
        key=lambda each: len(each.values),
        reverse=True,
    )
    numbering = [each for each in candidates if numbers_people(each.name)]
    if any(len(each.values) == n and "" not in each.values for each in identifying):
        for each in numbering:
            if "" not in each.values:
                raise SurveyError("people.repeated", len(each.values), name=each.name, records=n)
        return None
    if numbering:
        return _by_column(numbering[0])
    for each in candidates:
        if "" not in each.values and not says(each.name, _SHARED):
            raise SurveyError("people.repeated", len(each.values), name=each.name, records=n)
    _equal_check(number, [agreement(each) for each in table.columns] if agreements is None else agreements)
    return None


def _by_column(source: ReadColumn) -> People:
    if empty := source.counts.get("", 0):
        raise SurveyError("people.empty", empty, name=source.name)
    return People(column=source.name, number=source.codes.astype(np.int64))


def _equal_check(number: Whole, agreements: Iterable[float]) -> None:
    """Refuse to guess if more pairs of records are equal than the shares of the values explain."""
    counts = np.bincount(number)
    found = int((counts * (counts - 1) // 2).sum())
    expected = math.prod(agreements) * len(number) * (len(number) - 1) / 2
    # Columns depend on each other, so equal records are more frequent than in independent columns.
    if found and scipy.special.gammainc(found, DEPENDENCE * expected) < _SURELY_MORE:
        equal = int(counts[counts > 1].sum())
        raise SurveyError("people.alike", equal, records=len(number))


def numbers_people(name: str) -> bool:
    """Return whether a column numbers people, judging by its name.

    Examples
    --------
    >>> [numbers_people(name) for name in ("id", "patientId", "school_id", "name")]
    [True, True, False, False]
    """
    parts = words_of(name)
    return says(name, _NUMBERS_PEOPLE) or (bool(parts) and parts <= _ID) or name.strip() == "编号"


def may_identify(name: str, distinct: int, n: int) -> bool:
    """Return whether a column can identify people, by its name or because nearly all values differ."""
    return identifies(name) or (distinct >= UNSAFE_LEAST_VALUES and distinct > UNSAFE_SHARE * n)


def is_identifying(name: str, values: Sequence[str], n: int) -> bool:
    """Return whether a column that is left out identifies people, and not a day, a remark or a region."""
    if identifies(name) or not may_identify(name, len(values), n):
        return identifies(name)
    if all(finite_number(value) is not None for value in values):
        return False
    try:
        refuse_unsafe(ColumnRule(name=name, role="quasi_identifier"), values, n)
    except PrivacyError:
        return False
    return True
