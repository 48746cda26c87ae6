"""All checks of a definition, in order of importance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.planning.use import Use, strong, use_of
from privacy.policy import LEAST_COMPLETE_ROWS, USEFUL_POWER, USEFUL_WIDTH, USELESS_WIDTH
from privacy.survey.design import Block, Design
from surveys.models import Survey
from surveys.policy import USELESS_POWER
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.ceilings import (
    Ceilings,
    check_ceilings,
    check_direct,
    check_light,
    check_odds,
    site_ceilings,
)
from surveys.questionnaire.checks.content import check_content, check_leftovers, check_repeated
from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.checks.rotating import (
    check_drawn,
    check_open_answers,
    check_rotating,
    prevalence_of,
)
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.schedule import WaveLine, other_waves
from surveys.questionnaire.use_words import chance_of_ten, item_names, listed, points, question_name

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
    if not any(block.protected and not block.is_anchor for block in definition.design.blocks):
        return
    if aim is None:
        yield Finding(
            level=Level.WARN,
            code="people_unknown",
            path="",
            message=_(
                "enter the number of answers you expect: without it we cannot work out what they can show"
            ),
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
    if few := use.too_few:
        people = sorted({math.floor(use.asked[key] + 1e-9) for key in few})
        yield Finding(
            level=Level.REFUSE,
            code="too_few_asked",
            path=_path_of(definition, few[0]),
            message=_(
                "about %(people)s people will be asked %(questions)s; fewer than %(least)s is too few to "
                "show anything"
            )
            % {
                "people": people[0] if len(people) == 1 else f"{people[0]}–{people[-1]}",
                "questions": listed([question_name(key, names) for key in few]),
                "least": LEAST_COMPLETE_ROWS,
            },
            remedy=str(_REMEDY),
        )


def _too_wide(definition: Definition, use: Use, names: Mapping[str, str]) -> Iterator[Finding]:
    if wide := sorted(use.too_wide, key=lambda key: -use.widths[key]):
        # The options of one choice are one finding.
        questions = dict.fromkeys(question_name(key.partition("=")[0], names) for key in wide)
        yield Finding(
            level=Level.REFUSE,
            code="share_imprecise",
            path=_path_of(definition, wide[0]),
            message=_("%(questions)s will be known only within ±%(points)s points")
            % {"questions": listed(list(questions)), "points": points(use.widths[wide[0]])},
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
                message=_("%(questions)s will be known only within ±%(points)s points")
                % {"questions": listed([names[key]]), "points": points(width)},
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


def check_definition(
    definition: Definition, *, ceilings: Ceilings, waves: Sequence[WaveLine] = (), aim: Aim | None = None
) -> tuple[Finding, ...]:
    """Return the findings on a definition, refusals first.

    Parameters
    ----------
    definition : Definition
    ceilings : Ceilings
    waves : sequence of WaveLine
        The other surveys of its series.
    aim : Aim, optional
        The survey's aim; if it is missing, a finding asks for it.

    Notes
    -----
    Practice answers belong to no one, so nothing is refused, and every finding is a warning.
    """
    document, design = definition.document, definition.design
    blocks = definition.wording["blocks"]
    names = {block["key"]: text_in(block["title"]) or block["key"] for block in blocks}
    ceilings = ceilings if aim is None else ceilings.within(aim.protection)
    findings = [
        *_too_telling(design, ceilings, waves, names),
        *check_content(document, design),
        *check_leftovers(document),
        *check_repeated(document),
        *check_drawn(_strong(design), prevalence_of(document)),
        *check_open_answers(design, _question_texts(definition)),
        *check_rotating(design, names, pairs=aim is None or not aim.wanted),
        *check_use(definition, aim),
    ]
    if definition.practice:
        findings = [replace(finding, level=Level.WARN) for finding in findings]
    return tuple(sorted(findings, key=lambda finding: not finding.is_refusal))


def _question_texts(definition: Definition) -> dict[str, str]:
    """Return the text of each question, by its key."""
    return {
        question["key"]: text_in(question["text"]) or question["key"]
        for block in definition.wording["blocks"]
        for question in block["questions"]
    }


def check_draft(survey: Survey, definition: Definition) -> tuple[Finding, ...]:
    """Return the findings on publishing this definition of a survey, with the ceilings of the site."""
    return check_definition(
        definition,
        ceilings=site_ceilings(),
        waves=other_waves(definition.series, but=survey),
        aim=Aim.from_json(survey.aim),
    )


def exceeds_recommended(design: Design, waves: Sequence[WaveLine], aim: Aim) -> bool:
    """Return whether a design exceeds the recommended limits of its protection, alone or with its series."""
    names = {block.key: block.key for block in design.blocks}
    return any(_too_telling(design, site_ceilings().within(aim.protection), waves, names))


def _too_telling(
    design: Design, ceilings: Ceilings, waves: Sequence[WaveLine], names: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield the findings above a ceiling; `names` are the titles of the parts, by their keys."""
    blocks = _strong(design)
    yield from check_ceilings(blocks, ceilings, names=names, rotations=design.rotations, other_waves=waves)
    yield from check_odds(blocks, ceilings.odds, names)
    yield from check_light(design, ceilings.light, other_waves=waves)
    yield from check_direct(design)


def _strong(design: Design) -> list[tuple[str, Block]]:
    """Return the blocks with their paths, in the strong strength, from which the light one follows."""
    return [(f"blocks[{number}]", strong(block)) for number, block in enumerate(design.blocks)]
