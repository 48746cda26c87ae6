"""The public facts of a running ./run.

A file in SOTTOVOCE_HOME holds the lock and, in JSON, the port and the broker's address. The file counts only
while a process holds the lock. The kernel releases the lock when the process dies, however it dies, so a
stale pid is never believed.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

FILE_NAME = "run.lock"


@dataclass(frozen=True, kw_only=True)
class Running:
    """The public facts of a running ./run."""

    pid: int
    port: int
    redis_url: str


class AlreadyRunning(Exception):
    """Another ./run holds the lock."""

    def __init__(self, running: Running | None) -> None:
        self.running = running
        super().__init__("another ./run holds the lock")


class RunLock:
    """The lock of the one ./run that may use this SOTTOVOCE_HOME."""

    def __init__(self, home: Path) -> None:
        self._file = open(home / FILE_NAME, "a+", encoding="ascii")  # noqa: SIM115 - held for the process's life
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise AlreadyRunning(_read(home / FILE_NAME)) from None

    def publish(self, running: Running) -> None:
        """Tell other processes of this SOTTOVOCE_HOME the port and the broker's address."""
        self._file.seek(0)
        self._file.truncate()
        json.dump(asdict(running), self._file)
        self._file.flush()

    def release(self) -> None:
        """Clear the facts and release the lock."""
        self._file.truncate(0)
        self._file.close()


def running_in(home: Path) -> Running | None:
    """Return the facts of the ./run that uses `home` now, or None."""
    try:
        descriptor = os.open(home / FILE_NAME, os.O_RDWR)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(home / FILE_NAME)
    finally:
        os.close(descriptor)
    return None


def _read(path: Path) -> Running | None:
    try:
        return Running(**json.loads(path.read_text(encoding="ascii")))
    except (ValueError, TypeError):
        # Between taking the lock and publishing, the file is empty.
        return None
