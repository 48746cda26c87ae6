"""Check what a survey can estimate with the people it expects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.planning.shortfalls import Figure, Shortfall, people_against_chance, shortfalls
from privacy.planning.use import Use, use_of
from privacy.policy import USEFUL_WIDTH
from privacy.survey.design import Design
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.use_words import item_names, shortfall_text

_CODES: Final[dict[Figure, str]] = {
    "asked": "too_few_asked",
    "chance": "too_few_asked",
    "together": "too_few_asked",
    "share": "share_imprecise",
    "mean": "share_imprecise",
    "difference": "difference_missed",
}

_REMEDY: Final = gettext_lazy("open the plan page: it shows the smallest changes that make the figure useful")


def check_use(definition: Definition, aim: Aim | None) -> Iterator[Finding]:
    """Yield each figure that the survey cannot estimate usefully, and how to improve starred figures.

    A painful question that cannot produce a result harms its respondents for nothing. This is as serious as
    a privacy finding.

    Parameters
    ----------
    definition : Definition
    aim : Aim or None
        None if there is no plan: the survey predates plans, or was created by a program.
    """
    if not is_planned(definition.design):
        return
    if aim is None or aim.people < 1:
        yield from _people_unknown(definition.design)
        return
    use = use_of(definition.design, aim.within(definition.design))
    names = item_names(definition, aim.labels)
    for short in shortfalls(use):
        yield Finding(
            level=Level.REFUSE if short.is_refused else Level.WARN,
            code=_CODES[short.figure],
            # The second starred question is the outcome.
            path=_path_of(definition, short.keys[-1 if short.figure in ("together", "difference") else 0]),
            message=shortfall_text(use, short, names),
            remedy=str(_REMEDY)
            if short.is_refused or short.figure == "difference"
            else _("expect %(people)s answers, or choose a change on the plan page")
            % {"people": count_text(_people_for(use, short))},
        )


def is_planned(design: Design) -> bool:
    """Return whether a design has a protected question that is not an anchor."""
    return any(block.protected and not block.is_anchor for block in design.blocks)


def _people_unknown(design: Design) -> Iterator[Finding]:
    messages = [
        _(
            "without the number of answers you expect, we cannot work out what they can show, or how many "
            "people could be identified"
        )
    ]
    if design.invited:
        messages.append(
            _(
                "without the number of answers you expect, we cannot work out how many people would be in "
                "the smallest group, and anyone with the list of codes knows who they are"
            )
        )
    for message in messages:
        remedy = _("plan the survey")
        yield Finding(level=Level.WARN, code="people_unknown", path="", message=message, remedy=remedy)


def _people_for(use: Use, short: Shortfall) -> int:
    """Return the smallest number of people with whom a figure is useful in this layout."""
    key = short.keys[0]
    if short.figure == "chance":
        return people_against_chance(use.aim.people, use.people_asked[key])
    return math.ceil(use.aim.people * (use.widths[key] / USEFUL_WIDTH) ** 2 - 1e-9)


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
