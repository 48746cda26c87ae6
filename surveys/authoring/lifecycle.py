"""Open and close a published survey."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from surveys.errors.error import SurveyError
from surveys.intake.mix import mix
from surveys.models import Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import GRACE, lock_survey


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
    """Close a survey: hide it now, and accept sealed bodies for 48 more hours.

    Parameters
    ----------
    survey, by, now
        Survey, user and time.
    at_once : bool
        Stop accepting bodies now, and make the last batch. For a survey that is already closed, this ends the
        48 hours. Practice surveys have no grace period.
    if_due : bool
        Close the survey only if its closing time has passed: a user may have changed that time meanwhile.

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
        # The sweeper would do this in its next round, but it settles surveys only if it trusts the clock.
        mix(now=now, settles=Q(pk=survey.pk))
        survey.refresh_from_db()
    return survey
