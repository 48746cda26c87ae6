"""A closed survey of what another survey tool collected: everything of a file, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from surveys.authoring.packed_import import ImportedRows, packed_import
from surveys.embed.reading import MOST_OPEN, Column, FileRead, document_of, packed_rows
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from surveys.models.audit_event import ANSWERS_READ

__all__ = ["columns_named", "file_take_in", "was_collected_elsewhere"]

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
    """Make a closed survey "collected elsewhere" of a file that was read.

    Parameters
    ----------
    read : FileRead
    columns : sequence of Column
        Those that become open questions.
    slug : str
        Of the survey, new.
    by, now, reason
        As `packed_import`.
    owner : User, optional
        Whose survey it is; without one it is for administrators only.
    leave_out : bool
        Whether wrong lines are left out; their number is in the audit log and in every report.

    Raises
    ------
    SurveyError
        ``host_file.wrong``: there are wrong lines, and nobody asked to leave them out. As `packed_import`.

    Notes
    -----
    Identifiers and times of the tool are not among what was read, and all rows are shuffled together: the
    order of the file stays behind.
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
    # Another one of this address, deleted since, may have, too.
    events = AuditEvent.objects.filter(action=ANSWERS_READ, target=survey.slug)
    return survey.opened_at is not None and events.filter(at__gte=survey.opened_at).exists()
