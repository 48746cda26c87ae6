"""The ledger of a series: surveys that the same people may answer, and their epsilon together.

Each wave is disguised anew, so what one respondent reveals adds up over the waves. Mining the same rows again
costs nothing, and a new version of a survey is answered instead of the old one, so a survey counts once, with
the version that reveals most.
"""

from __future__ import annotations

from dataclasses import dataclass

from privacy.channels.amplification import effective_epsilon
from privacy.risk.budget import budget
from privacy.risk.promise import promise
from privacy.survey.design import Design
from surveys.models import Survey, Version, Wave


@dataclass(frozen=True, kw_only=True)
class WaveLine:
    """One published survey of a series.

    Parameters
    ----------
    slug, title : str
    epsilon, most : float
        Epsilons of its most revealing version: for a strongly disguised row, and for the row that reveals
        most, a lightly disguised one if there are two strengths.
    """

    slug: str
    title: str
    epsilon: float
    most: float


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
        design = version.to_design()
        epsilon = budget(design).epsilon
        most = max(epsilon, epsilon_of_light(design))
        waves[survey.slug] = WaveLine(
            slug=survey.slug,
            title=survey.title_text,
            epsilon=max(epsilon, before.epsilon) if before else epsilon,
            most=max(most, before.most) if before else most,
        )
    return tuple(waves.values())


def epsilon_of_light(design: Design) -> float:
    """Return the epsilon of one lightly disguised row; 0 without two strengths."""
    light = design.in_group(direct=True) if design.has_two_strengths else None
    odds = None if light is None else promise(light)
    return 0.0 if odds is None else effective_epsilon(odds.everything)


def series_of(survey: Survey) -> str:
    """Return the series that a published survey belongs to; empty for none."""
    return Wave.objects.filter(survey=survey).values_list("series", flat=True).first() or ""


def survey_join_series(survey: Survey, series: str) -> None:
    """Put a survey into a series, or into none if the name is empty; the caller provides transaction and
    event."""
    if series:
        Wave.objects.update_or_create(survey=survey, defaults={"series": series})
    else:
        Wave.objects.filter(survey=survey).delete()


def other_waves(series: str, *, but: Survey) -> tuple[WaveLine, ...]:
    """Return the other surveys of a series, for the check of one of them."""
    return tuple(wave for wave in waves_of(series) if wave.slug != but.slug)
