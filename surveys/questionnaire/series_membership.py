"""The series that a survey belongs to."""

from __future__ import annotations

from surveys.models import Survey, Wave


def series_of(survey: Survey) -> str:
    """Return the series of a published survey; empty if it has none."""
    return survey.wave.series if hasattr(survey, "wave") else ""


def survey_join_series(survey: Survey, series: str) -> None:
    """Put a survey into a series, or remove it if the name is empty; the caller opens the transaction."""
    if series:
        Wave.objects.update_or_create(survey=survey, defaults={"series": series})
    else:
        Wave.objects.filter(survey=survey).delete()
