"""Calendars in which dates are the numbers of a question."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from privacy.errors import PrivacyError

EXAMPLES: Final = {"month": "2025-03", "day": "2025-03-01"}
CALENDARS: Final = tuple(EXAMPLES)
_WRITTEN: Final = {
    "month": re.compile(r"([1-9]\d{3})-(\d{2})", re.ASCII),
    "day": re.compile(r"([1-9]\d{3})-(\d{2})-(\d{2})", re.ASCII),
}


def calendar_tick(calendar: str, text: str) -> int:
    """Return the number of a month or day that is written in ISO 8601.

    Parameters
    ----------
    calendar : {"month", "day"}
    text : str
        ``"2025-03"`` or ``"2025-03-01"``, in the years 1000 to 9999.

    Returns
    -------
    int
        Months since January of the year 0, or days of the proleptic Gregorian calendar, where 1 January of
        the year 1 is day 1.

    Raises
    ------
    PrivacyError
        ``answer``: not a valid month or day.

    Examples
    --------
    >>> calendar_tick("month", "2025-03"), 2025 * 12 + 2
    (24302, 24302)
    >>> calendar_tick("day", "2024-03-01") - calendar_tick("day", "2024-02-28")
    2
    """
    match = _WRITTEN[calendar].fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError(text)
        if calendar == "day":
            return date(*map(int, match.groups())).toordinal()
        year, month = map(int, match.groups())
        # `date` rejects months outside 1 to 12.
        return 12 * date(year, month, 1).year + month - 1
    except ValueError:
        raise PrivacyError("answer.date", text, example=EXAMPLES[calendar]) from None


def calendar_text(calendar: str, tick: int) -> str:
    """Write a month or day in ISO 8601.

    Parameters
    ----------
    calendar : str
        "month" or "day".
    tick : int
        Months since year 0, or the day's proleptic Gregorian ordinal.

    Examples
    --------
    >>> calendar_text("month", 24302), calendar_text("day", 738945)
    ('2025-03', '2024-02-29')
    """
    if calendar == "day":
        return date.fromordinal(tick).isoformat()
    return f"{tick // 12:04d}-{tick % 12 + 1:02d}"
