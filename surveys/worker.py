"""The life of a worker: its start, signs of life, and outages of the broker."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Final

from celery import bootsteps
from celery.signals import worker_init
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from surveys.celery import app
from surveys.jobs.heartbeats import facts_of_this_program, sign, sign_off
from surveys.server.outages import Outages

logger = logging.getLogger(__name__)
outages = Outages(logger)
SECONDS_BETWEEN_BEATS: Final = 15.0
SECONDS_BETWEEN_JOBS: Final = 2.0


class Heartbeats(bootsteps.StartStopStep):
    """Bootstep that records heartbeats and dispatches due jobs while connected to the broker."""

    periodic: ClassVar[tuple[Callable[[], object], ...]] = ()
    """Functions to call periodically; `warm_workers` sets them."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._facts = facts_of_this_program()
        self._entries: list[Any] = []

    def start(self, consumer: Any) -> None:
        """Start the timers that record heartbeats and look for jobs; a reconnection starts them again."""
        for each, seconds in ((self._heartbeat, SECONDS_BETWEEN_BEATS), (self._run, SECONDS_BETWEEN_JOBS)):
            each()
            self._entries.append(consumer.timer.call_repeatedly(seconds, each))

    def stop(self, consumer: Any) -> None:
        """Stop both timers."""
        while self._entries:
            self._entries.pop().cancel()

    def shutdown(self, consumer: Any) -> None:
        """Record that this worker is shutting down."""
        self.stop(consumer)
        self._on_own_connection(sign_off)

    def _heartbeat(self) -> None:
        if self._on_own_connection(lambda: sign(now=timezone.now(), facts=self._facts)):
            # It was stored. Other steps may only read, which works with a full disk, too.
            outages.over()

    def _run(self) -> None:
        for step in self.periodic:
            self._on_own_connection(step)

    def _on_own_connection(self, work: Callable[[], object]) -> bool:
        # Close the connection immediately, so that processes forked later do not inherit it.
        try:
            work()
            return True
        except (DatabaseError, InterfaceError) as error:
            outages.log(error)
            return False
        finally:
            connection.close()


@worker_init.connect
def warm_workers(**_: object) -> None:
    """Load the code for runs before the first request, so that worker processes share it; add heartbeats."""
    # Load the modules that `run_job` needs. Otherwise each process would load them during its first run.
    import surveys.runs.after_run  # noqa: F401
    from surveys.extension import extensions
    from surveys.jobs.queue import dispatch_step
    from surveys.runs.column_prefetch import columns_step
    from surveys.server.refused_database import RefusedDatabaseError
    from surveys.server.state import refuse_database

    for plugin in extensions():
        plugin.works()
    try:
        refuse_database()
    except RefusedDatabaseError as error:
        # SystemExit, because Celery would log any other exception and continue.
        raise SystemExit(f"sottovoce: {error}") from error
    finally:
        # Processes forked later must not inherit the connection.
        connection.close()
    Heartbeats.periodic = (dispatch_step, columns_step)
    app.steps["consumer"].add(Heartbeats)
    # Compile in a process that ends afterwards, because compiling takes half of the memory of an idle worker.
    # Workers then read the compiled code from disk within two seconds.
    subprocess.run([sys.executable, "-c", "from mining.pipeline import warm_up; warm_up()"], check=False)
