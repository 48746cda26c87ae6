"""Decide whether a column holds numbers, dates or categories, and which texts mean "missing"."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from privacy.sdc.table import finite_number, number_text
from surveys.imports.table import ReadColumn

_BLANK: Final = r"[ '’\u00a0\u2009\u202f]"
# A point before decimals, a comma between thousands; then the other way round.
_WAYS: Final = tuple(
    (
        re.compile(rf"[+-]?(?:[1-9]\d{{0,2}}(?:(?:{thousands}|{_BLANK})\d{{3}})+|\d+)(?:{decimals}\d+)?"),
        str.maketrans(dict.fromkeys(f" '’\xa0\u2009\u202f{thousands[-1]}") | {decimals[-1]: "."}),
    )
    for thousands, decimals in ((",", r"\."), (r"\.", ","))
)


def numbers_read(texts: Iterable[str]) -> dict[str, str] | None:
    """Return the different texts of a column as plain numbers; None if one of them is not a number.

    Parameters
    ----------
    texts : iterable of str
        Without those that mean "missing".

    Notes
    -----
    Texts that Python reads keep that value. Otherwise a comma or a blank is between thousands and a point
    before decimals; where that does not fit every text, a point is between thousands and a comma before
    decimals.

    Examples
    --------
    >>> numbers_read(["12", "1,234.5"]), numbers_read(["1.234,5", "0,5"])
    ({'12': '12', '1,234.5': '1234.5'}, {'1.234,5': '1234.5', '0,5': '0.5'})
    >>> numbers_read(["30.0"]), numbers_read(["12", "many"])
    ({'30.0': '30'}, None)
    """
    different = list(dict.fromkeys(texts))
    plain = [finite_number(text) for text in different]
    if all(number is not None for number in plain):
        return {text: number_text(number or 0.0) for text, number in zip(different, plain, strict=True)}
    for pattern, signs in _WAYS:
        if all(pattern.fullmatch(text) for text in different):
            return {text: number_text(float(text.translate(signs))) for text in different}
    return None


SPANS: Final = ("month", "quarter", "year")
_YEARS: Final = range(1850, 2200)
_MONTHS: Final = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
_YEAR_FIRST: Final = re.compile(
    r"(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})|年(\d{1,2})月(?:(\d{1,2})[日号]?)?|[-/](\d{1,2})|(\d\d)(\d\d))"
)
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_IN_WORDS: Final = re.compile(
    r"(?:(\d{1,2})[ .-]+([a-z]+)|([a-z]+)\.? +(\d{1,2}),?)[ .,-]+(\d{4})", re.IGNORECASE
)


def dates_read(texts: Iterable[str], *, month_first: bool = False) -> dict[str, datetime.date] | None:
    """Return the different texts of a column as dates; None if one of them is not a date.

    Parameters
    ----------
    texts : iterable of str
    month_first : bool
        Whether 3/4/2021 is a day in March where nothing in the column decides it.

    Notes
    -----
    2021-03-04, 2021/3/4, 20210304, 2021年3月4日, 2021-03, 4 March 2021, March 4, 2021 are unambiguous. For
    3/4/2021, another date of the column with the same separator decides, such as 25/4/2021; if none does
    (`is_ambiguous`), the day is first, unless `month_first`.

    Examples
    --------
    >>> {text: day.isoformat() for text, day in dates_read(["2021年3月4日", "4/25/2021", "4/3/2021"]).items()}
    {'2021年3月4日': '2021-03-04', '4/25/2021': '2021-04-25', '4/3/2021': '2021-04-03'}
    >>> dates_read(["2021-02-30"]), dates_read(["2021-03-04", "soon"])
    (None, None)
    >>> dates_read(["4/3/2021"], month_first=True)
    {'4/3/2021': datetime.date(2021, 4, 3)}
    """
    different = list(dict.fromkeys(texts))
    months_first = {sign for sign, second in _parts(different, 3) if second > 12}
    if month_first:
        months_first |= set("-/.") - {sign for sign, first in _parts(different, 1) if first > 12}
    dates = {}
    for text in different:
        day = _date(text, months_first)
        if day is None or day.year not in _YEARS:
            return None
        dates[text] = day
    return dates or None


def is_ambiguous(texts: Iterable[str]) -> str:
    """Return a text in which day and month could change places, and nothing in the column says which; or "".

    Examples
    --------
    >>> is_ambiguous(["3/4/2021", "5/6/2021"]), is_ambiguous(["3/4/2021", "25/6/2021"])
    ('3/4/2021', '')
    """
    matched = [(text, match) for text in texts if (match := _YEAR_LAST.fullmatch(text))]
    decided = {match[2] for _text, match in matched if max(int(match[1]), int(match[3])) > 12}
    return next((text for text, match in matched if match[2] not in decided and match[1] != match[3]), "")


def span_of(day: datetime.date, span: str) -> str:
    """Return the month, the quarter or the year of a day.

    Examples
    --------
    >>> [span_of(datetime.date(2021, 5, 4), span) for span in SPANS]
    ['2021-05', '2021 Q2', '2021']
    """
    if span == "year":
        return f"{day.year}"
    return f"{day.year} Q{(day.month + 2) // 3}" if span == "quarter" else f"{day.year}-{day.month:02}"


def _parts(texts: Iterable[str], part: int) -> list[tuple[str, int]]:
    """Return the sign of each text that ends in a year, and its first (1) or second (3) number."""
    return [(match[2], int(match[part])) for text in texts if (match := _YEAR_LAST.fullmatch(text))]


def _date(text: str, months_first: set[str]) -> datetime.date | None:
    if match := _YEAR_FIRST.fullmatch(text):
        year, *rest = match.groups()
        month, day = [*(int(part) for part in rest if part is not None), 1][:2]
    elif match := _YEAR_LAST.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), match[4]
        day, month = (second, first) if match[2] in months_first and first <= 12 else (first, second)
    elif match := _IN_WORDS.fullmatch(text):
        day, year = int(match[1] or match[4]), match[5]
        month = _MONTHS.get((match[2] or match[3]).casefold(), 0)
    else:
        return None
    try:
        return datetime.date(int(year), month, day)
    except ValueError:
        return None


KINDS: Final = ("numeric", *SPANS, "categorical")


def kinds_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that texts can be read as, ignoring those that mean "missing".

    Examples
    --------
    >>> kinds_of(["1,234", "12"]), kinds_of(["20210304"]), kinds_of(["flu"])
    (('numeric', 'categorical'), ('month', 'quarter', 'year', 'categorical'), ('categorical',))
    """
    if dates_read(texts) is not None:
        return (*SPANS, "categorical")
    return ("numeric", "categorical") if texts and numbers_read(texts) is not None else ("categorical",)


