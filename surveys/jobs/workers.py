"""Workers: send them tasks, limit their work, and list which are alive, with which program, key and home.

Tasks import the services that do the work, and services request tasks. To avoid an import cycle, callers
name a task here instead of importing it. A broker that does not answer is not an error for the caller,
because the database records the work to do. Celery is loaded when the first task is sent. The sweeper sends
no tasks, because workers find the jobs that it wrote.

A worker sends heartbeats from the loop that receives its messages, so a worker that cannot reach the broker
sends none. It also sends them during runs, because other processes carry these out. With each heartbeat it
removes files from its home that belong to no survey. The web process and the sweeper clean their homes too
but compute nothing, so this module does not load the code that counts.
"""

from __future__ import annotations

import logging
import os
import resource
import secrets
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils.crypto import salted_hmac
from django.utils.module_loading import import_string

from mining import Progress, ProgressListener
from surveys.errors.error import SurveyError
from surveys.jobs.provenance import home_token, program_version
from surveys.models import Beat, Survey
from surveys.models.heartbeat import is_late, record_heartbeat

if TYPE_CHECKING:
    from celery import Celery

    from privacy.survey.design import Design


logger = logging.getLogger(__name__)

_left_to_workers: ContextVar[bool] = ContextVar("left to workers", default=False)


class Task(StrEnum):
    """Names of the tasks in the broker's messages, independent of the modules that define them.

    `surveys.tasks` defines the tasks.
    """

    PING = "sottovoce.ping"
    RUN_JOB = "sottovoce.run_job"
    COUNT_PART = "sottovoce.count_part"
    KEEP_COLUMNS = "sottovoce.keep_columns"
    KEEP_MAP = "sottovoce.keep_map"


def dispatch(task: Task, *arguments: Any, queue: str | None = None) -> bool:
    """Send a task once; return whether the broker accepted it."""
    if _left_to_workers.get():
        return False
    app = _application()
    try:
        app.send_task(task.value, arguments, queue=queue, retry=False, ignore_result=True)
    except _broker_errors() as error:
        logger.warning("the broker did not take %s%s: %s", task.name.lower(), arguments, type(error).__name__)
        return False
    return True


@contextmanager
def left_to_workers() -> Iterator[None]:
    """Send nothing inside this block; jobs stay queued and due in the database, where workers find them."""
    token = _left_to_workers.set(True)
    try:
        yield
    finally:
        _left_to_workers.reset(token)


def dispatch_parts(
    part: Task, arguments: Iterable[tuple[Any, ...]], *, then: Task, last: tuple[Any, ...]
) -> bool:
    """Send one task per element of `arguments`, and another when all have ended; return whether that worked.

    The broker counts the finished parts (a Celery chord), so no process waits or polls.
    """
    from celery import chord

    app = _application()
    parts = [app.signature(part.value, args=each) for each in arguments]
    try:
        chord(parts)(app.signature(then.value, args=last, immutable=True))
    except _broker_errors() as error:
        logger.warning("the broker did not take %s%s: %s", part.name.lower(), last, type(error).__name__)
        return False
    return True


def _application() -> Celery:
    # Imported by name, because the application is defined in a higher layer.
    application: Celery = import_string("surveys.celery.app")
    return application


def _broker_errors() -> tuple[type[Exception], ...]:
    from kombu.exceptions import OperationalError
    from redis.exceptions import RedisError

    return OperationalError, RedisError, OSError


