"""Warnings about composite questions: imprecise figures, careless answers and follow-ups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from privacy.planning.careless_components import careless_share
from privacy.planning.use import Use, use_of
from privacy.survey.composed_block import partners
from privacy.survey.composite import Composite
from privacy.survey.design import Block, Question
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.follow_up_time import branching_findings
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.rule_words import slips_clause

MOST_COMPOSITE_LEVELS: Final = 6
MOST_OF_RANGE: Final = 0.05
"""Half-width of a mean sum, as a share of its range, above which one cut-off shows more."""
MOST_SLIPS: Final = 0.03


def check_composites(definition: Definition, aim: Aim | None) -> Iterator[Finding]:
    """Warn of imprecise figures, careless answers and follow-ups; margins need an expected number of people.

    Parameters
    ----------
    definition : Definition
    aim : Aim or None
        With the number of people; None if it is not stated.
    """
    design = definition.design
    use = use_of(design, aim.within(design)) if aim is not None and aim.people > 0 else None
    for number, block in enumerate(design.blocks):
        for position, question in enumerate(block.questions):
            if question.computed is not None:
                path = f"blocks[{number}].questions[{position}]"
                words = definition.wording["blocks"][number]["questions"][position]
                text = text_in(words["text"])
                yield from _findings(question, text or question.key, path, use)
        names = [text_in(each["text"]) for each in definition.wording["blocks"][number]["questions"]]
        yield from _placebos(block, names, f"blocks[{number}]")
    yield from branching_findings(design, definition.wording)


def _placebos(block: Block, names: Sequence[str], path: str) -> Iterator[Finding]:
    """Warn of placebo indices that collect other careless answers than their index does."""
    for placebo, index in partners(block, "placebo_of").items():
        rules = [block.questions[place].computed for place in (placebo, index)]
        counts = [len(rule.components) - len(rule.instructed) for rule in rules if rule is not None]
        starts = [[level.start for level in rule.levels] for rule in rules if rule is not None]
        if counts[0] == counts[1] and starts[0] == starts[1]:
            continue
        words = {"placebo": names[placebo], "index": names[index]}
        yield _warning(
            "placebo_unlike",
            f"{path}.questions[{placebo}]",
            _(
                "the placebo index “%(placebo)s” has other numbers of questions or other levels than "
                "“%(index)s”, so it collects other careless answers"
            )
            % words,
            _("give it as many questions, and the same levels"),
        )


def _findings(question: Question, text: str, path: str, use: Use | None) -> Iterator[Finding]:
    rule = question.computed
    if rule is None:
        return
    widths = {} if use is None else use.widths
    margins = [width for key in question.item_keys if (width := widths.get(key)) is not None]
    if len(question.options) > MOST_COMPOSITE_LEVELS:
        counts = {"question": text, "count": count_text(len(question.options))}
        message = (
            _("“%(question)s” has %(count)s levels, with margins of up to ±%(width)s points")
            % {**counts, "width": f"{100 * max(margins):.1f}"}
            if margins
            else _("“%(question)s” has %(count)s levels, so the share of each is imprecise") % counts
        )
        yield _warning("many_levels", path, message, _("use at most six levels; one cut-off is most precise"))
    width = widths.get(question.key)
    if use is not None and question.has_mean and width is not None and width > MOST_OF_RANGE:
        low, high = rule.reach.sums[0], rule.reach.sums[-1]
        yield _warning(
            "sum_imprecise",
            path,
            _(
                "“%(question)s” is a sum of %(low)s to %(high)s points, and its mean has a margin of "
                "±%(width)s"
            )
            % {
                "question": text,
                "low": low,
                "high": high,
                "width": f"{width * use.ranges[question.key]:.1f}",
            },
            _("send one cut-off instead: yes from a number of points"),
        )
    slips = careless_share(rule)
    if slips is not None and slips > MOST_SLIPS and not rule.placebo_of:
        yield _warning(
            "slips",
            path,
            slips_clause(rule, text),
            _slips_remedy(rule),
        )


def _slips_remedy(rule: Composite) -> str:
    """Return what makes slips rarer: one act more, if the rule counts acts and there are as many."""
    counted = [component for component in rule.components if not component.instructed]
    least = rule.levels[-1].start
    counts = len(rule.levels) == 2 and all(each.points == (0, 1) for each in counted)
    if not counts or least is None or least >= len(counted):
        return _("ask only about the severe ones, or ask fewer questions")
    return _("ask whether at least %(count)s of them are true, or ask only about the severe ones") % {
        "count": count_text(least + 1)
    }


def _warning(code: str, path: str, message: str, remedy: str) -> Finding:
    return Finding(level=Level.WARN, code=code, path=path, message=message, remedy=remedy)
