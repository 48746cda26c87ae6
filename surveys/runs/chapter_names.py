"""Names of the chapters of a survey that stays open."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from surveys.runs.chapters import ClosedChapter


def chapter_text(chapter: ClosedChapter, time_zone: str) -> str:
    """Name a chapter: "chapter 2, until 2027-01-01"."""
    if chapter.ends_at is None:
        return _("chapter %(number)s, the last one") % {"number": chapter.number}
    return _("chapter %(number)s, until %(day)s") % {
        "number": chapter.number,
        "day": chapter_day(chapter, time_zone),
    }


def chapter_day(chapter: ClosedChapter, time_zone: str) -> str | None:
    """Return the day on which a chapter ended, in a time zone; None for the last one of a settled survey."""
    if chapter.ends_at is None:
        return None
    return chapter.ends_at.astimezone(ZoneInfo(time_zone)).date().isoformat()
