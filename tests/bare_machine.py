"""Programs that tests may find: those of a minimal Debian, and those that ./test installs.

Outside the soak, a test that looks for another program, or starts one, fails on every machine, so that it
cannot pass on a machine that happens to have that program.
"""

import os
import shutil
import sys
from collections.abc import Iterator
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
    # Playwright's Node needs it.
    "libatomic1": ("node",),
    "npm": ("npm",),
    "postgresql": ("initdb", "pg_dump", "pg_isready", "pg_restore", "postgres", "psql"),
    "procps": ("ps",),
}
"""Package that ./test installs -> its programs that tests use, with what does instead where it is there."""

DONE_WITHOUT: Final = frozenset({"redis-server", "valkey-server"})
"""Programs that the product looks for and does without: to tests they are missing on every machine."""

_ALLOWED: Final = MINIMAL.union(*INSTALLED.values())
_PLACES: Final = tuple(f"{place}/" for place in {str(ROOT), sys.prefix, sys.base_prefix + "/lib"})
_STARTS: Final = {"subprocess.Popen", "os.posix_spawn", "os.exec"}


def _is_ours(path: str) -> bool:
    """Tell whether a program is Python, the checkout's, its environment's, or one that a test wrote."""
    if path in (sys.executable, str(Path(sys.executable).resolve())):
        return True
    is_written = "sottovoce-test-" in path or "pytest-of-" in path
    return os.path.isabs(path) and (path.startswith(_PLACES) or is_written)


class NotOnABareMachine(AssertionError):
    """A test looked for a program, or started one, that a bare machine does not have."""


class Guard:
    """Refuses programs while it is on, and remembers them: code may have caught the error."""

    def __init__(self) -> None:
        self.is_on = False
        self.found: list[str] = []
        self._which = shutil.which

    def start(self) -> None:
        """Report each program that this process starts or looks for from now on."""
        sys.addaudithook(self._hear)
        mock.patch.object(shutil, "which", self._look).start()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Refuse programs for so long."""
        self.is_on = True
        try:
            yield
        finally:
            self.is_on = False

    def _look(self, cmd: Any, *given: Any, **named: Any) -> Any:
        found = self._which(cmd, *given, **named)
        if self.is_on and os.fsdecode(cmd) in DONE_WITHOUT:
            return found if found and _is_ours(found) else None
        self._judge(cmd)
        return found

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        if self.is_on and event in _STARTS:
            self._judge(given[0])

    def _judge(self, program: Any) -> None:
        path = os.fsdecode(program)
        if not self.is_on or Path(path).name in _ALLOWED or _is_ours(path):
            return
        self.found.append(path)
        raise NotOnABareMachine(
            f"{path} is not among the programs of tests/bare_machine.py: do without it, or mark the test soak"
        )


GUARD: Final = Guard()
