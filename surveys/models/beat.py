"""Signs of life."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models


class Beat(models.Model):
    """When a part of the system last said that it lives ("sweeper", "worker").

    It says nothing about respondents: parts beat by their own clock, not when an answer arrives.
    """

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    objects: ClassVar[models.Manager["Beat"]]

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"


def record_beat(name: str, *, now: datetime) -> None:
    """Record that the part `name` lives."""
    Beat.objects.update_or_create(name=name, defaults={"at": now})


def beat_age(name: str, *, now: datetime) -> timedelta | None:
    """Return how long ago the part `name` was last heard of, or None if it never was."""
    beat = Beat.objects.filter(name=name).first()
    return None if beat is None else now - beat.at
