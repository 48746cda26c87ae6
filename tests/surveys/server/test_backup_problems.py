"""Problems with backups: late, failed, and how their names change."""

from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.models.heartbeat import record_heartbeat
from surveys.server.backup_problems import FAILED, MADE, backup_problems

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def test_a_problem_gets_a_new_name_only_when_it_becomes_worse() -> None:
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


def test_a_failure_is_a_problem_until_a_backup_succeeds() -> None:
    record_heartbeat(MADE, now=NOW)
    record_heartbeat(FAILED, now=NOW + timedelta(hours=1), says={"reason": "the disk is full"})
    (problem,) = backup_problems(now=NOW + timedelta(hours=2))
    assert problem.name == "backup failed"
    assert "the disk is full" in problem.seen
    record_heartbeat(MADE, now=NOW + timedelta(hours=3))
    assert list(backup_problems(now=NOW + timedelta(hours=4))) == []
