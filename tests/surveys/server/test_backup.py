"""Backups: contents, omissions, and which ones a restore refuses before it writes anything."""

import dataclasses
import fcntl
import json
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.intake.keys import key_folder
from surveys.models import Beat
from surveys.server import backup as backups
from surveys.server.backup import (
    BACKUP_MANIFEST,
    backup_make,
    backup_make_dated,
    backup_restore,
    manifest_check,
    manifest_read,
)
from surveys.server.backup_contents import check_contents, file_contents
from surveys.server.backup_problems import MADE
from surveys.server.database_copy import NAMES
from surveys.server.state import contents_read
from tests.attack.scratch import scratch_database
from tests.fixtures.databases import execute
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.processes import python

pytestmark = pytest.mark.django_db(transaction=True)

NOW = timezone.now()


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return a backup of an installation with waiting answers and a logged-in user."""
    version = published(wide_definition("wide"))
    client = Client()
    for _ in range(3):
        kind = "application/vnd.sotto.submission+json"
        assert client.post("/api/submissions", request_of(version), content_type=kind).status_code == 200
    client.force_login(User.objects.create_user("alice"))
    backup_make(tmp_path / "backup", version="1.2.3", now=NOW)
    return tmp_path / "backup"


def test_a_backup_lists_its_files_and_only_its_owner_can_read_them(made: Path) -> None:
    manifest = manifest_read(made)
    database = NAMES[connection.vendor]
    assert set(manifest.files) == {database, "secret_key"}
    assert {path.name for path in made.iterdir()} == {*manifest.files, BACKUP_MANIFEST}
    manifest_check(made, manifest)
    assert (manifest.sottovoce, manifest.made_at, manifest.vendor) == ("1.2.3", NOW, connection.vendor)
    assert "surveys.0001_initial" in manifest.migrations
    modes = {stat.S_IMODE(path.stat().st_mode) for path in made.iterdir()}
    assert (stat.S_IMODE(made.stat().st_mode), modes) == (0o700, {0o600})
    assert Beat.objects.get(name=MADE).at == NOW


def test_a_backup_contains_no_mixer_keys_and_no_staff_sessions(made: Path) -> None:
    content = b"".join(path.read_bytes() for path in made.iterdir())
    if connection.vendor == "postgresql":
        # The dump is compressed, so read what a restore would load.
        read = ["pg_restore", "--file=-", str(made / NAMES["postgresql"])]
        content += subprocess.run(read, capture_output=True, check=True).stdout
    assert settings.SECRET_KEY.encode() in content
    assert b"alice" in content
    assert Session.objects.get().session_key.encode() not in content
    folder = key_folder()
    assert folder.names()
    for name in folder.names():
        key = folder.read(name)
        assert key is not None
        assert key.raw not in content
        assert key.raw.hex().encode() not in content


def test_backups_are_refused_in_the_key_and_home_directories(tmp_path: Path) -> None:
    keys, home = Path(settings.SOTTOVOCE_MIXER_KEYS), Path(settings.SOTTOVOCE_HOME)
    for place in (keys / "backup", home / "backup", home, home.parent):
        with pytest.raises(SurveyError) as refusal:
            backup_make(place, version="1", now=NOW)
        assert refusal.value.code == "backup"
    assert not (Path(settings.SOTTOVOCE_HOME) / "backup").exists()


def test_a_folder_with_files_is_refused_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine")
    with pytest.raises(CommandError, match="is not empty"):
        call_command("backup", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["note"]


def test_dated_backups_keep_the_newest_and_delete_incomplete_ones(tmp_path: Path) -> None:
    (tmp_path / "note").write_text("mine")
    half = tmp_path / (NOW - timedelta(hours=1)).strftime("%Y-%m-%dT%H-%M-%SZ")
    half.mkdir()
    (half / "database.dump").write_bytes(b"broke off")
    removed: list[Path] = []
    made = []
    for day in range(4):
        path, gone = backup_make_dated(tmp_path, most=2, version="1", now=NOW + timedelta(days=day))
        made.append(path)
        removed += gone
    assert removed == [half, *made[:2]]
    assert {path.name for path in tmp_path.iterdir()} == {"note", made[2].name, made[3].name}
    # The new backup has the oldest name, because the clock was corrected.
    after, gone = backup_make_dated(tmp_path, most=2, version="1", now=NOW)
    assert (after.is_dir(), gone) == (True, [])
    with pytest.raises(CommandError, match="would keep nothing"):
        call_command("backup", tmp_path, keep=0)


def test_no_other_backup_can_write_or_remove_anything_until_one_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = backups.database_copy

    def lock(place: Path) -> None:
        descriptor = os.open(place, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(descriptor)

    def watched(directory: Path) -> Path:
        for place in (tmp_path, directory):
            with pytest.raises(BlockingIOError):
                lock(place)
        return copy(directory)

    monkeypatch.setattr(backups, "database_copy", watched)
    made, _ = backup_make_dated(tmp_path, most=2, version="1", now=NOW)
    manifest_check(made, manifest_read(made))
    lock(tmp_path)


def test_a_backup_that_waited_for_another_leaves_the_files_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fcntl, "flock", lambda *_: (tmp_path / BACKUP_MANIFEST).write_text("{}"))
    with pytest.raises(SurveyError, match="is not empty"):
        backup_make(tmp_path, version="1", now=NOW)
    assert [path.name for path in tmp_path.iterdir()] == [BACKUP_MANIFEST]


@pytest.mark.parametrize("was_there", [False, True])
def test_a_failed_backup_leaves_no_folder_and_is_recorded(
    was_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "file_digest", full)
    place = tmp_path / "backup"
    if was_there:
        place.mkdir()
    with pytest.raises(SurveyError, match="No space left"):
        backup_make(place, version="1", now=NOW)
    assert list(tmp_path.iterdir()) == [place] * was_there
    assert not was_there or not list(place.iterdir())
    assert "No space left" in Beat.objects.get(name="backup failed").says["reason"]
    assert not Beat.objects.filter(name=MADE).exists()


def test_a_dated_backup_that_cannot_open_its_folder_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "disk").touch()
    with pytest.raises(CommandError, match=r"No backup was made in .*/disk: .*File exists.*Check the owner"):
        call_command("backup", tmp_path / "disk", "--keep", "3")
    assert "File exists" in Beat.objects.get(name="backup failed").says["reason"]


def test_the_newest_complete_backup_is_chosen_for_restoring(tmp_path: Path) -> None:
    older, _ = backup_make_dated(tmp_path, most=3, version="1", now=NOW)
    assert backups.backup_newest(tmp_path) == older
    newer, _ = backup_make_dated(tmp_path, most=3, version="1", now=NOW + timedelta(days=1))
    assert backups.backup_newest(tmp_path) == newer
    (newer / BACKUP_MANIFEST).unlink()
    assert backups.backup_newest(tmp_path) == older
    with pytest.raises(SurveyError, match="there is no backup"):
        backups.backup_newest(tmp_path / "none")


@pytest.mark.soak
def test_backups_with_and_without_dates_agree_with_restoring_the_newest(tmp_path: Path) -> None:
    """`backup DIR` wrote into the folder itself, where `restore --newest DIR` found nothing."""
    plain = tmp_path / "plain"
    backup_make(plain, version="1", now=NOW)
    assert backups.backup_newest(plain) == plain
    folder = tmp_path / "folder"
    dated, _ = backup_make_dated(folder, most=3, version="1", now=NOW)
    named = folder / "before-upgrade"
    backup_make(named, version="1", now=NOW + timedelta(hours=1))
    assert backups.backup_newest(folder) == named
    assert backups.backups_in(folder) == [dated, named]


def test_restoring_a_folder_of_backups_says_how_to_choose_one(tmp_path: Path) -> None:
    backup_make_dated(tmp_path, most=3, version="1", now=NOW)
    with pytest.raises(
        CommandError, match=r"not a backup, but a folder of 1\. Name one of them, or add --newest"
    ):
        call_command("restore", tmp_path)
    with pytest.raises(CommandError, match=r"not empty.*add --keep"):
        call_command("backup", tmp_path)


def test_a_newest_backup_with_an_unreadable_manifest_is_refused_by_name(tmp_path: Path) -> None:
    backup_make_dated(tmp_path, most=3, version="1", now=NOW)
    broken, _ = backup_make_dated(tmp_path, most=3, version="1", now=NOW + timedelta(hours=1))
    (broken / BACKUP_MANIFEST).write_text("{")
    assert backups.backup_newest(tmp_path) == broken
    with pytest.raises(CommandError, match=f"{broken.name} cannot be read"):
        call_command("restore", tmp_path, "--newest")


def changed(**changes: Any) -> Callable[[Path], None]:
    def change(directory: Path) -> None:
        path = directory / BACKUP_MANIFEST
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def cut_off(directory: Path) -> None:
    path = directory / NAMES[connection.vendor]
    path.write_bytes(path.read_bytes()[:-1])


def one_bit(directory: Path) -> None:
    path = directory / NAMES[connection.vendor]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


REFUSED = {
    "none": (shutil.rmtree, "there is no backup"),
    "half": (lambda directory: (directory / BACKUP_MANIFEST).unlink(), "the backup is incomplete"),
    "not a manifest": (lambda directory: (directory / BACKUP_MANIFEST).write_text("{"), "cannot be read"),
    "without its lists": (changed(files=None), "cannot be read"),
    "a newer kind": (changed(format=3, sottovoce="9.0"), "made by a newer Sottovoce"),
    "newer tables": (
        lambda directory: changed(migrations=[*manifest_read(directory).migrations, "surveys.9001_later"])(
            directory
        ),
        r"made by a newer Sottovoce \(1.2.3\).*applied surveys.9001",
    ),
    "a newer format of the database": (
        lambda directory: changed(schema={"format": 9, "digests": {}})(directory),
        r"made by a newer Sottovoce \(1.2.3\).*format 9",
    ),
    "tables of an earlier program": (
        changed(migrations=["surveys.0001_squashed_0057"]),
        r"made by Sottovoce 1.2.3.*does not continue: it applied surveys.0001_squashed_0057",
    ),
    "the same migrations with other contents": (
        lambda directory: changed(schema={"format": 1, "digests": {"surveys": "0" * 64}})(directory),
        r"made by Sottovoce 1.2.3: its tables of surveys are not those of this release",
    ),
    "a schema that is no schema": (changed(schema={"format": "x"}), "cannot be read"),
    "another database": (changed(vendor="another"), "the backup is from another"),
    "cut off": (cut_off, "differs from the one that was backed up"),
    "a bit that fell over": (one_bit, "differs from the one that was backed up"),
    "a name that leads away": (
        lambda directory: changed(
            files=json.loads((directory / BACKUP_MANIFEST).read_text())["files"]
            | {"../secret": {"bytes": 0, "sha256": ""}}
        )(directory),
        "differs from the one that was backed up",
    ),
    "into what is there": (
        lambda directory: None,
        "the database already has tables; a backup needs an empty database",
    ),
}


def test_backups_that_cannot_be_restored_completely_are_refused(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "database_put", lambda path: pytest.fail("it was put in place"))
    key = Path(settings.SOTTOVOCE_HOME) / "secret_key"
    before = key.read_bytes()
    for name, (change, said) in REFUSED.items():
        one = tmp_path / name
        shutil.copytree(made, one)
        change(one)
        with pytest.raises(CommandError, match=f"(?i){said}"):
            call_command("restore", one)
    assert key.read_bytes() == before


def with_other_tables(made: Path, directory: Path) -> Path:
    """Return a backup that was forged to contain another table than the manifest says."""
    shutil.copytree(made, directory)
    path = directory / NAMES[connection.vendor]
    path.unlink()
    execute("CREATE TABLE surveys_savedview (id int)")
    try:
        backups.database_copy(directory)
    finally:
        execute("DROP TABLE surveys_savedview")
    document = json.loads((directory / BACKUP_MANIFEST).read_text())
    document["files"][path.name] = vars(backups.file_digest(path))
    changed(files=document["files"])(directory)
    return directory


def test_a_backup_whose_database_is_of_another_program_is_not_restored(made: Path, tmp_path: Path) -> None:
    forged = with_other_tables(made, tmp_path / "forged")
    home = tmp_path / "home"
    with scratch_database() as url:
        url = url or f"sqlite:///{home}/sottovoce.sqlite3"
        done = python(home, "-m", "surveys.management", "restore", str(forged), DATABASE_URL=url)
        assert done.returncode == 1
        assert "made by Sottovoce 1.2.3: the database was changed after" in done.stderr
        assert "the table surveys_savedview is additional. Nothing was restored." in done.stderr
        assert not (home / "sottovoce.sqlite3").exists()
        assert (home / "secret_key").read_text().strip() != settings.SECRET_KEY
        # The place is as empty as before: the right backup can be restored there.
        done = python(home, "-m", "surveys.management", "restore", str(made), DATABASE_URL=url)
        assert done.returncode == 0, done.stderr
        assert (home / "secret_key").read_text().strip() == settings.SECRET_KEY


def test_a_manifest_that_names_other_migrations_is_refused(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connection.cursor() as cursor:
        contents = contents_read(cursor, connection.vendor)
    manifest = manifest_read(made)
    check_contents(made, manifest, contents)
    fewer = dataclasses.replace(manifest, migrations=manifest.migrations[:-1])
    with pytest.raises(
        SurveyError, match="is not the one that its manifest describes: the migrations differ"
    ):
        check_contents(made, fewer, contents)


@pytest.mark.only("sqlite")
def test_a_backup_whose_database_is_no_database_is_refused(made: Path) -> None:
    path = made / NAMES["sqlite"]
    path.write_bytes(b"another file" * 100)
    files = json.loads((made / BACKUP_MANIFEST).read_text())["files"]
    changed(files=files | {path.name: vars(backups.file_digest(path))})(made)
    with pytest.raises(SurveyError, match="differs from the one that was backed up"):
        check_contents(made, manifest_read(made), file_contents(made, path.name))


def test_a_backup_of_the_first_format_is_restored(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups of releases before the record say nothing about the schema."""
    put: list[Path] = []
    monkeypatch.setattr(backups, "database_put", put.append)
    monkeypatch.setattr(backups, "_check_home", lambda: None)
    document = json.loads((made / BACKUP_MANIFEST).read_text())
    del document["schema"]
    (made / BACKUP_MANIFEST).write_text(json.dumps(document | {"format": 1}))
    assert backup_restore(made).schema == {}
    assert put == [made / NAMES[connection.vendor]]


