"""An unreachable database is logged once a minute; a program error does not count as an outage."""

import logging

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection

from surveys.management.commands import sweep
from surveys.server.outages import Outages, database_is_away, is_full, is_outage


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (OperationalError("unable to open database file"), True),
        (OperationalError("database is locked"), True),
        (OperationalError("database or disk is full"), True),
        (InterfaceError("connection already closed"), True),
        (ProgrammingError("relation is not there"), False),
        (ValueError("unable to open"), False),
        (None, False),
    ],
)
def test_outages_are_distinguished_from_errors(error: BaseException | None, wanted: bool) -> None:
    assert is_outage(error) is wanted


@pytest.mark.only("sqlite")
def test_a_missing_column_is_not_an_outage() -> None:
    assert not is_outage(OperationalError("no such column: says"))


@pytest.mark.django_db(transaction=True)
def test_a_responding_database_is_not_away() -> None:
    assert not database_is_away()
    assert connection.is_usable()


def test_outages_are_logged_once_a_minute_with_growing_pauses(caplog: pytest.LogCaptureFixture) -> None:
    at = 0.0
    outages = Outages(logging.getLogger("surveys.management.commands.sweep"), clock=lambda: at)
    for second in range(180):
        at = float(second)
        outages.log(OperationalError("away at an address"))
    assert [record.getMessage() for record in caplog.records] == [
        "the database does not answer: OperationalError"
    ] * 3
    assert all(record.exc_info is None for record in caplog.records)
    assert [outages.pause() for _ in range(5)] == [2, 4, 8, 16, 16]
    outages.over()
    outages.over()
    assert caplog.messages[3:] == ["the database's server did not answer for 179 s; it works again"]
    assert outages.pause() == 2


def test_a_full_disk_is_logged_again_once_it_has_space(caplog: pytest.LogCaptureFixture) -> None:
    """While it is full, the log on the same disk loses its lines."""
    at = 0.0
    outages = Outages(logging.getLogger("surveys.tasks"), clock=lambda: at)
    outages.log(OperationalError("database or disk is full"))
    at = 40.0
    outages.log(OperationalError("database or disk is full"))
    outages.over()
    outages.over()
    assert caplog.messages == [
        "the database's disk is full, so nothing can be stored",
        "the database's disk was full for 40 s; it works again",
    ]


def test_postgresql_names_a_full_disk_by_its_code() -> None:
    error = OperationalError('could not extend file "base/1/2": No space left on device')
    error.__cause__ = psycopg.errors.DiskFull()
    assert is_full(error)
    assert not is_full(OperationalError("the connection is closed"))


@pytest.mark.only("sqlite")
@pytest.mark.django_db(transaction=True)
def test_a_sweeper_with_a_full_disk_logs_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    def write() -> None:
        raise OperationalError("database or disk is full")

    assert sweep.sweep_once((("mix", write),)) == ["mix", sweep.DATABASE]
    sweep.sweep_once(())
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert caplog.messages[0] == "the database's disk is full, so nothing can be stored"
    assert "was full for 0 s" in caplog.messages[1]
