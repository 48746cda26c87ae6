"""Doubt about the clock: what is deleted for good is not deleted by a clock that may be wrong.

Two signs of a wrong clock can be seen from here: it is a minute away from the database's, or the sweeper's
last round was a day ago or a day ahead. A machine that was off for a day shows the second one, and waits too.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.utils import timezone

from surveys.models import Beat
from surveys.models.beat import record_heartbeat

__all__ = ["clock_doubted", "doubt_noted"]

NOTE: Final = "clock in doubt"
MOST_DIFFERENCE: Final = timedelta(minutes=1)
JUMP: Final = timedelta(days=1)
WAIT: Final = timedelta(days=1)
"""So long nothing is deleted after the last sign: somebody reads the mail and looks at the clock."""


def clock_doubted(*, last_round: datetime | None, now: datetime) -> bool:
    """Look for signs of a wrong clock, note one, and return whether deletions wait.

    Parameters
    ----------
    last_round : datetime or None
        When the sweeper came round before this time.
    now : datetime
        By the clock in question.
    """
    if sign := _sign(last_round, now):
        record_heartbeat(NOTE, now=now, says={"sign": sign})
    return doubt_noted(now=now) is not None


def doubt_noted(*, now: datetime) -> str | None:
    """Return the sign for which deletions wait at `now`, with until when; None where they do not."""
    note = Beat.objects.filter(name=NOTE).first()
    if note is None or now - note.at >= WAIT:
        return None
    return f"{note.says['sign']}; nothing is deleted before {note.at + WAIT:%Y-%m-%d %H:%M} UTC"


def _sign(last_round: datetime | None, now: datetime) -> str:
    difference = abs(_database_now() - timezone.now())
    if difference >= MOST_DIFFERENCE:
        return f"the database's clock is {difference.total_seconds():.0f} s away from the sweeper's"
    if last_round is not None and abs(now - last_round) >= JUMP:
        return f"the sweeper came round at {last_round:%Y-%m-%d %H:%M} and next at {now:%Y-%m-%d %H:%M} UTC"
    return ""


def _database_now() -> datetime:
    """Return the time by the database's clock; that of SQLite is this machine's."""
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    moment: datetime = now
    return moment
