"""Back up an installation in use, and restore an installation from a backup.

A backup contains the database and the secret key. It does not contain the mixer's keys, because anyone with
the backup could then read the rows that were waiting. Nor does it contain data that can be recomputed
(columns, static files), the name of the home, or logs.

A device forgets its answer once Sottovoce has received it. Answers received before the backup are complete in
it. Later answers are lost with the machine, but a device that has not sent its answer yet can still submit it
to the restored database. Waiting rows can be opened only if their key still exists; otherwise they are
counted as lost when their survey is settled.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from surveys.errors.error import SurveyError
from surveys.intake.key_folder import flush
from surveys.jobs.key_mark import key_mark
from surveys.models.heartbeat import record_heartbeat
from surveys.run_lock import running_in
from surveys.server import state
from surveys.server.backup_contents import check_contents, check_manifest, file_contents, migration_names
from surveys.server.backup_problems import FAILED, MADE
from surveys.server.database_copy import NAMES, database_copy, database_is_empty, database_put
from surveys.server.refused_database import RefusedDatabaseError
from surveys.server.state import Contents, any_database_allowed, contents_read, digests_of_migrations

BACKUP_FORMAT: Final = 2
"""Version of the backup format. A larger number means that a newer program wrote the backup.

Format 1 lacks `Manifest.schema`.
"""

BACKUP_MANIFEST: Final = "manifest.json"
SECRET_KEY: Final = "secret_key"  # noqa: S105 (a name)

_FUNCTIONS: Final = (
    "SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace "
    "AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid "
    "AND d.deptype = 'e')"
)


@dataclass(frozen=True, kw_only=True)
class FileDigest:
    """Size and SHA-256 (64 hex digits) of a file."""

    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Contents of a backup.

    Parameters
    ----------
    sottovoce : str
        Version and commit of the program that wrote it.
    made_at : datetime
    vendor : str
        "sqlite" or "postgresql".
    migrations : tuple of str
        Migrations applied to the database, as "app.name".
    schema : mapping of str to object
        Format number of the database and digests of its schema, as in `surveys.models.SchemaRecord`; empty in
        backups of format 1.
    key_mark : str
        Identifies the secret key and reveals nothing else about it.
    files : mapping of str to FileDigest
        Digests by file name, without the manifest.
    """

    sottovoce: str
    made_at: datetime
    vendor: str
    migrations: tuple[str, ...]
    key_mark: str
    files: Mapping[str, FileDigest]
    schema: Mapping[str, Any] = field(default_factory=dict)


def manifest_write(directory: Path, manifest: Manifest) -> None:
    """Finish a backup: sync its files to disk, then write the manifest atomically."""
    for name in manifest.files:
        flush(directory / name)
    document: dict[str, Any] = {
        "format": BACKUP_FORMAT,
        **asdict(manifest),
        "made_at": manifest.made_at.isoformat(),
    }
    draft = directory / f"{BACKUP_MANIFEST}.part"
    draft.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="ascii")
    draft.chmod(0o600)
    flush(draft)
    draft.replace(directory / BACKUP_MANIFEST)
    flush(directory)
    flush(directory.parent)


def manifest_read(directory: Path) -> Manifest:
    """Return the manifest of a backup.

    Raises
    ------
    SurveyError
        ``backup.none``, ``backup.several``, ``backup.half``, ``backup.format``, ``backup.unreadable``.
    """
    if not directory.is_dir():
        raise SurveyError("backup.none", directory=directory)
    try:
        document = json.loads((directory / BACKUP_MANIFEST).read_text(encoding="ascii"))
    except FileNotFoundError:
        if backups := backups_in(directory):
            raise SurveyError("backup.several", directory=directory, count=len(backups)) from None
        raise SurveyError("backup.half", directory=directory) from None
    except ValueError:
        raise SurveyError("backup.unreadable", directory=directory) from None
    try:
        is_newer = int(document.pop("format")) > BACKUP_FORMAT
        if not is_newer:
            return Manifest(
                **{
                    **document,
                    "made_at": datetime.fromisoformat(document["made_at"]),
                    "migrations": tuple(document["migrations"]),
                    "files": {name: FileDigest(**digest) for name, digest in document["files"].items()},
                    "schema": _schema_read(document.get("schema", {})),
                }
            )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise SurveyError("backup.unreadable", directory=directory) from None
    raise SurveyError("backup.format", directory=directory, sottovoce=document.get("sottovoce"))


def _schema_read(document: Mapping[str, Any]) -> dict[str, Any]:
    if not document:
        return {}
    digests = {str(label): str(digest) for label, digest in document["digests"].items()}
    return {"format": int(document["format"]), "digests": digests}


