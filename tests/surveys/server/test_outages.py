"""An unreachable database is logged once a minute; a program error does not count as an outage."""

import logging

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection

from surveys.server.database import Outages, database_is_away, is_outage


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
    assert outages.pause() == 2
