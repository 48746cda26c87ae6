"""Safeguards of a run, as its pages and files state them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import get_language

from privacy.risk.budget import budget
from surveys.formats.numbers import number
from surveys.models import PublishOverride, Version
from surveys.questionnaire.asked_texts import asked_words
from surveys.questionnaire.definition import UNDISGUISED
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.series_membership import series_of
from surveys.questionnaire.turns import TURN, without_turns
from surveys.questionnaire.waves import WaveLine, epsilon_of_light, waves_of
from surveys.runs.file_event import file_event


@dataclass(frozen=True, kw_only=True)
class Rewording:
    """A question or an answer whose text changed while the design stayed the same.

    Parameters
    ----------
    number : int
        The version with the later text.
    before, after : str
    """

    number: int
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class Safeguards:
    """Notes shown next to the figures of a design.

    Parameters
    ----------
    overrides : tuple of PublishOverride
        Why versions with this design were published although a check refused them.
    rewordings : tuple of Rewording
        Texts of questions and answers that differ between versions of the design, up to this one. Rows do not
        record which text their respondents read, so they are counted together.
    left_out : int
        Unreadable lines of another tool's file, which were left out.
    why_undisguised : str
        Why some people's answers are sent undisguised, in the language of the page; empty if none are.
    series : str
        The series that the survey belongs to; empty for none.
    waves : tuple of WaveLine
        All published surveys of the series.
    epsilon_of_waves : str
        Their total epsilon: the limit for someone who answered all of them.
    """

    overrides: tuple[PublishOverride, ...]
    rewordings: tuple[Rewording, ...]
    left_out: int
    why_undisguised: str
    series: str
    waves: tuple[WaveLine, ...]
    epsilon_of_waves: str


def safeguards_of(version: Version) -> Safeguards:
    """Return the notes shown next to the figures of a version's design."""
    versions = list(
        version.survey.versions.filter(design_id=version.design_id)
        .select_related("override")
        .order_by("number")
    )
    series = series_of(version.survey)
    waves, event = waves_of(series), file_event(version.survey)
    return Safeguards(
        overrides=tuple(each.override for each in reversed(versions) if hasattr(each, "override")),
        rewordings=tuple(_rewordings(each for each in versions if each.number <= version.number)),
        left_out=int(event.detail.get("left_out", 0)) if event else 0,
        why_undisguised=_why_undisguised(version),
        series=series,
        waves=waves,
        epsilon_of_waves=number(_epsilon_of_waves(version, waves), 2),
    )


def _epsilon_of_waves(version: Version, waves: Iterable[WaveLine]) -> float:
    if TURN not in version.wording:
        return math.fsum(wave.most for wave in waves)
    design = without_turns(version.to_design())
    return max(budget(design).epsilon, epsilon_of_light(design))


def _rewordings(versions: Iterable[Version]) -> Iterator[Rewording]:
    for first, second in pairwise(versions):
        before, after = asked_words(first.wording), asked_words(second.wording)
        for where in before:
            if after.get(where, before[where]) != before[where]:
                yield Rewording(number=second.number, before=before[where], after=after[where])


def _why_undisguised(version: Version) -> str:
    if not version.to_design().sends_undisguised:
        return ""
    return text_in(version.wording["about"].get(UNDISGUISED), get_language() or "en")
