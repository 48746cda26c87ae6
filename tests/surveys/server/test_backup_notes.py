"""Notes on backups are read and written whichever release made the tables."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from surveys.models import Beat
from surveys.server.backup import FAILED, MADE, backup_problems, note, noted

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def test_what_is_noted_is_read_and_is_a_heartbeat() -> None:
    assert noted(FAILED) is None
    note(FAILED, now=NOW, reason="first")
    note(FAILED, now=NOW + timedelta(hours=1), reason="second")
    found = noted(FAILED)
    assert found is not None
    assert (found.at, found.says) == (NOW + timedelta(hours=1), {"reason": "second"})
    assert Beat.objects.get(name=FAILED).says == {"reason": "second"}


def test_a_table_of_the_first_release_holds_when_and_no_reason() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE surveys_beat DROP COLUMN says")
    note(MADE, now=NOW)
    note(FAILED, now=NOW + timedelta(hours=1), reason="lost")
    found = noted(FAILED)
    assert found is not None
    assert found.says == {}
    (problem,) = backup_problems(now=NOW + timedelta(hours=2))
    assert problem.name == "backup failed"
    assert "the journal says why" in problem.seen


def test_the_name_of_a_problem_changes_only_where_it_becomes_worse() -> None:
    names = []
    note(MADE, now=NOW)
    for hours in (1, 40, 100, 170, 400):
        names += [
            (hours, problem.name, problem.is_broken)
            for problem in backup_problems(now=NOW + timedelta(hours=hours))
        ]
    assert names == [
        (40, "backup late", False),
        (100, "backup late", False),
        (170, "backup broken", True),
        (400, "backup broken", True),
    ]
