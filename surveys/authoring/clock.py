"""Scheduled opening and closing of surveys: a step of the sweeper."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from surveys.authoring.close import survey_close, survey_open
from surveys.errors.error import SurveyError
from surveys.models import Survey

ACTOR: Final = "schedule"


def surveys_by_the_clock(*, now: datetime) -> tuple[list[str], list[str]]:
    """Open and close what is due at `now`.

    Several sweepers may run at once, and somebody may publish other times meanwhile: who finds the survey
    changed leaves it.

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
    """Open and close what is due now."""
    surveys_by_the_clock(now=timezone.now())


def _is_done(service: Callable[..., Survey], survey: Survey, **options: Any) -> bool:
    try:
        service(survey, by=ACTOR, **options)
    except SurveyError:
        return False
    return True
