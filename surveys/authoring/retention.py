"""The day on which a survey is deleted with all its answers, and the step of the sweeper that does it.

Respondents read the day before they answer. So it may be brought forward, and is never put off or taken back.
A backup that is restored after the day holds the survey with its day, and the next round deletes it again.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from surveys.authoring.close import survey_close
from surveys.authoring.deletion import survey_delete
from surveys.errors.error import SurveyError
from surveys.jobs import lease
from surveys.models import Run, Survey
from surveys.models.staff import audit_event_record
from surveys.models.survey import GRACE, survey_locked
from surveys.questionnaire.schedule import Schedule, day_begins, local_text

__all__ = ["check_retention", "retention_set", "retention_step", "surveys_past_retention"]

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
    promised = survey.delete_at
    if promised is not None and (schedule.delete_at is None or schedule.delete_at > promised):
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
        ``retention``: no day, one that has begun, one later than was told, or one before the last answer can
        be in; ``draft``: what is not published states it in the draft.
    """
    survey = survey_locked(survey)
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
        # The draft says so too, or publishing it would take the day back.
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
    """Delete what is to be deleted by now, open or closed, with its runs; return the slugs."""
    return [survey.slug for survey in Survey.objects.filter(delete_at__lte=now) if _deleted(survey, now)]


def retention_step() -> None:
    """Delete what is due now."""
    surveys_past_retention(now=timezone.now())


def _deleted(survey: Survey, now: datetime) -> bool:
    try:
        if not survey.closed_to_bodies(now):
            survey_close(survey, by=ACTOR, now=now, at_once=True)
        for job, audit in Run.objects.filter(survey=survey).values_list("job_id", "audit_job_id"):
            for job_id in (job, audit):
                if job_id is not None:
                    lease.cancel(job_id, now=now)
        survey_delete(survey, by=ACTOR, due=now)
    except SurveyError as error:
        # Another sweeper was first, or a run was requested meanwhile: the next round comes.
        logger.warning("survey %s is not deleted in this round: %s", survey.slug, error.code)
        return False
    return True
