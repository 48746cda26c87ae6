"""Safeguards of a report: written reasons for overridden checks, and waves of a series."""

from __future__ import annotations

import math
from dataclasses import dataclass

from django.utils.translation import get_language

from surveys.formats.figures import number
from surveys.models import PublishOverride, Version
from surveys.questionnaire.definition import UNDISGUISED
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.series import WaveLine, series_of, waves_of


@dataclass(frozen=True, kw_only=True)
class Safeguards:
    """What stands beside the figures of a design.

    Parameters
    ----------
    overrides : tuple of PublishOverride
        Why versions with the design were published though a check refused them.
    why_undisguised : str
        Why some people's answers are sent undisguised, in the language of the page; empty where none are.
    series : str
        The series that the survey belongs to; empty for none.
    waves : tuple of WaveLine
        All published surveys of the series.
    epsilon_of_waves : str
        Their sum: what one person who answered all of them told at most.
    """

    overrides: tuple[PublishOverride, ...]
    why_undisguised: str
    series: str
    waves: tuple[WaveLine, ...]
    epsilon_of_waves: str


def safeguards_of(version: Version) -> Safeguards:
    """Return what stands beside the figures of a version's design."""
    overrides = PublishOverride.objects.filter(
        version__survey_id=version.survey_id, version__design_id=version.design_id
    ).select_related("version")
    series = series_of(version.survey)
    waves = waves_of(series)
    return Safeguards(
        overrides=tuple(overrides),
        why_undisguised=_why_undisguised(version),
        series=series,
        waves=waves,
        epsilon_of_waves=number(math.fsum(wave.most for wave in waves), 2),
    )


def _why_undisguised(version: Version) -> str:
    if not version.to_design().sends_undisguised:
        return ""
    return text_in(version.wording["about"].get(UNDISGUISED), get_language() or "en")
