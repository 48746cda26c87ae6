"""Import answers that another survey tool collected as a closed survey: a complete file, or nothing."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.row_patterns import sent_counts
from mining.columns.row_writer import impossible_rows
from mining.fit import check_reports
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_import, survey_publish
from surveys.embed.frame import Around, frame_digest, frame_files
from surveys.embed.reading import MOST_OPEN, Column, FileRead, document_of, packed_rows
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Batch, Survey, Version
from surveys.models.staff import ANSWERS_READ, audit_event_record
from surveys.questionnaire.definition import definition_load, definition_parse

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


_SHOWN: Final = 10


@transaction.atomic
def file_take_in(
    read: FileRead,
    columns: Sequence[Column],
    *,
    slug: str,
    by: str,
    now: datetime,
    reason: str = "",
    owner: User | None = None,
    leave_out: bool = False,
) -> ImportedRows:
    """Create a closed survey "collected elsewhere" from a file that was read.

    Parameters
    ----------
    read : FileRead
    columns : sequence of Column
        Columns that become open questions.
    slug : str
        Slug of the new survey.
    by, now, reason
        As `packed_import`.
    owner : User, optional
        Owner of the survey; without one it is for administrators only.
    leave_out : bool
        Whether invalid lines are left out; their number is in the audit log and in every report.

    Raises
    ------
    SurveyError
        ``host_file.wrong``: there are invalid lines, and leaving them out was not requested. As
        `packed_import`.

    Notes
    -----
    Identifiers and times of the tool are not imported, and all rows are shuffled together, so the order of
    the file is lost.
    """
    if read.wrong and not leave_out:
        lines = ", ".join(str(each.number) for each in read.wrong[:_SHOWN])
        raise SurveyError("host_file.wrong", lines, count=len(read.wrong), lines=lines)
    done = packed_import(
        document_of(read, columns, slug=slug),
        packed_rows(read, columns),
        action=ANSWERS_READ,
        left_out=len(read.wrong),
        by=by,
        now=now,
        reason=reason,
    )
    Survey.objects.filter(pk=done.version.survey_id).update(owner=owner)
    return done


def columns_named(read: FileRead, names: Sequence[str]) -> tuple[Column, ...]:
    """Return columns by their names.

    Raises
    ------
    SurveyError
        ``host_file.column``.
    """
    known = {column.name: column for column in read.columns}
    for name in names:
        if name not in known:
            raise SurveyError("host_file.column", name, name=name, most=MOST_OPEN, known=", ".join(known))
    return tuple(known[name] for name in dict.fromkeys(names))


def was_collected_elsewhere(survey: Survey) -> bool:
    """Return whether a survey came from another tool's file."""
    # An earlier survey with this address, deleted since, may have come from a file too.
    events = AuditEvent.objects.filter(action=ANSWERS_READ, target=survey.slug)
    return survey.opened_at is not None and events.filter(at__gte=survey.opened_at).exists()


def frame_folder(definition: Path, out: Path, around: Around) -> str:
    """Write the frame of a definition to a folder, under the digest of its design and words.

    Parameters
    ----------
    definition : Path
        A definition file of one protected part.
    out : Path
        A new or empty folder.
    around : Around

    Returns
    -------
    str
        The version's digest, 64 hex digits: the frame is ``out/DIGEST/index.html``.

    Raises
    ------
    DefinitionError, SurveyError
        As `definition_parse` and `frame_files`; ``frame.folder``.
    """
    parsed = definition_parse(definition_load(definition))
    digest = frame_digest(parsed)
    files = frame_files(parsed.design, parsed.wording, around, digest=digest, practice=parsed.practice)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise SurveyError("frame.folder", str(out), folder=out)
    below = out / digest
    for name, content in files.items():
        path = below / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return digest
