"""What keeps a wave from being published in its series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.formats.joints import list_text
from surveys.models import Survey
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.document import DefinitionError, Problem
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.promise_words import sure_at
from surveys.questionnaire.series import (
    PublishedWave,
    Stated,
    deleted_waves,
    figures_in,
    largest_of,
    published_waves,
    stated_in,
)
from surveys.questionnaire.series_membership import series_of
from surveys.questionnaire.turns import takes_turns, turning_parts


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
    yield from _turn(definition, survey)
    published, deleted = published_waves(definition.series), deleted_waves(definition.series)
    others = [wave for wave in published if wave.survey.pk != survey.pk]
    stated = stated_in(published, deleted)
    if stated is None and not others and not deleted:
        if definition.waves is None:
            yield (
                "waves",
                _("the series %(series)s does not say how many surveys it will have")
                % {"series": definition.series},
                _("state the number of waves, at least 2: respondents read what all of them reveal together"),
            )
        return
    if stated is None:
        yield from _unstated(definition, others, now)
    else:
        is_beyond = not before and len(others) + len(deleted) >= stated.number
        yield from _stated(definition, stated, others, is_beyond=is_beyond, now=now)
        taken = {wave.wave for wave in others} | {wave.wave for wave in deleted}
        yield from _stated_turn(definition, stated, taken)


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
    # The waves of a series often have the same title.
    open_ones = [
        _("“%(title)s” (%(address)s)") % {"title": wave.survey.title_text, "address": wave.survey.slug}
        for wave in waves
        if wave.accepts_answers(now)
    ]
    if open_ones:
        yield (
            "series",
            ngettext(
                "%(surveys)s still accepts answers, and its page does not mention this survey",
                "%(surveys)s still accept answers, and their pages do not mention this survey",
                len(open_ones),
            )
            % {"surveys": list_text(open_ones)},
            _("close them first, at once or 48 hours before this survey opens"),
        )


def _stated(
    definition: Definition, stated: Stated, others: list[PublishedWave], *, is_beyond: bool, now: datetime
) -> Iterator[_Refused]:
    number, cap = stated.number, stated.cap
    if definition.waves != number:
        yield (
            "waves",
            _("the first wave of the series %(series)s states %(number)s waves, and this one %(waves)s")
            % {"series": definition.series, "number": number, "waves": definition.waves or 0},
            _("write %(number)s, or start a new series with other people") % {"number": number},
        )
    if is_beyond:
        yield (
            "series",
            _("the series %(series)s has %(number)s waves, and all of them are published")
            % {"series": definition.series, "number": number},
            _("start a new series with other people"),
        )
    yield from _still_open((wave for wave in others if wave.unnamed), now)
    own = largest_of(figures_in(definition.design))
    limits: tuple[tuple[str, Fraction | None, Fraction | None], ...] = (
        (_("everything sent"), own.everything, cap.everything),
        (_("one answer"), own.answer, cap.answer),
        (_("a skip"), own.skip, cap.everything if cap.skip is None else cap.skip),
        (
            _("a question on which several answers depend"),
            own.shared,
            cap.everything if cap.shared is None else cap.shared,
        ),
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


def _turn(definition: Definition, survey: Survey) -> Iterator[_Refused]:
    """Yield why devices cannot compute turns, or would compute others than an earlier version's."""
    if not takes_turns(definition.document):
        return
    if not survey.by_invitation and PANEL not in definition.wording:
        yield (
            "each_wave",
            _("parts can take turns only if each person has a code or a number"),
            _("invite people by code, or write the panel that sends them, or choose root"),
        )
    last = survey.versions.order_by("-number").first() if survey.pk else None
    if last is not None and last.definition.get("wave") != definition.document["wave"]:
        yield (
            "wave",
            _("this survey is published as wave %(wave)s") % {"wave": last.definition.get("wave") or "–"},
            _("keep the number, or copy the survey and publish the copy"),
        )


def _stated_turn(definition: Definition, stated: Stated, taken: set[int | None]) -> Iterator[_Refused]:
    """Yield why a person's device could send the same part in two waves of a series."""
    own = turning_parts(definition.design) if takes_turns(definition.document) else ""
    if own and own == stated.parts:
        if definition.document["wave"] in taken:
            free = [number for number in range(1, stated.number + 1) if number not in taken]
            yield (
                "wave",
                _("wave %(wave)s of the series %(series)s is published already")
                % {"wave": definition.document["wave"], "series": definition.series},
                _("write one of: %(free)s") % {"free": ", ".join(map(str, free)) or "–"},
            )
    elif own and stated.parts:
        yield (
            "series",
            _("the parts that take turns differ from those of the first wave: a person could answer twice"),
            _("copy the first wave and change only the wave, the texts and the other parts"),
        )
    elif stated.parts:
        yield (
            "each_wave",
            _("the parts of the series %(series)s take turns") % {"series": definition.series},
            _("write rotate, or start a new series with other people"),
        )
    elif own:
        yield (
            "each_wave",
            _("earlier waves of the series %(series)s ask everyone all parts")
            % {"series": definition.series},
            _("write root or whole, or start a new series with other people"),
        )
