"""The machine's clock and disks.

A wrong clock must not delete anything permanently. Two signs of one are visible from here: the clock differs
from the database's by a minute, or the sweeper's last round was a day ago or lies a day ahead. A machine that
was off for a day shows the second sign; deletion then waits too.
"""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from surveys.models import Beat
from surveys.models.staff import record_heartbeat

NOTE: Final = "clock in doubt"
MOST_DIFFERENCE: Final = timedelta(minutes=1)
JUMP: Final = timedelta(days=1)
WAIT: Final = timedelta(days=1)
"""How long nothing is deleted after the last sign, so that an administrator can read the mail and check."""


def clock_doubted(*, last_round: datetime | None, now: datetime) -> bool:
    """Check for signs of a wrong clock, record one, and return whether deletions wait.

    Parameters
    ----------
    last_round : datetime or None
        Time of the sweeper's previous round.
    now : datetime
        Time by the clock in question.
    """
    if sign := _sign(last_round, now):
        record_heartbeat(NOTE, now=now, says={"sign": sign})
    return doubt_noted(now=now) is not None


def doubt_noted(*, now: datetime) -> str | None:
    """Return the sign because of which deletions wait at `now`, and until when; None if they do not wait."""
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
    """Return the time by the database's clock; SQLite uses this machine's."""
    if connection.vendor == "sqlite":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    moment: datetime = now
    return moment


LEAST_BYTES: Final = 200 << 20
"""Below this, the disk has no space for a mix, a log and a run at once."""

COMFORTABLE_BYTES: Final = 2 << 30


def free_bytes() -> int:
    """Return the free space for the home and, with SQLite, for the database: of the fuller disk."""
    places = {Path(settings.SOTTOVOCE_HOME)}
    if connection.vendor == "sqlite":
        places.add(Path(str(connection.settings_dict["NAME"])).parent)
    return min(shutil.disk_usage(place).free for place in places)


def keep_private(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Make SQLite's files unreadable to other accounts, once a connection has created or found them."""
    if connection.vendor == "sqlite":
        for beside in ("", "-wal", "-shm"):
            path = Path(f"{connection.settings_dict['NAME']}{beside}")
            if path.is_file() and path.stat().st_mode & 0o077:
                path.chmod(0o600)
