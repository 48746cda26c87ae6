"""The part of a worker that gives its signs of life.

It stands by itself because it is a part of Celery's: whoever asks who lives does not load Celery for that.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from celery import bootsteps
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from surveys.jobs.living import facts_of_this_program, sign, sign_off

__all__ = ["Signs"]

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_SIGNS: Final = 15.0


class Signs(bootsteps.StartStopStep):
    """Part of a worker that gives signs while it is connected to the broker."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._facts = facts_of_this_program()
        self._entry: Any = None

    def start(self, consumer: Any) -> None:
        """Give a sign now and from time to time. A line to the broker that was cut starts this anew."""
        self._give()
        self._entry = consumer.timer.call_repeatedly(SECONDS_BETWEEN_SIGNS, self._give)

    def stop(self, consumer: Any) -> None:
        """Give no more."""
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None

    def shutdown(self, consumer: Any) -> None:
        """Say that this worker ends."""
        self.stop(consumer)
        self._on_own_connection(sign_off)

    def _give(self) -> None:
        self._on_own_connection(lambda: sign(now=timezone.now(), facts=self._facts))

    def _on_own_connection(self, work: Any) -> None:
        # On a connection of its own that is closed at once: processes that are forked later inherit none.
        try:
            work()
        except (DatabaseError, InterfaceError) as error:
            logger.warning("no sign of life: %s", type(error).__name__)
        finally:
            connection.close()
