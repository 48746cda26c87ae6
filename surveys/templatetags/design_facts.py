"""Facts on a design: what its parts ask and cost, and what they promise."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from privacy.risk.budget import block_budget
from privacy.survey.design import Block, Design
from surveys.formats.disguise_bounds import epsilon_text, gamma_text
from surveys.models import Version
from surveys.questionnaire.policy_words import policy_text
from surveys.questionnaire.promise_words import stated_in_words, stated_promises
from surveys.questionnaire.protection_words import BlockLine, block_lines, light_epsilon
from surveys.report.sentences.fit_endings import ended_text
from surveys.report.sentences.scale_disguises import mechanism_text
from surveys.runs.shown_of_run import (
    is_disguised_here,
)

register = template.Library()


def promises_in_words(version: Version) -> list[str]:
    """Write the promises that the version's respondents read, for each strength that has one."""
    return stated_in_words(stated_promises(version))


@register.filter
def blocks_of(version: Version) -> tuple[BlockLine, ...]:
    """Return the questions and the cost of each block."""
    return block_lines(version, version.to_design())


@register.filter
def exact_outside(block: Block) -> bool:
    """Return whether a protected place is sent undisguised outside its sensitive areas."""
    return block_budget(block).exact_outside


@register.filter
def open_questions(design: Design) -> int:
    """Return the number of questions that are not disguised."""
    return sum(len(block.questions) for block in design.blocks if not block.protected)


@register.filter
def additive(blocks: Iterable[BlockLine]) -> list[BlockLine]:
    """Return the blocks whose costs add up for one person."""
    return [block for block in blocks if block.protected and block.is_counted]


@register.filter
def not_composed(blocks: Iterable[BlockLine]) -> list[BlockLine]:
    """Return the blocks whose bound holds only inside sensitive areas, so that it is not summed."""
    return [block for block in blocks if block.protected and block.exact_outside]


@register.filter
def parts_rotate(blocks: Iterable[BlockLine]) -> bool:
    """Return whether each person is asked only some of the parts."""
    return any(
        block.protected and not (block.is_counted or block.exact_outside or block.is_anchor)
        for block in blocks
    )


for formatter_of in (
    ended_text,
    epsilon_text,
    gamma_text,
    is_disguised_here,
    light_epsilon,
    mechanism_text,
    policy_text,
    promises_in_words,
):
    register.filter(formatter_of.__name__, formatter_of)
