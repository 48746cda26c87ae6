"""Create a closed survey from the file of another survey tool."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from surveys.embed.packed_import import ImportedRows, packed_import
from surveys.embed.reading import IMPOSSIBLE, MOST_OPEN, Column, FileRead, document_of, packed_rows
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.models.audit_event import ANSWERS_READ

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
    """Create a closed survey "collected elsewhere" from a file that has been read.

    Parameters
    ----------
    read : FileRead
    columns : sequence of Column
        Columns that become unprotected questions.
    slug : str
        Name of the new survey in addresses.
    by, now, reason
        As for `packed_import`.
    owner : User, optional
        Owner of the survey; without one, only administrators have access.
    leave_out : bool
        Whether to drop lines that cannot be read. Lines that no device can send are always dropped. The audit
        log and every report state the number of all of them.

    Raises
    ------
    SurveyError
        ``host_file.wrong``: some lines cannot be read, and `leave_out` is false. Otherwise as for
        `packed_import`.

    Notes
    -----
    The tool's identifiers and times are not imported, and all rows are shuffled together. The order of the
    file is lost.
    """
    unread = [each for each in read.wrong if each.reason != IMPOSSIBLE]
    if unread and not leave_out:
        lines = ", ".join(str(each.number) for each in unread[:_SHOWN])
        raise SurveyError("host_file.wrong", lines, count=len(unread), lines=lines)
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


def columns_by_name(read: FileRead, names: Sequence[str]) -> tuple[Column, ...]:
    """Find columns by name.

    Raises
    ------
    SurveyError
        ``host_file.column``.
    """
    by_name = {column.name: column for column in read.columns}
    for name in names:
        if name not in by_name:
            raise SurveyError("host_file.column", name, name=name, most=MOST_OPEN, known=", ".join(by_name))
    return tuple(by_name[name] for name in dict.fromkeys(names))
