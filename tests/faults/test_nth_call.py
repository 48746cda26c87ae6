"""Each call that changes a file or the database fails once, and the promises about answers hold."""

import errno
import io
import os
import shutil
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Protocol

import pytest
from django.db import DatabaseError, OperationalError, connection

from privacy.errors import PrivacyError
from privacy.survey.design import Design
from surveys.intake import mix as mixer
from surveys.intake import receive
from surveys.intake.receive import Entry, Stored
from surveys.jobs import lease
from surveys.models import Inbox, MixerKey, Receipt, Version
from surveys.server import backup
from tests.faults import operations

FILE_CALLS: Final = ("write", "fsync", "rename", "replace", "unlink", "rmdir", "sendfile")
_LASTS_NOT: Final = ("SELECT", "PRAGMA", "BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK")


class Way(Enum):
    """How a call fails."""

    BEFORE = "raises and does nothing"
    AFTER = "takes effect, then raises"
    DEAD = "the process is killed"


class Killed(BaseException):
    """Every call from the n-th on raises this, as none happens in a process that was killed."""


class Operation(Protocol):
    """An operation of the product, repeated with a different call failing each time.

    `begin` prepares it, `act` runs it, `hold` asserts what must be true after a failure, `again` repeats it
    as its user, the sweeper or a worker would, and `done` asserts that it took effect once. `end`, where
    there is one, asserts what is slow to find out, after all calls have failed in one way.
    """

    def begin(self) -> None: ...
    def act(self) -> None: ...
    def hold(self) -> None: ...
    def again(self) -> None: ...
    def done(self) -> None: ...


@dataclass
class Calls:
    """Counts the calls of this thread and lets one fail."""

    n: int
    way: Way
    names: list[str] = field(default_factory=list)
    failed: str | None = None

    def pass_through(
        self, name: str, act: Callable[[], Any], error: Exception, *, lasting: bool = True
    ) -> Any:
        """Run a call, or fail it; `lasting` says whether it takes effect by itself."""
        if self.way is Way.DEAD and self.failed is not None:
            raise Killed
        # Without an effect by itself, a call leaves the same to a killed process as the one before.
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
    """Let the n-th call of this thread fail."""
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
        # A statement inside a transaction has no effect by itself: its commit has.
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


def every_call_fails(operation: Operation, ways: tuple[Way, ...] = tuple(Way)) -> Counter[str]:
    """Repeat an operation with each of its calls failing in turn; return how many of each kind failed."""
    failed: Counter[str] = Counter()
    for way in ways:
        for n in range(1, 10_000):
            operation.begin()
            with failing(n, way) as calls, suppress(OSError, DatabaseError, PrivacyError, Killed):
                operation.act()
            where = f"call {n}, {calls.failed}, {way.value}"
            if way is Way.DEAD:
                connection.close()
            try:
                if calls.failed is not None:
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


pytestmark = pytest.mark.django_db(transaction=True)

OPERATIONS: dict[str, Callable[[Path], Operation]] = {
    "submit": lambda _folder: operations.Submit(),
    "submit by invitation": lambda _folder: operations.Submit(by_invitation=True),
    "mix": lambda _folder: operations.Mix(),
    "publish": lambda _folder: operations.Publish(),
    "close": lambda _folder: operations.Close(),
    "delete": lambda _folder: operations.Delete(),
    "run": lambda _folder: operations.Mine(),
    "release": lambda folder: operations.Release(folder / "release"),
    "backup": lambda folder: operations.Backup(folder / "backups"),
}
# Their transactions alone change anything: a killed process leaves what a failed call leaves.
IN_ONE_TRANSACTION = {"publish", "delete", "close", "run"}


_designs: dict[str, Design] = {}


def design_of(version: Version) -> Design:
    """Return the design of a version, read once."""
    if version.design_id not in _designs:
        _designs[version.design_id] = Design.from_json(version.design)
    return _designs[version.design_id]


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(mixer, "LEAST_WAITING", operations.FEW)
    monkeypatch.setattr(mixer, "LEAST_BATCH_ROWS", operations.FEW // 2)
    monkeypatch.setattr(mixer, "POOL", operations.FEW // 2)
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    # Designs of many questions are read thousands of times here.
    monkeypatch.setattr(Version, "to_design", design_of)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_failure_of_any_call_breaks_no_promise(name: str, tmp_path: Path) -> None:
    ways = (Way.BEFORE, Way.AFTER) if name in IN_ONE_TRANSACTION else tuple(Way)
    failed = every_call_fails(OPERATIONS[name](tmp_path), ways)
    # docs/evidence/soak.md has these numbers: pytest -s tests/faults/test_nth_call.py prints them.
    kinds = ", ".join(f"{kind} {n}" for kind, n in failed.most_common())
    sys.stdout.write(f"\n| {name} | {failed.total()} | {kinds} |\n")
    assert failed.total() > 4


@pytest.fixture
def restored_elsewhere(settings: Any) -> Iterator[None]:
    """Let this process go back to its database when it has restored others."""
    name, home, key = connection.settings_dict["NAME"], settings.SOTTOVOCE_HOME, settings.SECRET_KEY
    yield
    connection.close()
    connection.settings_dict["NAME"] = name
    settings.SOTTOVOCE_HOME, settings.SECRET_KEY = home, key


# PostgreSQL's own program restores in one transaction: tests/operations/test_whole_path.py.
@pytest.mark.only("sqlite")
def test_a_failure_of_any_restore_call_leaves_no_partial_database(
    tmp_path: Path, restored_elsewhere: None
) -> None:
    failed = every_call_fails(operations.Restore(tmp_path))
    sys.stdout.write(f"\n| restore | {failed.total()} | {failed} |\n")
    assert failed.total() > 4


def receipt_apart(entry: Entry, *, now: datetime) -> Stored:
    """Commit the receipt first and the row afterwards."""
    if Receipt.objects.filter(survey=entry.survey_id, key=entry.key).exists():
        return Stored.KNOWN_KEY
    Receipt.objects.create(survey_id=entry.survey_id, key=entry.key, digest=entry.digest, fresh=True)
    Inbox.objects.create(
        key=entry.key[:16], version_id=entry.version_id, box=entry.box, sealed_under=entry.sealed_under
    )
    return Stored.NEW


def put_in_place_first(path: Path) -> None:
    """Restore a database whose keys are still current, and retire them afterwards."""
    connection.close()
    shutil.copyfile(path, connection.settings_dict["NAME"])
    MixerKey.objects.update(current=False)


EACH_BY_ITSELF = SimpleNamespace(atomic=nullcontext)
PLANTED: dict[str, tuple[Any, str, object, str]] = {
    "submit": (receive, "store_once", receipt_apart, "a received answer is lost|no row"),
    "mix": (mixer, "transaction", EACH_BY_ITSELF, "a received answer is lost"),
    "run": (lease, "transaction", EACH_BY_ITSELF, "half a result"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_faults_are_detected(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, fault, said = PLANTED[name]
    operation = OPERATIONS[name](tmp_path)
    monkeypatch.setattr(module, function, fault)
    with pytest.raises(AssertionError, match=said):
        every_call_fails(operation)


@pytest.mark.only("sqlite")
def test_planted_restore_faults_are_detected(
    tmp_path: Path, restored_elsewhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = operations.Restore(tmp_path)
    monkeypatch.setattr(backup, "database_put", put_in_place_first)
    with pytest.raises(AssertionError, match="sealed under a lost key"):
        every_call_fails(operation)
