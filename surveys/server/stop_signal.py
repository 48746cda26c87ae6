"""A request to stop that arrives as a signal.

A signal handler runs between two instructions of the main thread. If that thread holds the lock of a
`threading.Event` at this moment, the handler's ``set`` waits for it forever. A pipe needs no lock.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Iterable


class StopSignal:
    """Whether the process was asked to stop.

    Examples
    --------
    >>> stop = StopSignal()
    >>> stop.wait(0)
    False
    >>> stop.set()
    >>> stop.is_set(), stop.wait(60)
    (True, True)
    """

    def __init__(self) -> None:
        self._receiver, self._sender = os.pipe()
        os.set_blocking(self._sender, False)

    def catch(self, numbers: Iterable[int]) -> None:
        """Set this object when the process receives one of these signals, instead of ending the process."""
        for number in numbers:
            signal.signal(number, lambda *_: self.set())

    def set(self) -> None:
        """Ask the process to stop; a signal handler can call this."""
        # A full pipe was written to before.
        with contextlib.suppress(BlockingIOError):
            os.write(self._sender, b".")

    def is_set(self) -> bool:
        """Return whether the process was asked to stop."""
        return self.wait(0)

    def wait(self, seconds: float) -> bool:
        """Wait at most this long; return whether the process was asked to stop."""
        # Nothing reads the pipe, so it stays readable.
        return bool(select.select([self._receiver], [], [], seconds)[0])
