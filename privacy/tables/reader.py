"""Decide what the texts of a column mean: its kind, its missing values, and which spellings are one value.

Pages, commands and the library read every table with this module, so they decide the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from privacy.numeric_text import finite_number, rounds_integer
from privacy.tables.columns import ReadColumn, ReadTable
from privacy.tables.date_spans import SPANS
from privacy.tables.dates import dates_read, is_ambiguous
from privacy.tables.decisions import Decision, Decisions
from privacy.tables.missing_texts import declared_missing, is_missing_word, missing_texts, proposed_texts
from privacy.tables.names import says
from privacy.tables.row_numbers import numbers_rows
from privacy.tables.values import column_as, kinds_of, mixed_numbers

CODES: Final = "zip postcode postal plz code icd isco nuts 邮编 编号 编码 代码"
BORN: Final = "birth born birthday dob 出生 生日"
"""Words in the names of columns with codes, and with dates of birth, which are reduced to years."""
_CODE: Final = re.compile(r"[+-]?0\d+|\d+[eE]\d+")
"""Codes that look like numbers: 0110, and 1E2 without the sign that programs write."""
_YES: Final = frozenset(("yes", "y", "true", "t", "1", "1.0", "ja", "oui", "si", "sí", "sim", "是", "有"))
_NO: Final = frozenset(("no", "n", "false", "f", "0", "0.0", "nein", "non", "não", "否", "无", "没有"))
_MOST_STRAYS: Final = 3
_STRAY_SHARE: Final = 0.05
"""Largest number and share of texts in a column that is still read as numbers."""
_SHORT: Final = 2
"""Longest texts that can be codes in which capitals differ from small letters."""
_LISTED: Final = 5


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What the texts of a column mean.

    Parameters
    ----------
    kind : str
        One of `privacy.tables.values.VALUE_KINDS`.
    kinds : tuple of str
        The kinds that fit.
    missing : tuple of str
        Texts that mean "missing", in addition to empty cells.
    asked : tuple of str
        Texts that may mean "missing".
    spellings : mapping of str to str
        Texts that are read as another one, which differs only in capitals and blanks, or as yes or no.
    month_first : bool
        As for `dates_read`.
    """

    kind: str
    kinds: tuple[str, ...]
    missing: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)
    month_first: bool = False

    @classmethod
    def of(
        cls,
        column: ReadColumn,
        *,
        kind: str = "",
        missing: Collection[str] | None = None,
        month_first: bool = False,
        as_written: bool = False,
    ) -> Reading:
        """Decide what the texts of a column mean.

        Parameters
        ----------
        column : ReadColumn
        kind : str
            The kind, if someone decided it.
        missing : collection of str or None
            Texts that mean "missing"; None for the proposed texts and those that the file declares.
        month_first : bool
        as_written : bool
            Whether spellings stay different values.

        Examples
        --------
        >>> table = ReadTable.of_rows(["age"], [["31"], ["-88"], ["-99"], ["45"], ["45"], ["62"]])
        >>> reading = Reading.of(table.columns[0])
        >>> reading.kind, reading.missing
        ('numeric', ('-88', '-99'))
        """
        spellings = {} if as_written else spellings_of(column)
        column = column.with_texts(spellings)
        counts = column.counts
        strays = _strays(counts)
        proposed = (*proposed_texts(counts), *declared_missing(column), *strays)
        lacking = tuple(dict.fromkeys(proposed if missing is None else missing))
        real = [text for text in counts if text and text not in lacking]
        kinds = kinds_of(real)
        return cls(
            kind=kind or _kind(column, kinds, real),
            kinds=kinds,
            missing=lacking,
            asked=tuple(dict.fromkeys([*missing_texts(counts), *declared_missing(column), *strays])),
            spellings=spellings,
            month_first=month_first,
        )

    def applied(self, column: ReadColumn) -> ReadColumn:
        """Return the column with common spellings, plain numbers, and spans of dates.

        Texts that mean "missing" stay.
        """
        return column_as(
            column.with_texts(self.spellings), self.kind, self.missing, month_first=self.month_first
        )

    def values(self, column: ReadColumn) -> list[Any]:
        """Return the value of each record: a number, a date or a text; None if it is missing.

        Examples
        --------
        >>> column = ReadTable.of_rows(["pay"], [["1,5"], ["NA"], ["2,25"], ["10"]]).columns[0]
        >>> Reading.of(column).values(column)
        [1.5, None, 2.25, 10]
        """
        lacking = dict.fromkeys(self.missing, "")
        if self.kind in SPANS:
            column = column.with_texts(lacking)
            dates = dates_read(filter(None, column.values), month_first=self.month_first) or {}
            return [dates.get(text) for text in column.texts]
        texts = self.applied(column).with_texts(lacking).texts
        if self.kind == "numeric" and "numeric" in self.kinds:
            return [
                (int(text) if text.lstrip("-").isdecimal() else float(text)) if text else None
                for text in texts
            ]
        return [text or None for text in texts]

    def decisions(self, column: ReadColumn) -> Iterator[Decision]:
        """Yield what was decided about the column."""
        name, counts = column.name, column.counts
        if numbers_rows(column):
            yield Decision.of("rows", name=name)
            return
        for text, value in [*self.spellings.items()][:_LISTED]:
            yield Decision.of("spelling", name=name, text=text, value=value, count=counts[text])
        if lacking := {text: counts[text] for text in self.missing if counts.get(text)}:
            listed = ", ".join(lacking)
            yield Decision.of("missing", name=name, text=listed, count=sum(lacking.values()))
        real = [text for text in column.values if text and text not in self.missing]
        if self.kind == "numeric":
            # Each distinct text once.
            distinct = replace(column, codes=np.arange(len(column.values)))
            pairs = zip(distinct.texts, self.applied(distinct).texts, strict=True)
            # Also if two texts, such as 1.10 and 1.1, become one number.
            changed = next(
                (
                    (old, new)
                    for old, new in pairs
                    if old != new and (new in column.values or any(sign in old for sign in ", ’'"))
                ),
                None,
            )
            if changed is not None and changed[0] not in self.missing:
                yield Decision.of("numbers", name=name, text=changed[0], value=changed[1])
        elif "numeric" in self.kinds and (code := next(filter(_is_code, real), "")):
            yield Decision.of("codes", name=name, text=code)
        if "numeric" not in self.kinds and (mixed := mixed_numbers(real)):
            yield Decision.of("mixed", name=name, one=mixed[0], other=mixed[1])
        if self.kind in SPANS and (dates := dates_read(real, month_first=self.month_first)):
            text, day = next(iter(dates.items()))
            yield Decision.of("dates", name=name, text=text, value=day.isoformat())
            if unclear := is_ambiguous(real):
                yield Decision.of("order", name=name, text=unclear)


