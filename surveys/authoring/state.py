"""The survey that a service writes to."""

from __future__ import annotations

from surveys.models import Survey


def survey_locked(survey: Survey) -> Survey:
    """Return the survey as the database has it, locked until the transaction ends."""
    return Survey.objects.select_for_update().get(pk=survey.pk)
