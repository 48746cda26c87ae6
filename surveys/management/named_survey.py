"""The survey that a command names, and its version."""

from __future__ import annotations

from django.db import transaction

from surveys.errors.error import SurveyError, refusal
from surveys.models import Survey, Version
from surveys.report.survey_list.overview import newest_versions


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


def version_of(slug: str, design: str | None) -> Version:
    """Return the newest version of a survey, or the newest one whose design ID has this prefix.

    Raises
    ------
    CommandError
        The survey does not exist or was never published, or not exactly one design ID has the prefix.
    """
    versions = newest_versions(survey_by_slug(slug))
    if not versions:
        raise refusal("mine.draft", slug=slug)
    if design is None:
        return versions[0]
    matching = [version for version in versions if version.design_id.startswith(design.lower())]
    if len(matching) != 1:
        design_ids = ", ".join(version.design_id[:12] for version in versions)
        how_many = "no design" if not matching else "more than one design"
        raise refusal("mine.design", found=how_many, slug=slug, design=design, known=design_ids)
    return matching[0]