def manifest_check(directory: Path, manifest: Manifest) -> None:
    """Read every file of a backup and compare it with the manifest.

    Raises
    ------
    SurveyError
        ``backup.damaged``: a file is missing, truncated or different.
    """
    for name, digest in manifest.files.items():
        path = directory / name
        # A file name from someone else's manifest must not lead outside the folder.
        if Path(name).name != name or not path.is_file() or file_digest(path) != digest:
            raise SurveyError("backup.damaged", directory=directory, name=name)


def file_digest(path: Path) -> FileDigest:
    """Return the size and digest of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        return FileDigest(bytes=file.tell(), sha256=digest.hexdigest())


def _postgresql_clear() -> None:
    """Empty a database that was empty before a dump was loaded."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")
        cursor.execute(_FUNCTIONS)
        for (function,) in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION {function} CASCADE")


_NAME: Final = "%Y-%m-%dT%H-%M-%SZ"


def backup_make(directory: Path, *, version: str, now: datetime) -> Manifest:
    """Write a backup into a new or empty directory, and record its time.

    If it fails, only a note about the failure remains.

    Raises
    ------
    SurveyError
        ``backup.inside``, ``backup.there``, ``backup.no_tables``, ``backup.changed``, ``backup.failed`` or
        ``backup.program``.
    """
    directory = directory.absolute()
    _check_place(directory.resolve())
    was_there = directory.is_dir()
    if was_there and any(directory.iterdir()):
        raise SurveyError("backup.there", directory=directory)
    with _failures_recorded(directory, now), _locked(directory):
        if any(directory.iterdir()):
            raise SurveyError("backup.there", directory=directory)
        try:
            manifest = _write_backup(directory, version=version, now=now)
        except BaseException:
            # BaseException, so that this also happens when the program is told to stop.
            for path in directory.iterdir():
                path.unlink()
            if not was_there:
                directory.rmdir()
            raise
    record_heartbeat(MADE, now=now)
    return manifest


@contextlib.contextmanager
def _failures_recorded(directory: Path, now: datetime) -> Iterator[None]:
    """Record a failure, and report one of the disk or the database by the folder's name."""
    try:
        yield
    except BaseException as error:
        reason = str(error) or type(error).__name__
        with contextlib.suppress(DatabaseError):
            record_heartbeat(FAILED, now=now, says={"reason": reason[:300]})
        if isinstance(error, OSError | DatabaseError):
            raise SurveyError("backup.failed", directory=directory, error=reason) from error
        raise


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Create a directory, and wait until no other backup writes or removes anything in it."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def backups_in(directory: Path) -> list[Path]:
    """Return the complete backups in a folder, oldest first, and the folder itself if it is one.

    `backup DIR` makes a backup of the folder itself, and `backup DIR --keep N` makes one in it. A backup
    whose manifest cannot be read is dated by that file, so that restoring it refuses it by name.
    """
    folders = (
        [directory, *(path for path in directory.iterdir() if path.is_dir())] if directory.is_dir() else []
    )
    return sorted((path for path in folders if (path / BACKUP_MANIFEST).is_file()), key=_made_at)


def _made_at(backup: Path) -> datetime:
    try:
        return manifest_read(backup).made_at
    except SurveyError:
        return datetime.fromtimestamp((backup / BACKUP_MANIFEST).stat().st_mtime, UTC)


def backup_newest(directory: Path) -> Path:
    """Return the newest complete backup of a folder.

    Raises
    ------
    SurveyError
        ``backup.none``: there is no complete backup.
    """
    backups = backups_in(directory)
    if not backups:
        raise SurveyError("backup.none", directory=directory)
    return backups[-1]


def _write_backup(directory: Path, *, version: str, now: datetime) -> Manifest:
    before = _contents()
    if not before.applied:
        raise SurveyError("backup.no_tables")
    found = state.judge(before)
    if found.kind not in state.USABLE:
        raise RefusedDatabaseError(found.sentence)
    directory.chmod(0o700)
    files = [database_copy(directory)]
    if _key_is_in_home():
        files.append(directory / SECRET_KEY)
        _write_private(files[-1], str(settings.SECRET_KEY))
    if _contents(whole=False).applied != before.applied:
        raise SurveyError("backup.changed", directory=directory)
    manifest = Manifest(
        sottovoce=version,
        made_at=now,
        vendor=connection.vendor,
        migrations=migration_names(before),
        key_mark=key_mark(),
        files={path.name: file_digest(path) for path in files},
        schema={
            "format": state.STATE_FORMAT if before.record is None else before.record.format,
            "digests": digests_of_migrations(frozenset(before.applied), before.vendor),
        },
    )
    manifest_write(directory, manifest)
    return manifest


