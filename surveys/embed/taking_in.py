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

__all__ = ["ACTION", "columns_named", "file_take_in", "was_collected_elsewhere"]

ACTION: Final = "answers_read"


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

    Notes
    -----
    Identifiers and times of the tool are not among what was read, and all rows are shuffled together: the
    order of the file stays behind.
    """
    done = packed_import(
        document_of(read, columns, slug=slug),
        packed_rows(read, columns),
        action=ACTION,
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
    events = AuditEvent.objects.filter(action=ACTION, target=survey.slug)
    return survey.opened_at is not None and events.filter(at__gte=survey.opened_at).exists()
