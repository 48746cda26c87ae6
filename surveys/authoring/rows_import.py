"""Disguised answers that exist already: from a file to the batches of a closed survey."""

from __future__ import annotations

import secrets
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from django.db import transaction

from mining.columns.row_writer import RowWriter
from privacy.errors import PrivacyError
from surveys.authoring.packed_import import ImportedRows, batch_store, import_begin, import_end
from surveys.authoring.row_tables import row_tables, wrong_cell
from surveys.errors.error import SurveyError

__all__ = ["rows_import"]


@transaction.atomic
def rows_import(definition: object, path: Path, *, by: str, now: datetime, reason: str = "") -> ImportedRows:
    """Make a closed survey of a definition and a file of answers that were disguised by its design.

    Parameters
    ----------
    definition : object
        The definition's JSON document.
    path : Path
        CSV with a header, or Parquet (name ending in .parquet). Columns as `RowWriter.columns` names them, in
        any order; cells 0, 1 or empty, and in the column of a number or a place the number of the output
        that was sent.
    by : str
        Who imports, for the audit log.
    now : datetime
    reason : str
        Why the survey is published though a check refuses it; see `survey_publish`.

    Returns
    -------
    ImportedRows

    Raises
    ------
    SurveyError
        ``file``, ``columns``, ``cell``, ``no_rows``, ``survey``.
    DefinitionError, SurveyError
        As `survey_import` and `survey_publish`.

    Notes
    -----
    All or nothing: one transaction. Rows are read in chunks of 65,536, each becoming one batch in random
    order, so that the order of the file stays behind.
    """
    version = import_begin(definition, by=by, now=now, reason=reason)
    writer = RowWriter(version.to_design())
    rng = np.random.default_rng(secrets.randbits(128))
    n = batches = 0
    for cells in row_tables(path, writer):
        if not len(cells):
            continue
        try:
            packed = writer.pack(cells)
        except PrivacyError as wrong:
            cell: dict[str, Any] = dict(wrong.fields)
            raise wrong_cell(
                path, n + cell["row"], cell["column"], cell["what"], wrong.value, cell["remedy"]
            ) from wrong
        batch_store(version, rng.permutation(np.frombuffer(packed, dtype=np.uint8).reshape(len(cells), -1)))
        n, batches = n + len(cells), batches + 1
    if n == 0:
        raise SurveyError("no_rows", 0, file=path.name)
    return import_end(version, n, batches, action="rows_import", by=by, now=now)
