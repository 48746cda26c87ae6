"""Open, close, keep and delete a published survey, on request or by the clock."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from django.db import connection, models, transaction
from django.db.models import Q
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.extension import models_here
from surveys.intake.mix import mix, receipts_delete
from surveys.intake.transactions import truncate_log
from surveys.jobs import lease
from surveys.jobs.workers import columns_clear
from surveys.models import Job, Receipt, Run, Survey
from surveys.models.staff import audit_event_record
from surveys.models.survey import GRACE, lock_survey
from surveys.questionnaire.schedule import Schedule, day_begins, local_text
from surveys.server.database import absent_rows_delete


def survey_open(survey: Survey, *, by: str, now: datetime) -> Survey:
    """Open a planned survey.

    Raises
    ------
    SurveyError
        ``not_planned``, or ``not_due``: it opens later.
    """
    survey = lock_survey(survey)
    if survey.state != Survey.State.PLANNED:
        raise SurveyError("not_planned", slug=survey.slug)
    if survey.opens_at is not None and survey.opens_at > now:
        raise SurveyError("not_due.open", slug=survey.slug)
    survey.state = Survey.State.OPEN
    survey.opened_at = now
    survey.save()
    audit_event_record(actor=by, action="survey_open", target=survey.slug)
    return survey


def survey_close(
    survey: Survey, *, by: str, now: datetime, at_once: bool = False, if_due: bool = False
) -> Survey:
    """Close a survey: hide it now, and accept sealed bodies for 48 hours more.

    Parameters
    ----------
    survey, by, now
        Which, who, when.
    at_once : bool
        Accept no more bodies either, and make the last batch. Also ends the 48 hours of a survey closed
        before. Practice surveys have no grace time.

    if_due : bool
        Close the survey only if it is due: a user may have published another time meanwhile.

    Raises
    ------
    SurveyError
        ``draft``, ``closed`` or ``not_due``.
    """
    with transaction.atomic():
        survey, slug = lock_survey(survey), survey.slug
        if survey.state == Survey.State.DRAFT:
            raise SurveyError("draft.close", slug=slug)
        if survey.state == Survey.State.CLOSED and (not at_once or survey.closed_to_bodies(now)):
            over = survey.closed_to_bodies(now)
            raise SurveyError("closed.for_good" if over else "closed.with_grace", slug=slug)
        if if_due and (survey.closes_at is None or survey.closes_at > now):
            raise SurveyError("not_due.close", slug=slug)
        # No one can have sealed an answer to a survey that was never open.
        never_open = survey.state == Survey.State.PLANNED
        ends = now if at_once or survey.practice or never_open else now + GRACE
        if survey.state != Survey.State.CLOSED:
            survey.state = Survey.State.CLOSED
            survey.closed_at = now
        survey.accepts_until = ends
        survey.save()
        audit_event_record(
            actor=by,
            action="survey_close",
            target=slug,
            detail={"accepts_until": ends.isoformat(), "at_once": at_once},
        )
    if ends == now:
        # The sweeper would do it too, in its next round. It settles others: not while the clock is in doubt.
        mix(now=now, settles=Q(pk=survey.pk))
        survey.refresh_from_db()
    return survey


_FORBIDS: Final = re.compile(r"surveys_[a-z]+_no_delete")


def belongings_of(survey: Survey) -> dict[str, int]:
    """Count the rows that `survey_delete` would delete, by model, as far as the numbers are releasable."""
    counts = {model.__name__: _rows(model, path, survey).count() for model, path in dependants()}
    # Unused invitations go too, uncounted: after one is withdrawn, their number would reveal whether
    # that one had been used.
    counts["Receipt"] = Receipt.objects.filter(survey=survey, digest__isnull=False).count()
    return {name: count for name, count in counts.items() if count} | {"Survey": 1}


def survey_delete(survey: Survey, *, by: str, due: datetime | None = None) -> dict[str, int]:
    """Delete a survey, its versions, answers, runs and verdicts; return the deleted rows by model.

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
    Deleted data is overwritten as far as the database allows. Backups made before still hold it.
    Receipts go first, some thousands at a time, and all else in one transaction: millions of receipts in it
    would keep other surveys from writing for as long. Where that is broken off, the survey waits, closed, to
    be deleted again.
    """
    pk, slug = survey.pk, survey.slug
    with transaction.atomic():
        deleted = belongings_of(_lock_survey(pk, due))
    receipts_delete(pk)
    with transaction.atomic():
        # Receipts are gone: a run that was requested meanwhile goes too, after what it stores now.
        survey = Survey.objects.select_for_update().get(pk=pk)
        jobs = Job.objects.filter(pk__in=jobs_of(survey))
        list(jobs.select_for_update())
        tables = [model._meta.db_table for model, _path in dependants()]
        with _deleting_allowed(tables):
            absent_rows_delete(pk)
            for model, path in reversed(dependants()):
                rows = _rows(model, path, survey)
                rows._raw_delete(rows.db)
            jobs._raw_delete(jobs.db)
            Survey.objects.filter(pk=pk)._raw_delete(Survey.objects.db)
        audit_event_record(actor=by, action="survey_delete", target=slug, detail={"rows": deleted})
        transaction.on_commit(_clean_up)
    return deleted


def dependants() -> list[tuple[type[models.Model], str]]:
    """Return every model whose rows hang on a survey, with the way to it; what hangs on another comes later.

    A model that is added one day is found by its foreign keys.
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
    """Return the jobs that rows of a survey name: of runs, audits, messages, releases.

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


def _lock_survey(pk: int, due: datetime | None) -> Survey:
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

    No other connection can use the gap: SQLite has one writer at a time, and PostgreSQL, when it lifts a
    trigger, locks its table until the end of the transaction.
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
    rows = [row for row in cursor.fetchall() if row[1] in tables and _FORBIDS.fullmatch(row[0])]
    return [f"DROP TRIGGER {name}" for name, _table, _sql in rows], [sql for _name, _table, sql in rows]


def _of_postgresql(cursor: Any, tables: list[str]) -> tuple[list[str], list[str]]:
    """Statements that switch the triggers off, and on again."""
    cursor.execute(
        "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE NOT tgisinternal"
    )
    triggers = [row for row in cursor.fetchall() if row[1] in tables and _FORBIDS.fullmatch(row[0])]
    # Checks of foreign keys that wait for the end of the transaction block ALTER TABLE.
    at_once = "SET CONSTRAINTS ALL IMMEDIATE"
    return (
        [at_once, *(f"ALTER TABLE {table} DISABLE TRIGGER {name}" for name, table in triggers)],
        [at_once, *(f"ALTER TABLE {table} ENABLE TRIGGER {name}" for name, table in triggers)],
    )


def _clean_up() -> None:
    """Remove the columns on disk, and the traces of deleted rows in the database.

    Columns in other homes are removed there, with the next sign of life of a worker.
    """
    columns_clear()
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            for model, _path in dependants():
                cursor.execute(f'VACUUM "{model._meta.db_table}"')
    truncate_log()


ACTOR: Final = "schedule"

logger = logging.getLogger(__name__)


def check_retention(survey: Survey, schedule: Schedule, *, now: datetime) -> None:
    """Refuse a day of deletion that has begun, and one later than respondents may have read.

    Raises
    ------
    SurveyError
        ``retention``.
    """
    day = schedule.delete_on
    if schedule.delete_at is not None and schedule.delete_at <= now:
        raise SurveyError("retention.past", str(day), day=day)
    deadline = survey.delete_at
    if deadline is not None and (schedule.delete_at is None or schedule.delete_at > deadline):
        raise SurveyError("retention.later", str(day), told=survey.delete_on)


@transaction.atomic
def retention_set(survey: Survey, *, day: str, by: str, now: datetime) -> Survey:
    """Set or bring forward the day on which a published survey is deleted.

    Parameters
    ----------
    survey : Survey
    day : str
        ``2027-03-01``: it is deleted as this day begins in its time zone.
    by : str
    now : datetime

    Raises
    ------
    SurveyError
        ``retention``: no day, one that has begun, one later than announced, or one before the last answer
        can arrive; ``draft``: an unpublished survey states it in the draft.
    """
    survey = lock_survey(survey)
    if survey.state == Survey.State.DRAFT:
        raise SurveyError("draft.retention", survey.slug, slug=survey.slug)
    delete_at = day_begins(day, survey.time_zone)
    if delete_at is None:
        raise SurveyError("retention.day", day)
    check_retention(survey, Schedule(time_zone=survey.time_zone, delete_at=delete_at), now=now)
    last = survey.accepts_until or (survey.closes_at and survey.closes_at + GRACE)
    if last is not None and delete_at < last:
        raise SurveyError("retention.early", day, time=local_text(last, survey.time_zone))
    if delete_at != survey.delete_at:
        survey.delete_at = delete_at
        # The draft says so too, or publishing it would undo the change.
        survey.definition["delete_on"] = day
        survey.revision += 1
        survey.save()
        audit_event_record(
            actor=by,
            action="survey_retention",
            target=survey.slug,
            detail={"delete_at": delete_at.isoformat()},
        )
    return survey


def surveys_past_retention(*, now: datetime) -> list[str]:
    """Delete all surveys that are due, open or closed, with their runs; return the slugs."""
    return [survey.slug for survey in Survey.objects.filter(delete_at__lte=now) if _try_delete(survey, now)]


def retention_step() -> None:
    """Delete all surveys that are due now."""
    surveys_past_retention(now=timezone.now())


def _try_delete(survey: Survey, now: datetime) -> bool:
    try:
        if not survey.closed_to_bodies(now):
            survey_close(survey, by=ACTOR, now=now, at_once=True)
        for job, audit in Run.objects.filter(survey=survey).values_list("job_id", "audit_job_id"):
            for job_id in (job, audit):
                if job_id is not None:
                    lease.cancel(job_id, now=now)
        survey_delete(survey, by=ACTOR, due=now)
    except (SurveyError, Survey.DoesNotExist) as error:
        # Another sweeper was first, or a run was requested meanwhile: the next round comes.
        logger.warning("survey %s is not deleted in this round: %s", survey.slug, type(error).__name__)
        return False
    return True


def surveys_by_the_clock(*, now: datetime) -> tuple[list[str], list[str]]:
    """Open and close the surveys that are due at `now`.

    Several sweepers may run at once, and a user may publish other times meanwhile: a sweeper that finds the
    survey changed skips it.

    Returns
    -------
    opened, closed : list of str
        Slugs. A survey that was due for both, since nothing swept meanwhile, is closed without having opened.
    """
    closed = [
        survey.slug
        for survey in Survey.objects.filter(
            Q(state=Survey.State.OPEN) | Q(state=Survey.State.PLANNED), closes_at__lte=now
        )
        if _is_done(survey_close, survey, now=now, if_due=True)
    ]
    opened = [
        survey.slug
        for survey in Survey.objects.filter(state=Survey.State.PLANNED, opens_at__lte=now)
        if _is_done(survey_open, survey, now=now)
    ]
    return opened, closed


def clock_step() -> None:
    """Open and close the surveys that are due now."""
    surveys_by_the_clock(now=timezone.now())


def _is_done(service: Callable[..., Survey], survey: Survey, **options: Any) -> bool:
    try:
        service(survey, by=ACTOR, **options)
    except (SurveyError, Survey.DoesNotExist):
        return False
    return True
