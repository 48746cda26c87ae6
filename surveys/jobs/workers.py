"""Workers: which are alive, with which program, key and home directory, and the columns in each home.

A worker sends them from the loop that receives its messages, so a worker that cannot reach the broker sends
none. It also sends them during runs, which other processes carry out. With each heartbeat it removes files
from its home that belong to no survey. The web process and the sweeper clean their homes too, and compute
nothing, so this module does not load the code that counts.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils.crypto import salted_hmac

from surveys.jobs.provenance import home_token, program_version
from surveys.models import Beat, Survey
from surveys.models.staff import is_late, record_heartbeat

if TYPE_CHECKING:
    from privacy.survey.design import Design


def directory_of(survey_id: int, design: Design) -> Path:
    """Return the directory with the segments of a survey's design."""
    return Path(settings.SOTTOVOCE_HOME) / "columns" / f"{survey_id}-{design.design_id[:32]}"


def columns_clear() -> None:
    """Delete from this home the columns, and files stored with them, that belong to no survey.

    They remain here if a survey is deleted elsewhere. They are derived data, and a directory is created only
    after its survey, so files deleted by mistake are made again.
    """
    shelves = Path(settings.SOTTOVOCE_HOME) / "columns"
    try:
        names = {path: path.name.partition("-")[0] for path in shelves.iterdir()}
    except OSError:
        return
    surveys_here = {path: int(name) for path, name in names.items() if name.isascii() and name.isdecimal()}
    owned = (
        set(Survey.objects.filter(pk__in=set(surveys_here.values())).values_list("pk", flat=True))
        if surveys_here
        else set()
    )
    for path, survey_id in surveys_here.items():
        if survey_id not in owned:
            shutil.rmtree(path, ignore_errors=True)


logger = logging.getLogger(__name__)

SECONDS_BETWEEN_CLEARINGS: Final = 60.0
FORGOTTEN: Final = timedelta(hours=1)
"""How long a killed worker is listed, unless it was the last one."""

KEY_HEARTBEAT: Final = "secret key"
"""Name of the heartbeat that records the secret key a database was created with."""

SWEEPER_HEARTBEAT: Final = "sweeper"
WORKER_HEARTBEAT: Final = "worker"
"""Name of the heartbeat that a worker records when it answers a ping through the broker."""

SECONDS_BETWEEN_ROUNDS: Final = 2.0
"""How long the sweeper waits after a round."""

_KEY_MARK_SALT: Final = "surveys.jobs.heartbeats"
"""Salt of a mark that is stored with every backup, so it must not change when this module is renamed."""

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
        Negative if the worker's clock is ahead of this one.
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
        return not is_late(self.age_seconds)


def key_mark() -> str:
    """Return a mark that distinguishes secret keys and reveals nothing else about the key."""
    return salted_hmac(_KEY_MARK_SALT, "secret key", algorithm="sha256").hexdigest()[:16]


def key_note(*, now: datetime, accept: bool = False) -> None:
    """Store the mark of the secret key if there is none; with `accept`, replace the stored mark."""
    if accept or not Beat.objects.filter(name=KEY_HEARTBEAT).exists():
        record_heartbeat(KEY_HEARTBEAT, now=now, says={"key": key_mark()})


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
    """Record a heartbeat, forget workers long dead, and remove columns of deleted surveys from the home."""
    record_heartbeat(_own_name(), now=now, says=dict(facts))
    Beat.objects.filter(name__startswith=_PREFIX, at__lt=now - FORGOTTEN).delete()
    columns_clear()


def sign_off() -> None:
    """Remove the heartbeat of a worker that shuts down as requested, so that it is not reported missing."""
    Beat.objects.filter(name=_own_name()).delete()


def clear_from_time_to_time() -> threading.Thread:
    """Remove files of this home that belong to no survey, repeatedly while the web process lives.

    Returns
    -------
    threading.Thread
        The thread that does it.
    """

    def go_on() -> None:
        while True:
            try:
                columns_clear()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("this home was not cleared: %s", type(error).__name__)
            # A newer database ends this thread: every process refuses that database and must be updated.
            finally:
                connection.close()
            time.sleep(SECONDS_BETWEEN_CLEARINGS)

    thread = threading.Thread(target=go_on, name="clearing the home", daemon=True)
    thread.start()
    return thread


def facts_of_this_program() -> dict[str, str]:
    """Return what a worker reports about itself; called at its start, since files may change while it
    runs."""
    return {
        "program": program_version(),
        "key": key_mark(),
        "home": home_token(Path(settings.SOTTOVOCE_HOME)),
    }


def _own_name() -> str:
    return f"{_PREFIX}{socket.gethostname()[:_LONGEST_HOST]}/{os.getpid()}"
