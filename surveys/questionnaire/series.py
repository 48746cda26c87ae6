"""Series: what all waves together reveal about someone who answers each, and which waves may be published.

Respondents and boards read the total before the first answer, so the number of waves is stated when the first
one is published. The first wave's figures then limit those of all later ones, whose questionnaires nobody
knows yet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from privacy.risk.budget import Figures, Promise, Waves
from privacy.survey.design import Design
from surveys.formats.figures import count_text
from surveys.models import Survey, Version
from surveys.questionnaire.aim import promises_of, stated_promises, sure_at
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.document import DefinitionError, Problem
from surveys.questionnaire.languages import list_text
from surveys.questionnaire.schedule import series_of


@dataclass(frozen=True, kw_only=True)
class PublishedWave:
    """A published survey of a series.

    Attributes
    ----------
    survey : Survey
    versions : tuple of Version
        The oldest first.
    unnamed : tuple of Version
        Those whose pages do not state how many waves there are.
    """

    survey: Survey
    versions: tuple[Version, ...]
    unnamed: tuple[Version, ...]

    def accepts_answers(self, now: datetime) -> bool:
        """Whether an answer to one of its pages can still arrive."""
        return self.survey.state != Survey.State.DRAFT and not self.survey.closed_to_bodies(now)

    def most(self) -> Figures:
        """Return the largest figures of its versions and strengths."""
        return _largest(figures for version in self.versions for figures in _figures(version.to_design()))


def _figures(design: Design) -> list[Promise]:
    return [promised for promised in promises_of(design).values() if promised is not None]


def _largest(found: Iterable[Figures]) -> Figures:
    """Return the largest of each figure; odds of 1 if nothing has a bound."""
    several = list(found)
    skips = [figures.skip for figures in several if figures.skip is not None]
    return Figures(
        everything=max((figures.everything for figures in several), default=Fraction(1)),
        answer=max((figures.answer for figures in several), default=Fraction(1)),
        skip=max(skips, default=None),
    )


def published_waves(series: str) -> list[PublishedWave]:
    """Return the live surveys of a series, ordered by the first version that states it."""
    found: dict[int, list[Version]] = {}
    versions = Version.objects.filter(survey__wave__series=series, survey__practice=False)
    for version in versions.select_related("survey").order_by("published_at", "pk") if series else ():
        found.setdefault(version.survey_id, []).append(version)
    waves = [
        PublishedWave(
            survey=each[0].survey,
            versions=tuple(each),
            unnamed=tuple(version for version in each if not _states_waves(version)),
        )
        for each in found.values()
    ]
    return sorted(waves, key=lambda wave: wave.versions[0].pk)


def _states_waves(version: Version) -> bool:
    return version.definition.get("waves") is not None


def stated_waves(waves: Iterable[PublishedWave]) -> Version | None:
    """Return the first version that states a number of waves; None in a series published before."""
    versions = [version for wave in waves for version in wave.versions if _states_waves(version)]
    return min(versions, key=lambda version: version.pk, default=None)


def promises_in_series(
    design: Design, *, series: str, waves: int | None, but: Survey, practice: bool = False
) -> dict[str, Promise | None]:
    """Return the promises of a design with the figures of all waves of its series.

    Parameters
    ----------
    design : Design
    series : str
        Name of the series; empty for none.
    waves : int or None
        The number of waves that the definition states.
    but : Survey
        The survey itself.
    practice : bool
        Practice surveys promise nothing, and belong to no series.

    Notes
    -----
    The rows of two waves are independent given the answers, so likelihood ratios multiply. With a stated
    number of waves, each other wave contributes the figures of the first version that states it, which no
    later one may exceed. A lightly disguised wave may be any of them, so the larger strength counts. If the
    first version offers no skip, a later one may, within the limit of everything.

    In a series published before, the other published waves count, and for one answer and a skip those that
    share a question.
    """
    found = promises_of(design)
    if not series or practice:
        return found
    published = published_waves(series)
    first = stated_waves(published)
    number = waves if first is None else int(first.definition["waves"])
    others = [wave for wave in published if wave.survey.pk != but.pk]
    if number is not None:
        cap = _largest(_figures(design if first is None else first.to_design()))
        power = number - 1
        other = Figures(
            everything=cap.everything**power,
            answer=cap.answer**power,
            skip=(cap.everything if cap.skip is None else cap.skip) ** power,
        )
        count = number
    elif others:
        other = _product([wave.most() for wave in others], [_shares(design, wave) for wave in others])
        count = 1 + len(others)
    else:
        return found
    return {name: promised and _with_waves(promised, count, other) for name, promised in found.items()}


def _with_waves(promised: Promise, count: int, other: Figures) -> Promise:
    together = Waves(
        count=count,
        everything=promised.everything * other.everything,
        answer=promised.answer * other.answer,
        skip=None if promised.skip is None else promised.skip * (other.skip or 1),
    )
    return replace(promised, waves=together)


def _product(figures: list[Figures], share: list[bool]) -> Figures:
    """Multiply the figures of waves; those of one answer and a skip only of waves that share a question."""
    sharing = [each for each, shared in zip(figures, share, strict=True) if shared]
    return Figures(
        everything=math.prod((each.everything for each in figures), start=Fraction(1)),
        answer=math.prod((each.answer for each in sharing), start=Fraction(1)),
        skip=math.prod((each.skip or Fraction(1) for each in sharing), start=Fraction(1)),
    )


def _shares(design: Design, wave: PublishedWave) -> bool:
    """Return whether a wave asks a protected question of the design, by its key."""
    own = _protected_keys(design)
    return any(own & _protected_keys(version.to_design()) for version in wave.versions)


def _protected_keys(design: Design) -> set[str]:
    return {question.key for block in design.blocks if block.protected for question in block.questions}


def promises_to_publish(definition: Definition, survey: Survey) -> dict[str, Any]:
    """Return the promises that a definition's respondents would read, in the form that devices read."""
    found = promises_in_series(
        definition.design,
        series=definition.series,
        waves=definition.waves,
        but=survey,
        practice=definition.practice,
    )
    return {name: None if promised is None else promised.to_json() for name, promised in found.items()}


