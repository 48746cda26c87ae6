"""Warnings about composite questions: imprecise figures, careless answers and follow-ups that take time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.planning.careless_components import careless_share
from privacy.planning.use import Use, use_of
from privacy.survey.composed_block import partners
from privacy.survey.composite import Composite
from privacy.survey.design import Block, Design, Question
from surveys.formats.numbers import count_text
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import NEUTRAL
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.rule_words import slips_clause

MOST_COMPOSITE_LEVELS: Final = 6
MOST_OF_RANGE: Final = 0.05
"""Half-width of a mean sum, as a share of its range, above which one cut-off shows more."""
MOST_SLIPS: Final = 0.03
SECONDS_PER_QUESTION: Final = 8
CERTAINTIES: Final = {
    (5, 1): (61, 70), (5, 3): (54, 57), (5, 10): (52, 52),
    (20, 1): (87, 99), (20, 3): (66, 76), (20, 10): (55, 59),
    (60, 1): (100, 100), (60, 3): (87, 98), (60, 10): (64, 74),
}  # fmt: skip
"""Certainty about a filter, by the seconds that follow-ups add and the minutes of the survey.

In percent, for an unknown and a known pace of the person. `python -m benchmarks.follow_up_time` measures it.
"""
NEUTRAL_CERTAINTIES: Final = {
    (5, 1): (55, 60), (5, 3): (52, 54), (5, 10): (51, 51),
    (20, 1): (71, 87), (20, 3): (57, 64), (20, 10): (52, 54),
    (60, 1): (90, 100), (60, 3): (70, 87), (60, 10): (57, 63),
}  # fmt: skip
"""The same with neutral questions that take half as long as the follow-ups."""


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


def branching_findings(design: Design, wording: Mapping[str, Any]) -> Iterator[Finding]:
    """Warn of follow-ups that only some answers bring, in a draft or a published version.

    Parameters
    ----------
    design : Design
    wording : mapping
        Its texts.
    """
    for number, block in enumerate(design.blocks):
        for position, question in enumerate(block.questions):
            if question.computed is not None:
                path = f"blocks[{number}].questions[{position}]"
                words = wording["blocks"][number]["questions"][position]
                text = text_in(words["text"]) or question.key
                yield from _branching(question.computed, words, text, path, design)


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


def time_certainty(added: float, length: float, *, neutral: bool = False) -> tuple[int, int]:
    """Return how sure the time of a visit makes an observer of a filter, in percent: pace unknown, and known.

    Parameters
    ----------
    added : float, seconds
        How much longer a visit with follow-ups takes.
    length : float, seconds
        A visit without follow-ups.
    neutral : bool
        Whether neutral questions are shown instead of follow-ups.

    Notes
    -----
    Between measured cases, the one that reveals more counts; beyond them, certainty.

    Examples
    --------
    >>> time_certainty(16, 200), time_certainty(16, 200, neutral=True), time_certainty(90, 200)
    ((66, 76), (57, 64), (100, 100))
    """
    measured = NEUTRAL_CERTAINTIES if neutral else CERTAINTIES
    rows = [seconds for seconds, _minutes in measured if seconds >= added]
    columns = [minutes for _seconds, minutes in measured if 60 * minutes <= length]
    return measured[min(rows), max(columns)] if rows and columns else (100, 100)


def _branching(
    rule: Composite, words: Mapping[str, Any], text: str, path: str, design: Design
) -> Iterator[Finding]:
    """Warn of follow-ups that only some answers bring, because the time of a visit reveals these answers."""
    followers = [component for component in rule.components if component.is_follower]
    if not followers:
        return
    rules = [question.computed for block in design.blocks for question in block.questions]
    asked = sum(1 if each is None else len(each.components) for each in rules) - len(followers)
    length = SECONDS_PER_QUESTION * asked
    is_evened = NEUTRAL in words
    added = SECONDS_PER_QUESTION * len(followers)
    unknown, known = time_certainty(added, length, neutral=is_evened)
    message = (
        _(
            "“%(question)s” asks follow-ups only after some answers, and neutral questions otherwise. In a "
            "survey of about %(minutes)s minutes, and with neutral questions that take half as long, someone "
            "who can measure when the page was opened and when the answer arrived can become %(unknown)s%% "
            "sure that follow-ups were asked, or %(known)s%% if they know the person’s pace"
        )
        if is_evened
        else _(
            "“%(question)s” asks follow-ups only after some answers. In a survey of about %(minutes)s "
            "minutes, someone who can measure when the page was opened and when the answer arrived can "
            "become %(unknown)s%% sure that follow-ups were asked, or %(known)s%% if they know the "
            "person’s pace"
        )
    )
    remedy = (
        _("ask everyone the follow-ups, with an answer “does not apply”")
        if is_evened
        else _(
            "ask everyone the follow-ups, with an answer “does not apply”, or add neutral questions for "
            "people who are not asked them"
        )
    )
    figures = {"question": text, "minutes": f"{length / 60:.1f}", "unknown": unknown, "known": known}
    yield _warning("branching", path, message % figures, remedy)


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
