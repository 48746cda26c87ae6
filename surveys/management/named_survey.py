"""The survey that a command names."""

from __future__ import annotations

from django.db import transaction

from surveys.errors.error import SurveyError
from surveys.models import Survey


@transaction.atomic
def survey_by_slug(slug: str) -> Survey:
    """Return the survey with this slug, for commands.

    Raises
    ------
    SurveyError
        ``unknown``.
    """
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        slugs = ", ".join(Survey.objects.values_list("slug", flat=True)[:20])
        raise SurveyError("unknown.known" if slugs else "unknown", slug=repr(slug), known=slugs)
    return survey
