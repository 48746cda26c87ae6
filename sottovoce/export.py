"""The ZIP file of a run, as a server exports it, opened in a notebook."""

from __future__ import annotations

import json
import zipfile
from typing import Any, Final

import pandas

from mining.frames.reports import Reports
from mining.frames.survey import Survey
from privacy.errors import PrivacyError
from privacy.survey.design import Design

__all__ = ["read_export"]

_DESIGN: Final = "design.json"
_ROWS: Final = "rows.csv"


def read_export(file: Any) -> Reports:
    """Open the ZIP file of a run.

    Parameters
    ----------
    file : path or binary file
        What *Data* of a run, or ``manage.py export``, gives.

    Returns
    -------
    Reports
        ``supports()`` and ``rules()`` give the figures of the run's files; ``survey`` is that of its design.

    Raises
    ------
    PrivacyError
        ``export``: it is no such file. ``reports``: its rows are not those of its design.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            design = Design.from_json(json.loads(archive.read(_DESIGN)))
            texts = {question.key: str for question in design.questions if question.is_exhaustive}
            with archive.open(_ROWS) as rows:
                # An option may be called "NA" or "01": what is written stands, and nothing else is missing.
                frame = pandas.read_csv(rows, dtype=texts, keep_default_na=False, na_values=[""])
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        if isinstance(error, PrivacyError):
            raise
        raise PrivacyError("export", str(file), what=str(error)) from error
    return Survey.of(design).on(frame)
