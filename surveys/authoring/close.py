"""Opening and closing a published survey."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from surveys.errors.error import SurveyError
from surveys.intake.mix import mix
from surveys.models import Survey
from surveys.models.staff import audit_event_record
from surveys.models.survey import GRACE, survey_locked


def survey_open(survey: Survey, *, by: str, now: datetime) -> Survey:
    """Open a planned survey.

    Raises
    ------
    SurveyError
        ``not_planned``, or ``not_due``: it opens later.
    """
    survey = survey_locked(survey)
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
        Close only what is to be closed by now: somebody may have published another time meanwhile.

    Raises
    ------
    SurveyError
        ``draft``, ``closed`` or ``not_due``.
    """
    with transaction.atomic():
        survey, slug = survey_locked(survey), survey.slug
        if survey.state == Survey.State.DRAFT:
            raise SurveyError("draft.close", slug=slug)
        if survey.state == Survey.State.CLOSED and (not at_once or survey.closed_to_bodies(now)):
            over = survey.closed_to_bodies(now)
            raise SurveyError("closed.for_good" if over else "closed.with_grace", slug=slug)
        if if_due and (survey.closes_at is None or survey.closes_at > now):
            raise SurveyError("not_due.close", slug=slug)
        # Nobody can have sealed an answer to what was never open.
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
        # The sweeper would do it too, in its next round.
        mix(now=now)
        survey.refresh_from_db()
    return survey
