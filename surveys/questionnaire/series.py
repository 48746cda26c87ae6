"""Series: what all waves together reveal about someone who answers each, and which waves may be published.

Respondents and boards read the total before the first answer, so the number of waves is stated when the first
one is published. The first wave's figures then limit those of all later ones, whose questionnaires nobody
knows yet.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any

from privacy.risk.promise import Figures, Promise, Waves
from privacy.survey.design import Design
from surveys.models import AuditEvent, Survey, Version
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.promise_words import promises_of
from surveys.questionnaire.series_membership import series_of
from surveys.questionnaire.turns import takes_turns, turning_parts, without_turns


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

    @property
    def wave(self) -> int | None:
        """Which wave it is, if parts take turns."""
        number: int | None = self.versions[-1].definition.get("wave")
        return number

    def most(self) -> Figures:
        """Return the largest figures of its versions and strengths."""
        return largest_of(figures for version in self.versions for figures in figures_in(version.to_design()))


def figures_in(design: Design) -> list[Promise]:
    """Return the promises of a design's strengths that have a bound."""
    return [promised for promised in promises_of(design).values() if promised is not None]


def largest_of(found: Iterable[Figures]) -> Figures:
    """Return the largest of each figure; odds of 1 if nothing has a bound."""
    several = list(found)
    skips = [figures.skip for figures in several if figures.skip is not None]
    filters = [figures.shared for figures in several if figures.shared is not None]
    return Figures(
        everything=max((figures.everything for figures in several), default=Fraction(1)),
        answer=max((figures.answer for figures in several), default=Fraction(1)),
        skip=max(skips, default=None),
        shared=max(filters, default=None),
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


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What the first wave that states a number of waves fixes for all others.

    Attributes
    ----------
    number : int
        Number of waves.
    cap : Figures
        Figures that no later wave may exceed.
    parts : str
        Digest of the parts that take turns, the same in every wave (`surveys.questionnaire.turns`); empty if
        none do.
    """

    number: int
    cap: Figures
    parts: str = ""


@dataclass(frozen=True, kw_only=True)
class DeletedWave:
    """A wave that was deleted. People answered it nevertheless, so the log keeps its figures.

    Attributes
    ----------
    stated : Stated or None
        As it was when the wave was deleted; None in a series that stated no number.
    most : Figures
        The largest figures of its versions and strengths.
    wave : int or None
        Which wave it was, if parts take turns.
    """

    stated: Stated | None
    most: Figures
    wave: int | None


def deleted_waves(series: str) -> list[DeletedWave]:
    """Return the deleted surveys of a series, as the log's events of their deletion describe them."""
    if not series:
        return []
    events = AuditEvent.objects.filter(action="survey_delete", detail__wave__series=series).order_by("pk")
    return [
        DeletedWave(
            stated=None
            if (number := wave["waves"]) is None
            else Stated(number=number, cap=_figures_read(wave["cap"]), parts=wave.get("parts", "")),
            most=_figures_read(wave["most"]),
            wave=wave.get("wave"),
        )
        for wave in events.values_list("detail__wave", flat=True)
    ]


def deleted_wave_detail(survey: Survey) -> dict[str, Any]:
    """Return what the log keeps of a wave that is deleted; empty if respondents read nothing of a series."""
    series = series_of(survey)
    published = [] if survey.practice else published_waves(series)
    own = next((wave for wave in published if wave.survey.pk == survey.pk), None)
    if own is None:
        return {}
    stated = stated_in(published, deleted_waves(series))
    return {
        "wave": {
            "series": series,
            "waves": stated and stated.number,
            "cap": stated and _figures_json(stated.cap),
            "most": _figures_json(own.most()),
            **({"parts": stated.parts, "wave": own.wave} if stated and stated.parts else {}),
        }
    }


def _figures_json(figures: Figures) -> dict[str, str | None]:
    return {
        "everything": str(figures.everything),
        "answer": str(figures.answer),
        "skip": None if figures.skip is None else str(figures.skip),
        **({} if figures.shared is None else {"shared": str(figures.shared)}),
    }


def _figures_read(stored: Mapping[str, str | None]) -> Figures:
    odds = {name: None if value is None else Fraction(value) for name, value in stored.items()}
    return Figures(
        everything=odds["everything"] or Fraction(1),
        answer=odds["answer"] or Fraction(1),
        skip=odds["skip"],
        shared=odds.get("shared"),
    )


def stated_in(published: Iterable[PublishedWave], deleted: Iterable[DeletedWave]) -> Stated | None:
    """Return what the first wave that states a number fixes, also after it was deleted."""
    if stated := next((wave.stated for wave in deleted if wave.stated), None):
        return stated
    first = stated_waves(published)
    if first is None:
        return None
    design = first.to_design()
    return Stated(
        number=int(first.definition["waves"]),
        cap=largest_of(figures_in(design)),
        parts=turning_parts(design) if takes_turns(first.definition) else "",
    )


def promises_in_series(
    design: Design,
    *,
    series: str,
    waves: int | None,
    but: Survey,
    practice: bool = False,
    turns: bool = False,
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
    turns : bool
        Whether its parts take turns.

    Notes
    -----
    The rows of two waves are independent given the answers, so likelihood ratios multiply. With a stated
    number of waves, each other wave contributes the figures of the first version that states it, which no
    later one may exceed. A lightly disguised wave may be any of them, so the larger strength counts. If the
    first version offers no skip, a later one may, within the limit of everything.

    In a series published before, the other published waves count, and for one answer and a skip those that
    share a question.

    If parts take turns, a person's device sends each of them once in all waves, which all have the same
    parts. So the total of everything is that of a single survey that asks everyone all of them.
    """
    found = promises_of(design)
    if not series or practice:
        return found
    if turns and waves is not None:
        return _with_turns(found, design, waves)
    published, deleted = published_waves(series), deleted_waves(series)
    stated = stated_in(published, deleted)
    if stated is None and waves is not None:
        stated = Stated(number=waves, cap=largest_of(figures_in(design)))
    if stated is not None:
        return _with_stated(found, stated)
    others = [wave for wave in published if wave.survey.pk != but.pk]
    if not others and not deleted:
        return found
    other = _product(
        [wave.most() for wave in others] + [wave.most for wave in deleted],
        # What a deleted wave asked is not known.
        [_shares(design, wave) for wave in others] + [True for _wave in deleted],
    )
    return _with_all(found, 1 + len(others) + len(deleted), other)


def _with_stated(found: Mapping[str, Promise | None], stated: Stated) -> dict[str, Promise | None]:
    """Add the figures of a stated number of waves, none of which reveals more than the first one."""
    cap, power = stated.cap, stated.number - 1
    other = Figures(
        everything=cap.everything**power,
        answer=cap.answer**power,
        skip=(cap.everything if cap.skip is None else cap.skip) ** power,
        shared=(cap.everything if cap.shared is None else cap.shared) ** power,
    )
    return _with_all(found, stated.number, other)


def _with_turns(found: Mapping[str, Promise | None], design: Design, waves: int) -> dict[str, Promise | None]:
    """Add the figures of a design that each person answers once, in parts; strengths may differ by wave."""
    once = largest_of(figures_in(without_turns(design)))
    together = Waves(
        count=waves,
        everything=once.everything,
        answer=once.answer,
        skip=once.skip,
        shared=once.shared,
        takes_turns=True,
    )
    return {name: promised and replace(promised, waves=together) for name, promised in found.items()}


def _with_all(found: Mapping[str, Promise | None], count: int, other: Figures) -> dict[str, Promise | None]:
    return {name: promised and _with_waves(promised, count, other) for name, promised in found.items()}


def _with_waves(promised: Promise, count: int, other: Figures) -> Promise:
    together = Waves(
        count=count,
        everything=promised.everything * other.everything,
        answer=promised.answer * other.answer,
        skip=None if promised.skip is None else promised.skip * (other.skip or 1),
        shared=None if promised.shared is None else promised.shared * (other.shared or 1),
    )
    return replace(promised, waves=together)


def _product(figures: list[Figures], share: list[bool]) -> Figures:
    """Multiply the figures of waves; those of one answer and a skip only of waves that share a question."""
    sharing = [each for each, shared in zip(figures, share, strict=True) if shared]
    return Figures(
        everything=math.prod((each.everything for each in figures), start=Fraction(1)),
        answer=math.prod((each.answer for each in sharing), start=Fraction(1)),
        skip=math.prod((each.skip or Fraction(1) for each in sharing), start=Fraction(1)),
        # A wave whose answers do not share the filter may still ask it, in one answer.
        shared=math.prod((each.shared or each.answer for each in sharing), start=Fraction(1)),
    )


def _shares(design: Design, wave: PublishedWave) -> bool:
    """Return whether a wave asks a protected question of the design, by its key."""
    own = _protected_keys(design)
    return any(own & _protected_keys(version.to_design()) for version in wave.versions)


def _protected_keys(design: Design) -> set[str]:
    return {question.key for block in design.blocks if block.protected for question in block.questions}


def promises_to_publish(definition: Definition, survey: Survey) -> dict[str, Any]:
    """Return the promises that a definition's respondents would read, in the form that devices read."""
    return _documents(_of_definition(definition, survey))


def total_of_waves(definition: Definition, survey: Survey) -> Fraction | None:
    """Return the odds of everything sent in all waves, as respondents would read them; None without waves."""
    found = _of_definition(definition, survey).values()
    return max((each.waves.everything for each in found if each and each.waves), default=None)


def _of_definition(definition: Definition, survey: Survey) -> dict[str, Promise | None]:
    return promises_in_series(
        definition.design,
        series=definition.series,
        waves=definition.waves,
        but=survey,
        practice=definition.practice,
        turns=takes_turns(definition.document),
    )


def promises_in_file(definition: Definition) -> dict[str, Any]:
    """Return the promises of a definition's frame, whose other waves no database knows.

    Notes
    -----
    The totals are those of equal waves, as for the first published one.
    """
    found, number = promises_of(definition.design), definition.waves
    if number is not None and takes_turns(definition.document):
        found = _with_turns(found, definition.design, number)
    elif number is not None and not definition.practice:
        found = _with_stated(found, Stated(number=number, cap=largest_of(figures_in(definition.design))))
    return _documents(found)


def _documents(found: Mapping[str, Promise | None]) -> dict[str, Any]:
    return {name: None if promised is None else promised.to_json() for name, promised in found.items()}
