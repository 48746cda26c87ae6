"""When a survey opens, closes and is deleted, by the clocks of a place.

A definition says "2026-12-01T08:00" in its time zone; what is kept is the instant. Where clocks are put
forward, the times that they skip do not exist and are refused; where they are put back, a time that comes
twice is taken the first time. A survey is deleted as a day begins there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.models.survey import GRACE
from surveys.questionnaire.problems import Problems

DEFAULT_ZONE: Final = "UTC"
_LOCAL: Final = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d", re.ASCII)
_DAY: Final = re.compile(r"20\d\d-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """When a survey opens, closes and is deleted.

    Parameters
    ----------
    time_zone : str
        Name of a zone: "Europe/Berlin".
    opens_at, closes_at : datetime or None
        Instants, in UTC; None where publishing opens it, or somebody closes it.
    delete_at : datetime or None
        When the day begins on which all its answers are deleted; None where somebody deletes it.
    """

    time_zone: str = DEFAULT_ZONE
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    delete_at: datetime | None = None

    @property
    def opens(self) -> datetime | None:
        """When it opens, by the clocks of its zone."""
        return self.opens_at and wall_time(self.opens_at, self.time_zone)

    @property
    def closes(self) -> datetime | None:
        """When it closes, by the clocks of its zone."""
        return self.closes_at and wall_time(self.closes_at, self.time_zone)

    @property
    def delete_on(self) -> date | None:
        """The day on which all its answers are deleted."""
        return self.delete_at and wall_time(self.delete_at, self.time_zone).date()


@lru_cache(maxsize=1)
def time_zones() -> tuple[str, ...]:
    """Return the names to choose from: places and UTC, no relics such as "EST5EDT"."""
    return (DEFAULT_ZONE, *sorted(name for name in available_timezones() if _is_place(name)))


def wall_time(instant: datetime, time_zone: str) -> datetime:
    """Return what clocks in a zone show at an instant, without a zone.

    Templates would show a time with a zone by the server's clocks.

    Examples
    --------
    >>> wall_time(datetime(2026, 12, 1, 7, 0, tzinfo=UTC), "Europe/Berlin")
    datetime.datetime(2026, 12, 1, 8, 0)
    """
    return instant.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)


def local_text(instant: datetime, time_zone: str) -> str:
    """Return an instant as a definition writes it.

    Examples
    --------
    >>> local_text(datetime(2026, 12, 1, 7, 0, tzinfo=UTC), "Europe/Berlin")
    '2026-12-01T08:00'
    """
    return wall_time(instant, time_zone).strftime("%Y-%m-%dT%H:%M")


def day_begins(day: str, time_zone: str) -> datetime | None:
    """Return when a day begins in a zone; None for what is no day of this century.

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


def read_schedule(survey: dict[str, Any], problems: Problems) -> Schedule:
    """Return the schedule that a definition states; note what cannot be kept."""
    zone = survey.get("time_zone", DEFAULT_ZONE)
    if not isinstance(zone, str) or zone not in time_zones():
        problems.add(
            "time_zone",
            _("%(zone)s is no time zone") % {"zone": shown(zone)},
            _("name a place, such as Europe/Berlin or Asia/Shanghai, or UTC"),
        )
        return Schedule()
    opens_at = _read_instant(survey.get("opens_at"), "opens_at", ZoneInfo(zone), problems)
    closes_at = _read_instant(survey.get("closes_at"), "closes_at", ZoneInfo(zone), problems)
    if opens_at and closes_at and closes_at <= opens_at:
        problems.add(
            "closes_at",
            _("%(time)s is not after the opening") % {"time": shown(survey["closes_at"])},
            _("close later than you open"),
        )
    delete_at = _read_day(survey.get("delete_on"), zone, problems)
    last = closes_at + GRACE if closes_at else opens_at
    if delete_at and last and delete_at < last:
        problems.add(
            "delete_on",
            _("%(day)s is too early: answers can still come in then") % {"day": shown(survey["delete_on"])},
            _("delete on a day that begins at least 48 hours after closing"),
        )
    return Schedule(time_zone=zone, opens_at=opens_at, closes_at=closes_at, delete_at=delete_at)


def _read_day(value: object, zone: str, problems: Problems) -> datetime | None:
    if value is None:
        return None
    begins = day_begins(value, zone) if isinstance(value, str) else None
    if begins is None:
        problems.add("delete_on", _("%(day)s is no day") % {"day": shown(value)}, _("write it as 2027-03-01"))
    return begins


def _read_instant(value: object, path: str, zone: ZoneInfo, problems: Problems) -> datetime | None:
    if value is None:
        return None
    try:
        local = datetime.fromisoformat(value) if isinstance(value, str) and _LOCAL.fullmatch(value) else None
    except ValueError:
        local = None
    if local is None:
        problems.add(
            path,
            _("%(time)s is no time") % {"time": shown(value)},
            _("write it as 2026-12-01T08:00, by the clocks of the survey's time zone"),
        )
        return None
    instant = local.replace(tzinfo=zone).astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) != local:
        after = local_text(instant, zone.key)
        problems.add(
            path,
            _("%(time)s does not exist in %(zone)s: clocks are put forward over it")
            % {"time": shown(value), "zone": zone.key},
            _("write %(after)s, which is the same instant") % {"after": after},
        )
        return None
    return instant


def _is_place(name: str) -> bool:
    return "/" in name and not name.startswith(("Etc/", "SystemV/", "US/"))
