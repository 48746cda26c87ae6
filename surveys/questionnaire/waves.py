"""The waves of a series: surveys that ask the same people again."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.channels import effective_epsilon
from privacy.survey.design import Design
from surveys.models import Survey, Version


@dataclass(frozen=True, kw_only=True)
class WaveLine:
    """One published survey of a series.

    Parameters
    ----------
    slug, title : str
    epsilon, most : float
        Bounds of its most revealing version: for a strongly disguised row, and for the row that reveals most
        (a lightly disguised one if there are two strengths).
    """

    slug: str
    title: str
    epsilon: float
    most: float


def waves_of(series: str) -> tuple[WaveLine, ...]:
    """Return the published surveys of a series, ordered by their first version."""
    if not series:
        return ()
    # Imported here because the sweeper reads schedules but must not load numpy.
    from privacy.risk.budget import budget

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
    """Return the epsilon of one lightly disguised row; 0 if there is only one strength."""
    from privacy.risk.amplification import promise

    light = design.in_group(direct=True) if design.has_two_strengths else None
    odds = None if light is None else promise(light)
    return 0.0 if odds is None else effective_epsilon(odds.everything)


def other_waves(series: str, *, but: Survey) -> tuple[WaveLine, ...]:
    """Return the surveys of a series except one."""
    return tuple(wave for wave in waves_of(series) if wave.slug != but.slug)
