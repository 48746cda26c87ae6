"""Check whether a survey can answer its questions: how many people are asked, precision and power."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.planning.use import Use, use_of
from privacy.policy import LEAST_COMPLETE_ROWS, USEFUL_POWER, USEFUL_WIDTH, USELESS_WIDTH
from surveys.policy import USELESS_POWER
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.use_words import chance_of_ten, item_names, points, question_name

__all__ = ["check_use"]

_REMEDY: Final = gettext_lazy("open the plan page: it shows the smallest changes that make the figure useful")


def check_use(definition: Definition, aim: Aim | None) -> Iterator[Finding]:
    """Yield each figure that the survey cannot estimate usefully, and how to improve starred figures.

    A painful question that cannot produce a result harms its respondents for nothing, so it ranks like a
    privacy finding.

    Parameters
    ----------
    definition : Definition
    aim : Aim or None
        None if no plan was made: the survey predates plans, or was created by a program.
    """
    disguised = [block for block in definition.design.blocks if block.protected and not block.is_anchor]
    if not any(question.kind != "place" for block in disguised for question in block.questions):
        return
    if aim is None:
        yield Finding(
            level=Level.WARN,
            code="people_unknown",
            path="",
            message=_("the number of answers that you expect is not known, so neither is what they can show"),
            remedy=_("plan the survey: say how many answers you expect, and what matters most"),
        )
        return
    use = use_of(definition.design, aim.within(definition.design))
    names = item_names(definition, aim.labels)
    yield from _too_few(definition, use, names)
    yield from _too_wide(definition, use, names)
    yield from (
        _difference(definition, use, names) if use.power is not None else _starred(definition, use, names)
    )


def _too_few(definition: Definition, use: Use, names: Mapping[str, str]) -> Iterator[Finding]:
    for key in use.too_few:
        yield Finding(
            level=Level.REFUSE,
            code="too_few_asked",
            path=_path_of(definition, key),
            message=_(
                "about %(people)s people will be asked “%(name)s”; fewer than %(least)s is too few to show "
                "anything"
            )
            % {
                "people": math.floor(use.asked[key] + 1e-9),
                "name": question_name(key, names),
                "least": LEAST_COMPLETE_ROWS,
            },
            remedy=str(_REMEDY),
        )


def _too_wide(definition: Definition, use: Use, names: Mapping[str, str]) -> Iterator[Finding]:
    widths = use.half_widths | use.numbers
    # The options of one choice are one finding.
    widest: dict[str, str] = {}
    for key in sorted(use.too_wide, key=lambda key: widths[key]):
        widest[key.partition("=")[0]] = key
    for question, key in widest.items():
        yield Finding(
            level=Level.REFUSE,
            code="share_imprecise",
            path=_path_of(definition, question),
            message=_("“%(name)s” will be known only within ±%(points)s points")
            % {"name": names[key], "points": points(widths[key])},
            remedy=str(_REMEDY),
        )


def _starred(definition: Definition, use: Use, names: Mapping[str, str]) -> Iterator[Finding]:
    # If nothing is starred, report only the widest.
    widths = use.widths
    for key in use.aim.wanted or sorted(use.half_widths, key=lambda key: -widths[key])[:1]:
        width = widths[key]
        if USEFUL_WIDTH < width <= USELESS_WIDTH:
            yield Finding(
                level=Level.WARN,
                code="share_imprecise",
                path=_path_of(definition, key),
                message=_("“%(name)s” will be known only within ±%(points)s points")
                % {"name": names[key], "points": points(width)},
                remedy=_("expect %(people)s answers, or choose a change on the plan page")
                % {"people": f"{math.ceil(use.aim.people * (width / USEFUL_WIDTH) ** 2 - 1e-9):,}"},
            )


def _difference(definition: Definition, use: Use, names: Mapping[str, str]) -> Iterator[Finding]:
    if use.power is None or use.difference_sought is None or use.power >= USEFUL_POWER:
        return
    first, second = use.aim.wanted
    yield Finding(
        level=Level.REFUSE if use.power < USELESS_POWER else Level.WARN,
        code="difference_missed",
        path=_path_of(definition, second),
        message=_(
            "with %(people)s answers, a difference of %(points)s points in “%(second)s” by “%(first)s” is "
            "found %(chance)s"
        )
        % {
            "people": f"{use.aim.people:,}",
            "points": points(use.difference_sought),
            "first": names[first],
            "second": names[second],
            "chance": chance_of_ten(use.power),
        },
        remedy=str(_REMEDY),
    )


def _path_of(definition: Definition, item: str) -> str:
    key = item.partition("=")[0]
    return next(
        (
            f"blocks[{number}].questions[{position}]"
            for number, block in enumerate(definition.design.blocks)
            for position, question in enumerate(block.questions)
            if question.key == key
        ),
        "",
    )