def _contents(*, whole: bool = True) -> Contents:
    with connection.cursor() as cursor:
        return contents_read(cursor, connection.vendor, whole=whole)


def backup_make_dated(directory: Path, *, most: int, version: str, now: datetime) -> tuple[Path, list[Path]]:
    """Write a backup named after the current time into a folder, and remove the oldest ones beyond `most`.

    The new backup stays even if others have later names because a clock was wrong. Incomplete backups are
    removed too. Files without the name of a backup stay.

    Returns
    -------
    path : Path
        The new backup.
    removed : list of Path
    """
    path = directory / now.astimezone(UTC).strftime(_NAME)
    with _failures_recorded(directory, now), _locked(directory):
        backup_make(path, version=version, now=now)
        backups = sorted(filter(_is_dated, directory.iterdir()), reverse=True)
        whole = [backup for backup in backups if (backup / BACKUP_MANIFEST).is_file()]
        removed = [backup for backup in backups if backup not in (path, *whole[:most])]
        for backup in removed:
            shutil.rmtree(backup)
    return path, removed


def backup_restore(directory: Path) -> Manifest:
    """Restore a backup into this home and database, which must be empty.

    Everything is checked before anything is written, except the contents of a PostgreSQL dump, which only the
    server can read: if they are refused, the database is emptied again. The secret key is written before the
    database. So an interrupted restore leaves an empty database, and the same command can be repeated.

    Raises
    ------
    SurveyError
        ``backup.none``, ``backup.half``, ``backup.unreadable``, ``backup.format``, ``backup.newer``,
        ``backup.refused``, ``backup.contents``, ``backup.vendor``, ``backup.damaged``, ``backup.key``,
        ``backup.running``, ``backup.tables``, ``backup.columns`` or ``backup.program``.
    """
    directory = directory.absolute()
    manifest = manifest_read(directory)
    name = NAMES[connection.vendor]
    if manifest.vendor != connection.vendor or name not in manifest.files:
        raise SurveyError("backup.vendor", theirs=manifest.vendor, ours=connection.vendor)
    check_manifest(directory, manifest)
    manifest_check(directory, manifest)
    with any_database_allowed():
        _check_home()
        if connection.vendor == "sqlite":
            check_contents(directory, manifest, file_contents(directory, name))
        key_before = _put_key(directory, manifest)
        database_put(directory / name)
        if connection.vendor == "postgresql":
            try:
                check_contents(directory, manifest, _contents())
            except SurveyError:
                _postgresql_clear()
                _put_back_key(key_before)
                raise
        connection.close()
    return manifest


def _check_place(directory: Path) -> None:
    """Refuse a directory that overlaps with the folder of the mixer's keys or with the home."""
    keys, home = Path(settings.SOTTOVOCE_MIXER_KEYS), Path(settings.SOTTOVOCE_HOME)
    for folder in (keys, home):
        if directory.is_relative_to(folder) or folder.is_relative_to(directory):
            raise SurveyError("backup.inside", directory=directory, place=folder)


def _check_home() -> None:
    home = Path(settings.SOTTOVOCE_HOME)
    if running_in(home) is not None:
        raise SurveyError("backup.running", home=home)
    if not database_is_empty():
        raise SurveyError("backup.tables")
    columns = home / "columns"
    if columns.is_dir() and any(columns.iterdir()):
        raise SurveyError("backup.columns", columns=columns)


def _key_is_in_home() -> bool:
    """Return whether the secret key comes from the home rather than from the environment."""
    path = Path(settings.SOTTOVOCE_HOME) / SECRET_KEY
    return path.is_file() and path.read_text(encoding="ascii").strip() == settings.SECRET_KEY


def _put_key(directory: Path, manifest: Manifest) -> str | None:
    """Put the backup's secret key in place; return the one that was there, or None if they are the same."""
    if manifest.key_mark == key_mark():
        return None
    if SECRET_KEY not in manifest.files or not _key_is_in_home():
        raise SurveyError("backup.key")
    _replace_key((directory / SECRET_KEY).read_text(encoding="ascii").strip())
    return str(settings.SECRET_KEY)


def _put_back_key(key: str | None) -> None:
    if key is not None:
        _replace_key(key)


def _replace_key(key: str) -> None:
    home = Path(settings.SOTTOVOCE_HOME)
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
