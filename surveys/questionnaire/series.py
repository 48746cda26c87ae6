"""The ledger of a series: surveys that the same people may answer, and what they tell together.

Each wave is disguised anew, so what one respondent tells adds up over the waves. Mining the same rows again
costs nothing, and a new version of a survey is answered instead of the old one: a survey counts once, with
the version that tells most.
"""

from __future__ import annotations

from dataclasses import dataclass

from privacy.risk.budget import budget
from surveys.models import Survey, Version, Wave


@dataclass(frozen=True, kw_only=True)
class WaveLine:
    """One published survey of a series.

    Parameters
    ----------
    slug, title : str
    epsilon : float
        Of its most telling version.
    """

    slug: str
    title: str
    epsilon: float


def waves_of(series: str) -> tuple[WaveLine, ...]:
    """Return the published surveys of a series, in the order of their first version."""
    if not series:
        return ()
    versions = (
        Version.objects.filter(survey__wave__series=series, survey__practice=False)
        .select_related("survey")
        .order_by("published_at", "pk")
    )
    waves: dict[str, WaveLine] = {}
    for version in versions:
        survey = version.survey
        before = waves.get(survey.slug)
        epsilon = budget(version.to_design()).epsilon
        waves[survey.slug] = WaveLine(
            slug=survey.slug,
            title=survey.title_text,
            epsilon=max(epsilon, before.epsilon) if before else epsilon,
        )
    return tuple(waves.values())


def series_of(survey: Survey) -> str:
    """Return the series that a published survey belongs to; empty for none."""
    return Wave.objects.filter(survey=survey).values_list("series", flat=True).first() or ""


def survey_join_series(survey: Survey, series: str) -> None:
    """Put a survey into a series, or with an empty name into none; the caller's transaction and event."""
    if series:
        Wave.objects.update_or_create(survey=survey, defaults={"series": series})
    else:
        Wave.objects.filter(survey=survey).delete()


def other_waves(series: str, *, but: Survey) -> tuple[tuple[str, float], ...]:
    """Return names and epsilon of the other surveys of a series, for the check of one of them."""
    return tuple((wave.slug, wave.epsilon) for wave in waves_of(series) if wave.slug != but.slug)
