"""Whether a survey can answer its question: precision and power at the guessed shares, for what is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.policy import USEFUL_POWER, USEFUL_WIDTH
from surveys.policy import USELESS_POWER, USELESS_WIDTH
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.use import Use, people_for, use_of
from surveys.questionnaire.use_words import chance_of_ten, item_names, points

__all__ = ["check_use"]


def check_use(definition: Definition, aim: Aim | None) -> Iterator[Finding]:
    """Yield what keeps a survey from answering its question, at most one finding.

    Painful questions without a result are an ethical fault: so it has the rank of the checks of protection.

    Parameters
    ----------
    definition : Definition
    aim : Aim or None
        None where nobody was asked: a survey of before, or one that a program made.
    """
    if not any(block.protected and not block.is_scale for block in definition.design.blocks):
        return
    if aim is None:
        yield Finding(
            level=Level.WARN,
            code="people_unknown",
            path="",
            message=_("nobody said how many will answer, so nobody knows whether this survey finds anything"),
            remedy=_("say how many people will answer, and what you most want to know"),
        )
        return
    use = use_of(definition.design, aim.within(definition.design))
    yield from _difference(definition, use) if use.aim.is_pair else _share(definition, use)


def _share(definition: Definition, use: Use) -> Iterator[Finding]:
    width = use.wanted_half_width
    if width is None or width <= USEFUL_WIDTH:
        return
    key = use.aim.wanted[0] if use.aim.wanted else max(use.half_widths, key=lambda key: use.half_widths[key])
    yield Finding(
        level=Level.REFUSE if width > USELESS_WIDTH else Level.WARN,
        code="share_imprecise",
        path=_path_of(definition, key),
        message=_("with %(people)s people the share of “%(name)s” is known within ±%(points)s points only")
        % {"people": f"{use.aim.people:,}", "name": item_names(definition)[key], "points": points(width)},
        remedy=_("expect %(people)s people, ask fewer questions, or protect more lightly")
        % {"people": f"{people_for(definition.design, use.aim, USEFUL_WIDTH):,}"},
    )


def _difference(definition: Definition, use: Use) -> Iterator[Finding]:
    if use.power is None or use.difference_sought is None or use.power >= USEFUL_POWER:
        return
    names = item_names(definition)
    first, second = use.aim.wanted
    yield Finding(
        level=Level.REFUSE if use.power < USELESS_POWER else Level.WARN,
        code="difference_missed",
        path=_path_of(definition, second),
        message=_(
            "with %(people)s people a difference of %(points)s points in “%(second)s” by “%(first)s” is "
            "found %(chance)s"
        )
        % {
            "people": f"{use.aim.people:,}",
            "points": points(use.difference_sought),
            "first": names[first],
            "second": names[second],
            "chance": chance_of_ten(use.power),
        },
        remedy=_("lay the draft out for these two questions, expect more people, or protect more lightly"),
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
