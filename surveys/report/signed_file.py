"""Sign the ZIP file of a run, and verify one without a server.

The statement is the last file of the archive. It signs the archive without the statement: the archive's
SHA-256, and the SHA-256 of each file. So an archive is accepted only if all of its bytes are unchanged:
another order, a prefix, an attribute or a second statement makes it another one.
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
from surveys.runs.snapshot import is_signed, signed

STATEMENT: Final = "snapshot.json"
"""What the installation says of the rows of an export, signed."""

_BYTES_AT_A_TIME: Final = 1 << 20
_MOST_ENDING_BYTES: Final = 16 << 20
"""A statement and the list of files have far fewer."""


def sign_archive(out: IO[bytes], statement: Mapping[str, Any]) -> None:
    """Add a signed statement to a ZIP file that is written and closed.

    Parameters
    ----------
    out : binary file
        The archive, which can be written, read and sought.
    statement : mapping
        The statement; the digests of the archive and of its files are added.
    """
    out.seek(0)
    whole = hashlib.file_digest(out, "sha256").hexdigest()  # type: ignore[arg-type]  # it can be read
    with zipfile.ZipFile(out, "a") as archive:
        said = dict(statement) | {"archive": whole, "files": _file_digests(archive)}
        archive.writestr(_entry(), _text(signed(said)))


def snapshot_verify(path: Path, *, key: str) -> dict[str, Any]:
    """Compare an export, byte for byte, with its signed statement; return the statement with its key.

    Parameters
    ----------
    path : Path
        A ZIP file that `surveys.report.data_package.data_export` wrote.
    key : str
        The public key that is expected, as a report prints it.

    Raises
    ------
    SurveyError
        ``signature``: no statement, one that was changed, another installation's, files that are not those of
        the statement, by their names, or an archive assembled by someone else.

    Notes
    -----
    Ed25519 over the statement, and SHA-256 over archive and files: a row that was changed, dropped, added or
    doubled makes another file, and so does a figure. It says that the holder of the key said so, and not
    that people answered so.
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
            here, there = _file_digests(archive), statement["files"]
            wrong = {name for name in here.keys() | there.keys() if here.get(name) != there.get(name)}
            # If two files have one name, programs choose either.
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
    """Tell whether an archive has, from the first byte to the last, what `sign_archive` leaves."""
    *others, last = archive.infolist()
    if last.filename != STATEMENT:
        return False
    start = last.header_offset
    digest = hashlib.sha256()
    file.seek(0)
    for first in range(0, start, _BYTES_AT_A_TIME):
        digest.update(file.read(min(_BYTES_AT_A_TIME, start - first)))
    digest.update(_ending(others, start))
    return (
        digest.hexdigest() == document["statement"]["archive"]
        and file.read(_MOST_ENDING_BYTES) == _ending(others, start, _text(document))
        and file.read(1) == b""
    )


def _ending(others: Sequence[zipfile.ZipInfo], start: int, statement: str | None = None) -> bytes:
    """Return an archive's content from a byte on: the statement, if any, and the list of files."""
    ending = _From(start)
    with zipfile.ZipFile(ending, "w") as archive:
        archive.filelist.extend(others)
        # Without it the list of an archive that was only begun is not written.
        archive._didModify = True  # type: ignore[attr-defined]
        if statement is not None:
            archive.writestr(_entry(), statement)
    return ending.getvalue()


class _From(io.BytesIO):
    """A file that keeps only its content from a byte on."""

    def __init__(self, start: int) -> None:
        super().__init__()
        self._start = start

    def tell(self) -> int:
        return super().tell() + self._start

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return super().seek(offset - self._start * (whence == io.SEEK_SET), whence) + self._start


def _entry() -> zipfile.ZipInfo:
    """Return the statement's place in an archive: always the same, and not packed."""
    entry = zipfile.ZipInfo(STATEMENT, date_time=(1980, 1, 1, 0, 0, 0))
    entry.create_system, entry.external_attr = 3, 0o600 << 16
    return entry


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True)


def _file_digests(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the SHA-256 of each file of an archive but the statement, by its name."""
    digests = {}
    for name in archive.namelist():
        if name != STATEMENT:
            with archive.open(name) as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # reads
    return digests