def test_a_different_secret_key_is_restored_or_requested(
    made: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any
) -> None:
    put: list[Path] = []
    monkeypatch.setattr(backups, "database_put", put.append)
    monkeypatch.setattr(backups, "database_is_empty", lambda: True)
    theirs = settings.SECRET_KEY
    settings.SOTTOVOCE_HOME, settings.SECRET_KEY = (
        tmp_path / "home",
        "another key of as many characters as one has",
    )
    settings.SOTTOVOCE_HOME.mkdir()
    # If the environment sets SECRET_KEY, a key written to the home would not be read.
    with pytest.raises(SurveyError, match="made with another SECRET_KEY"):
        backup_restore(made)
    assert put == []
    (settings.SOTTOVOCE_HOME / "secret_key").write_text(settings.SECRET_KEY)
    backup_restore(made)
    assert put == [made / NAMES[connection.vendor]]
    assert (settings.SOTTOVOCE_HOME / "secret_key").read_text() == theirs
    assert stat.S_IMODE((settings.SOTTOVOCE_HOME / "secret_key").stat().st_mode) == 0o600
    (settings.SOTTOVOCE_HOME / "columns" / "1").mkdir(parents=True)
    with pytest.raises(SurveyError, match="columns of another database"):
        backup_restore(made)
