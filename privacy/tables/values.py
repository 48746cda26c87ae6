"""What the texts of a column are: numbers, dates or categories."""

from __future__ import annotations

import calendar
import datetime
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from privacy.numeric_text import finite_number, number_text, rounds_integer
from privacy.tables.columns import ReadColumn

_BLANK: Final = r"[ '’\u00a0\u2009\u202f]"
# Point before decimals and comma between thousands; then the reverse.
_WAYS: Final = tuple(
    (
        re.compile(rf"[+-]?(?:[1-9]\d{{0,2}}(?:(?:{thousands}|{_BLANK})\d{{3}})+|\d+)(?:{decimals}\d+)?"),
        str.maketrans(dict.fromkeys(f" '’\xa0\u2009\u202f{thousands[-1]}") | {decimals[-1]: "."}),
    )
    for thousands, decimals in ((",", r"\."), (r"\.", ","))
)


def numbers_read(texts: Iterable[str]) -> dict[str, str] | None:
    """Return the distinct texts of a column as plain numbers; None if any of them is not a number.

    Parameters
    ----------
    texts : iterable of str
        Without texts that mean "missing".

    Notes
    -----
    If Python can parse all texts as numbers, its values are used. Otherwise commas or blanks separate
    thousands and a point precedes decimals; if that does not fit every text, points separate thousands
    and a comma precedes decimals. Integers that a float would round keep all their digits.

    Examples
    --------
    >>> numbers_read(["12", "1,234.5"]), numbers_read(["1.234,5", "0,5"])
    ({'12': '12', '1,234.5': '1234.5'}, {'1.234,5': '1234.5', '0,5': '0.5'})
    >>> numbers_read(["30.0"]), numbers_read(["12", "many"])
    ({'30.0': '30'}, None)
    >>> numbers_read(["10000000000000000001", "1,500"])["10000000000000000001"]
    '10000000000000000001'
    """
    different = list(dict.fromkeys(texts))
    ways = [{}, *(signs for pattern, signs in _WAYS if all(pattern.fullmatch(text) for text in different))]
    for signs in ways:
        found = {text: _plain_number(text.translate(signs)) for text in different}
        if all(found.values()):
            return found
    return None


def mixed_numbers(texts: Iterable[str]) -> tuple[str, str] | None:
    """Return two numbers that are written in different ways, if all texts are numbers but no way fits all.

    Parameters
    ----------
    texts : iterable of str
        Without texts that mean "missing".

    Examples
    --------
    >>> mixed_numbers(["1.5", "2,5", "3"]), mixed_numbers(["1.5", "many"]), mixed_numbers(["1,5", "2,5"])
    (('1.5', '2,5'), None, None)
    """
    different = list(dict.fromkeys(texts))
    fits = [
        frozenset(place for place, (own, _) in enumerate(_WAYS) if own.fullmatch(each)) for each in different
    ]
    if not all(fits) or frozenset.intersection(*fits, frozenset(range(len(_WAYS)))):
        return None
    first = next((own for own in zip(different, fits, strict=True) if len(own[1]) < len(_WAYS)), None)
    if first is None:
        return None
    other = next((text for text, own in zip(different, fits, strict=True) if not own & first[1]), None)
    return None if other is None else (first[0], other)


def _plain_number(text: str) -> str:
    """Return a number as short as possible; an empty text if it is not one."""
    number = finite_number(text)
    if number is None:
        return ""
    return text if rounds_integer(text) else number_text(number)


_MONTH: Final = re.compile(r"(\d{3})(\d)-(0[1-9]|1[0-2])")
_QUARTER: Final = re.compile(r"(\d{3})(\d) Q[1-4]")
SPANS: Final = ("month", "quarter", "year")
_YEARS: Final = range(1850, 2200)
_MONTHS: Final = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
_YEAR_FIRST: Final = re.compile(
    r"(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]00:00(?::00(?:\.0+)?)?Z?)?"
    r"|年(\d{1,2})月(?:(\d{1,2})[日号]?)?|[-/](\d{1,2})|(\d\d)(\d\d))"
)
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_IN_WORDS: Final = re.compile(
    r"(?:(\d{1,2})[ .-]+([a-z]+)|([a-z]+)\.? +(\d{1,2}),?)[ .,-]+(\d{4})", re.IGNORECASE
)