def _kind(column: ReadColumn, kinds: Sequence[str], real: Sequence[str]) -> str:
    """Return the kind of a column: codes and choices are categories, and birthdays are reduced to years."""
    if "numeric" not in kinds:
        return "year" if "year" in kinds and says(column.name, BORN) else kinds[0]
    # Two numbers usually mean yes and no, and codes and labelled choices are not amounts.
    is_code = len(real) <= 2 or says(column.name, CODES) or set(real) <= set(column.value_labels)
    return "categorical" if is_code or any(map(_is_code, real)) else "numeric"


def _is_code(text: str) -> bool:
    """Return whether a text would change as a number: leading zeros, an exponent, or too many digits."""
    return bool(_CODE.fullmatch(text)) or rounds_integer(text)


def _strays(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the texts in a column of numbers that are not numbers, such as a remark, if there are few.

    Examples
    --------
    >>> _strays({"31": 40, "32": 30, "45": 30, "about 40": 1}), _strays({"1": 9, "2": 9, "3": 9, "no": 9})
    (('about 40',), ())
    """
    others = [text for text in counts if text and finite_number(text) is None and not is_missing_word(text)]
    numbers = [text for text in counts if finite_number(text) is not None]
    few = 0 < len(others) <= _MOST_STRAYS and len(numbers) > len(others) + 1
    records = sum(counts.values())
    return tuple(others) if few and _STRAY_SHARE * records >= sum(counts[text] for text in others) else ()


def spellings_of(column: ReadColumn) -> dict[str, str]:
    """Return the texts of a column that are another spelling of a more frequent text.

    Spellings differ in capitals and blanks. In a column of yes and no in more than one writing, all of them
    become "yes" and "no". Short codes, all of which occur with capitals and small letters, stay.

    Parameters
    ----------
    column : ReadColumn

    Examples
    --------
    >>> def spellings(*texts):
    ...     return spellings_of(ReadTable.of_rows(["a"], [[text] for text in texts]).columns[0])
    >>> spellings("flu", "flu", "Flu", "cold"), spellings("a", "A", "b", "B", "c", "C")
    ({'Flu': 'flu'}, {})
    >>> spellings("yes", "No", "Y", "FALSE")
    {'No': 'no', 'Y': 'yes', 'FALSE': 'no'}
    """
    counts = {text: n for text, n in column.counts.items() if text and text not in column.value_labels}
    groups: dict[str, list[str]] = {}
    for text in counts:
        if not is_missing_word(text):
            groups.setdefault(" ".join(text.casefold().split()), []).append(text)
    words = [text for text in groups if finite_number(text) is None]
    if (
        words
        and len(groups) > 2
        and groups.keys() <= _YES | _NO
        and groups.keys() & _YES
        and groups.keys() & _NO
    ):
        said = {text: "yes" if key in _YES else "no" for key, texts in groups.items() for text in texts}
        return {text: value for text, value in said.items() if text != value}
    several = {key: texts for key, texts in groups.items() if len(texts) > 1}
    if len(several) > _SHORT and all(len(key) <= _SHORT for key in groups) and 2 * len(several) > len(groups):
        return {}
    common = {key: max(texts, key=lambda text: counts[text]) for key, texts in several.items()}
    return {text: common[key] for key, texts in several.items() for text in texts if text != common[key]}


def yes_or_no(text: str) -> str:
    """Return what a text in any usual writing of yes and no means; "" if neither.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> yes_or_no("Ja"), yes_or_no("F"), yes_or_no("perhaps")
    ('yes', 'no', '')
    """
    key = " ".join(text.casefold().split())
    return "yes" if key in _YES else "no" if key in _NO else ""


def read_decisions(table: ReadTable, readings: Mapping[str, Reading]) -> Decisions:
    """Return all decisions about a table: those of its file, and those about its columns.

    Parameters
    ----------
    table : ReadTable
    readings : mapping of str to Reading
        By column.
    """
    said: list[Decision] = [each for each in table.decisions if each.key != "rows"]
    for column in table.columns:
        if column.name in readings:
            said.extend(readings[column.name].decisions(column))
    return Decisions(said)


def as_read(table: ReadTable, readings: Mapping[str, Reading], *, empty: bool = True) -> ReadTable:
    """Return the table with each column as it was read; with `empty`, missing texts become empty cells.

    Parameters
    ----------
    table : ReadTable
    readings : mapping of str to Reading
        By column.
    empty : bool
        Whether texts that mean "missing" become empty cells.
    """
    columns: list[Any] = []
    for column in table.columns:
        reading = readings.get(column.name)
        if reading is not None:
            column = reading.applied(column)
            if empty:
                column = column.with_texts(dict.fromkeys(reading.missing, ""))
        columns.append(column)
    return replace(table, columns=tuple(columns))
