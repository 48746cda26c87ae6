"""Only one thread at a time writes."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from surveys.intake import write_lock
from surveys.intake.receive import submission_receive
from surveys.intake.write_lock import sqlite_write_lock
from surveys.models import Inbox, Receipt
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.threads import in_parallel


@pytest.fixture(autouse=True)
def _as_sqlite(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test SQLite's behaviour, on which threads write one at a time, with either database."""
    if request.node.get_closest_marker("only") is None:
        monkeypatch.setattr(write_lock, "connection", SimpleNamespace(vendor="sqlite"))


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
    monkeypatch.setattr(write_lock, "SECONDS_TO_WAIT", 0.01)

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
    monkeypatch.setattr(write_lock, "connection", SimpleNamespace(vendor="postgresql"))
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
        assert cursor.fetchone() == (f"{write_lock.SECONDS_TO_WAIT:g}s",)
