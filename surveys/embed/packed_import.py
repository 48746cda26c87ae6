"""Create a closed survey from rows that devices packed."""

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
from mining.columns.impossible_rows import impossible_rows
from mining.columns.sent_counts import sent_counts
from mining.report_checks import check_reports, find_withheld
from surveys.authoring.drafts import survey_import
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import Batch, Survey, Version
from surveys.models.audit_event import audit_event_record
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.multi_conversion import converted, rows_as_lines

ROWS_IN_A_BATCH: Final = 1 << 16
"""Maximum number of rows in a batch."""


@dataclass(frozen=True, kw_only=True)
class ImportedRows:
    """The result of an import."""

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
    """Create a closed survey from a definition and rows that devices packed.

    Parameters
    ----------
    definition : object
        The definition's JSON document.
    rows : ndarray of uint8, shape (n, bytes)
        Packed by the layout of the definition's design. Tick-all questions of earlier versions become lists.
    action : str
        Action for the audit log.
    by : str
        User name for the audit log.
    now : datetime
    reason : str
        Why to publish although a check refuses the survey; see `survey_publish`.
    left_out : int
        Number of lines in the file that could not be read, for the audit log.

    Raises
    ------
    PrivacyError
        No device can send one of the rows; or ``misfit``: the rows contradict the design in every protected
        question, as if they were not disguised.
    DefinitionError, SurveyError
        As for `survey_import` and `survey_publish`.

    Notes
    -----
    Everything happens in one transaction. All rows are shuffled together, then split into batches.
    """
    before = definition_parse(definition)
    slug, conversion = before.slug, converted(definition)
    # An existing draft has an author, and would be published too.
    if Survey.objects.filter(slug=slug).exists():
        raise SurveyError("survey.exists", slug, slug=slug)
    # The answers exist already, and the user chose each column that becomes readable by its name.
    version = survey_publish(
        survey_import(definition, by=by), by=by, now=now, reason=reason, is_readable_seen=True
    )
    design = version.to_design()
    if conversion.lines:
        rows = rows_as_lines(before.design, design, conversion, rows)
    data = rows.tobytes()
    impossible = impossible_rows(design, data)
    if impossible is not None:
        raise impossible.error
    count_cache = CountCache(BitMatrix.from_rows(design, data))
    withheld = find_withheld(count_cache, lambda number: sent_counts(design, number, data))
    protected = [
        number for number in range(len(design.questions)) if design.blocks[design.block_of(number)].protected
    ]
    if all(number in withheld.questions for number in protected):
        check_reports(count_cache, lambda number: sent_counts(design, number, data))
    mixed_rows = np.random.default_rng(secrets.randbits(128)).permutation(rows)
    starts = range(0, len(rows), ROWS_IN_A_BATCH)
    for start in starts:
        _batch_store(version, mixed_rows[start : start + ROWS_IN_A_BATCH])
    survey_close(version.survey, by=by, now=now, at_once=True)
    detail = {"rows": len(rows), "batches": len(starts)} | ({"left_out": left_out} if left_out else {})
    audit_event_record(actor=by, action=action, target=slug, detail=detail)
    return ImportedRows(version=version, n=len(rows), batches=len(starts))


def _batch_store(version: Version, rows: NDArray[np.uint8]) -> None:
    """Store shuffled rows as one batch."""
    data = rows.tobytes()
    Batch.objects.create(version=version, n=len(rows), packed=data, digest=hashlib.sha256(data).hexdigest())
