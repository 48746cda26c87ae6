"""Deletion of a closed survey with all dependent rows, which the database otherwise refuses.

Batches, versions and verdicts are written once, and triggers see to it. When a retention date has come they
have to go all the same: this service, and nothing else, lifts the triggers that forbid deleting, inside one
transaction, and puts them back before it ends. The audit log keeps its events and gains one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import connection, models, transaction

from surveys.errors.error import SurveyError
from surveys.extension import models_here
from surveys.intake.inbox import receipts_delete
from surveys.intake.transactions import truncate_log
from surveys.models import Job, Receipt, Run, Survey
from surveys.models.staff import audit_event_record
from surveys.rows.directories import columns_clear
from surveys.server.database import absent_rows_delete

_FORBIDS: Final = re.compile(r"surveys_[a-z]+_no_delete")


@dataclass(frozen=True, kw_only=True)
class Belongings:
    """Number of dependent rows of a survey in each table.

    Attributes
    ----------
    rows : dict of str to int
        By the tables' models, those without rows left out.
    """

    rows: dict[str, int]


def belongings_of(survey: Survey) -> Belongings:
    """Count what `survey_delete` would delete, as far as the numbers are releasable."""
    counted = {model.__name__: _rows(model, path, survey).count() for model, path in dependants()}
    # Invitations that nobody used go too, uncounted: after taking one back, their number would tell whether
    # that one had been used.
    counted["Receipt"] = Receipt.objects.filter(survey=survey, digest__isnull=False).count()
    return Belongings(rows={name: count for name, count in counted.items() if count} | {"Survey": 1})


def survey_delete(survey: Survey, *, by: str, due: datetime | None = None) -> Belongings:
    """Delete a survey, its versions, answers, runs and verdicts; return what was deleted.

    Parameters
    ----------
    survey : Survey
    by : str
    due : datetime, optional
        Delete it only if its day has begun by then, and then also with answers that wait unmixed.

    Raises
    ------
    SurveyError
        ``not_over``: it is not closed, or still accepts sealed answers; ``unfinished``: a run is under way;
        ``not_due``: its day was changed.

    Notes
    -----
    What is deleted is overwritten as far as the database can see to it. Backups made before still hold it.
    Receipts go first, some thousands at a time, and all else in one transaction: millions of receipts in it
    would keep other surveys from writing for as long. Where that is broken off, the survey waits, closed, to
    be deleted again.
    """
    pk, slug = survey.pk, survey.slug
    with transaction.atomic():
        deleted = belongings_of(_locked(pk, due))
    receipts_delete(pk)
    with transaction.atomic():
        survey = _locked(pk, due)
        jobs = jobs_of(survey)
        tables = [model._meta.db_table for model, _path in dependants()]
        with _deleting_allowed(tables):
            absent_rows_delete(pk)
            for model, path in reversed(dependants()):
                rows = _rows(model, path, survey)
                rows._raw_delete(rows.db)
            Job.objects.filter(pk__in=jobs)._raw_delete(Job.objects.db)
            Survey.objects.filter(pk=pk)._raw_delete(Survey.objects.db)
        audit_event_record(actor=by, action="survey_delete", target=slug, detail={"rows": deleted.rows})
        transaction.on_commit(_clean_up)
    return deleted


def dependants() -> list[tuple[type[models.Model], str]]:
    """Return every model whose rows hang on a survey, with the way to it; what hangs on another comes later.

    A model that is added one day is found by its foreign keys.
    """
    ways: dict[type[models.Model], str] = {}
    reached: list[tuple[type[models.Model], str]] = [(Survey, "")]
    for above, way in reached:
        for model in models_here():
            for field in model._meta.concrete_fields:
                if field.remote_field is None or field.related_model is not above or model in ways:
                    continue
                path = f"{field.name}__{way}" if way else field.name
                ways[model] = path
                reached.append((model, path))
    return sorted(ways.items(), key=lambda pair: _depth(pair[0], ways))


def jobs_of(survey: Survey) -> set[int]:
    """Return the jobs that rows of a survey name: of runs, audits, messages, deposits.

    None of them goes with the row that names it.
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
    """Length of the longest way from a model to the survey: rows are deleted from the far end."""
    parents = {field.related_model for field in model._meta.concrete_fields if field.remote_field is not None}
    above = [parent for parent in parents - {model} if parent in ways]
    return 1 + max((_depth(parent, ways) for parent in above), default=0)


def _rows(model: type[models.Model], path: str, survey: Survey) -> models.QuerySet[models.Model]:
    return model._base_manager.filter(**{path: survey}).order_by()


def _locked(pk: int, due: datetime | None) -> Survey:
    """Lock a survey and read it anew, as its state may have changed, and refuse what may not be deleted."""
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
    """Lift the triggers of these tables that forbid deleting; they are back before the transaction ends.

    Nobody else can use the gap: SQLite has one writer at a time, and in PostgreSQL what lifts a trigger locks
    its table until the end of the transaction.
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
    """Statements that drop the triggers, and those that make them again as they were."""
    cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
    lifted = [row for row in cursor.fetchall() if row[1] in tables and _FORBIDS.fullmatch(row[0])]
    return [f"DROP TRIGGER {name}" for name, _table, _sql in lifted], [sql for _name, _table, sql in lifted]


def _of_postgresql(cursor: Any, tables: list[str]) -> tuple[list[str], list[str]]:
    """Statements that switch the triggers off, and on again."""
    cursor.execute(
        "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE NOT tgisinternal"
    )
    lifted = [row for row in cursor.fetchall() if row[1] in tables and _FORBIDS.fullmatch(row[0])]
    # Checks of foreign keys that wait for the end of the transaction stand in the way of ALTER TABLE.
    at_once = "SET CONSTRAINTS ALL IMMEDIATE"
    return (
        [at_once, *(f"ALTER TABLE {table} DISABLE TRIGGER {name}" for name, table in lifted)],
        [at_once, *(f"ALTER TABLE {table} ENABLE TRIGGER {name}" for name, table in lifted)],
    )


def _clean_up() -> None:
    """Remove the columns on disk, and what the database keeps of deleted rows.

    Columns in other homes are removed there, with the next sign of life of a worker.
    """
    columns_clear()
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            for model, _path in dependants():
                cursor.execute(f'VACUUM "{model._meta.db_table}"')
    truncate_log()
