"""Statements whose values the server plans once and does not log."""

import json
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from surveys.intake.receive import submission_receive
from surveys.intake.server_bound_cursor import server_bound_cursor
from tests.fixtures.devices import published, request_of, shipped_definition


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


@pytest.mark.parametrize(("vendor", "factory"), [("postgresql", "server"), ("sqlite", "usual")])
def test_values_are_bound_by_the_server_only_while_the_cursor_is_open(
    vendor: str, factory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also before the first statement of a connection, and after an error."""
    session = SimpleNamespace(cursor_factory="usual")
    connected = SimpleNamespace(vendor=vendor, connection=None, cursor=lambda: nullcontext(session))
    connected.ensure_connection = lambda: setattr(connected, "connection", session)
    monkeypatch.setattr("surveys.intake.server_bound_cursor.connection", connected)
    backend = SimpleNamespace(ServerBindingCursor="server")
    monkeypatch.setitem(sys.modules, "django.db.backends.postgresql.base", backend)
    inside = []

    def fail() -> None:
        with server_bound_cursor() as cursor:
            inside.append(cursor.cursor_factory)
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert inside == [factory]
    assert session.cursor_factory == "usual"
