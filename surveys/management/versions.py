"""Find the survey, and the version of it, that a command names."""

from __future__ import annotations

from surveys.errors.error import refused
from surveys.models import Survey, Version
from surveys.report.survey import newest_versions


def survey_of(slug: str) -> Survey:
    """Return the survey of this slug.

    Raises
    ------
    CommandError
        There is none; with those that there are.
    """
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        known = ", ".join(Survey.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        raise refused("option.known_survey", slug=slug, known=known)
    return survey


def version_of(slug: str, design: str | None) -> Version:
    """Return the newest version of a survey, or the newest one whose design's id begins so.

    Raises
    ------
    CommandError
        No such survey, none that was published, no design or several that begin so.
    """
    versions = newest_versions(survey_of(slug))
    if not versions:
        raise refused("mine.draft", slug=slug)
    if design is None:
        return versions[0]
    matching = [version for version in versions if version.design_id.startswith(design.lower())]
    if len(matching) != 1:
        known = ", ".join(version.design_id[:12] for version in versions)
        how_many = "no design" if not matching else "more than one design"
        raise refused("mine.design", found=how_many, slug=slug, design=design, known=known)
    return matching[0]
