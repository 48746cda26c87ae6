"""Send work to the workers by the name of its task.

Tasks import the services that do the work, and services ask for tasks: a caller names a task here and imports
none. A broker that does not answer is no error of the caller's: the database knows what is to be done. Celery
is loaded by the first task that is sent. The sweeper sends none and does without: workers find what it wrote.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from celery import Celery

__all__ = ["Task", "dispatch", "dispatch_parts", "left_to_workers"]

logger = logging.getLogger(__name__)

_left: ContextVar[bool] = ContextVar("left to workers", default=False)


class Task(StrEnum):
    """Names of the tasks in the broker's messages, which do not depend on where the code is.

    `surveys.tasks` defines the tasks.
    """

    PING = "sotto.ping"
    RUN_JOB = "sotto.run_job"
    COUNT_PART = "sotto.count_part"
    KEEP_COLUMNS = "sotto.keep_columns"
    KEEP_MAP = "sotto.keep_map"


def dispatch(task: Task, *arguments: Any, queue: str | None = None) -> bool:
    """Send a task once; return whether the broker took it."""
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
    """Send nothing meanwhile: jobs stay queued and due in the database, where workers look for them."""
    token = _left.set(True)
    try:
        yield
    finally:
        _left.reset(token)


def dispatch_parts(
    part: Task, arguments: Iterable[tuple[Any, ...]], *, then: Task, last: tuple[Any, ...]
) -> bool:
    """Send a part for each of `arguments`, and one task when all have ended; return whether they were taken.

    The broker counts the parts down (a Celery chord): nobody waits or polls.
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
    # By its name, as workers find it: it stands above all parts, where they are put together.
    application: Celery = import_string("surveys.celery.app")
    return application


def _broker_away() -> tuple[type[Exception], ...]:
    from kombu.exceptions import OperationalError
    from redis.exceptions import RedisError

    return OperationalError, RedisError, OSError
