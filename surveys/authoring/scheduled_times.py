"""Open and close surveys at their scheduled times; a sweeper's step."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close, survey_open
from surveys.errors.error import SurveyError
from surveys.models import Survey

ACTOR: Final = "schedule"

logger = logging.getLogger(__name__)


def surveys_by_the_clock(*, now: datetime) -> tuple[list[str], list[str]]:
    """Open and close the surveys that are due at `now`.

    Several sweepers may run at once, and a user may change the times meanwhile. A sweeper skips a survey
    that has changed.

    Returns
    -------
    opened, closed : list of str
        Slugs. A survey that is due for both, because no sweeper ran in between, is closed without opening.
    """
    closed = [
        survey.slug
        for survey in Survey.objects.filter(
            Q(state=Survey.State.OPEN) | Q(state=Survey.State.PLANNED), closes_at__lte=now
        )
        if _try_service(survey_close, survey, now=now, if_due=True)
    ]
    opened = [
        survey.slug
        for survey in Survey.objects.filter(state=Survey.State.PLANNED, opens_at__lte=now)
        if _try_service(survey_open, survey, now=now)
    ]
    return opened, closed


def clock_step() -> None:
    """Open and close the surveys that are due now."""
    surveys_by_the_clock(now=timezone.now())


def _try_service(service: Callable[..., Survey], survey: Survey, **options: Any) -> bool:
    try:
        service(survey, by=ACTOR, **options)
    except (SurveyError, Survey.DoesNotExist):
        return False
    return True
