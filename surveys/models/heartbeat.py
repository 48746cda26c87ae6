"""Heartbeats of processes: when each was last alive, and what it reports about itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.db import models

# A heartbeat may be this far ahead of the reader's clock. If it is further ahead, one of the clocks is wrong.
SECONDS_AHEAD: Final = 5.0
SECONDS_UNTIL_LATE: Final = 60.0
# A worker records a heartbeat every 15 seconds, so this one missed two.
SECONDS_UNTIL_WORKER_LATE: Final = 40.0


class Beat(models.Model):
    """Last heartbeat of a process ("sweeper", "worker host/4711").

    It reveals nothing about respondents, because processes send heartbeats by their own clock, not when an
    answer arrives. ``says`` holds further facts that a process reports about itself.
    """

    name = models.CharField(max_length=120, primary_key=True)
    at = models.DateTimeField()
    says = models.JSONField(default=dict)

    objects: ClassVar[models.Manager[Beat]]

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"


def record_heartbeat(name: str, *, now: datetime, says: dict[str, Any] | None = None) -> None:
    """Record that the process `name` is alive, and what it reports about itself."""
    Beat.objects.update_or_create(name=name, defaults={"at": now, "says": says or {}})


def heartbeat_age(name: str, *, now: datetime) -> timedelta | None:
    """Return the age of the last heartbeat of the process `name`, or None if there is none."""
    heartbeat = Beat.objects.filter(name=name).first()
    return None if heartbeat is None else now - heartbeat.at


def is_late(age_seconds: float, latest: float = SECONDS_UNTIL_LATE) -> bool:
    """Whether a heartbeat is too old, or dated in the future, so that its age is unknown.

    Parameters
    ----------
    age_seconds : float
    latest : float
        Oldest age in seconds that is not late.

    Examples
    --------
    >>> [is_late(age) for age in (-5.1, -5.0, 0.0, 60.0, 60.1)]
    [True, False, False, False, True]
    """
    return not -SECONDS_AHEAD <= age_seconds <= latest
