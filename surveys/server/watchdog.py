"""End the process groups of a supervisor that died without stopping them.

The watchdog reads lines "+PGID" and "-PGID" until the end of its input. A supervisor removes each child from
the list once it has stopped it, so the list is empty after a clean end. Groups still listed when the pipe
closes have lost their supervisor.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable

GRACE_SECONDS = 5.0


def groups_left(lines: Iterable[str]) -> list[int]:
    """Return the groups still listed at the end of the lines, in the order of their start.

    >>> groups_left(["+11", "+12", "-11", "+13"])
    [12, 13]
    """
    groups: dict[int, None] = {}
    for line in lines:
        sign, group = line[0], int(line[1:])
        if sign == "+":
            groups[group] = None
        else:
            groups.pop(group, None)
    return list(groups)


def end(groups: list[int], *, grace_seconds: float = GRACE_SECONDS) -> None:
    """Send TERM to the groups, wait for the grace time, and kill those still running."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for group in reversed(groups):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)
        if number == signal.SIGTERM and groups:
            time.sleep(grace_seconds)


if __name__ == "__main__":
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    end(groups_left(sys.stdin))
