"""Compare the ZIP file of a run with what the installation signed; needs no server and no database."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any, Final

from surveys.errors.error import SurveyError
from surveys.rows.signature import is_signed

__all__ = ["STATEMENT", "snapshot_verify"]

STATEMENT: Final = "snapshot.json"
"""What the installation says of the rows of an export, signed."""


def snapshot_verify(path: Path, *, key: str | None = None) -> dict[str, Any]:
    """Compare every file that a signed statement names; return the statement with its key.

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
    Ed25519 over the statement, and SHA-256 over each file: a row that was changed, dropped, added or doubled
    makes another file. It says that whoever holds the key said so, and not that people answered so.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            document = json.loads(archive.read(STATEMENT))
            if not is_signed(document):
                raise SurveyError("signature.changed", file=path.name)
            statement: dict[str, Any] = document["statement"]
            if key is not None and document["key"] != key:
                raise SurveyError("signature.key", document["key"], file=path.name, key=document["key"])
            wrong = [name for name, digest in statement["files"].items() if _digest(archive, name) != digest]
    except SurveyError:
        raise
    except (OSError, zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        raise SurveyError("signature.none", file=path.name, error=str(error)) from error
    if wrong:
        raise SurveyError("signature.files", wrong, file=path.name, names=", ".join(wrong))
    return statement | {"key": document["key"]}


def _digest(archive: zipfile.ZipFile, name: str) -> str:
    with archive.open(name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it reads, too