def column_as(
    column: ReadColumn, kind: str, missing: Sequence[str] = (), *, month_first: bool = False
) -> ReadColumn:
    """Return a column read as one of `KINDS`, if all its other texts are of that kind.

    Parameters
    ----------
    column : ReadColumn
    kind : str
    missing : sequence of str
        Texts that mean "missing".
    month_first : bool
        As of `dates_read`.

    Examples
    --------
    >>> from surveys.imports.table import ReadTable
    >>> column = ReadTable.of_rows(["born"], [["2021-03-04"], ["5/6/2021"], ["-9"]]).columns[0]
    >>> column_as(column, "quarter", ["-9"]).values
    ('2021 Q1', '2021 Q2', '-9')
    """
    texts = [text for text in column.values if text and text not in missing]
    new = None
    if kind == "numeric":
        new = numbers_read(texts)
    elif kind in SPANS and (dates := dates_read(texts, month_first=month_first)):
        new = {text: span_of(day, kind) for text, day in dates.items()}
    if not new:
        return column
    # A number that was written another way keeps its label.
    labels = {new.get(text, text): label for text, label in column.value_labels.items()}
    return replace(column.replaced(new), value_labels=labels)


WORDS: Final = (
    *("NA", "N/A", "NaN", "NULL", ".", "refused", "don't know", "prefer not to say", "prefer not to answer"),
    *("no answer", "不详", "拒答", "拒绝回答", "不愿回答", "不知道", "无回答"),
)
"""Never a value, however it is written: small or capital letters are the same."""
CODES: Final = ("-9", "99", "999")
"""A number like others where larger or neighbouring ones stand beside it."""
GAP_CODES: Final = ("77", "88", "98", "777", "888", "9999", "-99", "-999")
"""Asked about only where no other number is near or beyond them."""
_GAP: Final = 0.8
"""Of a code: the largest number that leaves a gap below it."""

