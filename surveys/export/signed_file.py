"""Compare the ZIP file of a run with what the installation signed; needs no server and no database."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

from surveys.errors.error import SurveyError
from surveys.rows.signature import is_signed

__all__ = ["STATEMENT", "file_digests", "snapshot_verify"]

STATEMENT: Final = "snapshot.json"
"""What the installation says of the rows of an export, signed."""


def snapshot_verify(path: Path, *, key: str | None = None) -> dict[str, Any]:
    """Compare every file of an export with its signed statement; return the statement with its key.

    Parameters
    ----------
    path : Path
        A ZIP file that `surveys.export.package.data_export` wrote.
    key : str, optional
        The public key that is expected, as a report prints it; without it any installation's holds.

    Raises
    ------
    SurveyError
        ``signature``: no statement, one that was changed, another installation's, or files that are not those
        of the statement, by their names.

    Notes
    -----
    Ed25519 over the statement, and SHA-256 over each file: a row that was changed, dropped, added or
    doubled makes another file, and so does a figure. It says that the holder of the key said so, and not
    that people answered so.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            document = json.loads(archive.read(STATEMENT))
            if not is_signed(document):
                raise SurveyError("signature.changed", file=path.name)
            statement: dict[str, Any] = document["statement"]
            if key is not None and document["key"] != key:
                raise SurveyError("signature.key", document["key"], file=path.name, key=document["key"])
            here, there = file_digests(archive), statement["files"]
            wrong = {name for name in here.keys() | there.keys() if here.get(name) != there.get(name)}
            # Of two files of one name, programs take one or the other.
            wrong |= {name for name, count in Counter(archive.namelist()).items() if count > 1}
    except SurveyError:
        raise
    except (OSError, zipfile.BadZipFile, KeyError, TypeError, ValueError, AttributeError) as error:
        raise SurveyError("signature.none", file=path.name, error=str(error)) from error
    if wrong:
        raise SurveyError("signature.files", wrong, file=path.name, names=", ".join(sorted(wrong)))
    return statement | {"key": document["key"]}


def file_digests(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the SHA-256 of each file of an archive but the statement, by its name."""
    digests = {}
    for name in archive.namelist():
        if name != STATEMENT:
            with archive.open(name) as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # reads
    return digests
