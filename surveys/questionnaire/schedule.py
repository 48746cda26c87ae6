"""When a survey opens, is cut into chapters, closes and is deleted, by local time.

A definition says "2026-12-01T08:00" in its time zone; the instant is stored. Times that are skipped when
clocks are put forward are refused. If a time occurs twice because clocks are put back, the first is meant. A
survey is deleted at the start of a day in its time zone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from surveys.errors.error import short_json
from surveys.models.survey import GRACE
from surveys.questionnaire.document import Node
from surveys.questionnaire.local_time import DEFAULT_ZONE, day_begins, local_text, time_zones, wall_time

_LOCAL: Final = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """When a survey opens, closes and is deleted.

    Parameters
    ----------
    time_zone : str
        Name of a time zone: "Europe/Berlin".
    opens_at, closes_at : datetime or None
        Instants, in UTC. None if the survey opens when published, or is closed by hand.
    delete_at : datetime or None
        Start of the day on which all answers are deleted; None if the survey is deleted by hand.
    chapters : tuple of datetime
        Instants at which a survey that stays open is cut into chapters.
    """

    time_zone: str = DEFAULT_ZONE
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    delete_at: datetime | None = None
    chapters: tuple[datetime, ...] = ()

    @property
    def opens(self) -> datetime | None:
        """Opening time, in the survey's time zone."""
        return self.opens_at and wall_time(self.opens_at, self.time_zone)

    @property
    def closes(self) -> datetime | None:
        """Closing time, in the survey's time zone."""
        return self.closes_at and wall_time(self.closes_at, self.time_zone)

    @property
    def chapter_ends(self) -> list[datetime]:
        """Ends of chapters, in the survey's time zone."""
        return [wall_time(at, self.time_zone) for at in self.chapters]

    @property
    def delete_on(self) -> date | None:
        """The day on which all answers are deleted."""
        return self.delete_at and wall_time(self.delete_at, self.time_zone).date()


def read_schedule(survey: Node) -> Schedule:
    """Return a definition's schedule; note values that cannot be stored."""
    zone = survey.value.get("time_zone", DEFAULT_ZONE)
    if not isinstance(zone, str) or zone not in time_zones():
        survey.at("time_zone").wrong(
            _("unknown time zone: %(zone)s"),
            _("name a place, such as Europe/Berlin or Asia/Shanghai, or UTC"),
            zone=short_json(zone),
        )
        return Schedule()
    closing, deletion = survey.at("closes_at"), survey.at("delete_on")
    opens_at = _read_instant(survey.at("opens_at"), ZoneInfo(zone))
    closes_at = _read_instant(closing, ZoneInfo(zone))
    if opens_at and closes_at and closes_at <= opens_at:
        closing.wrong(
            _("%(time)s is not after the opening"),
            _("close later than you open"),
            time=short_json(closing.value),
        )
    delete_at = _read_day(deletion, zone)
    last = closes_at + GRACE if closes_at else opens_at
    if delete_at and last and delete_at < last:
        deletion.wrong(
            _("%(day)s is too early: answers can still arrive then"),
            _("delete on a day that begins at least 48 hours after closing"),
            day=short_json(deletion.value),
        )
    return Schedule(
        time_zone=zone,
        opens_at=opens_at,
        closes_at=closes_at,
        delete_at=delete_at,
        chapters=_read_chapters(survey.at("chapters"), ZoneInfo(zone), (opens_at, closes_at)),
    )


MOST_CHAPTERS: Final = 100


def _read_chapters(
    chapters: Node, zone: ZoneInfo, bounds: tuple[datetime | None, datetime | None]
) -> tuple[datetime, ...]:
    """Return the times at which a survey is cut into chapters; note those that are out of order."""
    if chapters.value is None:
        return ()
    times: list[datetime] = []
    opens_at, closes_at = bounds
    for node in chapters.entries(most=MOST_CHAPTERS):
        at = _read_instant(node, zone)
        if at is None:
            if node.value is None:
                node.wrong(_("a time is missing"), _("choose a time, or remove this chapter"))
            continue
        earlier = times[-1] if times else opens_at
        if (earlier and at <= earlier) or (closes_at and at >= closes_at):
            node.wrong(
                _("%(time)s is out of order"),
                _("list the ends of chapters in order, after the opening and before the closing"),
                time=short_json(node.value),
            )
        times.append(at)
    return tuple(times)


def _read_day(node: Node, zone: str) -> datetime | None:
    day = node.value
    if day is None:
        return None
    begins = day_begins(day, zone) if isinstance(day, str) else None
    if begins is None:
        node.wrong(_("not a date: %(day)s"), _("write it like 2027-03-01"), day=short_json(day))
    return begins


def _read_instant(node: Node, zone: ZoneInfo) -> datetime | None:
    text = node.value
    if text is None:
        return None
    try:
        local = datetime.fromisoformat(text) if isinstance(text, str) and _LOCAL.fullmatch(text) else None
    except ValueError:
        local = None
    if local is None:
        node.wrong(
            _("not a time: %(time)s"),
            _("write it as 2026-12-01T08:00, by the clocks of the survey's time zone"),
            time=short_json(text),
        )
        return None
    instant = local.replace(tzinfo=zone).astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) != local:
        node.wrong(
            _("%(time)s does not exist in %(zone)s: clocks are put forward over it"),
            _("write %(after)s, which is the same instant"),
            time=short_json(text),
            zone=zone.key,
            after=local_text(instant, zone.key),
        )
        return None
    return instant
