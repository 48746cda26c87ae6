"""Find out which records of a table belong to one person, so that bounds can count people."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from typing import Any, Final

import numpy as np
import scipy

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc.people import person_numbers
from privacy.sdc.table import ColumnRule, Table, refuse_unsafe
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.missing import is_missing_word
from privacy.validation import finite_number
from surveys.errors.error import SurveyError

RECORDS: Final = "records"
ALIKE: Final = "alike"
"""Statements that a publisher can make about a table: every record belongs to a different person, or records
that are equal in every column belong to one person."""
NAMED: Final = "named"
UNIQUE: Final = "unique"
UNREPEATED: Final = "unrepeated"
SURVEY: Final = "survey"
"""Other reasons to count people or records: columns that the publisher named repeat, or do not; no column
that is left out repeats; each row of a survey is one response."""

# Words in the names of columns that identify people, in English and Chinese.
_IDENTIFIES: Final = (
    "name names surname forename firstname lastname id ids uid uuid guid code email mail phone mobile "
    "telephone address street ip ssn passport account login user respondent participant patient person "
    "姓名 名字 身份证 电话 手机 邮箱 地址 编号 学号 工号 账号"
)
KNOWN: Final = (
    "age birth born birthday year sex gender zip postcode postal plz region district county city town state "
    "country nationality race ethnicity marital married children household education school degree "
    "occupation job work workclass profession employer department grade class language height weight "
    "年龄 出生 生日 性别 邮编 地区 省 市 县 省份 城市 国家 国籍 民族 婚姻 子女 教育 学历 文化程度 职业 工作 "
    "单位 部门 年级 班级 身高 体重"
)
"""Words in the names of columns that describe people, and that others can know."""
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


UNASKED: Final = (
    "All figures of this release count records, not people. It was made before the publisher was asked which "
    "records belong to one person. If people have several records, a whole class can be one person."
)
"""What files of releases made before the question existed must say, in English like all of them."""
_LISTED: Final = 4
"""Largest number of columns that a question about people lists."""
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


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """The people of a table in which people have several records.

    Parameters
    ----------
    columns : tuple of str
        Columns whose values together distinguish people; empty if equal records belong to one person.
    number : int64 array, shape (records,)
        Person of each record that was read, 0 .. count-1.
    merged : int
        Number of spellings that were read as another spelling of the same person.
    """

    columns: tuple[str, ...]
    number: Whole
    merged: int = 0

    @property
    def count(self) -> int:
        """Number of people."""
        return int(self.number.max()) + 1

    def of(self, table: Table) -> Whole | None:
        """Return the person of each record of a table; None if no person has more than one left in it."""
        owners, number = np.unique(self.number[table.source_rows], return_inverse=True)
        return None if len(owners) == len(table) else number.astype(np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Counting:
    """What the figures of a release count, and who or what decided it.

    Parameters
    ----------
    why : str
        `NAMED`, `UNIQUE`, `ALIKE`, `RECORDS`, `UNREPEATED` or `SURVEY`.
    people : People or None
        None if every record belongs to a different person.
    others : tuple of Repeated
        Columns that are left out, repeat, and by this decision say nothing about people.
    """

    why: str
    people: People | None = None
    others: tuple[Repeated, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The decision as JSON, for the publisher."""
        people = self.people
        return {
            "unit": "records" if people is None else "people",
            "why": self.why,
            "columns": [] if people is None else list(people.columns),
            "merged": 0 if people is None else people.merged,
            "others": [[" + ".join(other.columns), other.values] for other in self.others],
        }

    @property
    def public(self) -> dict[str, str]:
        """The decision as JSON, for readers of the table; it names no column that is left out."""
        return {"unit": self.document["unit"], "why": self.why}

    @property
    def sentence(self) -> str:
        """The decision in a sentence, in English, for readers of the table."""
        return f"Bounds count {self.public['unit']}: {_DECISIONS[self.why]}."

    def notes(self) -> Iterator[str]:
        """Yield sentences in English for the publisher, which name columns that are left out."""
        if self.people is not None and self.people.merged:
            names = " + ".join(self.people.columns)
            yield (
                f"{self.people.merged} spellings in {names} differ from another one only in capitals, "
                "blanks or the way a number is written. They count as the same person."
            )
        if self.others:
            listed = ", ".join(f"{' + '.join(each.columns)} ({each.values} values)" for each in self.others)
            yield f"As you decided, these columns repeat but do not distinguish people: {listed}."


_DECISIONS: Final = {
    UNIQUE: "what distinguishes people differs in every record",
    NAMED: "the publisher named what distinguishes people, which is not published",
    ALIKE: "the publisher stated that equal records, and no others, belong to one person",
    RECORDS: "the publisher stated that each record belongs to a different person",
    UNREPEATED: "no column that was left out repeats, so each record counts as one person",
    SURVEY: "each is one response to the survey",
}


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


