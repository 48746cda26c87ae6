"""Send the file of a run: to the browser, and to programs."""

from __future__ import annotations

from datetime import datetime
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.http import FileResponse

from privacy.errors import PrivacyError
from surveys.models import Run

if TYPE_CHECKING:
    # What writes files is a third of a web process.
    from surveys.export.file_notes import FileKind

__all__ = ["TYPES", "send_run"]

TYPES: Final[dict[FileKind, str]] = {
    "zip": "application/zip",
    "sav": "application/x-spss-sav",
    "dta": "application/x-stata-dta",
    "xml": "application/xml",
}
"""Media types, by the ending of the file's name."""


def send_run(run: Run, kind: FileKind, *, language: str, by: User, now: datetime) -> FileResponse:
    """Write the file of a run and return the response that sends it; the log says who had it.

    Raises
    ------
    PrivacyError
        As `surveys.export.package.data_export`.
    """
    # Loaded where it is used: pyarrow is a third of a web process.
    from surveys.export.package import data_export

    # Sent after this function ends; the response closes it, and with that it is gone.
    file = TemporaryFile(prefix="sottovoce-", dir=settings.SOTTOVOCE_HOME)  # noqa: SIM115  # closed by the response
    try:
        data_export(run, file, by=by, now=now, kind=kind, language=language)
    except PrivacyError:
        file.close()
        raise
    file.seek(0)
    name = f"sottovoce-{run.survey.slug}-run-{run.pk}.{kind}"
    return FileResponse(file, as_attachment=True, filename=name, content_type=TYPES[kind])
