"""Filters for a run or a design: questions, costs, method."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from django import template

from mining.interest import WITH_INTERVALS
from privacy.risk.budget import block_budget
from privacy.survey.design import Block, Design
from surveys.errors.error import refusal_said, sentences
from surveys.formats.figures import Figure, difference_figure, number, ratio_figure, share_figure
from surveys.models import RuleRow, Version
from surveys.questionnaire.aim import promises_in_words
from surveys.questionnaire.labels import BlockLine, block_lines, light_epsilon, policy_text
from surveys.report.rule_rows import MAIN, Measure, true_measures
from surveys.runs.run_summary import (
    direct_share,
    draw_facts,
    duration_text,
    is_disguised_here,
    is_outdated,
    requester,
    safeguards_of,
    sides_text,
)
from surveys.runs.snapshot import signing_key

register = template.Library()

for written in (
    direct_share, draw_facts,
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
    """Return the blocks whose bound holds only inside sensitive places, and is not summed."""
    return [block for block in blocks if block.protected and block.exact_outside]


@register.filter
def take_turns(blocks: Iterable[BlockLine]) -> bool:
    """Whether each person is asked only some of the parts."""
    return any(
        block.protected and not (block.is_counted or block.exact_outside or block.is_anchor)
        for block in blocks
    )


_WRITTEN_AS: Final[dict[str, Callable[[float | None, float | None, float | None], Figure]]] = {
    "share": share_figure,
    "ratio": ratio_figure,
    "difference": difference_figure,
}
"""By the kind of a measure."""


@register.simple_tag
def measures_with_intervals() -> tuple[Measure, ...]:
    """Return the measures of the registry that have intervals."""
    return MAIN


@register.filter
def measured(rule: RuleRow, name: str) -> Figure:
    """Return a measure of a rule with the interval that pages print.

    >>> rule = RuleRow(lift=1.5, leverage=0.1)
    >>> rule.printed = {"lift": (1.2, 2)}
    >>> measured(rule, "lift").low, measured(rule, "leverage").has_interval
    ('1.20', False)
    """
    if name not in WITH_INTERVALS:
        return Figure(value=number(rule.inference.interest.get(name)))
    value, written = getattr(rule, name), _WRITTEN_AS[WITH_INTERVALS[name].kind]
    if name not in rule.printed:
        return Figure(value=written(value, value, value).value)
    return written(value, *rule.printed[name])


@register.filter
def true_value(rule: RuleRow, name: str) -> str:
    """Write the true value of a measure where it is known.

    >>> true_value(RuleRow(truth=0.2, truth_antecedent=0.4, truth_consequent=0.25), "lift")
    '2.00'
    """
    if name not in WITH_INTERVALS:
        return ""
    value = rule.truth if name == "support" else true_measures(rule).get(name)
    return number(value, 2 if WITH_INTERVALS[name].kind == "ratio" else 3)