def check_series(definition: Definition, survey: Survey, *, now: datetime) -> None:
    """Refuse to publish a wave that the pages of the other waves do not account for.

    Raises
    ------
    DefinitionError
        The number of waves is missing or differs, all waves are published, a page that does not state the
        series still accepts answers, the wave reveals more than the first one, or it leaves its series.
    """
    if definition.practice:
        return
    problems = [
        Problem(path=path, message=message, remedy=remedy)
        for path, message, remedy in _problems(definition, survey, now)
    ]
    if problems:
        raise DefinitionError(problems)


_Refused = tuple[str, str, str]


def _problems(definition: Definition, survey: Survey, now: datetime) -> Iterator[_Refused]:
    before = series_of(survey) if survey.pk else ""
    if before and before != definition.series:
        yield (
            "series",
            _("respondents of this survey read that it belongs to the series %(series)s")
            % {"series": before},
            _("keep the series, or copy the survey and publish the copy"),
        )
        return
    if not definition.series:
        return
    published = published_waves(definition.series)
    others = [wave for wave in published if wave.survey.pk != survey.pk]
    first = stated_waves(published)
    if first is None and not others:
        if definition.waves is None:
            yield (
                "waves",
                _("the series %(series)s does not say how many surveys it will have")
                % {"series": definition.series},
                _("state the number of waves, at least 2: respondents read what all of them reveal together"),
            )
        return
    if first is None:
        yield from _unstated(definition, others, now)
    else:
        yield from _stated(definition, first, others, is_member=before != "", now=now)


def _unstated(definition: Definition, others: list[PublishedWave], now: datetime) -> Iterator[_Refused]:
    """Yield what is wrong with a wave of a series that was published before series stated a number."""
    if definition.waves is not None:
        yield (
            "waves",
            _("the earlier waves of the series %(series)s state no number of waves")
            % {"series": definition.series},
            _("leave the number out, or start a new series with other people"),
        )
    yield from _still_open(others, now)


