"""Warn of follow-ups that only some answers bring, because the time of a visit reveals these answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.survey.composite import Composite
from privacy.survey.design import Design
from surveys.formats.numbers import count_text
from surveys.questionnaire.composites import COMPUTED, NEUTRAL
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.languages import text_in

_SECONDS_PER_QUESTION: Final = 8
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
    length = _SECONDS_PER_QUESTION * asked
    is_evened = NEUTRAL in words
    added = _SECONDS_PER_QUESTION * len(followers)
    unknown, known = time_certainty(added, length, neutral=is_evened)
    message = (
        ngettext(
            "“%(question)s” asks follow-ups only after some answers, and neutral questions otherwise. With "
            "%(count)s other question, and neutral questions that take half as long, someone who can measure "
            "when the page was opened and when the answer arrived can become %(unknown)s%% sure that "
            "follow-ups were asked, or %(known)s%% if they know the person’s pace",
            "“%(question)s” asks follow-ups only after some answers, and neutral questions otherwise. With "
            "%(count)s other questions, and neutral questions that take half as long, someone who can "
            "measure when the page was opened and when the answer arrived can become %(unknown)s%% sure that "
            "follow-ups were asked, or %(known)s%% if they know the person’s pace",
            asked,
        )
        if is_evened
        else ngettext(
            "“%(question)s” asks follow-ups only after some answers. With %(count)s other question, someone "
            "who can measure when the page was opened and when the answer arrived can become %(unknown)s%% "
            "sure that follow-ups were asked, or %(known)s%% if they know the person’s pace",
            "“%(question)s” asks follow-ups only after some answers. With %(count)s other questions, someone "
            "who can measure when the page was opened and when the answer arrived can become %(unknown)s%% "
            "sure that follow-ups were asked, or %(known)s%% if they know the person’s pace",
            asked,
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
    figures = {"question": text, "count": count_text(asked), "unknown": unknown, "known": known}
    # The builder opens at the neutral questions: an explanation, and the button that fills them in.
    place = f"{path}.{COMPUTED}.{NEUTRAL}"
    yield Finding(level=Level.WARN, code="branching", path=place, message=message % figures, remedy=remedy)