_STATM: Final = Path("/proc/self/statm")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Limits at which a run is stopped.

    Parameters
    ----------
    candidates : int
        Largest number of itemsets of one length to count.
    seconds : int
        Longest working time of one attempt, in seconds.
    megabytes : int
        Most memory that the work may use in addition to what the worker used before.
    """

    candidates: int
    seconds: int
    megabytes: int


def site_bounds() -> Bounds:
    """Return the limits that this installation sets."""
    return Bounds(
        candidates=settings.RUN_CANDIDATES, seconds=settings.RUN_SECONDS, megabytes=settings.RUN_MEGABYTES
    )


def bound_progress(
    progress: ProgressListener,
    bounds: Bounds,
    *,
    clock: Callable[[], float],
    memory: Callable[[], float],
    thresholds: bool = True,
) -> ProgressListener:
    """Return a progress listener that also stops work that exceeds its bounds.

    Parameters
    ----------
    progress : callable
        Listener to call first.
    bounds : Bounds
    clock : callable
        Returns seconds.
    memory : callable
        Returns the megabytes that the process uses.
    thresholds : bool
        Whether higher thresholds make the work cheaper; the error message then suggests them.

    Notes
    -----
    The bounds are checked between two steps. If a single step exhausts the machine's memory, the system ends
    the process, and the job reports that.
    """
    start_time, baseline = clock(), memory()

    def check(step: Progress) -> None:
        progress(step)
        if (spent := clock() - start_time) > bounds.seconds:
            raise SurveyError(
                "seconds" if thresholds else "seconds.audit", round(spent), seconds=bounds.seconds
            )
        if (growth := memory() - baseline) > bounds.megabytes:
            raise SurveyError(
                "megabytes" if thresholds else "megabytes.audit", round(growth), megabytes=bounds.megabytes
            )

    return check


def memory_megabytes() -> float:
    """Return the memory that this process uses now or, if that is unknown, the most it has used."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # Kilobytes on Linux, bytes on a Mac.
        return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return pages * resource.getpagesize() / (1 << 20)


def directory_of(survey_id: int, design: Design) -> Path:
    """Return the directory with the segments of a survey's design."""
    return Path(settings.SOTTOVOCE_HOME) / "columns" / f"{survey_id}-{design.design_id[:32]}"


def keep_file(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a derived file and rename it into place; readers see all of it or nothing.

    If the disk is full or not writable, this only costs time later, because the file is computed again.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(draft, "xb", opener=_owners_only) as file:
            write(file)
        draft.replace(path)
    except OSError as error:
        logger.warning("%s cannot be kept in %s: %s", path.name, path.parent, error)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _owners_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def columns_clear() -> None:
    """Delete columns, and files stored with them, from this home if their survey no longer exists.

    They remain if the survey was deleted from another home. They are derived data, and a directory is created
    only after its survey, so files that were deleted by mistake are computed again.
    """
    columns_home = Path(settings.SOTTOVOCE_HOME) / "columns"
    try:
        names = {path: path.name.partition("-")[0] for path in columns_home.iterdir()}
    except OSError:
        return
    surveys_here = {path: int(name) for path, name in names.items() if name.isascii() and name.isdecimal()}
    live_ids = (
        set(Survey.objects.filter(pk__in=set(surveys_here.values())).values_list("pk", flat=True))
        if surveys_here
        else set()
    )
    for path, survey_id in surveys_here.items():
        if survey_id not in live_ids:
            shutil.rmtree(path, ignore_errors=True)


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
"""Salt of the key mark. Backups store the mark, so the salt stays the same even if this module is renamed."""

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
        return not is_late(self.age_seconds)


def key_mark() -> str:
    """Return a mark that identifies the secret key and reveals nothing else about it."""
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
    """Record a heartbeat, forget long-dead workers, and remove columns of deleted surveys from the home."""
    record_heartbeat(_heartbeat_name(), now=now, says=dict(facts))
    Beat.objects.filter(name__startswith=_PREFIX, at__lt=now - FORGOTTEN).delete()
    columns_clear()


def sign_off() -> None:
    """Remove the heartbeat of a worker that shuts down as requested, so that it is not reported missing."""
    Beat.objects.filter(name=_heartbeat_name()).delete()


def clear_periodically() -> threading.Thread:
    """Remove files of deleted surveys from this home, repeatedly as long as the web process lives.

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
            # A refused database ends this thread: every process refuses it and must be started anew.
            finally:
                connection.close()
            time.sleep(SECONDS_BETWEEN_CLEARINGS)

    thread = threading.Thread(target=go_on, name="clearing the home", daemon=True)
    thread.start()
    return thread


def facts_of_this_program() -> dict[str, str]:
    """Return what a worker reports about itself; call it at the start, because files may change later."""
    return {
        "program": program_version(),
        "key": key_mark(),
        "home": home_token(Path(settings.SOTTOVOCE_HOME)),
    }


def _heartbeat_name() -> str:
    return f"{_PREFIX}{socket.gethostname()[:_LONGEST_HOST]}/{os.getpid()}"
