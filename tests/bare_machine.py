"""Programs that tests may use: those of a minimal Debian, and those that ./test installs.

A test that looks for another program, or starts one, fails even on machines that have that program. Only soak
tests may use any program.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest import mock

ROOT: Final = Path(__file__).resolve().parent.parent

MINIMAL: Final = frozenset(
    {
        *("bash", "cat", "cksum", "cmp", "cp", "dash", "dirname", "env"),
        *("ldconfig", "mkdir", "prlimit", "rm", "sh", "tar", "uname"),
    }
)
"""Programs of a minimal Debian that tests use."""

INSTALLED: Final = {
    "chromium-headless-shell": ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    "git": ("git",),
    # Playwright's Node needs this library.
    "libatomic1": ("node",),
    "npm": ("npm",),
    "postgresql": ("initdb", "pg_dump", "pg_isready", "pg_restore", "postgres", "psql"),
    "procps": ("ps",),
}
"""Package that ./test installs -> programs of it that tests use, or alternatives that serve as well."""

OPTIONAL: Final = frozenset({"redis-server", "valkey-server"})
"""Optional programs of the product; tests never find them, whichever machine they run on."""

_ALLOWED: Final = MINIMAL.union(*INSTALLED.values())
_OUR_FOLDERS: Final = tuple(f"{place}/" for place in {str(ROOT), sys.prefix, sys.base_prefix + "/lib"})


def _is_ours(path: str) -> bool:
    """Return whether a program is Python, is in the checkout or its environment, or was written by a test."""
    if path in (sys.executable, str(Path(sys.executable).resolve())):
        return True
    is_written = "sottovoce-test-" in path or "pytest-of-" in path
    return os.path.isabs(path) and (path.startswith(_OUR_FOLDERS) or is_written)


class NotOnABareMachine(AssertionError):
    """A test looked for or started a program that a bare machine does not have."""


class Guard:
    """Refuses programs while it is on, and records them in case the code under test catches the error."""

    def __init__(self) -> None:
        self.is_on = False
        self.found: list[str] = []
        self._which, self._told = shutil.which, sys.audit

    def start(self) -> None:
        """Replace the functions by which this process starts or looks for programs.

        Python calls an audit hook for each `id` too, which would take a fortieth of the test time.
        """
        mock.patch.object(sys, "audit", self._audit).start()
        mock.patch.object(shutil, "which", self._look).start()
        for name in ("posix_spawn", "posix_spawnp", "execv", "execve"):
            mock.patch.object(os, name, self._guarded(getattr(os, name))).start()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Refuse programs inside the context."""
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False

    def _look(self, cmd: Any, *given: Any, **named: Any) -> Any:
        found = self._which(cmd, *given, **named)
        if self.is_on and os.fsdecode(cmd) in OPTIONAL:
            return found if found and _is_ours(found) else None
        self._judge(cmd)
        return found

    def _audit(self, event: str, *given: Any) -> None:
        # subprocess.Popen reports the program here before it starts it.
        if event == "subprocess.Popen":
            self._judge(given[0])
        self._told(event, *given)

    def _guarded(self, start: Callable[..., Any]) -> Callable[..., Any]:
        def judged(program: Any, *given: Any, **named: Any) -> Any:
            self._judge(program)
            return start(program, *given, **named)

        return judged

    def _judge(self, program: Any) -> None:
        path = os.fsdecode(program)
        if not self.is_on or Path(path).name in _ALLOWED or _is_ours(path):
            return
        self.found.append(path)
        raise NotOnABareMachine(
            f"{path} is not among the programs of tests/bare_machine.py: do without it, or mark the test soak"
        )


GUARD: Final = Guard()
