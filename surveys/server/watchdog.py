"""End the process groups of a supervisor that died without stopping them.

Reads lines "+PGID" and "-PGID" until the end of its input. A supervisor that stops its children takes them
off the list first, so at a clean end the list is empty; what is still on it when the pipe closes has lost its
supervisor.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterable

GRACE_SECONDS = 5.0


def groups_left(lines: Iterable[str]) -> list[int]:
    """Return the groups still listed when the lines end, in the order of their start.

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
    """Ask the groups to stop, and kill what is left of them after the grace time."""
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
