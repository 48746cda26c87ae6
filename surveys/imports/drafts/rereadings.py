"""Find questions that are read differently after changes to the text that do not matter to a person.

The reader compares each line with all others. Without indents, or below a copy of itself, a text still
asks the same questions. If the reader then finds different ones, its first reading was uncertain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from surveys.imports.drafts.questionnaire import Question, Questionnaire

LONGEST: Final = 6_000
"""Longest text, in characters, that is read again: more takes too long, and long texts recur more."""

_INDENT: Final = re.compile(r"^[ \t]{1,12}(?=\S)")
"""Blanks in front of a line; more of them put it into a column."""
QUESTION, CONDITION, KIND, ANSWERS, POINTS, TEXT = (
    "question",
    "condition",
    "kind",
    "answers",
    "points",
    "text",
)
"""What two readings of a line may not share: that it is a question at all, or something about it."""


Differing = tuple[Mapping[int, str], Mapping[int, str]]
"""By line, what differs if the text is read without indents, and if it is written twice."""


def differing_lines(text: str, survey: Questionnaire, read: Callable[[str], Questionnaire]) -> Differing:
    """Return the questions that are read otherwise without indents, and with the text written twice.

    Parameters
    ----------
    text : str
    survey : Questionnaire
        As the text was read.
    read : callable
        Reads a text.

    Returns
    -------
    tuple of two dict of int to str
        By line, what differs: `QUESTION` if only one reading has a question there, `CONDITION`, `KIND`,
        `ANSWERS`, `POINTS` or `TEXT`.

    Examples
    --------
    >>> first = Questionnaire()
    >>> differing_lines("1. Who?", first, lambda text: first)
    ({}, {})
    """
    if len(text) > LONGEST:
        return {}, {}
    lines = text.split("\n")
    without_indents = "\n".join(_INDENT.sub("", line) for line in lines)
    twice = "\n".join([*lines, "", *lines])
    # The same text is read as it was.
    first = {} if without_indents == text else _differences(survey, read(without_indents), len(lines))
    return first, _differences(survey, read(twice), len(lines), start=_first_line(survey))


def _first_line(survey: Questionnaire) -> int:
    """Return the line of the first question. In the second copy, the lines above it do not begin the text."""
    return min((question.line for question in survey.questions), default=0)


def _differences(survey: Questionnaire, other: Questionnaire, last: int, start: int = 0) -> dict[int, str]:
    """Return what two readings do not share about the questions from one line up to another."""
    first, second = _meanings(survey), _meanings(other)
    found = {}
    for line in sorted(first.keys() | second.keys()):
        mine, theirs = first.get(line), second.get(line)
        if start <= line <= last and mine != theirs:
            found[line] = (
                next(what for what in mine if mine[what] != theirs[what]) if mine and theirs else QUESTION
            )
    return found


def _meanings(survey: Questionnaire) -> dict[int, dict[str, object]]:
    """Return what each question asks, by its line."""
    kept = {line for note in survey.notes if note.asks == "keep" for line in (note.line, note.target)}
    return {
        each.line: {CONDITION: (each.condition, each.line in kept)} | _asked(each)
        for each in survey.questions
    }


def _asked(question: Question) -> dict[str, object]:
    """Return what a question asks everyone, the most important first."""
    number = question.own.get("number", {})
    return {
        KIND: (question.kind, number.get("low"), number.get("high")),
        ANSWERS: [tuple(option.texts.values()) for option in question.options],
        POINTS: ([option.points for option in question.options], question.points),
        TEXT: tuple(question.texts.values()),
    }
