"""The promises about answers hold whichever call that changes a file or the database fails."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.db.transaction import TransactionManagementError

from privacy.survey.design import Design
from surveys.intake import mix as mixer
from surveys.intake import receive
from surveys.intake.store import Entry, StoreResult
from surveys.jobs import lease
from surveys.models import Inbox, MixerKey, Receipt, Version
from surveys.server import backup
from tests.extensions import plugins
from tests.faults import operations
from tests.faults.nth_call import Operation, Way, every_call_fails

pytestmark = pytest.mark.django_db(transaction=True)

OPERATIONS: dict[str, Callable[[Path], Operation]] = {
    "submit": lambda _folder: operations.Submit(),
    "submit by invitation": lambda _folder: operations.Submit(by_invitation=True),
    "mix": lambda _folder: operations.Mix(),
    "publish": lambda _folder: operations.Publish(),
    "close": lambda _folder: operations.Close(),
    "delete": lambda _folder: operations.Delete(),
    "run": lambda _folder: operations.Mine(),
    "backup": lambda folder: operations.Backup(folder / "backups"),
}
for _plugin in plugins():
    OPERATIONS |= _plugin.operations()
# Only one transaction of these changes anything, so a killed process leaves the same state as a failed call.
IN_ONE_TRANSACTION = {"publish", "delete", "close", "run"}
# With many statements. All of them fail in the soak; ./test fails only the calls that change something.
LONG = {"mix", "delete", "close", "run"}


_designs: dict[str, Design] = {}


def design_of(version: Version) -> Design:
    """Return the design of a version from a cache."""
    if version.design_id not in _designs:
        _designs[version.design_id] = Design.from_json(version.design)
    return _designs[version.design_id]


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(mixer, "LEAST_WAITING", operations.FEW)
    monkeypatch.setattr(mixer, "LEAST_BATCH_ROWS", operations.FEW // 2)
    monkeypatch.setattr(mixer, "POOL", operations.FEW // 2)
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    # Cached, because large designs are read thousands of times here.
    monkeypatch.setattr(Version, "to_design", design_of)


def check_published(name: str, failed: Counter[str]) -> None:
    """Compare the numbers of calls, statements and commits with the table in docs/evidence/soak.md."""
    page = (Path(__file__).parents[2] / "docs/evidence/soak.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| ([a-z, ]+) \| (\d+ ?.*?) \|", page, re.MULTILINE))
    (row,) = [row for names, row in table.items() if name in names.split(", ")]
    numbers = {what: int(n) for n, what in re.findall(r"(\d+) (statements|commits)", row)}
    published = int(row.split()[0].rstrip(":")), numbers.get("statements", 0), numbers.get("commits", 0)
    assert (failed.total(), failed["execute"], failed["commit"]) == published


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] if name in LONG else []) for name in OPERATIONS]
)
@pytest.mark.few("submit", why="what respondents wait for")
def test_a_failure_of_any_call_breaks_no_promise(name: str, tmp_path: Path) -> None:
    ways = (Way.BEFORE, Way.AFTER) if name in IN_ONE_TRANSACTION else tuple(Way)
    failed = every_call_fails(OPERATIONS[name](tmp_path), ways)
    if connection.vendor == "sqlite":
        check_published(name, failed)
    assert failed.total() > 4


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LONG))
@pytest.mark.few("mix", why="it commits rows and files")
def test_a_commit_or_file_that_is_the_last_call_breaks_no_promise(name: str, tmp_path: Path) -> None:
    failed = every_call_fails(OPERATIONS[name](tmp_path), (Way.AFTER, Way.DEAD))
    assert failed["commit"] > 0


@pytest.fixture
def restored_elsewhere(settings: Any) -> Iterator[None]:
    """Return this process to its database after it has restored others."""
    name, home, key = connection.settings_dict["NAME"], settings.SOTTOVOCE_HOME, settings.SECRET_KEY
    yield
    connection.close()
    connection.settings_dict["NAME"] = name
    settings.SOTTOVOCE_HOME, settings.SECRET_KEY = home, key


# On PostgreSQL, pg_restore runs in one transaction: see tests/operations/test_whole_path.py.
@pytest.mark.only("sqlite")
@pytest.mark.soak
def test_a_failure_of_any_restore_call_leaves_no_partial_database(
    tmp_path: Path, restored_elsewhere: None
) -> None:
    check_published("restore", every_call_fails(operations.Restore(tmp_path)))


def receipt_apart(entry: Entry, *, now: datetime) -> StoreResult:
    """Commit the receipt before the row."""
    if Receipt.objects.filter(survey=entry.survey_id, key=entry.key).exists():
        return StoreResult.KNOWN_KEY
    Receipt.objects.create(survey_id=entry.survey_id, key=entry.key, digest=entry.digest, fresh=True)
    Inbox.objects.create(
        key=entry.key[:16], version_id=entry.version_id, box=entry.box, sealed_under=entry.sealed_under
    )
    return StoreResult.NEW


def put_in_place_first(path: Path) -> None:
    """Restore a database before its keys are retired."""
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
@pytest.mark.few("submit", why="what respondents wait for")
def test_planted_faults_are_detected(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, fault, said = PLANTED[name]
    operation = OPERATIONS[name](tmp_path)
    monkeypatch.setattr(module, function, fault)
    # On PostgreSQL, Django refuses to lock rows outside a transaction.
    with pytest.raises(
        (AssertionError, TransactionManagementError), match=f"{said}|outside of a transaction"
    ):
        # Killed processes reveal these faults first.
        every_call_fails(operation, (Way.DEAD,))


@pytest.mark.only("sqlite")
def test_planted_restore_faults_are_detected(
    tmp_path: Path, restored_elsewhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = operations.Restore(tmp_path)
    monkeypatch.setattr(backup, "database_put", put_in_place_first)
    with pytest.raises(AssertionError, match="sealed under a lost key"):
        every_call_fails(operation)