def dates_read(texts: Iterable[str], *, month_first: bool = False) -> dict[str, datetime.date] | None:
    """Return the distinct texts of a column as dates; None if any of them is not a date.

    Parameters
    ----------
    texts : iterable of str
    month_first : bool
        Whether 3/4/2021 is in March, if nothing in the column decides it.

    Notes
    -----
    2021-03-04, 2021/3/4, 20210304, 2021年3月4日, 2021-03, 4 March 2021 and March 4, 2021 are unambiguous. So
    is 2021-03-04 00:00:00, which programs write for a day.
    The order in 3/4/2021 follows from other dates of the column with the same separator, such as
    25/4/2021. If none decides it (`is_ambiguous`), the day is first, unless `month_first`.

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
    """Return a date whose day and month could be swapped, as far as the column shows; "" if there is none.

    Parameters
    ----------
    texts : iterable of str
        Texts of a column.

    Examples
    --------
    >>> is_ambiguous(["3/4/2021", "5/6/2021"]), is_ambiguous(["3/4/2021", "25/6/2021"])
    ('3/4/2021', '')
    """
    matched = [(text, match) for text in texts if (match := _YEAR_LAST.fullmatch(text))]
    signs = {match[2] for _text, match in matched if max(int(match[1]), int(match[3])) > 12}
    return next((text for text, match in matched if match[2] not in signs and match[1] != match[3]), "")


def span_of(day: datetime.date, span: str) -> str:
    """Return the month, the quarter or the year of a date.

    Parameters
    ----------
    day : date
    span : str
        One of `SPANS`.

    Examples
    --------
    >>> [span_of(datetime.date(2021, 5, 4), span) for span in SPANS]
    ['2021-05', '2021 Q2', '2021']
    """
    if span == "year":
        return f"{day.year}"
    return f"{day.year} Q{(day.month + 2) // 3}" if span == "quarter" else f"{day.year}-{day.month:02}"


def _parts(texts: Iterable[str], part: int) -> list[tuple[str, int]]:
    """Return, for each text that ends in a year, its separator and its first (1) or second (3) number."""
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


def cell_text(value: Any) -> str:
    """Return a cell of a file or a data frame as text; empty if it is missing.

    Parameters
    ----------
    value : object

    Examples
    --------
    >>> cell_text(7.0), cell_text(None), cell_text(True), cell_text(datetime.datetime(2021, 3, 4))
    ('7', '', 'yes', '2021-03-04')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, np.floating) and value.dtype != np.float64:
        # The shortest decimal of a number with fewer digits.
        value = float(str(value))
    if isinstance(value, float) and math.isfinite(value):
        return number_text(float(value))
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()


def span_groups(text: str) -> tuple[str, ...] | None:
    """Return the groups of a month or quarter, coarsest first; None for other texts.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> span_groups("2021-05"), span_groups("2021 Q2"), span_groups("soon")
    (('2020s', '2021', '2021 Q2'), ('2020s', '2021'), None)
    """
    if match := _MONTH.fullmatch(text):
        decade, year, month = match.groups()
        return f"{decade}0s", decade + year, f"{decade}{year} Q{(int(month) + 2) // 3}"
    if match := _QUARTER.fullmatch(text):
        return f"{match[1]}0s", match[1] + match[2]
    return None


VALUE_KINDS: Final = ("numeric", *SPANS, "categorical")


def kinds_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that fit all texts of a column; pass them without those that mean "missing".

    Parameters
    ----------
    texts : sequence of str
        Texts of a column.

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
    """Convert a column to one of `VALUE_KINDS`; unchanged unless all texts that are not missing fit.

    Parameters
    ----------
    column : ReadColumn
    kind : str
    missing : sequence of str
        Texts that mean "missing".
    month_first : bool
        As for `dates_read`.

    Examples
    --------
    >>> from privacy.tables.columns import ReadTable
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
    # Keep the label of a number that was spelled differently (1.0 for 1).
    labels = {new.get(text, text): label for text, label in column.value_labels.items()}
    return replace(column.with_texts(new), value_labels=labels)
