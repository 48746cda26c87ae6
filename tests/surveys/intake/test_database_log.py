"""The log of the database, and its standbys."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from surveys.intake import database_log
from surveys.intake.database_log import log_position, standbys_have_replayed, truncate_log


@pytest.fixture
def log_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """A database of its own, with two pages of writing in its log."""
    with closing(sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA busy_timeout = 4321")
        writer.execute("CREATE TABLE written (x)")
        writer.execute("INSERT INTO written VALUES (1)")
        facts = {"vendor": "sqlite", "in_atomic_block": False, "cursor": lambda: closing(writer.cursor())}
        monkeypatch.setattr(database_log, "connection", SimpleNamespace(**facts))
        monkeypatch.setattr(database_log, "MILLISECONDS_TO_WAIT", 1)
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
    monkeypatch.setattr(database_log.connection, "in_atomic_block", True)
    assert not truncate_log()
    assert (tmp_path / "x.sqlite-wal").stat().st_size > 0
    monkeypatch.setattr(database_log.connection, "vendor", "postgresql")
    assert truncate_log()


@pytest.mark.only("sqlite")
def test_sqlite_has_no_standbys() -> None:
    assert log_position() == "log"
    assert standbys_have_replayed("log")


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
    monkeypatch.setattr(database_log, "connection", fake)
    assert standbys_have_replayed("0/1") is ready


def test_postgresql_alone_is_asked_for_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    cursor = MagicMock()
    cursor.fetchone.return_value = ("0/16B3748",)
    for vendor, asked, position in (("sqlite", 0, "log"), ("postgresql", 1, "0/16B3748")):
        fake = SimpleNamespace(vendor=vendor, cursor=lambda: nullcontext(cursor))
        monkeypatch.setattr(database_log, "connection", fake)
        assert log_position() == position
        assert cursor.execute.call_count == asked
