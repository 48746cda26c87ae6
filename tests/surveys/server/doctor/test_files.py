from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from surveys.server import disk_space
from surveys.server.doctor import files
from surveys.server.doctor.diagnosis import Severity
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Path:
    settings.SOTTOVOCE_HOME = tmp_path / "home"
    settings.SOTTOVOCE_HOME.mkdir(mode=0o700)
    return settings.SOTTOVOCE_HOME


def test_a_home_directory_readable_by_others_is_detected(home: Path, doctor: Doctor) -> None:
    assert doctor.level(files.only_the_owner_reads_files) is Severity.OK
    (home / "secret_key").write_text("x")
    (home / "secret_key").chmod(0o644)
    assert doctor.level(files.only_the_owner_reads_files) is Severity.OK, "nobody gets to it"
    home.chmod(0o755)
    assert str(home / "secret_key") in doctor.seen(files.only_the_owner_reads_files)


@pytest.mark.parametrize(
    ("free", "level"), [(10 << 30, Severity.OK), (1 << 30, Severity.WARNING), (1 << 20, Severity.ERROR)]
)
def test_a_full_disk_is_found(
    free: int, level: Severity, doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        disk_space.shutil, "disk_usage", lambda _place: SimpleNamespace(free=free, total=free)
    )
    assert doctor.level(files.there_is_disk_space) is level


def test_an_old_database_copy_is_detected(home: Path, doctor: Doctor) -> None:
    assert doctor.level(files.old_copies_are_deleted) is Severity.OK
    copy = home / "sottovoce.sqlite3.before-migration"
    copy.touch()
    assert doctor.level(files.old_copies_are_deleted) is Severity.OK
    then = doctor.context.now - timedelta(days=8)
    os.utime(copy, (then.timestamp(), then.timestamp()))
    assert doctor.seen(files.old_copies_are_deleted) == f"{copy} (8 days)"
