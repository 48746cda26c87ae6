from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from surveys.intake.keys import mixer_ready
from surveys.intake.receive import submission_receive
from surveys.intake.sealed_boxes import PrivateKey
from surveys.models import Inbox, KeyCopy, MixerKey, SpareKey
from surveys.server.doctor import mixer_keys
from surveys.server.doctor.diagnosis import Severity
from tests.fixtures.devices import published, request_of, wide_definition
from tests.surveys.intake.test_keys import expire_vouch
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


def test_without_a_mixer_only_the_missing_mixer_is_reported(
    doctor: Doctor, settings: Any, tmp_path: Path
) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    assert doctor.level(mixer_keys.keys_are_kept_apart) is Severity.OK
    assert doctor.level(mixer_keys.a_mixer_key_is_ready) is Severity.ERROR
    assert mixer_ready()
    assert doctor.level(mixer_keys.a_mixer_key_is_ready) is Severity.OK
    assert doctor.level(mixer_keys.keys_are_kept_apart) is Severity.OK


def test_keys_near_the_database_or_readable_by_others_are_found(
    doctor: Doctor, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SOTTOVOCE_MIXER_KEYS = tmp_path / "keys"
    assert mixer_ready()
    here = SimpleNamespace(vendor="sqlite", settings_dict={"NAME": str(tmp_path / "sottovoce.sqlite3")})
    monkeypatch.setattr(mixer_keys, "connection", here)
    assert "the database's directory" in doctor.seen(mixer_keys.keys_are_kept_apart)
    assert doctor.level(mixer_keys.keys_are_kept_apart) is Severity.WARNING
    settings.SOTTOVOCE_MIXER_KEYS.chmod(0o750)
    assert doctor.level(mixer_keys.keys_are_kept_apart) is Severity.ERROR


def test_a_key_waiting_for_a_standby_is_detected(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    assert mixer_ready()
    assert doctor.level(mixer_keys.old_keys_are_destroyed) is Severity.OK
    MixerKey.objects.update(unnamed_at="0/0")
    monkeypatch.setattr(mixer_keys, "standbys_have_replayed", lambda position: position != "0/0")
    assert doctor.seen(mixer_keys.old_keys_are_destroyed) == "old keys waiting for a standby: 1"


def test_a_key_older_than_its_lifetime_is_detected(doctor: Doctor) -> None:
    assert mixer_ready()
    MixerKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=19))
    assert doctor.level(mixer_keys.old_keys_are_destroyed) is Severity.OK
    MixerKey.objects.update(drawn_at=timezone.now() - timedelta(minutes=21))
    assert doctor.seen(mixer_keys.old_keys_are_destroyed) == "keys older than 20 minutes: 1"


def test_rows_without_a_usable_key_are_counted(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    assert submission_receive(request_of(version), now=timezone.now()).status == 200
    assert doctor.level(mixer_keys.waiting_rows_can_be_decrypted) is Severity.OK
    MixerKey.objects.create(
        name=b"m" * 16,
        public=bytes(32),
        mixer="away",
        current=False,
        drawn_at=timezone.now(),
        vouched_until=timezone.now(),
    )
    Inbox.objects.update(sealed_under=b"m" * 16)
    assert doctor.seen(mixer_keys.waiting_rows_can_be_decrypted).startswith(
        "rows that need the key of another mixer, which does not run: 1"
    )
    MixerKey.objects.filter(mixer="away").delete()
    assert doctor.seen(mixer_keys.waiting_rows_can_be_decrypted).startswith("rows whose key is lost: 1")


def test_waiting_rows_are_not_called_readable_while_no_mixer_runs(doctor: Doctor) -> None:
    version = published(wide_definition("wide"))
    assert submission_receive(request_of(version), now=timezone.now()).status == 200
    expire_vouch()
    found = doctor.seen(mixer_keys.waiting_rows_can_be_decrypted)
    assert found == "unknown, because no mixer runs; waiting rows: 1"
    Inbox.objects.all().delete()
    assert doctor.level(mixer_keys.waiting_rows_can_be_decrypted) is Severity.OK


def test_the_doctor_says_whether_a_spare_has_copies(doctor: Doctor, settings: Any) -> None:
    [off] = doctor.finds(mixer_keys.a_spare_has_copies)
    assert (off.level, "there is no spare" in off.seen) == (Severity.OK, True)
    settings.SOTTOVOCE_MIXERS = ["mix1", "mix2"]
    assert doctor.level(mixer_keys.a_spare_has_copies) is Severity.WARNING
    assert "no spare has confirmed this" in doctor.seen(mixer_keys.a_spare_has_copies)
    key = PrivateKey.generate().public_key
    SpareKey.objects.create(
        name=key.name,
        public=key.public,
        mixer="theirs",
        host="mix2",
        current=True,
        drawn_at=timezone.now(),
        vouched_until=timezone.now() + timedelta(hours=1),
    )
    assert mixer_ready()
    copies = list(KeyCopy.objects.all())
    KeyCopy.objects.all().delete()
    assert doctor.seen(mixer_keys.a_spare_has_copies) == "mix2 lacks the key of some waiting answers"
    KeyCopy.objects.bulk_create(copies)
    [found] = doctor.finds(mixer_keys.a_spare_has_copies)
    assert (found.level, "mix2 has a copy of every key" in found.seen) == (Severity.OK, True)
