"""Brokers, workers and sweepers that do not work are reported."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from subprocess import Popen
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.intake.keys import mixer_ready
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.jobs import lease
from surveys.jobs.workers import KEY_HEARTBEAT, SWEEPER_HEARTBEAT, facts_of_this_program
from surveys.management.commands.sweep import sweep_once
from surveys.models import Inbox, Job, MixerKey, Survey
from surveys.models.staff import SECONDS_UNTIL_LATE, record_heartbeat
from surveys.server import health_checks, health_storage
from surveys.server.health import Severity
from tests.fixtures.devices import published, request_of, survey_of, wide_definition
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _short_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_checks, "SECONDS_TO_ANSWER", 0.3)
    monkeypatch.setattr(health_checks, "SECONDS_TO_MIX", 0.3)


@pytest.mark.soak
def test_a_running_worker_passes(
    start_worker: Callable[..., Popen[bytes]], doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_checks, "SECONDS_TO_ANSWER", 120.0)
    start_worker()
    assert doctor.level(health_checks.a_worker_answers) is Severity.OK


def test_a_missing_worker_is_detected(broker: str, doctor: Doctor) -> None:
    assert doctor.seen(health_checks.a_worker_answers) == "no worker answered within 0.3 s"


def test_a_busy_worker_is_not_reported_dead(broker: str, doctor: Doctor) -> None:
    now = timezone.now()
    Job.objects.create(kind=Job.Kind.MINE, created_at=now, send_due_at=now, state=Job.State.RUNNING)
    assert doctor.level(health_checks.a_worker_answers) is Severity.WARNING


def test_an_unreachable_broker_is_detected(no_broker: None, doctor: Doctor) -> None:
    assert doctor.seen(health_checks.a_worker_answers).startswith("no broker at redis+socket://")


def test_a_late_or_missing_sweeper_is_detected(doctor: Doctor) -> None:
    assert doctor.seen(health_checks.the_sweeper_runs) == "it never ran"
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() - timedelta(seconds=SECONDS_UNTIL_LATE + 5))
    assert doctor.level(health_checks.the_sweeper_runs) is Severity.ERROR
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() + timedelta(minutes=5))
    assert "a clock is wrong" in doctor.seen(health_checks.the_sweeper_runs)
    sweep_once(())
    assert doctor.level(health_checks.the_sweeper_runs) is Severity.OK


def test_unmixed_rows_are_found(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    for _ in range(100):
        assert doctor.level(health_checks.rows_are_mixed) is Severity.OK
        assert submission_receive(request_of(version), now=timezone.now()).status == 200
    assert "still had enough rows waiting" in doctor.seen(health_checks.rows_are_mixed)
    mix(now=timezone.now())
    assert doctor.level(health_checks.rows_are_mixed) is Severity.OK


def test_a_closed_survey_without_its_last_batch_is_detected(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    survey_close(survey_of(version), by="alice", now=timezone.now() - timedelta(hours=49))
    assert doctor.seen(health_checks.closed_surveys_are_settled) == "not mixed: wide"
    mix(now=timezone.now())
    assert Survey.objects.get().settled
    assert doctor.level(health_checks.closed_surveys_are_settled) is Severity.OK


@pytest.mark.parametrize(
    ("fact", "said"), [("program", "runs another release"), ("key", "has another secret key")]
)
def test_a_worker_with_another_program_or_key_is_detected(fact: str, said: str, doctor: Doctor) -> None:
    record_heartbeat("worker host/7", now=timezone.now(), says=facts_of_this_program())
    assert doctor.level(health_checks.workers_run_this_program) is Severity.OK
    record_heartbeat("worker host/8", now=timezone.now(), says=facts_of_this_program() | {fact: "another"})
    assert doctor.seen(health_checks.workers_run_this_program) == f"host/8 {said}"


def test_a_failed_run_is_detected(doctor: Doctor) -> None:
    assert doctor.level(health_checks.runs_do_not_fail) is Severity.OK
    now = timezone.now()
    over = {"created_at": now, "send_due_at": now, "ended_at": now, "state": Job.State.FAILED}
    Job.objects.create(**over, message=lease.LOST_TOO_OFTEN)
    assert doctor.level(health_checks.runs_do_not_fail) is Severity.WARNING


def test_a_changed_secret_key_is_detected(doctor: Doctor) -> None:
    check = health_checks.the_secret_key_is_unchanged
    assert doctor.level(check) is Severity.OK
    record_heartbeat(KEY_HEARTBEAT, now=timezone.now(), says={"key": "that of another key"})
    assert doctor.level(check) is Severity.ERROR


def test_without_a_mixer_only_the_missing_mixer_is_reported(
    doctor: Doctor, settings: Any, tmp_path: Path
) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    assert doctor.level(health_storage.keys_are_kept_apart) is Severity.OK
    assert doctor.level(health_storage.a_mixer_key_is_ready) is Severity.ERROR
    assert mixer_ready()
    assert doctor.level(health_storage.a_mixer_key_is_ready) is Severity.OK
    assert doctor.level(health_storage.keys_are_kept_apart) is Severity.OK


def test_keys_near_the_database_or_readable_by_others_are_found(
    doctor: Doctor, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    assert mixer_ready()
    here = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": str(tmp_path / "sottovoce.sqlite3")})
    monkeypatch.setattr(health_storage, "connection", here)
    assert "the database's directory" in doctor.seen(health_storage.keys_are_kept_apart)
    assert doctor.level(health_storage.keys_are_kept_apart) is Severity.WARNING
    settings.SOTTOVOCE_MIXER_KEYS.chmod(0o750)
    assert doctor.level(health_storage.keys_are_kept_apart) is Severity.ERROR


def test_a_key_waiting_for_a_standby_is_detected(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert mixer_ready()
    assert doctor.level(health_storage.old_keys_are_destroyed) is Severity.OK
    MixerKey.objects.update(unnamed_at="0/0")
    monkeypatch.setattr(health_storage, "standbys_have_replayed", lambda position: position != "0/0")
    assert doctor.seen(health_storage.old_keys_are_destroyed) == "1 old keys wait for a standby"


def test_a_key_older_than_its_lifetime_is_detected(doctor: Doctor) -> None:
    assert mixer_ready()
    MixerKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=19))
    assert doctor.level(health_storage.old_keys_are_destroyed) is Severity.OK
    MixerKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=21))
    assert doctor.seen(health_storage.old_keys_are_destroyed) == "1 keys are older than 20 minutes"


def test_rows_without_a_usable_key_are_counted(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    assert submission_receive(request_of(version), now=timezone.now()).status == 200
    assert doctor.level(health_storage.waiting_rows_can_be_decrypted) is Severity.OK
    MixerKey.objects.create(
        name=b"m" * 16,
        public=bytes(32),
        mixer="away",
        current=False,
        drawn_at=timezone.now(),
        vouched_until=timezone.now(),
    )
    Inbox.objects.update(sealed_under=b"m" * 16)
    assert doctor.seen(health_storage.waiting_rows_can_be_decrypted).startswith(
        "1 rows need the key of another mixer"
    )
    MixerKey.objects.filter(mixer="away").delete()
    assert doctor.seen(health_storage.waiting_rows_can_be_decrypted).startswith("1 rows cannot")
