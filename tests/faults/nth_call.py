"""Fail the n-th call that changes a file or the database, for n = 1, 2, ... until all calls succeed.

A call fails in one of three ways: it raises without an effect (a full disk, a locked database), it takes
effect and then raises (a connection lost before the reply), or no call has an effect from then on (kill -9).
"""

import errno
import hashlib
import io
import os
import secrets
import shutil
import sqlite3
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone

from privacy.errors import PrivacyError
from surveys.intake import keys
from surveys.intake import target as target_module

FILE_CALLS: Final = ("write", "fsync", "rename", "replace", "unlink", "rmdir", "sendfile")
_HEADER: Final = 100
"""Bytes of the header of a SQLite file."""
_LASTS_NOT: Final = ("SELECT", "PRAGMA", "BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK")


class Way(Enum):
    """How a call fails."""

    BEFORE = "raises and does nothing"
    AFTER = "takes effect, then raises"
    DEAD = "the process is killed"


class Killed(BaseException):
    """Raised by every call from the n-th on, to simulate a killed process."""


class Operation(Protocol):
    """An operation of the product, which is repeated with a different call failing each time.

    `begin` prepares it and `act` runs it. `hold` asserts what must be true after a failure. `again` repeats
    the operation as its user, the sweeper or a worker would, and `done` asserts that it took effect exactly
    once. An optional `end` makes slow assertions, once all calls have failed in one way.

    An operation with a method `restored` begins only once: before each further trial, SQLite's database and
    the mixer's keys are restored as `begin` left them, and `restored` resets the rest. If two failures leave
    the same database and keys, what follows is the same, and is checked only once.
    """

    def begin(self) -> None: ...
    def act(self) -> None: ...
    def hold(self) -> None: ...
    def again(self) -> None: ...
    def done(self) -> None: ...


@dataclass
class Calls:
    """Counts the calls of this thread and fails one of them."""

    n: int
    way: Way
    names: list[str] = field(default_factory=list)
    failed: str | None = None

    def pass_through(
        self, name: str, act: Callable[[], Any], error: Exception, *, lasting: bool = True
    ) -> Any:
        """Run a call or fail it; `lasting` says whether it takes effect by itself."""
        if self.way is Way.DEAD and self.failed is not None:
            raise Killed
        # For a killed process, a call without an effect by itself equals the call before it.
        if self.way is not Way.BEFORE and not lasting:
            return act()
        self.names.append(name)
        if len(self.names) != self.n:
            return act()
        self.failed = name
        if self.way is Way.DEAD:
            raise Killed
        if self.way is Way.AFTER:
            act()
        raise error


