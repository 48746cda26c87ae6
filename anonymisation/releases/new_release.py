"""Begin a release from an uploaded table or from a survey; refuse it if one person prepares too many."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from anonymisation.microdata.survey_table import columns_of, partly_exact_columns, survey_answers
from anonymisation.models import Release, ReleaseTable
from anonymisation.policy import LIFETIME, MOST_UNDER_WAY
from anonymisation.releases.column_profile import profile_of
from anonymisation.releases.release_events import release_log
from anonymisation.releases.sealed_documents import document_seal
from anonymisation.releases.stored_table import columns_seal, stored_columns
from anonymisation.releases.typed_texts import TABLE, texts_save
from privacy.sdc.proposals import propose, with_panel
from privacy.tables.column_names import name_columns
from privacy.tables.columns import ReadTable, column_pack
from surveys.errors.error import SurveyError
from surveys.imports.files.uploaded_tables import table_read
from surveys.models import Survey


def upload_begin(
    *, owner: User, name: str, raw: bytes, now: datetime, sheet: str = "", repeats: bool = True
) -> Release:
    """Start a release from a file: seal the table, and propose a role for each column.

    Parameters
    ----------
    owner, name, raw, now, sheet
    repeats : bool
        Whether to start a second release of the same table while nothing was chosen in the first. If not, the
        first is returned: a form can be sent twice, by a second press or from a page to which a person went
        back.

    Raises
    ------
    SurveyError
        ``table_file``, ``upload`` or ``release.many``.
    """
    table = name_columns(table_read(name, raw, sheet=sheet))
    columns = [propose(column) for column in table.columns]
    with transaction.atomic():
        if not repeats and (same := _untouched(owner, with_panel(table, columns), table, name=name[:120])):
            return same
        release = release_begin(owner=owner, name=name[:120], columns=columns, records=len(table), now=now)
        table_store(release, table, columns)
    return release


def _untouched(
    owner: User, columns: list[dict[str, Any]], table: ReadTable | None = None, **about: Any
) -> Release | None:
    """Return a release of the same records in which nothing was chosen yet; None if there is none.

    Two presses may arrive together: the second one waits for the first.
    """
    User.objects.select_for_update().get(pk=owner.pk)
    proposed = json.loads(json.dumps(columns))
    packed = [column_pack(column) for column in table.columns] if table else []
    found = Release.objects.filter(owner=owner, finished_at=None, job=None, **about)
    for release in found:
        has_same = not table or [column_pack(column) for column in stored_columns(release)] == packed
        if release.columns == proposed and has_same:
            return release
    return None


def table_store(release: Release, table: ReadTable, columns: list[dict[str, Any]] | None = None) -> None:
    """Store the columns of a table with their proposed roles."""
    release.columns = with_panel(table, columns or [propose(column) for column in table.columns])
    release.records, release.job = len(table), None
    release.save(update_fields=["columns", "records", "job"])
    columns_seal(release.table, table)
    pairs = zip(table.columns, release.columns, strict=True)
    profile = {column.name: profile_of(column, about) for column, about in pairs}
    texts_save(release, profile=profile, decisions=table.decisions.documents)


def survey_begin(*, owner: User, survey: Survey, now: datetime, repeats: bool = True) -> Release:
    """Start a release from a settled survey, with open answers and disguised answers as devices sent them.

    Parameters
    ----------
    owner, survey, now
    repeats : bool
        As for `upload_begin`.

    Raises
    ------
    SurveyError
        ``survey`` or ``release.survey``: the survey still accepts answers, is a practice survey, or has too
        few records; and ``release.many``.
    """
    design, header, rows, _respondents = survey_answers(survey.slug)
    names = {name for name, is_protected in columns_of(design) if is_protected}
    exact = partly_exact_columns(design)
    columns = []
    # A survey's records are not copied; the job reads them again.
    for column in (propose(column) for column in ReadTable.of_rows(header, rows).columns):
        if column["name"] in names:
            column |= {"role": "disguised", "reason": "disguised", "roles": ["disguised", "identifier"]}
            column |= {"kind": "categorical", "kinds": ["categorical"], "policy": "value"}
            column |= {"questions": {}, "missing_texts": []}
        if column["name"] in exact:
            column |= {"role": "identifier", "reason": "exact_outside", "roles": ["identifier"]}
        columns.append(column)
    with transaction.atomic():
        same = None if repeats else _untouched(owner, columns, survey=survey, records=len(rows))
        return same or release_begin(
            owner=owner, name=survey.slug, columns=columns, records=len(rows), survey=survey, now=now
        )


def release_begin(
    *,
    owner: User,
    name: str,
    columns: list[dict[str, Any]],
    records: int,
    now: datetime,
    survey: Survey | None = None,
) -> Release:
    """Create a release without its table.

    Raises
    ------
    SurveyError
        ``release.many``.
    """
    with transaction.atomic():
        under_way = Release.objects.filter(owner=owner, finished_at=None).count()
        if under_way >= MOST_UNDER_WAY:
            raise SurveyError("release.many", under_way, most=MOST_UNDER_WAY)
        release = Release.objects.create(
            owner=owner, survey=survey, name=name, made_at=now, columns=columns, records=records
        )
        ReleaseTable.objects.create(
            release=release,
            sealed=document_seal({}, release_id=release.pk, kind=TABLE),
            ends_at=now + LIFETIME,
        )
        release_log(
            release, by=owner, action="release_begin", detail={"records": records, "columns": len(columns)}
        )
    return release
