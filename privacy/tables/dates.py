"""Dates in the cells of a table."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterable
from typing import Final

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
