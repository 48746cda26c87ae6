"""Send work to the workers by the name of its task.

Tasks import the services that do the work, and services ask for tasks. To avoid an import cycle, a caller
names a task here and does not import it. A broker that does not answer is not an error for the caller,
because the database records what is to be done. Celery is loaded when the first task is sent. The sweeper
sends no tasks, because workers find the jobs that it wrote.
"""

from __future__ import annotations

import logging
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

from mining.progress import Progress, ProgressListener
from surveys.errors.error import SurveyError

if TYPE_CHECKING:
    from celery import Celery


logger = logging.getLogger(__name__)

_left: ContextVar[bool] = ContextVar("left to workers", default=False)


class Task(StrEnum):
    """Names of the tasks in the broker's messages, which do not depend on where the code is.

    `surveys.tasks` defines the tasks.
    """

    PING = "sottovoce.ping"
    RUN_JOB = "sottovoce.run_job"
    COUNT_PART = "sottovoce.count_part"
    KEEP_COLUMNS = "sottovoce.keep_columns"
    KEEP_MAP = "sottovoce.keep_map"


def dispatch(task: Task, *arguments: Any, queue: str | None = None) -> bool:
    """Send a task once; return whether the broker accepted it."""
    if _left.get():
        return False
    app = _application()
    try:
        app.send_task(task.value, arguments, queue=queue, retry=False, ignore_result=True)
    except _broker_away() as error:
        logger.warning("the broker did not take %s%s: %s", task.name.lower(), arguments, type(error).__name__)
        return False
    return True


@contextmanager
def left_to_workers() -> Iterator[None]:
    """Send nothing inside this block: jobs stay queued and due in the database, where workers look for
    them."""
    token = _left.set(True)
    try:
        yield
    finally:
        _left.reset(token)


def dispatch_parts(
    part: Task, arguments: Iterable[tuple[Any, ...]], *, then: Task, last: tuple[Any, ...]
) -> bool:
    """Send one task per element of `arguments`, then one when all have ended; return whether the broker
    agreed.

    The broker counts the finished parts (a Celery chord), so no process waits or polls.
    """
    from celery import chord

    app = _application()
    parts = [app.signature(part.value, args=each) for each in arguments]
    try:
        chord(parts)(app.signature(then.value, args=last, immutable=True))
    except _broker_away() as error:
        logger.warning("the broker did not take %s%s: %s", part.name.lower(), last, type(error).__name__)
        return False
    return True


def _application() -> Celery:
    # Called by name, as workers find it: the task is defined in a higher layer.
    application: Celery = import_string("surveys.celery.app")
    return application


def _broker_away() -> tuple[type[Exception], ...]:
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
        Most memory that the work may use in addition to what the worker held before.
    """

    candidates: int
    seconds: int
    megabytes: int


def site_bounds() -> Bounds:
    """Return the limits that this installation sets."""
    return Bounds(
        candidates=settings.RUN_CANDIDATES,
        seconds=settings.RUN_SECONDS,
        megabytes=settings.RUN_MEGABYTES,
    )


def bounded(
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
        Returns the megabytes that the process holds.
    thresholds : bool
        Whether higher thresholds make the work cheaper; the error message then suggests them.

    Notes
    -----
    The bounds are checked between two steps. If a single step exhausts the machine's memory, the system ends
    the process, and the job reports that.
    """
    started, held = clock(), memory()

    def checked(step: Progress) -> None:
        progress(step)
        if (spent := clock() - started) > bounds.seconds:
            raise SurveyError(
                "seconds" if thresholds else "seconds.audit", round(spent), seconds=bounds.seconds
            )
        if (grown := memory() - held) > bounds.megabytes:
            raise SurveyError(
                "megabytes" if thresholds else "megabytes.audit", round(grown), megabytes=bounds.megabytes
            )

    return checked


def megabytes_held() -> float:
    """Return the memory that this process holds now or, if that is unknown, the most it ever held."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # Kilobytes on Linux, bytes on a Mac.
        return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return pages * resource.getpagesize() / (1 << 20)
