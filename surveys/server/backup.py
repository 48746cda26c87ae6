"""A backup of an installation in use, and an installation from a backup.

It holds the database and the secret key. It does not hold the mixer's keys: with them, anyone who has the
backup would read the rows that waited. Nor what is computed again (columns, static files), the name of the
home, and what the parts said.

Exactly once: a device forgets its answer once Sotto has it. What is in a backup is there whole; what came
later is lost with the machine, and a device that has not been heard yet finds its place in the restored
database free. What waited when the backup was made can be opened only where its key is still there; else it
is counted and given up when its survey is settled.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from surveys.errors.error import SurveyError
from surveys.jobs.heartbeats import key_mark
from surveys.server import backup_notes
from surveys.server.backup_manifest import (
    MANIFEST,
    SECRET_KEY,
    Manifest,
    file_digest,
    manifest_check,
    manifest_read,
    manifest_write,
)
from surveys.server.database_copy import NAMES, database_copy, database_is_empty, database_put
from surveys.server.newer_database import known_migrations
from surveys.server.running import running_in

HEARTBEAT: Final = backup_notes.MADE
"""Name of the beat that says when the last backup was finished."""

_NAME: Final = "%Y-%m-%dT%H-%M-%SZ"


def backup_make(directory: Path, *, version: str, now: datetime) -> Manifest:
    """Write a backup into a directory that is not there or empty, and remember when.

    One that fails leaves nothing behind but a note of it.

    Raises
    ------
    SurveyError
        ``backup.inside``, ``backup.there``, ``backup.no_tables``, ``backup.changed`` or ``backup.program``.
    """
    directory = directory.absolute()
    _check_place(directory.resolve())
    was_there = directory.is_dir()
    if was_there and any(directory.iterdir()):
        raise SurveyError("backup.there", directory=directory)
    try:
        manifest = _made(directory, version=version, now=now)
    except BaseException as error:
        # Also where the program is asked to end.
        for path in directory.iterdir() if directory.is_dir() else ():
            path.unlink()
        if not was_there and directory.is_dir():
            directory.rmdir()
        with contextlib.suppress(DatabaseError):
            backup_notes.note(backup_notes.FAILED, now=now, reason=(str(error) or type(error).__name__)[:300])
        raise
    backup_notes.note(backup_notes.MADE, now=now)
    return manifest


def backup_newest(directory: Path) -> Path:
    """Return the newest whole backup in a folder of backups.

    Raises
    ------
    SurveyError
        ``backup.none``.
    """
    dated = sorted(filter(_is_dated, directory.iterdir())) if directory.is_dir() else []
    whole = [backup for backup in dated if (backup / MANIFEST).is_file()]
    if not whole:
        raise SurveyError("backup.none", directory=directory)
    return whole[-1]


def _made(directory: Path, *, version: str, now: datetime) -> Manifest:
    migrations = _applied()
    if not migrations:
        raise SurveyError("backup.no_tables")
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.chmod(0o700)
    files = [database_copy(directory)]
    if _key_is_in_home():
        files.append(directory / SECRET_KEY)
        _write_private(files[-1], str(settings.SECRET_KEY))
    if _applied() != migrations:
        raise SurveyError("backup.changed", directory=directory)
    manifest = Manifest(
        sotto=version,
        made_at=now,
        vendor=connection.vendor,
        migrations=migrations,
        key_mark=key_mark(),
        files={path.name: file_digest(path) for path in files},
    )
    manifest_write(directory, manifest)
    return manifest


def backup_make_dated(directory: Path, *, most: int, version: str, now: datetime) -> tuple[Path, list[Path]]:
    """Write a backup into a folder of backups, under the time of now, and remove the oldest beyond `most`.

    Halves of backups that broke off go too. What is not named as a backup stays.

    Returns
    -------
    path : Path
        Of the new one.
    removed : list of Path
    """
    path = directory / now.astimezone(UTC).strftime(_NAME)
    backup_make(path, version=version, now=now)
    dated = sorted(filter(_is_dated, directory.iterdir()), reverse=True)
    whole = [backup for backup in dated if (backup / MANIFEST).is_file()]
    removed = [backup for backup in dated if backup not in whole[:most]]
    for backup in removed:
        shutil.rmtree(backup)
    return path, removed


def backup_restore(directory: Path) -> Manifest:
    """Make a backup the state of this home and database, which hold nothing yet.

    Everything is looked at before anything is written. The secret key comes before the database: what is
    left of a restore that broke off is an empty database, and the same command again.

    Raises
    ------
    SurveyError
        ``backup.none``, ``backup.half``, ``backup.unreadable``, ``backup.format``, ``backup.newer``,
        ``backup.vendor``, ``backup.damaged``, ``backup.key``, ``backup.running``, ``backup.tables``,
        ``backup.columns`` or ``backup.program``.
    """
    directory = directory.absolute()
    manifest = manifest_read(directory)
    unknown = sorted(set(manifest.migrations) - known_migrations())
    if unknown:
        raise SurveyError("backup.newer", sotto=manifest.sotto, unknown=", ".join(unknown[:3]))
    name = NAMES[connection.vendor]
    if manifest.vendor != connection.vendor or name not in manifest.files:
        raise SurveyError("backup.vendor", theirs=manifest.vendor, ours=connection.vendor)
    manifest_check(directory, manifest)
    _check_home()
    _put_key(directory, manifest)
    database_put(directory / name)
    return manifest


def _applied() -> tuple[str, ...]:
    applied = MigrationRecorder(connection).applied_migrations()
    return tuple(sorted(f"{app}.{name}" for app, name in applied))


def _check_place(directory: Path) -> None:
    """Refuse a place that the mixer's keys are in, or that is in the home whose loss it is for."""
    keys, home = Path(settings.SOTTO_MIXER_KEYS), Path(settings.SOTTO_HOME)
    for folder in (keys, home):
        if directory.is_relative_to(folder) or folder.is_relative_to(directory):
            raise SurveyError("backup.inside", directory=directory, place=folder)


def _check_home() -> None:
    home = Path(settings.SOTTO_HOME)
    if running_in(home) is not None:
        raise SurveyError("backup.running", home=home)
    if not database_is_empty():
        raise SurveyError("backup.tables")
    columns = home / "columns"
    if columns.is_dir() and any(columns.iterdir()):
        raise SurveyError("backup.columns", columns=columns)


def _key_is_in_home() -> bool:
    """Return whether the secret key is kept in the home, and not given by the environment."""
    path = Path(settings.SOTTO_HOME) / SECRET_KEY
    return path.is_file() and path.read_text(encoding="ascii").strip() == settings.SECRET_KEY


def _put_key(directory: Path, manifest: Manifest) -> None:
    if manifest.key_mark == key_mark():
        return
    if SECRET_KEY not in manifest.files or not _key_is_in_home():
        raise SurveyError("backup.key")
    key = (directory / SECRET_KEY).read_text(encoding="ascii").strip()
    home = Path(settings.SOTTO_HOME)
    with tempfile.TemporaryDirectory(prefix=f"{SECRET_KEY}.", dir=home) as beside:
        draft = Path(beside) / SECRET_KEY
        _write_private(draft, key)
        draft.replace(home / SECRET_KEY)


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _is_dated(path: Path) -> bool:
    try:
        datetime.strptime(path.name, _NAME)
    except ValueError:
        return False
    return path.is_dir()