def person_of(columns: Sequence[ReadColumn]) -> list[str]:
    """Return the person of each record as a text, as written in one column or in several together.

    Examples
    --------
    >>> table = ReadTable.of_rows(["home", "member"], ["a1", "a2"])
    >>> person_of(table.columns[:1]), person_of(table.columns)
    (['a', 'a'], ['a\\x1f1', 'a\\x1f2'])
    """
    return ["\x1f".join(parts) for parts in zip(*(column.texts for column in columns), strict=True)]


def keys_of(columns: Sequence[ReadColumn]) -> tuple[Whole, int]:
    """Return `person_numbers` of columns of a table, in which words can mean that a value is missing.

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


def counting_of(
    table: ReadTable,
    found: Sequence[Repeated],
    *,
    record_numbers: Whole | None = None,
    agreements: Iterable[float] | None = None,
    statement: str = "",
    columns: Sequence[str] = (),
    panel: Panel | None = None,
) -> Counting:
    """Return whether a release of a table counts people or records.

    Only the publisher knows which records belong to one person, so names of columns decide nothing. If a
    column that is left out repeats, or if equal records are too frequent, and the publisher has not decided,
    they are asked.

    Parameters
    ----------
    table : ReadTable
        At least the columns named in `columns`, or the `PAIRED` first columns of `found`.
    found : sequence of Repeated
        The columns that are left out and repeat, from `repeated_columns`.
    record_numbers : int64 array, shape (n,), or None
        Numbers that are the same for records that are equal in every column; None to compute them from
        `table`.
    agreements : iterable of float or None
        `agreement` of every column; None to compute it from `table`.
    statement : str
        `RECORDS` or `ALIKE`; "" if not stated.
    columns : sequence of str
        The columns that the publisher named to distinguish people, if any; several name a person together.
    panel : Panel or None
        Published columns that look like people, if any.

    Raises
    ------
    SurveyError
        ``people.empty``: a record has no value in a column that distinguishes people; ``people.both``: the
        named column contradicts the statement; ``people.one``: it has one value; ``people.repeated``: a
        column that is left out repeats; ``people.constant``: a published column looks like people;
        ``people.alike``: more records are equal than coincidence explains.
    """
    others = tuple(found)
    if columns:
        people = _people_by([table.column(name) for name in columns])
        rest = tuple(each for each in others if not set(each.columns) <= set(columns))
        if people is None:
            return Counting(why=UNIQUE, others=rest)
        if statement == RECORDS:
            raise SurveyError("people.both", people.count, name=" + ".join(columns), records=len(table))
        return Counting(why=NAMED, people=people, others=rest)
    if statement == RECORDS:
        return Counting(why=RECORDS, others=others)
    number = table.record_numbers() if record_numbers is None else record_numbers
    if statement == ALIKE:
        equal = len(number) and number.max() + 1 < len(number)
        return Counting(why=ALIKE, people=People(columns=(), number=number) if equal else None, others=others)
    if others:
        pair = repeated_pair(table, others)
        raise _question(others if pair is None else (*others, pair), len(table))
    if panel is not None:
        one, other = panel.constant
        name = " + ".join(panel.columns)
        records = len(table)
        raise SurveyError("people.constant", panel.values, name=name, records=records, one=one, other=other)
    _equal_check(number, [agreement(each) for each in table.columns] if agreements is None else agreements)
    return Counting(why=UNREPEATED)


def _question(found: Sequence[Repeated], records: int) -> SurveyError:
    """Return the question which of the repeating columns, if any, identifies a person."""
    first = found[0]
    if len(found) == 1:
        return SurveyError(
            "people.repeated", first.values, name=first.columns[0], records=records, most=first.most
        )
    # The finest column alone could be the person, and so could the pair.
    singles = [each for each in found if len(each.columns) == 1]
    shown = [*singles[:_LISTED], *(each for each in found if len(each.columns) > 1)]
    listed = "; ".join(f"{' + '.join(each.columns)}: {each.values} × {each.most}" for each in shown)
    more = len(singles) - _LISTED
    return SurveyError(
        "people.repeated.several",
        listed + (f"; … (+{more})" if more > 0 else ""),
        records=records,
        name=first.columns[0],
    )


def _people_by(columns: Sequence[ReadColumn]) -> People | None:
    number, merged = keys_of(columns)
    name = " + ".join(column.name for column in columns)
    if empty := int((number < 0).sum()):
        raise SurveyError("people.empty", empty, name=name)
    count = int(number.max()) + 1
    if count == len(number):
        return None
    if count == 1:
        raise SurveyError("people.one", len(number), name=name)
    return People(columns=tuple(column.name for column in columns), number=number, merged=merged)


def _equal_check(number: Whole, agreements: Iterable[float]) -> None:
    """Refuse to guess if more pairs of records are equal than the shares of the values explain."""
    counts = np.bincount(number)
    found = int((counts * (counts - 1) // 2).sum())
    expected = math.prod(agreements) * len(number) * (len(number) - 1) / 2
    # Columns depend on each other, so equal records are more frequent than in independent columns.
    if found and scipy.special.gammainc(found, DEPENDENCE * expected) < _SURELY_MORE:
        equal = int(counts[counts > 1].sum())
        raise SurveyError("people.alike", equal, records=len(number))


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
