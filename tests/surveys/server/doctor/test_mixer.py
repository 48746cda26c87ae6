"""The doctor's findings about the mixer and its keys."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from surveys.intake.keys import mixer_ready
from surveys.intake.receive import submission_receive
from surveys.models import Inbox, MixerKey
from surveys.server import health_storage
from surveys.server.health import Severity
from tests.fixtures.devices import published, request_of, wide_definition
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


def test_a_machine_without_a_mixer_has_no_keys_and_nobody_vouches(
    doctor: Doctor, settings: Any, tmp_path: Path
) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    assert doctor.level(health_storage.keys_lie_elsewhere) is Severity.OK
    assert doctor.level(health_storage.a_mixer_vouches) is Severity.ERROR
    assert mixer_ready()
    assert doctor.level(health_storage.a_mixer_vouches) is Severity.OK
    assert doctor.level(health_storage.keys_lie_elsewhere) is Severity.OK


def test_keys_beside_the_database_or_open_to_others_are_found(
    doctor: Doctor, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    assert mixer_ready()
    here = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": str(tmp_path / "sottovoce.sqlite3")})
    monkeypatch.setattr(health_storage, "connection", here)
    assert "beside the database" in doctor.seen(health_storage.keys_lie_elsewhere)
    assert doctor.level(health_storage.keys_lie_elsewhere) is Severity.WARNING
    settings.SOTTOVOCE_MIXER_KEYS.chmod(0o750)
    assert doctor.level(health_storage.keys_lie_elsewhere) is Severity.ERROR


def test_a_key_that_waits_for_a_standby_is_found(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert mixer_ready()
    assert doctor.level(health_storage.old_keys_are_destroyed) is Severity.OK
    MixerKey.objects.update(unnamed_at="0/0")
    monkeypatch.setattr(health_storage, "standbys_have_replayed", lambda position: position != "0/0")
    assert doctor.seen(health_storage.old_keys_are_destroyed) == "1 wait for a standby"


def test_a_key_that_lives_on_is_found(doctor: Doctor) -> None:
    assert mixer_ready()
    MixerKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=19))
    assert doctor.level(health_storage.old_keys_are_destroyed) is Severity.OK
    MixerKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=21))
    assert doctor.seen(health_storage.old_keys_are_destroyed) == "1 are older than 20 minutes"


def test_rows_that_nobody_here_can_open_are_counted(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    assert submission_receive(request_of(version), now=timezone.now()).status == 200
    assert doctor.level(health_storage.waiting_rows_can_be_opened) is Severity.OK
    MixerKey.objects.create(
        name=b"m" * 16,
        public=bytes(32),
        mixer="away",
        current=False,
        drawn_at=timezone.now(),
        vouched_until=timezone.now(),
    )
    Inbox.objects.update(sealed_under=b"m" * 16)
    assert doctor.seen(health_storage.waiting_rows_can_be_opened).startswith(
        "1 rows can by a mixer only that is away"
    )
    MixerKey.objects.filter(mixer="away").delete()
    assert doctor.seen(health_storage.waiting_rows_can_be_opened).startswith("1 rows cannot")
