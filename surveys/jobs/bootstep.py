"""The bootstep of a worker that records heartbeats and dispatches due jobs.

This is a module of its own because it imports Celery, which a check of the heartbeats does not need to load.
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
    """Functions to call at each look; set by the code that builds a worker."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._facts = facts_of_this_program()
        self._entries: list[Any] = []

    def start(self, consumer: Any) -> None:
        """Start the threads that record heartbeats and look for jobs; a reconnection starts them anew."""
        for each, seconds in ((self._give, SECONDS_BETWEEN_SIGNS), (self._look, SECONDS_BETWEEN_LOOKS)):
            each()
            self._entries.append(consumer.timer.call_repeatedly(seconds, each))

    def stop(self, consumer: Any) -> None:
        """Stop both threads."""
        while self._entries:
            self._entries.pop().cancel()

    def shutdown(self, consumer: Any) -> None:
        """Record that this worker is shutting down."""
        self.stop(consumer)
        self._on_own_connection(sign_off)

    def _give(self) -> None:
        self._on_own_connection(lambda: sign(now=timezone.now(), facts=self._facts))

    def _look(self) -> None:
        for look in self.looks:
            self._on_own_connection(look)

    def _on_own_connection(self, work: Callable[[], object]) -> None:
        # Uses its own connection and closes it at once, so that processes forked later do not inherit one.
        try:
            work()
        except (DatabaseError, InterfaceError) as error:
            outages.tell(error)
        finally:
            connection.close()
