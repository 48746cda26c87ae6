"""Months and days as whole numbers: a number question can ask for a date."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import Final

from privacy.errors import PrivacyError

__all__ = [
    "CALENDARS",
    "EXAMPLES",
    "FIRST_TICK",
    "LAST_TICK",
    "calendar_days",
    "calendar_text",
    "calendar_tick",
]

EXAMPLES: Final = {"month": "2025-03", "day": "2025-03-01"}
CALENDARS: Final = tuple(EXAMPLES)
_WRITTEN: Final = {
    "month": re.compile(r"([1-9]\d{3})-(\d{2})", re.ASCII),
    "day": re.compile(r"([1-9]\d{3})-(\d{2})-(\d{2})", re.ASCII),
}


def calendar_tick(calendar: str, text: str) -> int:
    """Return the number of a month or a day as ISO 8601 writes it.

    Parameters
    ----------
    calendar : {"month", "day"}
    text : str
        ``"2025-03"`` or ``"2025-03-01"``, of a year from 1000 to 9999.

    Returns
    -------
    int
        Months since January of the year 0; days of the proleptic Gregorian calendar, the first of January
        of the year 1 being 1.

    Raises
    ------
    PrivacyError
        ``answer``: it is no such month or day.

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
        # No date before January or after December.
        return 12 * date(year, month, 1).year + month - 1
    except ValueError:
        raise PrivacyError("answer.date", text, example=EXAMPLES[calendar]) from None


def calendar_text(calendar: str, tick: int) -> str:
    """Return a month or a day as ISO 8601 writes it.

    >>> calendar_text("month", 24302), calendar_text("day", 738945)
    ('2025-03', '2024-02-29')
    """
    if calendar == "day":
        return date.fromordinal(tick).isoformat()
    return f"{tick // 12:04d}-{tick % 12 + 1:02d}"


def calendar_days(calendar: str, text: str) -> tuple[str, str]:
    """Return the first and the last day of a month, or a day twice, as ISO 8601 writes them.

    >>> calendar_days("month", "2024-02")
    ('2024-02-01', '2024-02-29')
    """
    if calendar == "day":
        return text, text
    year, month = divmod(calendar_tick(calendar, text), 12)
    return f"{text}-01", f"{text}-{monthrange(year, month + 1)[1]}"


FIRST_TICK: Final = {"month": calendar_tick("month", "1000-01"), "day": calendar_tick("day", "1000-01-01")}
LAST_TICK: Final = {"month": calendar_tick("month", "9999-12"), "day": calendar_tick("day", "9999-12-31")}
