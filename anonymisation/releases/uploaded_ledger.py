"""The ledger of an earlier release, from an uploaded file."""

from __future__ import annotations

import json
from typing import Any

from anonymisation.microdata.ledgers import ledger_read
from surveys.errors.error import SurveyError
from surveys.imports.files.uploaded_tables import MOST_TABLE_BYTES


def ledger_from_file(name: str, raw: bytes) -> dict[str, Any]:
    """Read the ledger of an earlier release, from the release's report or from ``release --ledger``.

    Raises
    ------
    SurveyError
        ``table_file.large`` or ``release.ledger``.
    """
    if len(raw) > MOST_TABLE_BYTES:
        raise SurveyError("table_file.large", len(raw), most=f"{MOST_TABLE_BYTES / 1e6:g}")
    try:
        return ledger_read(json.loads(raw)).document()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SurveyError("release.ledger", name) from error
