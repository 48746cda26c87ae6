"""Send work to the workers by the name of its task.

Tasks import the services that do the work, and services ask for tasks: a caller names a task here and imports
none. A broker that does not answer is no error of the caller's: the database knows what is to be done.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from celery import chord, current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

__all__ = ["Task", "dispatch", "dispatch_parts"]

logger = logging.getLogger(__name__)

_AWAY = (OperationalError, RedisError, OSError)


class Task(StrEnum):
    """Names under which workers know their tasks; `surveys.tasks` defines them."""

    RUN_JOB = "surveys.tasks.run_job"
    COUNT_PART = "surveys.tasks.count_part"
    KEEP_COLUMNS = "surveys.tasks.keep_columns"
    KEEP_MAP = "surveys.tasks.keep_map"


def dispatch(task: Task, *arguments: Any, queue: str | None = None) -> bool:
    """Send a task once; return whether the broker took it."""
    try:
        current_app.send_task(task.value, arguments, queue=queue, retry=False, ignore_result=True)
    except _AWAY as error:
        logger.warning("the broker did not take %s%s: %s", task.name.lower(), arguments, type(error).__name__)
        return False
    return True


def dispatch_parts(
    part: Task, arguments: Iterable[tuple[Any, ...]], *, then: Task, last: tuple[Any, ...]
) -> bool:
    """Send a part for each of `arguments`, and one task when all have ended; return whether they were taken.

    The broker counts the parts down (a Celery chord): nobody waits or polls.
    """
    parts = [current_app.signature(part.value, args=each) for each in arguments]
    try:
        chord(parts)(current_app.signature(then.value, args=last, immutable=True))
    except _AWAY as error:
        logger.warning("the broker did not take %s%s: %s", part.name.lower(), last, type(error).__name__)
        return False
    return True
