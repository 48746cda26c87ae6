"""Read a pasted text again with changes that mean nothing to a person: what differs was not read for sure.

The reader compares each line with all others. Without indents, or below a copy of itself, a text still
asks the same questions. If the reader then finds other ones, its first reading hung on something small.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from surveys.imports.questionnaire import Question, Questionnaire

LONGEST: Final = 6_000
"""Longest text, in characters, that is read again: more takes too long, and long texts recur more."""

_INDENT: Final = re.compile(r"^[ \t]{1,12}(?=\S)")
"""Blanks in front of a line; more of them put it into a column."""


def differing_lines(
    text: str, survey: Questionnaire, read: Callable[[str], Questionnaire]
) -> tuple[set[int], set[int]]:
    """Return the lines of questions that are read otherwise without indents, and with the text written twice.

    Parameters
    ----------
    text : str
    survey : Questionnaire
        As the text was read.
    read : callable
        Reads a text.

    Examples
    --------
    >>> first = Questionnaire()
    >>> differing_lines("1. Who?", first, lambda text: first)
    (set(), set())
    """
    if len(text) > LONGEST:
        return set(), set()
    lines = text.split("\n")
    changed = ("\n".join(_INDENT.sub("", line) for line in lines), "\n".join([*lines, "", *lines]))
    return _differences(survey, read(changed[0]), len(lines)), _differences(
        survey, read(changed[1]), len(lines)
    )


def _differences(survey: Questionnaire, other: Questionnaire, last: int) -> set[int]:
    """Return the lines up to the last one of questions that two readings do not share."""
    first, second = _meanings(survey), _meanings(other)
    return {line for line in first | second if line <= last and first.get(line) != second.get(line)}


def _meanings(survey: Questionnaire) -> dict[int, tuple[Any, ...]]:
    """Return what each question asks, by its line."""
    kept = {line for note in survey.notes if note.asks == "keep" for line in (note.line, note.target)}
    return {each.line: (*_meaning(each), each.line in kept) for each in survey.questions}


def _meaning(question: Question) -> tuple[Any, ...]:
    options = [(tuple(option.texts.values()), option.points) for option in question.options]
    number = question.own.get("number", {})
    ends = number.get("low"), number.get("high")
    return tuple(question.texts.values()), question.kind, options, question.points, question.condition, ends
