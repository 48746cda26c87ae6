"""Brokers, workers and sweepers that do not work are reported."""

from collections.abc import Callable
from datetime import timedelta
from subprocess import Popen

import pytest
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.jobs import lease
from surveys.jobs.heartbeats import facts_of_this_program
from surveys.jobs.sweeper import SWEEPER_HEARTBEAT
from surveys.management.commands.sweep import sweep_once
from surveys.models import Job, Survey
from surveys.models.heartbeat import SECONDS_UNTIL_LATE, record_heartbeat
from surveys.server.doctor import parts
from surveys.server.doctor.diagnosis import Severity
from tests.fixtures.devices import published, request_of, survey_of, wide_definition
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "SECONDS_TO_ANSWER", 0.3)
    monkeypatch.setattr(parts, "SECONDS_TO_MIX", 0.3)


@pytest.mark.soak
def test_a_running_worker_passes(
    start_worker: Callable[..., Popen[bytes]], doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "SECONDS_TO_ANSWER", 120.0)
    start_worker()
    assert doctor.level(parts.a_worker_answers) is Severity.OK


def test_a_missing_worker_is_detected(broker: str, doctor: Doctor) -> None:
    assert doctor.seen(parts.a_worker_answers) == "no worker answered within 0.3 s"


def test_a_busy_worker_is_not_reported_dead(broker: str, doctor: Doctor) -> None:
    now = timezone.now()
    Job.objects.create(kind=Job.Kind.MINE, created_at=now, send_due_at=now, state=Job.State.RUNNING)
    assert doctor.level(parts.a_worker_answers) is Severity.WARNING


def test_an_unreachable_broker_is_detected(no_broker: None, doctor: Doctor) -> None:
    assert doctor.seen(parts.a_worker_answers).startswith("no broker at redis+socket://")


def test_a_late_or_missing_sweeper_is_detected(doctor: Doctor) -> None:
    assert doctor.seen(parts.the_sweeper_runs) == "it never ran"
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() - timedelta(seconds=SECONDS_UNTIL_LATE + 5))
    assert doctor.level(parts.the_sweeper_runs) is Severity.ERROR
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() + timedelta(minutes=5))
    assert "a clock is wrong" in doctor.seen(parts.the_sweeper_runs)
    sweep_once(())
    assert doctor.level(parts.the_sweeper_runs) is Severity.OK


def test_unmixed_rows_are_found(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    for _ in range(100):
        assert doctor.level(parts.rows_are_mixed) is Severity.OK
        assert submission_receive(request_of(version), now=timezone.now()).status == 200
    assert "still had enough rows waiting" in doctor.seen(parts.rows_are_mixed)
    mix(now=timezone.now())
    assert doctor.level(parts.rows_are_mixed) is Severity.OK


def test_a_closed_survey_without_its_last_batch_is_detected(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    survey_close(survey_of(version), by="alice", now=timezone.now() - timedelta(hours=49))
    assert doctor.seen(parts.closed_surveys_are_settled) == "not mixed: wide"
    mix(now=timezone.now())
    assert Survey.objects.get().settled
    assert doctor.level(parts.closed_surveys_are_settled) is Severity.OK


@pytest.mark.parametrize(
    ("fact", "said"), [("program", "runs another release"), ("key", "has another secret key")]
)
def test_a_worker_with_another_program_or_key_is_detected(fact: str, said: str, doctor: Doctor) -> None:
    record_heartbeat("worker host/7", now=timezone.now(), says=facts_of_this_program())
    assert doctor.level(parts.workers_run_this_program) is Severity.OK
    record_heartbeat("worker host/8", now=timezone.now(), says=facts_of_this_program() | {fact: "another"})
    assert doctor.seen(parts.workers_run_this_program) == f"host/8 {said}"


def test_a_failed_run_is_detected(doctor: Doctor) -> None:
    assert doctor.level(parts.runs_do_not_fail) is Severity.OK
    now = timezone.now()
    over = {"created_at": now, "send_due_at": now, "ended_at": now, "state": Job.State.FAILED}
    Job.objects.create(**over, message=lease.LOST_TOO_OFTEN)
    assert doctor.level(parts.runs_do_not_fail) is Severity.WARNING
