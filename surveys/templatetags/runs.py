"""Filters for a run or a design: questions, costs, method."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from privacy.risk.budget import block_budget
from privacy.survey.design import Block, Design
from surveys.errors.error import refusal_said, sentences
from surveys.estimates.run_summary import (
    command_line,
    direct_share,
    draw_facts,
    duration_text,
    is_disguised_here,
    is_outdated,
    requester,
    safeguards_of,
    sides_text,
)
from surveys.models import Version
from surveys.questionnaire.aim import promises_in_words
from surveys.questionnaire.labels import BlockLine, block_lines, light_epsilon, policy_text
from surveys.rows.snapshot import signing_key

register = template.Library()

for written in (
    command_line, direct_share, draw_facts,
    duration_text, is_disguised_here, is_outdated, light_epsilon, policy_text,
    promises_in_words,
    refusal_said, requester, safeguards_of, sentences, sides_text,
):  # fmt: skip
    register.filter(written.__name__, written)


register.simple_tag(signing_key)


@register.filter
def blocks_of(version: Version) -> tuple[BlockLine, ...]:
    """Return what each block asks and costs."""
    return block_lines(version, version.to_design())


@register.filter
def exact_outside(block: Block) -> bool:
    """Whether a place of a disguised part is sent as it is outside its sensitive areas."""
    return block_budget(block).exact_outside


@register.filter
def open_questions(design: Design) -> int:
    """Count the questions that are not disguised."""
    return sum(len(block.questions) for block in design.blocks if not block.protected)


@register.filter
def summed(blocks: Iterable[BlockLine]) -> list[BlockLine]:
    """Return the blocks whose costs add up for one person."""
    return [block for block in blocks if block.protected and block.is_counted]


@register.filter
def not_composed(blocks: Iterable[BlockLine]) -> list[BlockLine]:
    """Return the blocks whose bound holds inside sensitive places only, and stands apart."""
    return [block for block in blocks if block.protected and block.exact_outside]


@register.filter
def take_turns(blocks: Iterable[BlockLine]) -> bool:
    """Whether one person is asked some of the parts only."""
    return any(
        block.protected and not (block.is_counted or block.exact_outside or block.is_anchor)
        for block in blocks
    )
