"""Report a clock that differs from the database's or the sweeper's, as a check of health."""

from __future__ import annotations

import time
from typing import Final

from django.utils import timezone

from surveys.jobs.heartbeats import workers
from surveys.jobs.sweeper import SECONDS_BETWEEN_ROUNDS, SWEEPER_HEARTBEAT
from surveys.models import Beat
from surveys.models.heartbeat import SECONDS_AHEAD, heartbeat_age, is_late
from surveys.server.clock import database_now

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