@contextmanager
def failing(n: int, way: Way) -> Iterator[Calls]:
    """Fail the n-th call of this thread."""
    calls, thread = Calls(n=n, way=way), threading.get_ident()

    def of_files(name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def acting(*arguments: Any, **options: Any) -> Any:
            if threading.get_ident() != thread:
                return act(*arguments, **options)
            error = OSError(errno.EIO, os.strerror(errno.EIO))
            return calls.pass_through(name, lambda: act(*arguments, **options), error)

        return acting

    def opening(path: Any, mode: Any = "r", *arguments: Any, **options: Any) -> Any:
        creates = mode & os.O_CREAT if isinstance(mode, int) else set("wxa") & set(mode)
        act = os_open if isinstance(mode, int) else io_open
        return (of_files("open", act) if creates else act)(path, mode, *arguments, **options)

    def executing(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        # A statement inside a transaction has no effect by itself, only its commit has.
        lasting = not connection.in_atomic_block and not sql.lstrip().upper().startswith(_LASTS_NOT)
        return calls.pass_through(
            "execute",
            lambda: execute(sql, params, many, context),
            OperationalError("disk I/O error"),
            lasting=lasting,
        )

    os_open, io_open, commit = os.open, io.open, connection._commit
    with pytest.MonkeyPatch.context() as patch, connection.execute_wrapper(executing):
        for name in FILE_CALLS:
            patch.setattr(os, name, of_files(name, getattr(os, name)))
        patch.setattr(os, "open", opening)
        patch.setattr(io, "open", opening)
        error = OperationalError("disk I/O error")
        patch.setattr(connection, "_commit", lambda: calls.pass_through("commit", commit, error))
        yield calls


def forget_caches() -> None:
    """Empty this process's caches, as in a new process."""
    target_module._known.clear()
    keys._remembered.clear()


class Trials:
    """Prepare an operation for each trial."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation

    def prepare(self) -> None:
        """Prepare the operation for a call to fail."""
        self.operation.begin()

    def is_new(self) -> bool:
        """Return whether no earlier failure left the same state."""
        return True


class RestoredTrials(Trials):
    """Restore SQLite's database and the mixer's keys before each trial.

    Trials draw the same random numbers at the same time, so that a failed transaction leaves the same bytes
    whichever of its statements failed.
    """

    def __init__(
        self, operation: Any, folder: Path, saved: sqlite3.Connection, patch: pytest.MonkeyPatch
    ) -> None:
        super().__init__(operation)
        self.restored = operation.restored
        self.folder, self.rng, self.now = folder, Random(), timezone.now()
        # Only SQLite writes the file, because another thread may have it open.
        self.saved = saved
        self.seen: set[object] = set()
        patch.setattr(timezone, "now", lambda: self.now)
        patch.setattr(secrets, "token_bytes", self.rng.randbytes)
        patch.setattr(secrets, "token_hex", lambda n: self.rng.randbytes(n).hex())
        patch.setattr(secrets, "SystemRandom", lambda: self.rng)
        key_of = X25519PrivateKey.from_private_bytes
        patch.setattr(X25519PrivateKey, "generate", lambda: key_of(self.rng.randbytes(32)))
        # A trial without a failure comes first, so that all others find what an earlier one left.
        operation.begin()
        operation.act()
        operation.done()
        operation.begin()
        connection.connection.backup(saved)
        _copy_folder(settings.SOTTOVOCE_MIXER_KEYS, folder)
        self.drawn = self.rng.getstate()

    def prepare(self) -> None:
        """Restore what `begin` left."""
        if connection.in_atomic_block:
            connection.close()
        connection.ensure_connection()
        self.saved.backup(connection.connection)
        _copy_folder(self.folder, settings.SOTTOVOCE_MIXER_KEYS)
        self.rng.setstate(self.drawn)
        self.restored()
        forget_caches()

    def is_new(self) -> bool:
        """Compare the whole database, the key files, the connection and what the process remembers."""
        connection.ensure_connection()
        # The header counts changes and restorations.
        database = hashlib.sha256(connection.connection.serialize()[_HEADER:]).digest()
        folder = settings.SOTTOVOCE_MIXER_KEYS
        files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        remembered = frozenset(keys._remembered.items()), frozenset(target_module._known.items())
        state = (
            database,
            frozenset(files.items()),
            connection.in_atomic_block,
            connection.needs_rollback,
            *remembered,
        )
        is_new = state not in self.seen
        self.seen.add(state)
        return is_new


def _copy_folder(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)


@contextmanager
def trials_of(operation: Operation) -> Iterator[Trials]:
    """Yield the trials of an operation, restored if it and the database allow that."""
    if not hasattr(operation, "restored") or connection.vendor != "sqlite":
        yield Trials(operation)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(sqlite3.connect(":memory:")) as saved,
        pytest.MonkeyPatch.context() as patch,
    ):
        yield RestoredTrials(operation, Path(folder) / "keys", saved, patch)


def every_call_fails(operation: Operation, ways: tuple[Way, ...] = tuple(Way)) -> Counter[str]:
    """Repeat an operation with each of its calls failing in turn; return the number of failures by kind."""
    failed: Counter[str] = Counter()
    with trials_of(operation) as trials:
        for way in ways:
            for n in range(1, 10_000):
                trials.prepare()
                with failing(n, way) as calls, suppress(OSError, DatabaseError, PrivacyError, Killed):
                    operation.act()
                where = f"call {n}, {calls.failed}, {way.value}"
                if way is Way.DEAD:
                    # Django keeps a connection whose transaction is open; that of a killed process is gone.
                    connection.in_atomic_block = False
                    connection.close()
                try:
                    if calls.failed is None:
                        operation.done()
                    elif trials.is_new():
                        operation.hold()
                        operation.again()
                        operation.done()
                except AssertionError as error:
                    raise AssertionError(f"{where}: {error}") from error
                if calls.failed is None:
                    getattr(operation, "end", lambda: None)()
                    break
                failed[calls.failed] += 1
    return failed
