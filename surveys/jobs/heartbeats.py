"""Heartbeats of the workers: which live, with which program, key and home.

A worker gives them from the loop that takes its messages, so one that cannot reach the broker gives none. It
does so while runs are at work, too: those are done by processes of their own. With each sign it clears its
home of what no survey owns.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils.crypto import salted_hmac

from surveys.jobs.provenance import home_token, program_version
from surveys.models import Beat
from surveys.models.staff import is_late, record_heartbeat
from surveys.rows.directories import columns_clear

__all__ = [
    "KEY_HEARTBEAT",
    "Worker",
    "clear_from_time_to_time",
    "facts_of_this_program",
    "key_mark",
    "key_note",
    "sign",
    "sign_off",
    "workers",
]

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_CLEARINGS: Final = 60.0
FORGOTTEN: Final = timedelta(hours=1)
"""A worker that was killed is named for so long, unless it was the last."""

KEY_HEARTBEAT: Final = "secret key"
"""Name of the beat that says under which key a database was begun."""

_KEY_MARK_SALT: Final = "surveys.jobs.heartbeats"
"""Stored with every backup: it stays as it is, however this module is called."""

_PREFIX: Final = "worker "
_LONGEST_HOST: Final = 80


@dataclass(frozen=True, kw_only=True)
class Worker:
    """A worker as it last showed itself.

    Attributes
    ----------
    name : str
        Its machine and the number of its process.
    age_seconds : float
        Below 0 where its clock is ahead of this one.
    program, key, home : str
        Digest of its program, mark of its secret key, token of its home.
    """

    name: str
    age_seconds: float
    program: str
    key: str
    home: str

    @property
    def lives(self) -> bool:
        """Whether it was heard of lately."""
        return not is_late(self.age_seconds)


def key_mark() -> str:
    """Return what tells one secret key from another and nothing else about it."""
    return salted_hmac(_KEY_MARK_SALT, "secret key", algorithm="sha256").hexdigest()[:16]


def key_note(*, now: datetime, accept: bool = False) -> None:
    """Note the mark of the secret key where none is noted; with `accept` that of a new one in its place."""
    if accept or not Beat.objects.filter(name=KEY_HEARTBEAT).exists():
        record_heartbeat(KEY_HEARTBEAT, now=now, says={"key": key_mark()})


def workers(*, now: datetime) -> list[Worker]:
    """Return the workers that showed themselves, the newest sign first."""
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
    """Record a heartbeat, forget workers long dead, and remove columns of deleted surveys from the home."""
    record_heartbeat(_own_name(), now=now, says=dict(facts))
    Beat.objects.filter(name__startswith=_PREFIX, at__lt=now - FORGOTTEN).delete()
    columns_clear()


def sign_off() -> None:
    """Remove the heartbeat of a worker that ends as asked, so that it is not missed."""
    Beat.objects.filter(name=_own_name()).delete()


def clear_from_time_to_time() -> threading.Thread:
    """Clear this home of what no survey owns, now and for as long as the process lives: the web's part.

    Returns
    -------
    threading.Thread
        The one that does it.
    """

    def go_on() -> None:
        while True:
            try:
                columns_clear()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("this home was not cleared: %s", type(error).__name__)
            # A newer database ends this: every part refuses it then, and the program there has to be another.
            finally:
                connection.close()
            time.sleep(SECONDS_BETWEEN_CLEARINGS)

    thread = threading.Thread(target=go_on, name="clearing the home", daemon=True)
    thread.start()
    return thread


def facts_of_this_program() -> dict[str, str]:
    """Return what a worker says of itself; asked when it starts, since files may change under it."""
    return {
        "program": program_version(),
        "key": key_mark(),
        "home": home_token(Path(settings.SOTTO_HOME)),
    }


def _own_name() -> str:
    return f"{_PREFIX}{socket.gethostname()[:_LONGEST_HOST]}/{os.getpid()}"
