"""The manifest of a backup: written last and read first, so that half a backup is none."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from surveys.errors.error import SurveyError

FORMAT: Final = 1
"""Of the folder and its manifest. A larger one was made by a newer program."""

MANIFEST: Final = "manifest.json"
SECRET_KEY: Final = "secret_key"


@dataclass(frozen=True, kw_only=True)
class FileDigest:
    """Size and SHA-256 (64 hex digits) of a file."""

    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a backup holds.

    Parameters
    ----------
    sotto : str
        Version and commit of the program that made it.
    made_at : datetime
    vendor : str
        "sqlite" or "postgresql".
    migrations : tuple of str
        Those that the database had seen, as "app.name".
    key_mark : str
        Tells the secret key from others, and nothing else about it.
    files : mapping of str to FileDigest
        By name, the manifest itself left out.
    """

    sotto: str
    made_at: datetime
    vendor: str
    migrations: tuple[str, ...]
    key_mark: str
    files: Mapping[str, FileDigest]


def manifest_write(directory: Path, manifest: Manifest) -> None:
    """Finish a backup: its files are on the disk before the manifest is, and that whole or not at all."""
    for name in manifest.files:
        _flush(directory / name)
    document: dict[str, Any] = {
        "format": FORMAT,
        **asdict(manifest),
        "made_at": manifest.made_at.isoformat(),
    }
    draft = directory / f"{MANIFEST}.part"
    draft.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="ascii")
    draft.chmod(0o600)
    _flush(draft)
    draft.replace(directory / MANIFEST)
    _flush(directory)
    _flush(directory.parent)


def manifest_read(directory: Path) -> Manifest:
    """Return the manifest of a backup.

    Raises
    ------
    SurveyError
        ``backup.none``, ``backup.half``, ``backup.format`` or ``backup.unreadable``.
    """
    if not directory.is_dir():
        raise SurveyError("backup.none", directory=directory)
    try:
        document = json.loads((directory / MANIFEST).read_text(encoding="ascii"))
    except FileNotFoundError:
        raise SurveyError("backup.half", directory=directory) from None
    except ValueError:
        raise SurveyError("backup.unreadable", directory=directory) from None
    try:
        is_newer = int(document.pop("format")) > FORMAT
        if not is_newer:
            return Manifest(
                **{
                    **document,
                    "made_at": datetime.fromisoformat(document["made_at"]),
                    "migrations": tuple(document["migrations"]),
                    "files": {name: FileDigest(**digest) for name, digest in document["files"].items()},
                }
            )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise SurveyError("backup.unreadable", directory=directory) from None
    raise SurveyError("backup.format", directory=directory, sotto=document.get("sotto"))


def manifest_check(directory: Path, manifest: Manifest) -> None:
    """Read every file of a backup and compare it with what the manifest says.

    Raises
    ------
    SurveyError
        ``backup.damaged``: a file is missing, cut off or another one.
    """
    for name, wanted in manifest.files.items():
        path = directory / name
        # A name from a file that came from elsewhere leads nowhere else.
        if Path(name).name != name or not path.is_file() or file_digest(path) != wanted:
            raise SurveyError("backup.damaged", directory=directory, name=name)


def file_digest(path: Path) -> FileDigest:
    """Return size and digest of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        return FileDigest(bytes=file.tell(), sha256=digest.hexdigest())


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
