"""Notes on backups tell administrators of each problem once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.models.staff import record_heartbeat
from surveys.server.backup import MADE, backup_problems

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def test_the_name_of_a_problem_changes_only_where_it_becomes_worse() -> None:
    names = []
    record_heartbeat(MADE, now=NOW)
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
