"""Safeguards of a report: reasons for overridden checks, reworded questions, and waves of a series."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import get_language

from surveys.formats.figures import number
from surveys.models import AuditEvent, PublishOverride, Survey, Version
from surveys.models.staff import ANSWERS_READ
from surveys.questionnaire.definition import UNDISGUISED
from surveys.questionnaire.labels import asked_words
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.schedule import WaveLine, series_of, waves_of


@dataclass(frozen=True, kw_only=True)
class Rewording:
    """A question or an answer whose words changed while its design stayed.

    Parameters
    ----------
    number : int
        The version that has the later words.
    before, after : str
    """

    number: int
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class Safeguards:
    """What stands beside the figures of a design.

    Parameters
    ----------
    overrides : tuple of PublishOverride
        Why versions with the design were published though a check refused them.
    rewordings : tuple of Rewording
        Texts of questions and answers that differ between versions of the design, up to this one: rows do not
        say which words their respondents read, so they are counted together.
    left_out : int
        Lines of another tool's file that could not be read and were left out.
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
    rewordings: tuple[Rewording, ...]
    left_out: int
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
        rewordings=tuple(_rewordings(version)),
        left_out=_left_out(version.survey),
        why_undisguised=_why_undisguised(version),
        series=series,
        waves=waves,
        epsilon_of_waves=number(math.fsum(wave.most for wave in waves), 2),
    )


def _left_out(survey: Survey) -> int:
    # Another survey of this address, deleted since, may have come from a file, too.
    events = AuditEvent.objects.filter(action=ANSWERS_READ, target=survey.slug)
    event = events.filter(at__gte=survey.opened_at).order_by("-pk").first() if survey.opened_at else None
    return 0 if event is None else int(event.detail.get("left_out", 0))


def _rewordings(version: Version) -> Iterator[Rewording]:
    versions = version.survey.versions.filter(design_id=version.design_id, number__lte=version.number)
    for first, second in pairwise(versions.order_by("number")):
        before, after = asked_words(first.wording), asked_words(second.wording)
        for where in before:
            if after.get(where, before[where]) != before[where]:
                yield Rewording(number=second.number, before=before[where], after=after[where])


def _why_undisguised(version: Version) -> str:
    if not version.to_design().sends_undisguised:
        return ""
    return text_in(version.wording["about"].get(UNDISGUISED), get_language() or "en")
