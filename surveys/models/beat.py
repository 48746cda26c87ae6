"""Heartbeats of the parts of an installation."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.db import models

# A heartbeat may be this far ahead of the clock that reads it; further, and one of the two clocks is wrong.
SECONDS_AHEAD: Final = 5.0
SECONDS_UNTIL_LATE: Final = 60.0


class Beat(models.Model):
    """Last heartbeat of a part of the system ("sweeper", "worker host/4711").

    It says nothing about respondents: parts beat by their own clock, not when an answer arrives. What a part
    says of itself beside its name is in ``says``.
    """

    name = models.CharField(max_length=120, primary_key=True)
    at = models.DateTimeField()
    says = models.JSONField(default=dict)

    objects: ClassVar[models.Manager["Beat"]]

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"


def record_heartbeat(name: str, *, now: datetime, says: dict[str, Any] | None = None) -> None:
    """Record that the part `name` lives, and what it says of itself."""
    Beat.objects.update_or_create(name=name, defaults={"at": now, "says": says or {}})


def heartbeat_age(name: str, *, now: datetime) -> timedelta | None:
    """Return the age of the last heartbeat of the part `name`, or None if there is none."""
    heartbeat = Beat.objects.filter(name=name).first()
    return None if heartbeat is None else now - heartbeat.at


def is_late(age_seconds: float) -> bool:
    """Whether a heartbeat is too old, or of a time to come, so that its age is unknown.

    >>> [is_late(age) for age in (-5.1, -5.0, 0.0, 60.0, 60.1)]
    [True, False, False, False, True]
    """
    return not -SECONDS_AHEAD <= age_seconds <= SECONDS_UNTIL_LATE
