"""Heartbeats of workers and of the sweeper: which are alive, with which program, key and home.

A worker sends heartbeats from the loop that receives its messages, so a worker that cannot reach the broker
sends none. It also sends them during runs, because other processes carry these out. With each heartbeat it
removes files from its home that belong to no survey. The web process and the sweeper compute nothing, so
this module does not load the code that counts.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings

from surveys.jobs.home_files import columns_clear
from surveys.jobs.home_token import home_token
from surveys.jobs.key_mark import key_mark
from surveys.jobs.provenance import program_version
from surveys.models import Beat
from surveys.models.heartbeat import SECONDS_UNTIL_WORKER_LATE, is_late, record_heartbeat

FORGOTTEN: Final = timedelta(hours=1)
"""How long a killed worker is listed, unless it was the last one."""

WORKER_HEARTBEAT: Final = "worker"
"""Name of the heartbeat that a worker records when it answers a ping through the broker."""

_PREFIX: Final = "worker "
_LONGEST_HOST: Final = 80


@dataclass(frozen=True, kw_only=True)
class Worker:
    """A worker as of its last heartbeat.

    Attributes
    ----------
    name : str
        Host name and process number.
    age_seconds : float
        Negative if the worker's clock is ahead of this process's.
    program, key, home : str
        Digest of its program, mark of its secret key, token of its home directory.
    """

    name: str
    age_seconds: float
    program: str
    key: str
    home: str

    @property
    def lives(self) -> bool:
        """Whether its last heartbeat is recent."""
        return not is_late(self.age_seconds, SECONDS_UNTIL_WORKER_LATE)


def workers(*, now: datetime) -> list[Worker]:
    """Return the known workers, most recent heartbeat first."""
    beats = Beat.objects.filter(name__startswith=_PREFIX).order_by("-at", "name")
    return [
        Worker(
            name=heartbeat.name.removeprefix(_PREFIX),
            age_seconds=round((now - heartbeat.at).total_seconds(), 1),
            **{fact: str(heartbeat.says.get(fact, "")) for fact in ("program", "key", "home")},
        )
        for heartbeat in beats
    ]


def sign(*, now: datetime, facts: Mapping[str, str]) -> None:
    """Record a heartbeat, forget long-dead workers, and remove columns of deleted surveys from the home."""
    record_heartbeat(_heartbeat_name(), now=now, says=dict(facts))
    Beat.objects.filter(name__startswith=_PREFIX, at__lt=now - FORGOTTEN).delete()
    columns_clear()


def sign_off() -> None:
    """Remove the heartbeat of a worker that shuts down as requested, so that it is not reported missing."""
    Beat.objects.filter(name=_heartbeat_name()).delete()


def facts_of_this_program() -> dict[str, str]:
    """Return what a worker reports about itself; call it at the start, because files may change later."""
    return {
        "program": program_version(),
        "key": key_mark(),
        "home": home_token(Path(settings.SOTTOVOCE_HOME)),
    }


def _heartbeat_name() -> str:
    return f"{_PREFIX}{socket.gethostname()[:_LONGEST_HOST]}/{os.getpid()}"
