"""Nothing of a mixed row is left where the database keeps things, outside its batch."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from privacy.survey.layout import Layout
from surveys.intake import erase_postgresql
from surveys.intake.erase import erase_traces
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Inbox, Version
from tests.cast.devices import published, request_of, sealed_body, wide_definition
from tests.cast.traces import database_files, log_files, log_of_our_own, occurrences

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _checkpoints_at_once(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(erase_postgresql, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    with log_of_our_own():
        yield


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide", questions=90))


def answer(version: Version, times: int) -> None:
    design = version.to_design()
    rng = random.Random(times)
    for _ in range(times):
        body = sealed_body(design, rng).hex()
        assert submission_receive(request_of(version, body=body), now=timezone.now()).status == 200


def row_names() -> list[bytes]:
    """Return the random names of the waiting rows; each is 16 bytes that occur nowhere by chance."""
    return [bytes(key) for key in Inbox.objects.values_list("key", flat=True)]


@pytest.fixture
def reader() -> Iterator[object]:
    """Begin to read the inbox on a connection of somebody else's, and hold on to it; ended by `close`."""
    if connection.vendor == "sqlite":
        link = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        link.execute("BEGIN")
        link.execute("SELECT COUNT(*) FROM surveys_inbox").fetchone()
        yield link
        link.close()
        return
    other = connection.copy()
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM surveys_inbox")
    yield other
    other.close()


def test_after_a_mix_nothing_holds_the_name_of_a_mixed_row(version: Version) -> None:
    other = published(wide_definition("other", questions=90))
    # Several hundred rows split pages of the table, and rows of another survey stay among them.
    answer(version, 400)
    answer(other, 30)
    answer(version, 100)
    mixed = [bytes(key) for key in Inbox.objects.filter(version=version).values_list("key", flat=True)]
    assert sum(occurrences(mixed, database_files()).values()) >= 500, "the search finds what is there"
    assert mix(now=timezone.now()).erased
    assert len(row_names()) == 30
    assert occurrences(mixed, database_files()) == {}


def test_a_row_stands_in_the_files_once_after_a_mix(version: Version) -> None:
    design = version.to_design()
    bodies = [sealed_body(design, random.Random(seed)) for seed in range(60)]
    for body in bodies:
        submission_receive(request_of(version, body=body.hex()), now=timezone.now())
    assert mix(now=timezone.now()).erased
    assert Layout(design).n_bytes > 20, "too long to occur twice by chance"
    # The batch is in the table and, until the next file is removed, in PostgreSQL's log, as a batch.
    tables = {name: content for name, content in database_files().items() if "pg_wal" not in name}
    tables.pop("pg_dump", None)
    content = b"".join(tables.values())
    # A row that a page border cuts through is not found whole: at most one per page of the batch.
    found = [content.count(body) for body in bodies]
    assert max(found) == 1
    assert sum(found) >= 58


def test_a_reader_that_holds_on_delays_the_erasing_and_does_not_prevent_it(
    version: Version, request: pytest.FixtureRequest
) -> None:
    answer(version, 50)
    names = row_names()
    reader = request.getfixturevalue("reader")
    assert not mix(now=timezone.now()).erased
    assert occurrences(names, database_files()) != {}
    reader.close()
    assert mix(now=timezone.now()).erased, "the next round of the sweeper, with nothing to mix"
    assert occurrences(names, database_files()) == {}


PATIENCE = {"sqlite": "PRAGMA busy_timeout", "postgresql": "SHOW lock_timeout"}


def test_erasing_gives_the_connection_its_patience_back() -> None:
    with connection.cursor() as cursor:
        cursor.execute(PATIENCE[connection.vendor])
        before = cursor.fetchone()
        assert erase_traces(after_mixing=True)
        cursor.execute(PATIENCE[connection.vendor])
        assert cursor.fetchone() == before


@pytest.mark.only("sqlite")
def test_deleted_rows_are_overwritten_on_every_connection(version: Version) -> None:
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA secure_delete").fetchone() == (1,)
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    answer(version, 50)
    mix(now=timezone.now())
    assert Path(f"{connection.settings_dict['NAME']}-wal").stat().st_size == 0


@pytest.mark.only("postgresql")
def test_after_a_mix_the_table_and_the_log_are_others(version: Version) -> None:
    def table() -> object:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_relation_filenode('surveys_inbox'), pg_relation_size('surveys_inbox')")
            return cursor.fetchone()

    answer(version, 50)
    before, log_before = table(), log_files()
    assert mix(now=timezone.now()).erased
    assert table()[0] != before[0]
    assert table()[1] == 0
    # Files are numbered upwards and never used again.
    assert set(log_before).isdisjoint(log_files())


@pytest.mark.only("postgresql")
def test_a_role_without_the_right_to_a_checkpoint_erases_the_table_and_says_so(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        (owner,) = cursor.fetchone()
        cursor.execute("DROP ROLE IF EXISTS sotto_plain")
        cursor.execute("CREATE ROLE sotto_plain")
        assert erase_postgresql.may_erase_log()
        cursor.execute("SET ROLE sotto_plain")
        try:
            assert not erase_postgresql.may_erase_log()
            assert erase_postgresql.erase_log(), "asking again would not help"
        finally:
            cursor.execute(f'SET ROLE "{owner}"')
        cursor.execute("GRANT pg_checkpoint TO sotto_plain")
        cursor.execute("GRANT EXECUTE ON FUNCTION pg_switch_wal() TO sotto_plain")
        cursor.execute("SET ROLE sotto_plain")
        try:
            assert erase_postgresql.may_erase_log()
            assert erase_postgresql.erase_log()
        finally:
            cursor.execute(f'SET ROLE "{owner}"')
            cursor.execute("REVOKE EXECUTE ON FUNCTION pg_switch_wal() FROM sotto_plain")
            cursor.execute("DROP ROLE sotto_plain")


@pytest.mark.only("postgresql")
def test_busy_hours_get_no_checkpoint_for_each_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erase_postgresql, "SECONDS_BETWEEN_CHECKPOINTS", 1000.0)
    monkeypatch.setattr(erase_postgresql, "_checkpoints", erase_postgresql._Checkpoints())
    assert erase_traces(after_mixing=True)
    assert not erase_traces(after_mixing=True)
    monkeypatch.setattr(erase_postgresql, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    assert erase_traces(after_mixing=False), "it stays due"


@pytest.mark.only("postgresql")
def test_submissions_that_arrive_while_the_table_is_made_anew_are_all_kept(version: Version) -> None:
    stop, faults = threading.Event(), []

    def anew() -> None:
        try:
            while not stop.is_set():
                erase_postgresql.erase_inbox(milliseconds=200)
        except Exception as fault:
            faults.append(fault)
        finally:
            connection.close()

    thread = threading.Thread(target=anew)
    thread.start()
    try:
        answer(version, 60)
    finally:
        stop.set()
        thread.join()
    assert faults == []
    assert Inbox.objects.count() == 60


@pytest.mark.only("postgresql")
def test_waiting_rows_are_never_sampled(version: Version) -> None:
    answer(version, 40)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE surveys_inbox")
        cursor.execute("ANALYZE surveys_batch")
        cursor.execute("SELECT attname FROM pg_stats WHERE tablename = 'surveys_inbox'")
        assert cursor.fetchall() == []
        cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'surveys_inbox'")
        assert "autovacuum_enabled=false" in cursor.fetchone()[0], "nor looked at unasked"
