"""Run all checks of a definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from privacy.planning.use import strong
from privacy.risk.budget import budget
from privacy.survey.design import Block, Design
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.ceilings import (
    Ceilings,
    check_ceilings,
    check_light,
    site_ceilings,
)
from surveys.questionnaire.checks.composites import check_composites
from surveys.questionnaire.checks.content import check_content
from surveys.questionnaire.checks.direct_share import check_direct
from surveys.questionnaire.checks.follow_ups import check_follow_ups
from surveys.questionnaire.checks.harm import check_harm
from surveys.questionnaire.checks.leftovers import check_leftovers
from surveys.questionnaire.checks.letters import check_letters
from surveys.questionnaire.checks.lists import check_lists
from surveys.questionnaire.checks.odds import check_odds, check_skips
from surveys.questionnaire.checks.open_answers import check_open_answers
from surveys.questionnaire.checks.promise_language import check_promise_language
from surveys.questionnaire.checks.random_rows import check_drawn
from surveys.questionnaire.checks.repeated import check_alike_answers, check_repeated
from surveys.questionnaire.checks.rotation import check_rotating
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.part_names import part_names
from surveys.questionnaire.stated_prevalences import definition_prevalences
from surveys.questionnaire.stems import in_full
from surveys.questionnaire.turns import summed_over_waves
from surveys.questionnaire.waves import WaveLine, epsilon_of_light, other_waves


def check_definition(
    definition: Definition, *, ceilings: Ceilings, waves: Sequence[WaveLine] = (), aim: Aim | None = None
) -> tuple[Finding, ...]:
    """Return the findings on a definition, refusals first.

    Parameters
    ----------
    definition : Definition
    ceilings : Ceilings
    waves : sequence of WaveLine
        The other surveys of the same series.
    aim : Aim, optional
        The survey's aim; without one, a finding asks for it.

    Notes
    -----
    Practice answers are not real, so nothing is refused and every finding is a warning.
    """
    document, design = in_full(definition.document), definition.design
    blocks = definition.wording["blocks"]
    names = part_names(blocks)
    ceilings = ceilings if aim is None else ceilings.within(aim.protection)
    people = None if aim is None else aim.people
    findings = [
        *_too_telling(*summed_over_waves(design, definition.wording, waves), ceilings, names),
        *check_content(document, design),
        *check_leftovers(document),
        *check_letters(document),
        *check_follow_ups(document),
        *check_repeated(document),
        *check_alike_answers(document),
        *check_drawn(
            _strong(design),
            definition_prevalences(document),
            parts=names,
            questions_named=_question_texts(definition),
        ),
        *check_open_answers(design, _question_texts(definition), people),
        *check_rotating(design, names, people=people, pairs=aim is None or not aim.wanted),
        *check_use(definition, aim),
        *check_composites(definition, aim),
        *check_harm(document),
        *check_promise_language(definition),
        *check_lists(document, design),
    ]
    if definition.practice:
        findings = [replace(finding, level=Level.WARN) for finding in findings]
    # Without a number of answers, no figure about them is known, so this warning comes before the others.
    return tuple(sorted(findings, key=lambda each: (not each.is_refusal, each.code != "people_unknown")))


def _question_texts(definition: Definition) -> dict[str, str]:
    """Return the text of each question, by its key."""
    return {
        question["key"]: text_in(question["text"]) or question["key"]
        for block in definition.wording["blocks"]
        for question in block["questions"]
    }


def check_draft(survey: Survey, definition: Definition) -> tuple[Finding, ...]:
    """Return the findings on publishing this definition of a survey, with the site's ceilings."""
    return check_definition(
        definition,
        ceilings=site_ceilings(),
        waves=[*(waves := other_waves(definition.series, but=survey)), *_later_waves(definition, len(waves))],
        aim=Aim.from_json(survey.aim),
    )


def _later_waves(definition: Definition, published: int) -> Iterator[WaveLine]:
    """Yield the waves that the series still has, with the epsilons of this one."""
    design = definition.design
    own = budget(design).epsilon
    for number in range(published + 2, (definition.waves or 0) + 1):
        slug = _("wave %(number)s") % {"number": number}
        yield WaveLine(slug=slug, title=slug, epsilon=own, most=max(own, epsilon_of_light(design)))


def exceeds_recommended(
    design: Design, wording: Mapping[str, Any], waves: Sequence[WaveLine], aim: Aim
) -> bool:
    """Return whether a design exceeds the limits recommended for its protection, alone or with its series."""
    names = {block.key: block.key for block in design.blocks}
    ceilings = site_ceilings().within(aim.protection)
    return any(_too_telling(*summed_over_waves(design, wording, waves), ceilings, names))


def _too_telling(
    design: Design, waves: Sequence[WaveLine], ceilings: Ceilings, names: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield the findings above a ceiling; `names` maps keys of parts to their titles."""
    blocks = _strong(design)
    yield from check_ceilings(blocks, ceilings, names=names, rotations=design.rotations, other_waves=waves)
    yield from check_odds(blocks, ceilings.odds, names)
    yield from check_skips(blocks, ceilings.skip, names)
    yield from check_light(design, ceilings.light, other_waves=waves)
    yield from check_direct(design)


def _strong(design: Design) -> list[tuple[str, Block]]:
    """Return the blocks with their paths, in their strong strength."""
    return [(f"blocks[{number}]", strong(block)) for number, block in enumerate(design.blocks)]
