"""Statements whose values the server plans once and does not log."""

import json

import pytest
from django.db import connection
from django.utils import timezone

from surveys.intake.receive import submission_receive
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
