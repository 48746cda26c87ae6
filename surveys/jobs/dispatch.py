"""Send tasks to workers, by name.

Tasks import the services that do the work, and services request tasks. To avoid an import cycle, callers
name a task here instead of importing it. A broker that does not answer is not an error for the caller,
because the database records the work to do. Celery is loaded when the first task is sent. The sweeper sends
no tasks, because workers find the jobs that it wrote.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    from celery import Celery


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
