"""A time limit for each test in a browser: Playwright waits without end for a page that does not answer."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator


class Overtime(Exception):
    """A test exceeded its time limit. Playwright raises this in the call that was waiting."""


@contextlib.contextmanager
def time_limit(
    test: str, seconds: float, *, then_every: float, if_still_running: Callable[[], None]
) -> Iterator[None]:
    """Raise an error in code that exceeds a time limit, and again until it ends.

    Parameters
    ----------
    test : str
        For the message.
    seconds : float
        Above 0.
    then_every : float
        Seconds between further errors, above 0. A callback of Playwright can swallow one.
    if_still_running : callable
        Called before each further error.

    Raises
    ------
    Overtime
        In the code, wherever it is.
    """
    errors = 0

    def stop(*_: object) -> None:
        nonlocal errors
        errors += 1
        if errors > 1:
            if_still_running()
        raise Overtime(f"{test} did not end within {seconds:g} seconds")

    handler = signal.signal(signal.SIGALRM, stop)
    outer = signal.setitimer(signal.ITIMER_REAL, seconds, then_every)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *outer)
        signal.signal(signal.SIGALRM, handler)


def kill_browsers() -> None:
    """Kill -9 all processes that Playwright's driver started."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True
    )
    rows = [
        (int(pid), int(parent), command) for pid, parent, command in map(_row, listed.stdout.splitlines())
    ]
    drivers = {pid for pid, parent, command in rows if parent == os.getpid() and "run-driver" in command}
    found, newest = set[int](), drivers
    while newest:
        newest = {pid for pid, parent, _command in rows if parent in newest}
        found |= newest
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _row(line: str) -> list[str]:
    return line.split(maxsplit=2)