def _still_open(waves: Iterable[PublishedWave], now: datetime) -> Iterator[_Refused]:
    open_ones = [wave.survey.title_text for wave in waves if wave.accepts_answers(now)]
    if open_ones:
        yield (
            "series",
            _("%(surveys)s still accept answers, and their pages do not state this survey")
            % {"surveys": list_text(f"“{title}”" for title in open_ones)},
            _("close them first, at once or 48 hours before this survey opens"),
        )


def _stated(
    definition: Definition, first: Version, others: list[PublishedWave], *, is_member: bool, now: datetime
) -> Iterator[_Refused]:
    number = int(first.definition["waves"])
    if definition.waves != number:
        yield (
            "waves",
            _("the first wave of the series %(series)s states %(number)s waves, and this one %(waves)s")
            % {"series": definition.series, "number": number, "waves": definition.waves or 0},
            _("write %(number)s, or start a new series with other people") % {"number": number},
        )
    if not is_member and len(others) >= number:
        yield (
            "series",
            _("the series %(series)s has %(number)s waves, and all of them are published")
            % {"series": definition.series, "number": number},
            _("start a new series with other people"),
        )
    yield from _still_open((wave for wave in others if wave.unnamed), now)
    cap = _largest(_figures(first.to_design()))
    own = _largest(_figures(definition.design))
    limits: tuple[tuple[str, Fraction | None, Fraction | None], ...] = (
        (_("everything sent"), own.everything, cap.everything),
        (_("one answer"), own.answer, cap.answer),
        (_("a skip"), own.skip, cap.everything if cap.skip is None else cap.skip),
    )
    for name, figure, limit in limits:
        if figure is not None and limit is not None and figure > limit:
            yield (
                "series",
                _(
                    "%(name)s would make someone %(sure)s sure, but the first wave of the series promises "
                    "%(limit)s"
                )
                % {"name": name, "sure": sure_at(figure), "limit": sure_at(limit)},
                _("lay the questions out again on the plan page, with the same or a stronger protection"),
            )


def understatements(version: Version) -> list[str]:
    """Say what respondents of a version are not told: a skip, or other waves, that reveals more.

    Parameters
    ----------
    version : Version
        A published version of a live survey.
    """
    design, survey = version.to_design(), version.survey
    if survey.practice:
        return []
    found = promises_in_series(
        design, series=series_of(survey), waves=version.definition.get("waves"), but=survey
    )
    stated = stated_promises(version)
    said: list[str] = []
    for name, promised in found.items():
        held: Mapping[str, Any] | None = stated.get(name)
        if promised is not None and held is not None:
            said += [sentence for sentence in _unsaid(promised, held) if sentence not in said]
    return said


def _unsaid(promised: Promise, held: Mapping[str, Any]) -> Iterator[str]:
    if promised.skip is not None and "skip_once_in" not in held and promised.skip > promised.answer:
        yield _(
            "The respondents’ page states %(answer)s for one answer; a skip makes %(skip)s. Publish a new "
            "version."
        ) % {"answer": sure_at(promised.answer), "skip": sure_at(promised.skip)}
    if promised.waves is not None and "waves" not in held:
        yield _(
            "The respondents’ page states %(everything)s for everything sent; all %(count)s surveys of its "
            "series together make %(all)s. Publish a new version."
        ) % {
            "everything": sure_at(promised.everything),
            "count": count_text(promised.waves.count),
            "all": sure_at(promised.waves.everything),
        }


def is_told(survey: Survey) -> bool:
    """Whether respondents can still read its page."""
    return survey.state in (Survey.State.OPEN, Survey.State.PLANNED)


def understatements_of(survey: Survey) -> list[str]:
    """Return `understatements` of the newest version of a survey whose page respondents can read."""
    version = survey.versions.select_related("survey").order_by("-number").first()
    return [] if version is None or not is_told(survey) else understatements(version)
