"""The bootstep of a worker that records heartbeats and dispatches due jobs.

It stands by itself because it is a part of Celery's: a check of who lives does not load Celery for that.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, ClassVar, Final

from celery import bootsteps
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from surveys.errors.outage import Outages
from surveys.jobs.heartbeats import facts_of_this_program, sign, sign_off

__all__ = ["Signs"]

logger = logging.getLogger(__name__)

outages = Outages(logger)

SECONDS_BETWEEN_SIGNS: Final = 15.0
SECONDS_BETWEEN_LOOKS: Final = 2.0


class Signs(bootsteps.StartStopStep):
    """Bootstep that records heartbeats and dispatches due jobs while connected to the broker."""

    looks: ClassVar[tuple[Callable[[], object], ...]] = ()
    """What is done at each look; the caller that builds a worker says it."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._facts = facts_of_this_program()
        self._entries: list[Any] = []

    def start(self, consumer: Any) -> None:
        """Record a heartbeat and look for jobs, now and then; a reconnection starts this anew."""
        for each, seconds in ((self._give, SECONDS_BETWEEN_SIGNS), (self._look, SECONDS_BETWEEN_LOOKS)):
            each()
            self._entries.append(consumer.timer.call_repeatedly(seconds, each))

    def stop(self, consumer: Any) -> None:
        """Stop both."""
        while self._entries:
            self._entries.pop().cancel()

    def shutdown(self, consumer: Any) -> None:
        """Record that this worker ends."""
        self.stop(consumer)
        self._on_own_connection(sign_off)

    def _give(self) -> None:
        self._on_own_connection(lambda: sign(now=timezone.now(), facts=self._facts))

    def _look(self) -> None:
        for look in self.looks:
            self._on_own_connection(look)

    def _on_own_connection(self, work: Callable[[], object]) -> None:
        # On a connection of its own that is closed at once: processes that are forked later inherit none.
        try:
            work()
        except (DatabaseError, InterfaceError) as error:
            outages.tell(error)
        finally:
            connection.close()
