"""Faults of an installation, each planted alone: the doctor finds it, and nothing else gets worse."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.intake.keys import mixer_ready
from surveys.intake.receive import submission_receive
from surveys.jobs import lease
from surveys.jobs.workers import KEY_HEARTBEAT, SWEEPER_HEARTBEAT, facts_of_this_program
from surveys.management.commands.doctor import CHECKS
from surveys.models import AuditEvent, Batch, Inbox, Job, MixerKey, Receipt
from surveys.models.staff import record_heartbeat
from surveys.server import health_processes, health_storage, machine
from surveys.server.health import Severity, examine
from surveys.sweeper import sweep_once
from tests.fixtures.devices import published, request_of, survey_of, wide_definition
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db

Changing = pytest.MonkeyPatch


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def debug(_: Changing) -> None:
    settings.DEBUG = True


def weak_key(_: Changing) -> None:
    settings.SECRET_KEY = "a" * 60


def new_key(_: Changing) -> None:
    record_heartbeat(KEY_HEARTBEAT, now=timezone.now(), says={"key": "that of another key"})


def any_host(_: Changing) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "*"]


def no_https(_: Changing) -> None:
    settings.ALLOWED_HOSTS = ["survey.example.org"]


def pending_migration(_: Changing) -> None:
    MigrationRecorder.Migration.objects.filter(app="surveys", name="0001_initial").delete()


def newer_database(_: Changing) -> None:
    MigrationRecorder(connection).record_applied("surveys", "9001_later")


def lost_trigger(_: Changing) -> None:
    drop = {
        "sqlite": "DROP TRIGGER surveys_batch_no_update",
        "postgresql": "ALTER TABLE surveys_batch DISABLE TRIGGER surveys_batch_no_update",
    }
    sql(drop[connection.vendor])


def lost_reference(_: Changing) -> None:
    # Checked at the end of a transaction, which this one never sees.
    Receipt.objects.create(survey_id=4711, key=b"k" * 16, digest=b"d" * 32)


def column_for_an_address(_: Changing) -> None:
    sql("ALTER TABLE surveys_receipt ADD COLUMN address text")


def damaged_batch(_: Changing) -> None:
    Batch(version=published(wide_definition("wide")), n=1, packed=b"\0", digest="0" * 64).save()


def clock_put_back(change: Changing) -> None:
    if connection.vendor == "sqlite":
        AuditEvent(at=timezone.now() + timedelta(hours=2), actor="a", action="x", target="x").save()
    else:
        late = timezone.now() - timedelta(hours=2)
        change.setattr(health_storage, "timezone", SimpleNamespace(now=lambda: late))


def dead_sweeper(_: Changing) -> None:
    record_heartbeat(SWEEPER_HEARTBEAT, now=timezone.now() - timedelta(minutes=5))


def old_code_on_a_worker(_: Changing) -> None:
    says = facts_of_this_program() | {"program": "that of an earlier release"}
    record_heartbeat("worker host/8", now=timezone.now(), says=says)


def foreign_key_on_a_worker(_: Changing) -> None:
    record_heartbeat("worker host/8", now=timezone.now(), says=facts_of_this_program() | {"key": "another"})


def failed_run(_: Changing) -> None:
    now = timezone.now()
    Job.objects.create(
        created_at=now, send_due_at=now, ended_at=now, state=Job.State.FAILED, message=lease.LOST_TOO_OFTEN
    )


def rows_unmixed(_: Changing) -> None:
    version = published(wide_definition("wide"))
    for _number in range(100):
        assert submission_receive(request_of(version), now=timezone.now()).status == 200


def mixer_away(_: Changing) -> None:
    MixerKey.objects.update(vouched_until=timezone.now() - timedelta(seconds=1))


def keys_open_to_others(_: Changing) -> None:
    Path(settings.SOTTOVOCE_MIXER_KEYS).chmod(0o755)


def row_without_key(_: Changing) -> None:
    assert (
        submission_receive(request_of(published(wide_definition("wide"))), now=timezone.now()).status == 200
    )
    Inbox.objects.update(sealed_under=bytes(16))


def last_rows_unmixed(_: Changing) -> None:
    version = published(wide_definition("wide"))
    survey_close(survey_of(version), by="alice", now=timezone.now() - timedelta(hours=49))


def open_home(_: Changing) -> None:
    Path(settings.SOTTOVOCE_HOME).chmod(0o755)


def full_disk(change: Changing) -> None:
    change.setattr(machine.shutil, "disk_usage", lambda _place: SimpleNamespace(free=1 << 20, total=1 << 30))


def old_copy(_: Changing) -> None:
    copy = Path(settings.SOTTOVOCE_HOME) / "sottovoce.sqlite3.before-migration"
    copy.touch(mode=0o600)
    then = timezone.now() - timedelta(days=8)
    os.utime(copy, (then.timestamp(), then.timestamp()))


FAULTS: dict[Callable[[Changing], None], str] = {
    debug: "a fault shows nothing of the inside",
    weak_key: "the secret key is long and made by chance",
    new_key: "the secret key is the one that this database began with",
    any_host: "the web server answers under its own names only",
    no_https: "what is sent over a network is encrypted on the way",
    pending_migration: "the database has the tables that this program expects",
    newer_database: "the database has the tables that this program expects",
    lost_trigger: "the database refuses to change what is written once",
    lost_reference: "every row belongs to something that is there",
    column_for_an_address: "receipts and rows have no address, no author and no time",
    damaged_batch: "batches hold what was written",
    clock_put_back: "the clock is right",
    dead_sweeper: "the sweeper comes round",
    old_code_on_a_worker: "workers run this program, under this secret key",
    foreign_key_on_a_worker: "workers run this program, under this secret key",
    failed_run: "no run ended at a fault of the machine or the program",
    rows_unmixed: "waiting rows are mixed as soon as there are enough of them",
    mixer_away: "a mixer vouches that it can open what is sealed",
    keys_open_to_others: "the keys that open waiting rows lie apart from the database, for their owner only",
    row_without_key: "what waits can be opened",
    last_rows_unmixed: "the last rows of a closed survey are mixed when its acceptance ends",
    open_home: "what Sottovoce keeps on disk can be read by its own account only",
    full_disk: "there is room on the disk",
    old_copy: "no copy of the database lies about for long",
}
# Faults with further findings: a weak key also differs from the recorded key; any host has no HTTPS.
ALSO = {weak_key: {FAULTS[new_key], FAULTS[foreign_key_on_a_worker]}, any_host: {FAULTS[no_https]}}


@pytest.fixture(autouse=True)
def _sound(settings: Any, tmp_path: Path, monkeypatch: Changing) -> None:
    """Let everything be well but the broker and the proxy, which other tests have."""
    settings.SOTTOVOCE_HOME = tmp_path / "home"
    settings.SOTTOVOCE_HOME.mkdir(mode=0o700)
    settings.DEBUG = False
    monkeypatch.setattr(health_processes, "SECONDS_TO_ANSWER", 0.1)
    monkeypatch.setattr(health_processes, "SECONDS_TO_MIX", 0.1)
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    assert mixer_ready()
    sweep_once(())
    record_heartbeat("worker host/7", now=timezone.now(), says=facts_of_this_program())


def levels(doctor: Doctor) -> dict[str, Severity]:
    worst: dict[str, Severity] = {}
    context = SimpleNamespace(**{**vars(doctor.context), "address": None, "now": timezone.now()})
    for finding in examine(context, CHECKS):  # type: ignore[arg-type] - a context
        worst[finding.promise] = max(finding.level, worst.get(finding.promise, Severity.OK))
    return worst


@pytest.mark.soak
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_the_doctor_finds_it(
    fault: Callable[[Changing], None], doctor: Doctor, settings: Any, monkeypatch: Changing
) -> None:
    before = levels(doctor)
    assert before[FAULTS[fault]] is Severity.OK
    # pytest's fixture restores settings after any change.
    for name in ("DEBUG", "SECRET_KEY", "ALLOWED_HOSTS"):
        setattr(settings, name, getattr(settings, name))
    fault(monkeypatch)
    after = levels(doctor)
    worse = {promise for promise in after if after[promise] > before.get(promise, Severity.OK)}
    Receipt.objects.filter(survey_id=4711).delete()
    assert worse == {FAULTS[fault]} | ALSO.get(fault, set())
