"""Files of a release for download."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from anonymisation.microdata.files import UNASKED
from anonymisation.models import Release
from anonymisation.releases.release_events import release_log
from anonymisation.releases.sealed_documents import bytes_open
from surveys.errors.error import SurveyError

_UNASKED_FILE: Final = "COUNTS-RECORDS.txt"
"""Name of the file that is added to downloads of releases that counted records without asking."""
FILES: Final = "files"


def release_download(release: Release, kind: str, *, by: User) -> bytes:
    """Return the ZIP file for others (``files``) or for the publisher (``report``), and log the download.

    Raises
    ------
    SurveyError
        ``release.no_files``: the release is not finished, or its files were deleted.
    """
    ciphertext = release.files if kind == FILES else release.report
    if ciphertext is None:
        raise SurveyError("release.no_files")
    with transaction.atomic():
        release_log(release, by=by, action="release_download", detail={"kind": kind})
    body = bytes_open(bytes(ciphertext), release_id=release.pk, kind=kind)
    return unasked_archive(body) if release.is_unasked else body


def unasked_archive(archive: bytes) -> bytes:
    """Return the ZIP file of a release with a file, and a line of the report, saying that it counts records.

    The files of the deposit stay as they are, so that they match the digests of the manifest.
    """
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as before, zipfile.ZipFile(result, "w") as after:
        for entry in before.infolist():
            body = before.read(entry)
            if entry.filename == "report.html":
                body = body.replace(b"</h1>", f'</h1>\n    <p class="warning">{UNASKED}</p>'.encode(), 1)
            after.writestr(zipfile.ZipInfo(entry.filename), body, zipfile.ZIP_DEFLATED)
        after.writestr(zipfile.ZipInfo(_UNASKED_FILE), f"{UNASKED}\n", zipfile.ZIP_DEFLATED)
    return result.getvalue()
