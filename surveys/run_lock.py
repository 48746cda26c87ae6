"""The file that says which installation is running in a folder, and keeps a second one out."""

from __future__ import annotations

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

FILE_NAME = "run.lock"


@dataclass(frozen=True, kw_only=True)
class Running:
    """Facts that a running installation publishes for other processes."""

    pid: int
    address: str
    redis_url: str


class AlreadyRunning(Exception):
    """Another process holds the lock."""

    def __init__(self, running: Running | None) -> None:
        self.running = running


class RunLock:
    """The lock of the one installation that may use this SOTTOVOCE_HOME."""

    def __init__(self, home: Path) -> None:
        self._file = open(home / FILE_NAME, "a+", encoding="ascii")  # noqa: SIM115 - open as long as the process
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise AlreadyRunning(_read(home / FILE_NAME)) from None

    def publish(self, running: Running) -> None:
        """Tell other processes of this SOTTOVOCE_HOME the addresses of site and broker."""
        self._file.seek(0)
        self._file.truncate()
        json.dump(asdict(running), self._file)
        self._file.flush()

    def release(self) -> None:
        """Clear the facts and release the lock."""
        self._file.truncate(0)
        self._file.close()


def running_in(home: Path) -> Running | None:
    """Return the facts of the installation that uses `home` now, or None."""
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
        # The file is empty between acquiring the lock and publishing.
        return None
