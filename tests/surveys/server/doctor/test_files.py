"""Files that others may read, that are damaged or that lie about for too long are found."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from surveys.server import health_processes, machine
from surveys.server.health import Severity
from tests.conftest import ROOT
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.fixture
def home(tmp_path: Path, settings: Settings) -> Path:
    settings.SOTTOVOCE_HOME = tmp_path / "home"
    settings.SOTTOVOCE_HOME.mkdir(mode=0o700)
    return settings.SOTTOVOCE_HOME


def test_a_home_that_others_may_enter_is_found(home: Path, doctor: Doctor) -> None:
    assert doctor.level(health_processes.only_its_owner_reads_it) is Severity.OK
    (home / "secret_key").write_text("x")
    (home / "secret_key").chmod(0o644)
    assert doctor.level(health_processes.only_its_owner_reads_it) is Severity.OK, "nobody gets to it"
    home.chmod(0o755)
    assert str(home / "secret_key") in doctor.seen(health_processes.only_its_owner_reads_it)


@pytest.mark.parametrize(
    ("free", "level"), [(10 << 30, Severity.OK), (1 << 30, Severity.WARNING), (1 << 20, Severity.ERROR)]
)
def test_a_disk_without_room_is_found(
    free: int, level: Severity, doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _place: SimpleNamespace(free=free, total=free))
    assert doctor.level(health_processes.there_is_room) is level


def test_an_old_copy_of_the_database_is_found(home: Path, doctor: Doctor) -> None:
    assert doctor.level(health_processes.old_copies_are_deleted) is Severity.OK
    copy = home / "sottovoce.sqlite3.before-migration"
    copy.touch()
    assert doctor.level(health_processes.old_copies_are_deleted) is Severity.OK
    then = doctor.context.now - timedelta(days=8)
    os.utime(copy, (then.timestamp(), then.timestamp()))
    assert doctor.seen(health_processes.old_copies_are_deleted) == f"{copy} (8 days)"


@pytest.mark.slow
def test_the_files_of_sqlite_are_closed_to_others_whoever_made_them(tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = os.umask(0o022)
    try:
        for command in (["migrate", "auth"], ["migrate"]):
            given = {
                "SOTTOVOCE_HOME": str(home),
                "DATABASE_URL": "",
                "DJANGO_SETTINGS_MODULE": "surveys.settings",
            }
            environment = {**os.environ, **given}
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=False)
            made = list(home.glob("sottovoce.sqlite3*"))
            assert made
            assert {path: stat.S_IMODE(path.stat().st_mode) for path in made} == dict.fromkeys(made, 0o600)
            # One of an earlier release.
            (home / "sottovoce.sqlite3").chmod(0o644)
    finally:
        os.umask(before)
