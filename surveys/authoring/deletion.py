"""Delete a published survey with everything that belongs to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from django.db import connection, models, transaction

from surveys.errors.error import SurveyError
from surveys.extension import models_here
from surveys.intake.database_log import truncate_log
from surveys.intake.receipts import receipts_delete
from surveys.jobs.home_files import columns_clear
from surveys.models import Job, Receipt, Run, Survey
from surveys.models.audit_event import audit_event_record
from surveys.server.disabled_applications import absent_rows_delete

_FORBIDS: Final = re.compile(r"surveys_[a-z]+_no_delete")


def belongings_of(survey: Survey) -> dict[str, int]:
    """Count the rows that `survey_delete` would delete, by model, except counts that must stay secret."""
    counts = {model.__name__: _rows(model, path, survey).count() for model, path in dependants()}
    # Unused invitations are deleted too, but not counted: after one is withdrawn, their number would
    # reveal whether that one had been used.
    counts["Receipt"] = Receipt.objects.filter(survey=survey, digest__isnull=False).count()
    return {name: count for name, count in counts.items() if count} | {"Survey": 1}


def survey_delete(survey: Survey, *, by: str, due: datetime | None = None) -> dict[str, int]:
    """Delete a survey, its versions, answers, runs and verdicts; return the deleted rows by model.

    Parameters
    ----------
    survey : Survey
    by : str
    due : datetime, optional
        Delete the survey only if its day of deletion has begun by then, even if answers still wait to be
        mixed.

    Raises
    ------
    SurveyError
        ``not_over``: it is open, or still accepts sealed answers; ``unfinished``: a run is in progress;
        ``not_due``: the day of deletion has changed.

    Notes
    -----
    Deleted data is overwritten as far as the database allows. Backups made earlier still contain it.
    Receipts are deleted first, a few thousand at a time, and everything else in one transaction: deleting
    millions of receipts in that transaction would block the writes of other surveys. If it is interrupted,
    the survey stays closed until it is deleted again.
    """
    # Imported here because the sweeper deletes surveys but must not load numpy at its start.
    from surveys.questionnaire.series import deleted_wave_detail

    pk, slug = survey.pk, survey.slug
    with transaction.atomic():
        deleted = belongings_of(_lock_survey(pk, due))
    receipts_delete(pk)
    with transaction.atomic():
        # A run requested since the first transaction is deleted too, once it has stored its result.
        survey = Survey.objects.select_for_update().get(pk=pk)
        jobs = Job.objects.filter(pk__in=jobs_of(survey))
        list(jobs.select_for_update())
        tables = [model._meta.db_table for model, _path in dependants()]
        wave = deleted_wave_detail(survey)
        with _deleting_allowed(tables):
            absent_rows_delete(pk)
            for model, path in reversed(dependants()):
                rows = _rows(model, path, survey)
                rows._raw_delete(rows.db)
            jobs._raw_delete(jobs.db)
            Survey.objects.filter(pk=pk)._raw_delete(Survey.objects.db)
        audit_event_record(actor=by, action="survey_delete", target=slug, detail={"rows": deleted, **wave})
        transaction.on_commit(clean_up)
    return deleted


def dependants() -> list[tuple[type[models.Model], str]]:
    """Return every model with a foreign key path to a survey, and that path; dependent models come later.

    Models added later are found through their foreign keys.
    """
    ways: dict[type[models.Model], str] = {}
    queue: list[tuple[type[models.Model], str]] = [(Survey, "")]
    for above, way in queue:
        for model in models_here():
            for field in model._meta.concrete_fields:
                if field.remote_field is None or field.related_model is not above or model in ways:
                    continue
                path = f"{field.name}__{way}" if way else field.name
                ways[model] = path
                queue.append((model, path))
    return sorted(ways.items(), key=lambda pair: _depth(pair[0], ways))


def jobs_of(survey: Survey) -> set[int]:
    """Return the jobs to which a survey's rows refer: of runs, audits, messages, releases.

    Deleting these rows does not delete their jobs.
    """
    return {
        job
        for model, path in dependants()
        for field in model._meta.concrete_fields
        if field.related_model is Job
        for job in _rows(model, path, survey).values_list(field.attname, flat=True)
        if job is not None
    }


def _depth(model: type[models.Model], ways: dict[type[models.Model], str]) -> int:
    """Return the length of a model's longest path to the survey; rows are deleted from the far end."""
    parents = {field.related_model for field in model._meta.concrete_fields if field.remote_field is not None}
    above = [parent for parent in parents - {model} if parent in ways]
    return 1 + max((_depth(parent, ways) for parent in above), default=0)


def _rows(model: type[models.Model], path: str, survey: Survey) -> models.QuerySet[models.Model]:
    return model._base_manager.filter(**{path: survey}).order_by()


def _lock_survey(pk: int, due: datetime | None) -> Survey:
    """Lock a survey, read it again because its state may have changed, and check that it may be deleted."""
    survey = Survey.objects.select_for_update().get(pk=pk)
    _check(survey, due)
    return survey


def _check(survey: Survey, due: datetime | None) -> None:
    if due is not None and (survey.delete_at is None or survey.delete_at > due):
        raise SurveyError("not_due.delete", survey.slug, slug=survey.slug)
    if survey.state != Survey.State.CLOSED or not (survey.settled or due):
        raise SurveyError("not_over", survey.state, survey=survey.slug)
    if Run.objects.filter(survey=survey, job__state__in=(Job.State.QUEUED, Job.State.RUNNING)).exists():
        raise SurveyError("unfinished", survey.slug, survey=survey.slug)


@contextmanager
def _deleting_allowed(tables: list[str]) -> Iterator[None]:
    """Lift the triggers of these tables that forbid deletion; restore them before the transaction ends.

    No other connection can exploit the gap: SQLite has one writer at a time, and PostgreSQL locks a table
    until the transaction ends once one of its triggers is lifted.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("Triggers are lifted inside a transaction only.")
    with connection.cursor() as cursor:
        lift, restore = (_of_sqlite if connection.vendor == "sqlite" else _of_postgresql)(cursor, tables)
        for statement in lift:
            cursor.execute(statement)
        yield
        for statement in restore:
            cursor.execute(statement)


def _of_sqlite(cursor: Any, tables: list[str]) -> tuple[list[str], list[str]]:
    """Return statements that drop the triggers, and those that create them again unchanged."""
    cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
    rows = [row for row in cursor.fetchall() if row[1] in tables and _FORBIDS.fullmatch(row[0])]
    return [f"DROP TRIGGER {name}" for name, _table, _sql in rows], [sql for _name, _table, sql in rows]


def _of_postgresql(cursor: Any, tables: list[str]) -> tuple[list[str], list[str]]:
    """Return statements that disable the triggers, and those that enable them again."""
    cursor.execute(
        "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE NOT tgisinternal"
    )
    triggers = [row for row in cursor.fetchall() if row[1] in tables and _FORBIDS.fullmatch(row[0])]
    # Deferred foreign key checks would block ALTER TABLE.
    at_once = "SET CONSTRAINTS ALL IMMEDIATE"
    return (
        [at_once, *(f"ALTER TABLE {table} DISABLE TRIGGER {name}" for name, table in triggers)],
        [at_once, *(f"ALTER TABLE {table} ENABLE TRIGGER {name}" for name, table in triggers)],
    )


def clean_up() -> None:
    """Remove the columns on disk, and the traces of deleted rows in the database.

    Columns on other machines are removed there, at a worker's next heartbeat.
    """
    columns_clear()
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            for model, _path in dependants():
                cursor.execute(f'VACUUM "{model._meta.db_table}"')
    truncate_log()
