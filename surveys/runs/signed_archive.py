"""Archives that end with a signed statement.

The statement has the SHA-256 of the archive without it, and of each file. An archive is accepted only if all
its bytes are unchanged: another order, a prefix, an attribute or a second statement makes it invalid.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from surveys.errors.error import SurveyError
from surveys.runs.signature import is_signed, sign_statement

STATEMENT: Final = "snapshot.json"
"""Name of the installation's signed statement about the rows of an export."""
_BYTES_AT_A_TIME: Final = 1 << 20
_MOST_ENDING_BYTES: Final = 16 << 20
"""A statement and the list of files are far smaller."""


def sign_archive(out: IO[bytes], statement: Mapping[str, Any]) -> None:
    """Add a signed statement to a finished ZIP file.

    Parameters
    ----------
    out : binary file
        The archive; must be writable, readable and seekable.
    statement : mapping
        The statement; the digests of the archive and of its files are added.
    """
    out.seek(0)
    whole = hashlib.file_digest(out, "sha256").hexdigest()  # type: ignore[arg-type]  # it is readable
    with zipfile.ZipFile(out, "a") as archive:
        record = dict(statement) | {"archive": whole, "files": _file_digests(archive)}
        archive.writestr(_entry(), _text(sign_statement(record)))


def snapshot_verify(path: Path, *, key: str) -> dict[str, Any]:
    """Compare an export, byte for byte, with its signed statement; return the statement with its key.

    Parameters
    ----------
    path : Path
        A ZIP file from `surveys.report.export.data_package.data_export`.
    key : str
        The expected public key, as printed in a report.

    Raises
    ------
    SurveyError
        ``signature``: no statement, a changed one, one of another installation, files that differ from the
        statement, or an archive that was put together by someone else.

    Notes
    -----
    The check is Ed25519 over the statement, and SHA-256 over the archive and its files. It detects any row
    that was changed, dropped, added or doubled, and any changed figure. It proves that the holder of the key
    made this statement, not that people gave these answers.
    """
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            text = archive.read(STATEMENT)
            document = json.loads(text)
            if not is_signed(document):
                raise SurveyError("signature.changed", file=path.name)
            statement: dict[str, Any] = document["statement"]
            if document["key"] != key:
                raise SurveyError("signature.key", document["key"], file=path.name, key=document["key"])
            file_digests, stated_digests = _file_digests(archive), statement["files"]
            wrong = {
                name
                for name in file_digests.keys() | stated_digests.keys()
                if file_digests.get(name) != stated_digests.get(name)
            }
            # If two files have the same name, some programs read the first and some the second.
            wrong |= {name for name, count in Counter(archive.namelist()).items() if count > 1}
            is_whole = not wrong and _is_as_written(file, archive, document)
    except SurveyError:
        raise
    except (
        *(OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError),
        *(KeyError, TypeError, ValueError, AttributeError),
    ) as error:
        raise SurveyError("signature.none", file=path.name, error=str(error)) from error
    if wrong:
        raise SurveyError("signature.files", wrong, file=path.name, names=", ".join(sorted(wrong)))
    if not is_whole:
        raise SurveyError("signature.archive", file=path.name)
    return statement | {"key": document["key"]}


def _is_as_written(file: IO[bytes], archive: zipfile.ZipFile, document: Mapping[str, Any]) -> bool:
    """Return whether every byte of an archive is as `sign_archive` left it."""
    *earlier_members, last = archive.infolist()
    if last.filename != STATEMENT:
        return False
    start = last.header_offset
    digest = hashlib.sha256()
    file.seek(0)
    for first in range(0, start, _BYTES_AT_A_TIME):
        digest.update(file.read(min(_BYTES_AT_A_TIME, start - first)))
    digest.update(_ending(earlier_members, start))
    return (
        digest.hexdigest() == document["statement"]["archive"]
        and file.read(_MOST_ENDING_BYTES) == _ending(earlier_members, start, _text(document))
        and file.read(1) == b""
    )


def _ending(members: Sequence[zipfile.ZipInfo], start: int, statement: str | None = None) -> bytes:
    """Return an archive's bytes from offset `start`: the statement, if any, and the list of files."""
    ending = _From(start)
    with zipfile.ZipFile(ending, "w") as archive:
        archive.filelist.extend(members)
        # Without this flag, zipfile does not write the list of files of an archive without new entries.
        archive._didModify = True  # type: ignore[attr-defined]
        if statement is not None:
            archive.writestr(_entry(), statement)
    return ending.getvalue()


class _From(io.BytesIO):
    """A file in memory that begins at a given offset."""

    def __init__(self, start: int) -> None:
        super().__init__()
        self._start = start

    def tell(self) -> int:
        return super().tell() + self._start

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return super().seek(offset - self._start * (whence == io.SEEK_SET), whence) + self._start


def _entry() -> zipfile.ZipInfo:
    """Return the statement's entry in an archive: always the same, and not compressed."""
    entry = zipfile.ZipInfo(STATEMENT, date_time=(1980, 1, 1, 0, 0, 0))
    entry.create_system, entry.external_attr = 3, 0o600 << 16
    return entry


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True)


def _file_digests(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the SHA-256 of each file in an archive by name, except the statement."""
    digests = {}
    for name in archive.namelist():
        if name != STATEMENT:
            with archive.open(name) as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # reads
    return digests
