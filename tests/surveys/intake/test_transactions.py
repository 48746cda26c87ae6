"""Only one thread at a time writes."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, nullcontext
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from surveys.intake import transactions
from surveys.intake.receive import submission_receive
from surveys.intake.transactions import (
    commit_durably,
    database_clock,
    log_position,
    sqlite_write_lock,
    standbys_have_replayed,
    truncate_log,
)
from surveys.models import Inbox, Receipt
from tests.fixtures.devices import published, request_of, shipped_definition, wide_definition
from tests.fixtures.threads import in_parallel


@pytest.fixture(autouse=True)
def _as_sqlite(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test SQLite's behaviour, on which threads write one at a time, with either database."""
    if request.node.get_closest_marker("only") is None:
        monkeypatch.setattr(transactions, "connection", SimpleNamespace(vendor="sqlite"))


def test_only_one_thread_writes_at_a_time() -> None:
    inside, most = [0], [0]

    def write() -> None:
        for _ in range(50):
            with sqlite_write_lock():
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    in_parallel([write] * 6)
    assert most == [1]


def test_waiting_too_long_to_write_raises_a_busy_database_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "SECONDS_TO_WAIT", 0.01)

    def wait() -> None:
        with sqlite_write_lock():
            pass

    with sqlite_write_lock(), pytest.raises(OperationalError):
        in_parallel([wait])
    with sqlite_write_lock():
        pass


def test_an_exception_releases_the_write_lock() -> None:
    with pytest.raises(ZeroDivisionError), sqlite_write_lock():
        raise ZeroDivisionError
    with sqlite_write_lock():
        pass


def test_other_databases_need_no_write_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "connection", SimpleNamespace(vendor="postgresql"))
    with sqlite_write_lock(), sqlite_write_lock():
        pass


@pytest.mark.only("postgresql")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["surveys_receipt", "surveys_inbox", "surveys_survey"])
def test_submissions_blocked_by_a_table_lock_are_refused_in_time_and_can_retry(table: str) -> None:
    raw = request_of(published(wide_definition("wide")))
    theirs = connection.copy()
    theirs.set_autocommit(False)
    try:
        with theirs.cursor() as cursor, connection.cursor() as ours:
            cursor.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
            ours.execute("SET lock_timeout = '20ms'")
            assert submission_receive(raw, now=timezone.now()).status == 503
            assert (Receipt.objects.count(), Inbox.objects.count()) == (0, 0)
    finally:
        theirs.close()
        connection.close()
    assert submission_receive(raw, now=timezone.now()).status == 200
    assert (Receipt.objects.count(), Inbox.objects.count()) == (1, 1)


@pytest.mark.only("postgresql")
@pytest.mark.django_db(transaction=True)
def test_the_lock_timeout_equals_the_write_timeout() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == (f"{transactions.SECONDS_TO_WAIT:g}s",)


@pytest.mark.django_db
@pytest.mark.only("postgresql")
def test_the_insert_statement_is_planned_once_and_contains_no_values() -> None:
    version = published(shipped_definition(slug="work"))
    submissions = [request_of(version) for _ in range(3)]
    for raw in submissions:
        assert submission_receive(raw, now=timezone.now()).status == 200
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT statement, generic_plans + custom_plans FROM pg_prepared_statements"
            " WHERE statement LIKE '%INSERT INTO surveys_inbox%'"
        )
        [(statement, times)] = cursor.fetchall()
    assert times >= 2
    for raw in submissions:
        sent = json.loads(raw)
        assert not [name for name in ("key", "body", "design_id") if sent[name] in statement]


@pytest.mark.django_db
@pytest.mark.only("postgresql")
def test_statements_of_staff_are_not_prepared() -> None:
    with connection.cursor() as cursor:
        for _ in range(3):
            cursor.execute("SELECT %s", ["a value that is put into the text"])
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%put into the text%'"
        )
        assert cursor.fetchone() == (0,)


@pytest.fixture
def log_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """A database of its own, with two pages of writing in its log."""
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA busy_timeout = 4321")
        writer.execute("CREATE TABLE written (x)")
        writer.execute("INSERT INTO written VALUES (1)")
        facts = {"vendor": "sqlite", "in_atomic_block": False, "cursor": lambda: closing(writer.cursor())}
        monkeypatch.setattr(transactions, "connection", SimpleNamespace(**facts))
        monkeypatch.setattr(transactions, "MILLISECONDS_TO_WAIT", 1)
        yield writer


def test_the_log_is_emptied_unless_a_reader_needs_it(log_file: sqlite3.Connection, tmp_path: Path) -> None:
    log = tmp_path / "x.sqlite-wal"
    assert log.stat().st_size > 0
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT x FROM written").fetchall() == [(1,)]
        log_file.execute("INSERT INTO written VALUES (2)")
        assert not truncate_log()
        reader.execute("COMMIT")
        assert truncate_log()
    assert log.stat().st_size == 0
    assert log_file.execute("PRAGMA busy_timeout").fetchone() == (4321,)


def test_the_log_stays_inside_a_transaction_and_only_sqlite_has_one(
    log_file: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions.connection, "in_atomic_block", True)
    assert not truncate_log()
    assert (tmp_path / "x.sqlite-wal").stat().st_size > 0
    monkeypatch.setattr(transactions.connection, "vendor", "postgresql")
    assert truncate_log()


def test_sqlite_has_no_standbys_and_our_clock() -> None:
    assert log_position() == "log"
    assert standbys_have_replayed("log")
    assert abs(timezone.now() - database_clock()) < timedelta(minutes=5)


@pytest.mark.parametrize(
    ("standbys", "replayed", "wanted", "behind", "ready"),
    [
        (2, 2, 2, False, True),
        (3, 3, 2, False, True),
        (0, 0, 0, False, True),
        (2, 1, 1, False, False),
        (1, 1, 2, False, False),
        (2, 2, 2, True, False),
    ],
)
def test_standbys_must_be_enough_and_all_have_replayed(
    standbys: int, replayed: int, wanted: int, behind: bool, ready: bool,
    monkeypatch: pytest.MonkeyPatch, settings: Any,
) -> None:  # fmt: skip
    settings.SOTTOVOCE_STANDBYS = wanted
    cursor = MagicMock()
    cursor.fetchone.side_effect = [(standbys, replayed), (behind,)]
    fake = SimpleNamespace(vendor="postgresql", cursor=lambda: nullcontext(cursor))
    monkeypatch.setattr(transactions, "connection", fake)
    assert standbys_have_replayed("0/1") is ready


def test_postgresql_alone_is_asked_for_its_log_and_told_to_commit_durably(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cursor = MagicMock()
    cursor.fetchone.return_value = ("0/16B3748",)
    for vendor, asked, position in (("sqlite", 0, "log"), ("postgresql", 2, "0/16B3748")):
        fake = SimpleNamespace(vendor=vendor, cursor=lambda: nullcontext(cursor))
        monkeypatch.setattr(transactions, "connection", fake)
        commit_durably(fake)  # type: ignore[arg-type]
        assert log_position() == position
        assert cursor.execute.call_count == asked