_WORDS: Final = frozenset(word.casefold() for word in WORDS)
_CODES: Final = frozenset(float(code) for code in CODES)
_GAP_CODES: Final = frozenset(float(code) for code in GAP_CODES)


def missing_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of a column's texts that people are asked about, empty ones left out, in their order.

    Examples
    --------
    >>> missing_texts(["31", "NA", "-9", "31", "Refused", "99.0", "998"])
    ('NA', '-9', 'Refused', '99.0')
    >>> missing_texts(["31", "77", "88"]), missing_texts(["70", "77", "88"])
    (('77', '88'), ())
    """
    different = {text: finite_number(text) for text in dict.fromkeys(text.strip() for text in texts)}
    numbers = {number for number in different.values() if number is not None} - _CODES
    beyond: set[float] = set()
    for code in sorted(numbers & _GAP_CODES):
        others = (numbers - _GAP_CODES) | ({each for each in numbers & _GAP_CODES if each < code} - beyond)
        if others and _is_beyond(code, others, code * _GAP):
            beyond.add(code)
    return tuple(
        text for text, number in different.items() if is_missing_word(text) or number in _CODES | beyond
    )


def proposed_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of `missing_texts` that are proposed as missing.

    Words are, and so is a code far from the other numbers: -9 where no other is below 0, 99 and 999
    where no other is larger or the one before it.

    Examples
    --------
    >>> proposed_texts(["18", "64", "99"]), proposed_texts(["97", "98", "99", "100"])
    (('99',), ())
    >>> proposed_texts(["flu", "cold", "-9"]), proposed_texts(["99", "999"])
    (('-9',), ())
    """
    different = dict.fromkeys(text.strip() for text in texts)
    questions = missing_texts(different)
    real = [text for text in different if text and text not in questions]
    numbers = [number for text in real if (number := finite_number(text)) is not None]
    return tuple(
        text
        for text in questions
        if is_missing_word(text) or (real and _is_beyond(code := finite_number(text) or 0, numbers, code - 1))
    )


def declared_missing(column: ReadColumn) -> tuple[str, ...]:
    """Return values that a file declares as missing, by a code or by a label such as "Refused".

    Examples
    --------
    >>> import numpy as np
    >>> labels = {"1": "Yes", "7": "Refused"}
    >>> column = ReadColumn(name="a", values=("1", "7"), codes=np.array([0, 1]), value_labels=labels)
    >>> declared_missing(column)
    ('7',)
    """
    named = (value for value, label in column.value_labels.items() if is_missing_word(label.strip()))
    return tuple(
        dict.fromkeys([*column.missing_codes, *(value for value in named if value in column.values)])
    )


def is_missing_word(text: str) -> bool:
    """Return whether a text is a word for a missing value."""
    return text.replace("’", "'").casefold() in _WORDS


def _is_beyond(code: float, others: Collection[float], least: float) -> bool:
    """Return whether all other numbers are below `least`, or of a negative code not negative."""
    return all(number >= 0 if code < 0 else number < least for number in others)
