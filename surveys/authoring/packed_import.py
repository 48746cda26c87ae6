"""Disguised rows that devices packed become the batches of a closed survey."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.scale_counts import sent_counts
from mining.columns.strict_rows import impossible_rows
from mining.fit import check_reports
from surveys.authoring.publish import survey_close, survey_import, survey_publish
from surveys.errors.error import SurveyError
from surveys.models import Batch, Survey, Version
from surveys.models.staff import audit_event_record
from surveys.questionnaire.definition import definition_parse

__all__ = ["ImportedRows", "packed_import"]

ROWS_AT_A_TIME: Final = 1 << 16
"""Rows of one batch."""


@dataclass(frozen=True, kw_only=True)
class ImportedRows:
    """What an import did."""

    version: Version
    n: int
    batches: int


@transaction.atomic
def packed_import(
    definition: object,
    rows: NDArray[np.uint8],
    *,
    action: str,
    by: str,
    now: datetime,
    reason: str = "",
    left_out: int = 0,
) -> ImportedRows:
    """Make a closed survey of a definition and rows that devices packed.

    Parameters
    ----------
    definition : object
        The definition's JSON document.
    rows : ndarray of uint8, shape (n, bytes)
        As the layout of the definition's design packs them.
    action : str
        Of the audit log.
    by : str
        Who imports, for the audit log.
    now : datetime
    reason : str
        Why the survey is published though a check refuses it; see `survey_publish`.
    left_out : int
        Lines of a file that could not be read, for the audit log.

    Raises
    ------
    PrivacyError
        No device sends one of the rows, or ``misfit``: the design cannot have made all of them.
    DefinitionError, SurveyError
        As `survey_import` and `survey_publish`.

    Notes
    -----
    All or nothing: one transaction. All rows are shuffled together, then cut into batches.
    """
    slug = definition_parse(definition).slug
    # A draft of that name has an author, and would be published with it.
    if Survey.objects.filter(slug=slug).exists():
        raise SurveyError("survey.exists", slug, slug=slug)
    version = survey_publish(survey_import(definition, by=by), by=by, now=now, reason=reason)
    design, packed = version.to_design(), rows.tobytes()
    impossible = impossible_rows(design, packed)
    if impossible is not None:
        raise impossible.error
    count_cache = CountCache(BitMatrix.from_rows(design, packed))
    check_reports(count_cache, lambda number: sent_counts(design, number, packed))
    shuffled = np.random.default_rng(secrets.randbits(128)).permutation(rows)
    starts = range(0, len(rows), ROWS_AT_A_TIME)
    for start in starts:
        _batch_store(version, shuffled[start : start + ROWS_AT_A_TIME])
    survey_close(version.survey, by=by, now=now, at_once=True)
    detail = {"rows": len(rows), "batches": len(starts)} | ({"left_out": left_out} if left_out else {})
    audit_event_record(actor=by, action=action, target=slug, detail=detail)
    return ImportedRows(version=version, n=len(rows), batches=len(starts))


def _batch_store(version: Version, rows: NDArray[np.uint8]) -> None:
    """Keep shuffled rows as one batch."""
    packed = rows.tobytes()
    Batch.objects.create(
        version=version, n=len(rows), packed=packed, digest=hashlib.sha256(packed).hexdigest()
    )
