"""Delete surveys on their day: set the day, and a sweeper's step that keeps to it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from surveys.authoring.deletion import survey_delete
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.scheduled_times import ACTOR, logger
from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.models import Run, Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import GRACE, lock_survey
from surveys.questionnaire.local_time import day_begins, local_text
from surveys.questionnaire.schedule import Schedule


def check_retention(survey: Survey, schedule: Schedule, *, now: datetime) -> None:
    """Refuse a day of deletion that has begun, or that is later than the day announced to respondents.

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
        Such as ``2027-03-01``: the survey is deleted when this day begins in its time zone.
    by : str
    now : datetime

    Raises
    ------
    SurveyError
        ``retention``: not a date, or a day that has begun, is later than announced, or comes before the last
        answer can arrive; ``draft``: the day of an unpublished survey is set in its draft.
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
        # Change the draft too, or publishing it would undo the change.
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
    """Delete all surveys that are due, open or closed, with their runs; return their slugs."""
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
        # Another sweeper was first, or a run was requested meanwhile. The next round tries again.
        logger.warning("survey %s is not deleted in this round: %s", survey.slug, type(error).__name__)
        return False
    return True
