"""Supervise the processes of one installation: start them again after they end, and keep their logs small."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from surveys.server.stop_signal import StopSignal

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
# A process that ran this long was healthy, so after its next end the pauses start from the shortest again.
HEALTHY_SECONDS = 60.0
SECONDS_TO_STOP = 15.0
SUPERVISE_SECONDS = 0.2
TAIL_LINES = 8
# Size limit of a process's log, and of the older log next to it.
LOG_BYTES = 1_000_000


@dataclass
class Child:
    """One supervised process: its command and the state of its current run."""

    name: str
    command: Sequence[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    pause: float = FIRST_PAUSE_SECONDS
    restart_at: float | None = None


class Supervisor:
    """Start processes, restart ended ones with growing pauses, and stop all in reverse order.

    Each child leads its own process group, so Ctrl-C in a terminal reaches only the supervisor, which then
    stops the children one after another. If the supervisor itself is killed, its watchdog ends the groups.
    """

    def __init__(
        self, *, directory: Path, environment: Mapping[str, str], logs: Path, say: Callable[[str], None]
    ) -> None:
        self._directory = directory
        self._environment = dict(environment)
        self._logs = logs
        self._say = say
        self._children: list[Child] = []
        logs.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Run the watchdog as a plain script: it must use little memory and needs none of our packages.
        watchdog = [sys.executable, "-I", str(Path(__file__).with_name("watchdog.py"))]
        self._watchdog = subprocess.Popen(watchdog, stdin=subprocess.PIPE, start_new_session=True)

    def start(self, name: str, command: Sequence[str]) -> Child:
        """Start a process, and restart it from now on whenever it ends."""
        child = Child(name=name, command=command, log=self._logs / f"{name}.log")
        child.log.write_bytes(b"")
        _older(child.log).unlink(missing_ok=True)
        self._children.append(child)
        self._spawn(child)
        return child

    def run(self, command: Sequence[str], *, until: StopSignal) -> int | None:
        """Run a command to its end while supervising the children; its output goes to the terminal.

        Returns its exit code, or None if `until` was set first, which stops the command.
        """
        step = self._popen(command, output=None)
        while step.poll() is None and not until.wait(SUPERVISE_SECONDS):
            self.supervise()
        returncode = step.poll()
        self._kill_group(step)
        return returncode

    def supervise(self) -> None:
        """Check the children once: notice ended ones, restart those that are due, rotate logs."""
        now = time.monotonic()
        for child in self._children:
            _rotate(child.log)
            process = child.process
            if process is not None and process.poll() is not None:
                self._schedule_restart(child, process, now)
            elif child.process is None and child.restart_at is not None and now >= child.restart_at:
                self._spawn(child)
                self._say(f"{child.name} started again")

    def stop(self) -> None:
        """Stop all children, last started first; kill those that have not ended after 15 s."""
        for child in reversed(self._children):
            child.restart_at = None
            if child.process is None:
                continue
            child.process.terminate()
            try:
                child.process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                self._say(f"{child.name} did not stop within {SECONDS_TO_STOP:g} s and was killed")
            self._kill_group(child.process)
            child.process = None
        self._children.clear()
        if self._watchdog.stdin:
            self._watchdog.stdin.close()
        self._watchdog.wait()

    def _spawn(self, child: Child) -> None:
        with open(child.log, "ab") as log:
            child.process = self._popen(child.command, output=log)
        child.started_at = time.monotonic()
        child.restart_at = None

    def _popen(self, command: Sequence[str], *, output: IO[bytes] | None) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command,
            cwd=self._directory,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=None if output is None else subprocess.STDOUT,
            start_new_session=True,
        )
        self._tell_watchdog(f"+{process.pid}")
        return process

    def _schedule_restart(self, child: Child, process: subprocess.Popen[bytes], now: float) -> None:
        # Processes that the ended one started would keep its port or socket from its successor.
        self._kill_group(process)
        if now - child.started_at >= HEALTHY_SECONDS:
            child.pause = FIRST_PAUSE_SECONDS
        child.process = None
        child.restart_at = now + child.pause
        self._say(f"{child.name} ended ({_cause(process.returncode)}); it starts again in {child.pause:g} s")
        for line in _tail(child.log):
            self._say(f"    {line}")
        child.pause = min(2 * child.pause, LONGEST_PAUSE_SECONDS)

    def _kill_group(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._tell_watchdog(f"-{process.pid}")

    def _tell_watchdog(self, line: str) -> None:
        stdin = self._watchdog.stdin
        if stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                stdin.write(f"{line}\n".encode("ascii"))
                stdin.flush()


def _cause(returncode: int) -> str:
    if returncode >= 0:
        return f"exit code {returncode}"
    try:
        return signal.Signals(-returncode).name
    except ValueError:
        return f"signal {-returncode}"


def _older(log: Path) -> Path:
    return log.with_name(f"{log.name}.1")


def _rotate(log: Path) -> None:
    """Move the end of a long log to its backup, replacing the previous one, and empty the log.

    The process keeps writing at the end of the same file.
    """
    # Keep supervising even if the log was deleted or the disk is full.
    with contextlib.suppress(OSError):
        if log.stat().st_size > LOG_BYTES:
            with open(log, "rb") as file:
                file.seek(-LOG_BYTES, os.SEEK_END)
                _older(log).write_bytes(file.read())
            os.truncate(log, 0)


def _tail(log: Path) -> list[str]:
    lines = [
        file.read_text(encoding="utf-8", errors="replace") for file in (_older(log), log) if file.exists()
    ]
    return "".join(lines).splitlines()[-TAIL_LINES:]
