"""All checks of a definition, in order of importance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from privacy.planning.use import strong
from privacy.survey.design import Block, Design
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.ceilings import (
    Ceilings,
    check_ceilings,
    check_direct,
    check_light,
    site_ceilings,
)
from surveys.questionnaire.checks.content import check_content
from surveys.questionnaire.checks.drawn import check_drawn, check_open_answers, prevalence_of
from surveys.questionnaire.checks.finding import Finding, Level
from surveys.questionnaire.checks.leftovers import check_leftovers
from surveys.questionnaire.checks.odds import check_odds
from surveys.questionnaire.checks.repeated import check_repeated
from surveys.questionnaire.checks.rotating import check_rotating
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.series import WaveLine, other_waves


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
        *check_drawn(_strong(design), prevalence_of(document), ceilings.block),
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
