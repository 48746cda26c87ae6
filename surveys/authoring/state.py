"""What a survey's state does not allow, and the survey that a service writes to."""

from __future__ import annotations

from surveys.errors.error import StateRefusal
from surveys.models import Survey


class SurveyStateError(StateRefusal):
    """A service that the survey's state does not allow."""


def survey_locked(survey: Survey) -> Survey:
    """Return the survey as the database has it, locked until the transaction ends."""
    return Survey.objects.select_for_update().get(pk=survey.pk)
