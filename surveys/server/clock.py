"""The clocks of this machine and of the database, and the signs that one of them is wrong.

A wrong clock must not delete anything permanently. There are two signs of one: the clock differs from the
database's by a minute, or the sweeper's last round was a day ago or is a day ahead. A machine that was off
for a day shows the second sign, so deletions wait then too."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.utils import timezone

from surveys.jobs.heartbeats import workers
from surveys.jobs.sweeper import SECONDS_BETWEEN_ROUNDS, SWEEPER_HEARTBEAT
from surveys.models import Beat
from surveys.models.heartbeat import SECONDS_AHEAD, heartbeat_age, is_late, record_heartbeat

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


SECONDS_TO_MOVE: Final = 2 * SECONDS_BETWEEN_ROUNDS
"""How long to wait for another round of a sweeper that seems late."""
MOST_CLOCK_DIFFERENCE: Final = 5.0
"""Largest difference, in seconds, from the database's clock."""


def clock_problem(*, wait: bool = True) -> str:
    """Return in words how this machine's clock differs from the others'; "" if nothing shows a difference.

    A heartbeat in the future shows one. So does a sweeper that seems late and still makes rounds: its clock
    is behind. To see that, this function waits for some seconds if the sweeper seems late.

    Parameters
    ----------
    wait : bool
        False to return at once. Then a clock that is behind is not found: the sweeper is only late.

    Raises
    ------
    DatabaseError
    """
    off = (database_now() - timezone.now()).total_seconds()
    if abs(off) > MOST_CLOCK_DIFFERENCE:
        return (
            f"the database's clock is {abs(off):.0f} s {'ahead of' if off > 0 else 'behind'} this machine's"
        )
    now = timezone.now()
    ages = {worker.name: worker.age_seconds for worker in workers(now=now)}
    sweeper = heartbeat_age(SWEEPER_HEARTBEAT, now=now)
    if sweeper is not None:
        ages["the sweeper"] = sweeper.total_seconds()
    for name, age in ages.items():
        if age < -SECONDS_AHEAD:
            return f"the last heartbeat of {name} is {-age:.0f} s in the future"
    if sweeper is not None and is_late(sweeper.total_seconds()) and wait and _sweeper_moves():
        return f"the sweeper's clock is {sweeper.total_seconds():.0f} s behind this machine's"
    return ""


def _sweeper_moves() -> bool:
    """Return whether the sweeper makes a round within `SECONDS_TO_MOVE`."""
    found = Beat.objects.filter(name=SWEEPER_HEARTBEAT).values_list("at", flat=True)
    before, deadline = found.get(), time.monotonic() + SECONDS_TO_MOVE
    while time.monotonic() < deadline:
        time.sleep(0.2)
        if found.get() != before:
            return True
    return False
