"""Whose record is whose: which records of a table are of one person, so that people are counted."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc import ColumnRule, Table
from privacy.sdc.table import finite_number, refuse_unsafe
from surveys.errors.error import SurveyError
from surveys.tables.table import ReadTable

__all__ = [
    "ALIKE",
    "RECORDS",
    "People",
    "identifies",
    "is_identifying",
    "may_identify",
    "people_of",
    "says",
    "words_of",
]

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
    return says(name, _IDENTIFIES)


def says(name: str, words: str) -> bool:
    """Whether the name of a column has one of some words; a Chinese one may stand inside others.

    Examples
    --------
    >>> [says(name, "address 出生 市") for name in ("homeAddress", "患者出生日期", "所在市", "市场")]
    [True, True, True, False]
    """
    held = words_of(name)
    # A single character inside a word is mostly part of another one.
    return any(
        word in held
        or (not word.isascii() and any(word in run if len(word) > 1 else run.endswith(word) for run in held))
        for word in words.split()
    )


def people_of(
    table: ReadTable,
    left_out: Collection[str],
    *,
    alike: Whole | None = None,
    stated: str = "",
    column: str = "",
) -> People | None:
    """Return the people of a table, or None where each record is of a different one.

    Parameters
    ----------
    table : ReadTable
    left_out : collection of str
        Columns that are not published: one of them that identifies people and has fewer values than there are
        records tells them apart, of several the one of most values.
    alike : int64 array, shape (n,), or None
        One number for records that are alike in every column; None for those of `table`.
    stated : str
        `RECORDS` or `ALIKE`; "" where nothing is said.
    column : str
        In place of all that, the column that tells people apart.

    Raises
    ------
    SurveyError
        ``people.empty``: a record has nothing in the column that tells people apart.
    """
    repeated = [
        each
        for each in table.columns
        if (each.name == column or (not column and each.name in left_out and not stated))
        and any(each.values)
        and len(each.values) < len(table)
        and (column or is_identifying(each.name, each.values, len(table)))
    ]
    if (column and not repeated) or (stated == RECORDS and not column):
        return None
    if repeated:
        chosen = max(repeated, key=lambda each: len(each.values))
        if empty := chosen.counts.get("", 0):
            raise SurveyError("people.empty", empty, name=chosen.name)
        return People(column=chosen.name, number=chosen.codes.astype(np.int64))
    number = table.alike() if alike is None else alike
    return People(column="", number=number) if len(number) and number.max() + 1 < len(number) else None


def may_identify(name: str, distinct: int, n: int) -> bool:
    """Whether a column can identify people, by its name or by as many values as people have of their own."""
    return identifies(name) or (distinct >= UNSAFE_LEAST_VALUES and distinct > UNSAFE_SHARE * n)


def is_identifying(name: str, values: Sequence[str], n: int) -> bool:
    """Whether a column that is left out identifies people, rather than a day, a remark or a region."""
    if identifies(name) or not may_identify(name, len(values), n):
        return identifies(name)
    if all(finite_number(value) is not None for value in values):
        return False
    try:
        refuse_unsafe(ColumnRule(name=name, role="quasi_identifier"), values, n)
    except PrivacyError:
        return False
    return True
