from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from surveys.doctor import upgrade
from surveys.doctor.diagnosis import Severity
from surveys.jobs.heartbeats import facts_of_this_program
from surveys.jobs.lease import enqueue
from surveys.models import Job
from surveys.models.beat import record_heartbeat
from surveys.server.backup import HEARTBEAT
from tests.surveys.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


def backed_up(hours_ago: float) -> None:
    record_heartbeat(HEARTBEAT, now=timezone.now() - timedelta(hours=hours_ago))


def migrated(*, last: bool) -> None:
    """Make the database one of a newer release, or one to which something is to be applied."""
    recorder = MigrationRecorder(connection)
    if last:
        recorder.record_applied("surveys", "9001_later")
    else:
        recorder.record_unapplied("surveys", "0001_beat")


def test_before_an_upgrade_it_waits_for_a_backup_of_today(doctor: Doctor) -> None:
    migrated(last=False)
    assert doctor.level(upgrade.the_database_fits) is Severity.WARNING
    assert "surveys.0001_beat" in doctor.seen(upgrade.the_database_fits)
    assert doctor.level(upgrade.a_backup_is_fresh) is Severity.ERROR
    backed_up(25)
    assert doctor.level(upgrade.a_backup_is_fresh) is Severity.ERROR
    backed_up(1)
    assert doctor.level(upgrade.a_backup_is_fresh, now=timezone.now()) is Severity.OK


def test_a_day_without_a_backup_and_without_an_upgrade_is_somebodys_to_judge(doctor: Doctor) -> None:
    assert doctor.level(upgrade.a_backup_is_fresh) is Severity.WARNING
    # A clock was put back: nobody knows how old it is.
    backed_up(-5)
    assert doctor.level(upgrade.a_backup_is_fresh, now=timezone.now()) is Severity.WARNING


def test_a_newer_release_was_here(doctor: Doctor) -> None:
    migrated(last=True)
    assert doctor.level(upgrade.the_database_fits) is Severity.ERROR


def test_it_names_workers_of_another_program_and_counts_runs(doctor: Doctor) -> None:
    facts = facts_of_this_program()
    record_heartbeat("worker new/1", now=timezone.now(), says=facts)
    assert doctor.level(upgrade.workers_run_this_program) is Severity.OK
    assert doctor.level(upgrade.no_run_is_at_work) is Severity.OK
    record_heartbeat("worker old/2", now=timezone.now(), says={**facts, "program": "another"})
    assert doctor.seen(upgrade.workers_run_this_program) == "another one runs on old/2"
    enqueue(kind=Job.Kind.MINE, requested_by=None, now=timezone.now(), announce=False)
    assert doctor.seen(upgrade.no_run_is_at_work) == "1 are queued or at work"


def test_there_has_to_be_room_for_the_database_a_second_time(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doctor.level(upgrade.there_is_room) is Severity.OK
    monkeypatch.setattr(upgrade, "database_bytes", lambda: 1 << 60)
    wanted = Severity.ERROR if connection.vendor == "sqlite" else Severity.WARNING
    assert doctor.level(upgrade.there_is_room) is wanted


@pytest.mark.parametrize(
    ("backed_up_hours_ago", "pending", "code"),
    [(1, False, 0), (1, True, 1), (30, False, 1), (30, True, 2)],
)
def test_its_exit_code_says_whether_to_begin(backed_up_hours_ago: int, pending: bool, code: int) -> None:
    backed_up(backed_up_hours_ago)
    if pending:
        migrated(last=False)
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("upgrade-check", stdout=out)
    assert ended.value.code == code
    assert out.getvalue().startswith("this is sotto ")


def test_it_ends_with_figures_for_a_script(capsys: Any) -> None:
    out = StringIO()
    backed_up(1)
    with pytest.raises(SystemExit):
        call_command("upgrade-check", "--json", stdout=out)
    assert out.getvalue().startswith('{"level": "well", "findings": [')
