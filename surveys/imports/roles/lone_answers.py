"""What is below a question: answers, or a single line, which is never its only answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    FIELD,
    HEADING,
    HELP,
    INSTRUCTION,
    JOINED,
    LEFT,
    QUESTION,
    SKIP,
    SourceLine,
    all_answers,
    answers_of,
    split_space,
)
from surveys.imports.words.number_ranges import STATED_RANGE
from surveys.imports.words.patterns import LETTER, WHOLE_NUMBER
from surveys.imports.words.stated_scale import two_ends

_BETWEEN: Final = (INSTRUCTION, HELP, SKIP, FIELD, LEFT)
"""Roles of lines that may be between a question and its answers."""
_MOST_ENDS: Final = 2


def read_lone_answers(lines: Sequence[SourceLine], chosen: Collection[int]) -> None:
    """Give another role to a line that is the only answer of its question.

    It is a space to write, a heading, or explains the question. A line that lists answers, states two ends,
    or has the mark of other answers keeps its role.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles.
    chosen : collection of int
        Numbers of the lines whose role a person chose; those keep it.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> texts = ("How many hours?", "about ____ hours", "With whom?", "Read out!")
    >>> lines = [read_line(number, each, has_gap=False) for number, each in enumerate(texts, 1)]
    >>> for line, role in zip(lines, (QUESTION, ANSWER, QUESTION, ANSWER)):
    ...     line.give(role)
    >>> read_lone_answers(lines, ())
    >>> [line.role for line in lines]
    ['question', 'field', 'question', 'help']
    """
    groups = [*_answers_of_questions(lines)]
    list_shapes = {_shape(line) for answers, _below in groups for line in answers if len(answers) > 1}
    for answers, below in groups:
        line, shape = answers[0], _shape(answers[0])
        is_list = len(answers) > 1 or (shape and shape in list_shapes) or _says_answers(line)
        if is_list or line.number in chosen:
            continue
        is_last = below is not None and below.role == QUESTION and below.number == line.number + 1
        if _is_space(line):
            line.give(FIELD)
        elif STATED_RANGE.search(line.text) and not shape:
            line.give(INSTRUCTION)
        elif shape and is_last:
            line.give(HEADING, is_certain=False)
        elif not shape:
            line.give(LEFT if line.has_gap else HELP, is_certain=False)


def _answers_of_questions(
    lines: Sequence[SourceLine],
) -> Iterator[tuple[list[SourceLine], SourceLine | None]]:
    """Yield the answers of each question that has some, with the line below them."""
    for place, asked in enumerate(lines):
        if asked.role != QUESTION or asked.is_whole:
            continue
        below = [*takewhile(lambda line: line.role in (ANSWER, *_BETWEEN), lines[place + 1 :])]
        answers = [line for line in below if line.role == ANSWER]
        if not answers:
            continue
        at = place + 1 + below.index(answers[-1])
        following = lines[at + 1] if at + 1 < len(lines) else None
        if following is None or following.role in (QUESTION, HEADING, *_BETWEEN):
            yield answers, following


def _shape(line: SourceLine) -> str:
    """Return the shape of a line's mark; empty without a mark of its own."""
    return line.mark_shape if line.mark_shape not in ("", "indent") else ""


def _says_answers(line: SourceLine) -> bool:
    """Return whether a line lists answers or steps, states two ends, or is a number."""
    is_list = answers_of(line) is not None or all_answers(line) is not None
    is_list = is_list or len(WHOLE_NUMBER.findall(line.text)) > _MOST_ENDS
    is_list = is_list or STATED_RANGE.match(line.body) is not None
    return is_list or two_ends(line.text) is not None or LETTER.search(line.text) is None


def _is_space(line: SourceLine) -> bool:
    return line.is_space or split_space(line.text) is not None


def look_below(lines: Sequence[SourceLine]) -> None:
    """Tell each question whether answers are below it; one that lists answers, too, has two readings.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> lines = [read_line(number, each, has_gap=False) for number, each in enumerate(("Why?", "- So"), 1)]
    >>> for line, role in zip(lines, (QUESTION, ANSWER)):
    ...     line.give(role)
    >>> look_below(lines)
    >>> lines[0].has_answers
    True
    """
    below = ""
    for line in reversed(lines):
        if line.role == QUESTION:
            line.has_answers = below == ANSWER
            listed = answers_of(line) if line.has_answers else None
            if listed and listed.before and listed.sign not in ",; /":
                line.is_certain = False
        if line.role not in (INSTRUCTION, HELP, SKIP, LEFT, JOINED):
            below = line.role
