"""The clocks of this machine and of the database, and the signs that one of them is wrong.

A wrong clock must not delete anything permanently. There are two signs of one: the clock differs from the
database's by a minute, or the sweeper's last round was a day ago or is a day ahead. A machine that was off
for a day shows the second sign, so deletions wait then too."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.utils import timezone

from surveys.models import Beat
from surveys.models.heartbeat import record_heartbeat

NOTE: Final = "clock in doubt"
MOST_DIFFERENCE: Final = timedelta(minutes=1)
JUMP: Final = timedelta(days=1)
WAIT: Final = timedelta(days=1)
"""How long deletions wait after the last sign, so that an administrator can read the mail and check."""


def check_clock(*, last_round: datetime | None, now: datetime) -> bool:
    """Check for signs of a wrong clock and record one; return whether deletions wait.

    Parameters
    ----------
    last_round : datetime or None
        Time of the sweeper's previous round.
    now : datetime
        Time by the clock to check.
    """
    if sign := _clock_problem(last_round, now):
        record_heartbeat(NOTE, now=now, says={"sign": sign})
    return clock_doubt(now=now) is not None


def clock_doubt(*, now: datetime) -> str | None:
    """Return why deletions wait at `now`, and until when; None if they do not wait."""
    note = Beat.objects.filter(name=NOTE).first()
    if note is None or now - note.at >= WAIT:
        return None
    return f"{note.says['sign']}; nothing is deleted before {note.at + WAIT:%Y-%m-%d %H:%M} UTC"


def _clock_problem(last_round: datetime | None, now: datetime) -> str:
    difference = abs(database_now() - timezone.now())
    if difference >= MOST_DIFFERENCE:
        return f"the database's clock is {difference.total_seconds():.0f} s off the sweeper's"
    if last_round is not None and abs(now - last_round) >= JUMP:
        return f"the sweeper ran at {last_round:%Y-%m-%d %H:%M} and then at {now:%Y-%m-%d %H:%M} UTC"
    return ""


def database_now() -> datetime:
    """Return the time by the database's clock; for SQLite, by this machine's."""
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    moment: datetime = now
    return moment
