"""Local times and days of a place: its clocks, the start of a day, and the zones to choose from."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

DEFAULT_ZONE: Final = "UTC"
_DAY: Final = re.compile(r"20\d\d-\d\d-\d\d", re.ASCII)


@lru_cache(maxsize=1)
def time_zones() -> tuple[str, ...]:
    """Return the time zones to choose from: places and UTC, not legacy names such as "EST5EDT"."""
    return (DEFAULT_ZONE, *sorted(name for name in available_timezones() if _is_place(name)))


def wall_time(instant: datetime, time_zone: str) -> datetime:
    """Return an instant as a naive local time.

    Naive, because templates convert aware times to the server's time zone.

    Examples
    --------
    >>> wall_time(datetime(2026, 12, 1, 7, 0, tzinfo=UTC), "Europe/Berlin")
    datetime.datetime(2026, 12, 1, 8, 0)
    """
    return instant.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)


def local_text(instant: datetime, time_zone: str) -> str:
    """Format an instant as in a definition.

    Examples
    --------
    >>> local_text(datetime(2026, 12, 1, 7, 0, tzinfo=UTC), "Europe/Berlin")
    '2026-12-01T08:00'
    """
    return wall_time(instant, time_zone).strftime("%Y-%m-%dT%H:%M")


def day_begins(day: str, time_zone: str) -> datetime | None:
    """Return the start of a day in a time zone; None for an invalid day or one outside this century.

    Examples
    --------
    >>> day_begins("2027-03-01", "Europe/Berlin")
    datetime.datetime(2027, 2, 28, 23, 0, tzinfo=datetime.timezone.utc)
    >>> day_begins("2027-02-29", "UTC")
    """
    try:
        begins = date.fromisoformat(day) if _DAY.fullmatch(day) else None
    except ValueError:
        return None
    return None if begins is None else datetime.combine(begins, time(), ZoneInfo(time_zone)).astimezone(UTC)


def _is_place(name: str) -> bool:
    return "/" in name and not name.startswith(("Etc/", "SystemV/", "US/"))
