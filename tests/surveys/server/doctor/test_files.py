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
from django.utils import timezone
from pytest_django import Settings

from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_import, survey_publish
from surveys.jobs.workers import directory_of
from surveys.models import Batch, Version
from surveys.rows.column_cache import cached_columns
from surveys.rows.snapshot import batches_open_to_mining
from surveys.server import health_processes, machine
from surveys.server.health import Severity
from tests.conftest import ROOT
from tests.fixtures.runs import answer, answered, definition, published
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


def columns_of(version: Version) -> list[Path]:
    cached_columns(
        version.to_design(), version.survey_id, Batch.objects.filter(version=version).order_by("pk")
    )
    return list(directory_of(version.survey_id, version.to_design()).iterdir())


def test_columns_that_another_release_wrote_are_no_damage(home: Path, doctor: Doctor) -> None:
    (path,) = columns_of(answered())
    content = path.read_bytes()
    assert content.startswith(b"sotto columns 3\n")
    path.write_bytes(content.replace(b"sotto columns 3", b"sotto columns 2", 1))
    assert [finding.seen for finding in doctor.finds(health_processes.columns_are_whole)] == [
        "there are none yet; 1 of another release are made again when used"
    ]
    assert doctor.level(health_processes.columns_are_whole) is Severity.OK


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


def test_columns_that_say_something_else_than_their_batches_are_found(home: Path, doctor: Doctor) -> None:
    (path,) = columns_of(answered())
    assert [finding.seen for finding in doctor.finds(health_processes.columns_are_whole)] == [
        "1 files match their digests"
    ]
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert str(path) in doctor.seen(health_processes.columns_are_whole)


def test_columns_of_two_versions_with_one_design_are_one_file(home: Path, doctor: Doctor) -> None:
    first = published()
    answer(first, 100)
    document = definition()
    document["title"] = {"en": "The same questions under another name"}
    second = survey_publish(survey_import(document, by="alice"), by="alice", now=timezone.now())
    assert (second.design_id, second.number) == (first.design_id, 2)
    answer(second, 100, seed=8)
    survey_close(second.survey, by="alice", now=timezone.now(), at_once=True)
    cached_columns(second.to_design(), second.survey_id, batches_open_to_mining(second))
    assert [finding.seen for finding in doctor.finds(health_processes.columns_are_whole)] == [
        "1 files match their digests"
    ]
