"""Months, quarters and years: of a date, and the groups that contain them."""

from __future__ import annotations

import datetime
import re
from typing import Final

_MONTH: Final = re.compile(r"(\d{3})(\d)-(0[1-9]|1[0-2])")
_QUARTER: Final = re.compile(r"(\d{3})(\d) Q[1-4]")
SPANS: Final = ("month", "quarter", "year")


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
