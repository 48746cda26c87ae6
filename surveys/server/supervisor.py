"""Keep a few processes alive, and let none outlive the one that started them."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
# A process that lived this long was healthy: its next death starts the pauses anew.
HEALTHY_SECONDS = 60.0
SECONDS_TO_STOP = 15.0
TEND_SECONDS = 0.2
TAIL_LINES = 8
# Of what a part says, so much is kept, and as much of what it said before.
LOG_BYTES = 1_000_000


@dataclass
class Child:
    """One supervised process: what it is, and how its present life goes."""

    name: str
    command: Sequence[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    pause: float = FIRST_PAUSE_SECONDS
    restart_at: float | None = None


class Supervisor:
    """Start processes, restart the dead with growing pauses, stop them all in the reverse order.

    Each child leads a process group of its own, so that Ctrl-C in a terminal reaches the supervisor alone and
    it can stop them one after another. If the supervisor itself is killed, its watchdog ends the groups.
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
        # As a plain script: it must cost next to nothing, and needs none of our packages.
        watchdog = [sys.executable, "-I", str(Path(__file__).with_name("watchdog.py"))]
        self._watchdog = subprocess.Popen(watchdog, stdin=subprocess.PIPE, start_new_session=True)

    def start(self, name: str, command: Sequence[str]) -> Child:
        """Start a process and keep it alive from now on."""
        child = Child(name=name, command=command, log=self._logs / f"{name}.log")
        child.log.write_bytes(b"")
        _older(child.log).unlink(missing_ok=True)
        self._children.append(child)
        self._spawn(child)
        return child

    def run(self, command: Sequence[str], *, until: threading.Event) -> int | None:
        """Run a step to its end, tending the children meanwhile; its words go straight to the terminal.

        Return its exit code, or None if `until` was set first and the step was broken off.
        """
        step = self._popen(command, output=None)
        while step.poll() is None and not until.wait(TEND_SECONDS):
            self.tend()
        returncode = step.poll()
        self._kill_group(step)
        return returncode

    def tend(self) -> None:
        """Look after the children once: notice deaths, restart what is due, keep logs short."""
        now = time.monotonic()
        for child in self._children:
            _rotate(child.log)
            process = child.process
            if process is not None and process.poll() is not None:
                self._bury(child, process, now)
            elif child.process is None and child.restart_at is not None and now >= child.restart_at:
                self._spawn(child)
                self._say(f"{child.name} started again")

    def stop(self) -> None:
        """Stop all children, the last started first; kill what has not ended after 15 s."""
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

    def _bury(self, child: Child, process: subprocess.Popen[bytes], now: float) -> None:
        # What the dead process had started would hold its port or socket against its successor.
        self._kill_group(process)
        if now - child.started_at >= HEALTHY_SECONDS:
            child.pause = FIRST_PAUSE_SECONDS
        child.process = None
        child.restart_at = now + child.pause
        self._say(f"{child.name} ended ({_how(process.returncode)}); it starts again in {child.pause:g} s")
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


def _how(returncode: int) -> str:
    if returncode >= 0:
        return f"exit code {returncode}"
    try:
        return signal.Signals(-returncode).name
    except ValueError:
        return f"signal {-returncode}"


def _older(log: Path) -> Path:
    return log.with_name(f"{log.name}.1")


def _rotate(log: Path) -> None:
    """Put a long log aside in the place of the one before it.

    The part goes on writing into the same file, at its end, wherever that is by then.
    """
    # A log that somebody deleted, or a disk that is full, is no reason to stop watching.
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
