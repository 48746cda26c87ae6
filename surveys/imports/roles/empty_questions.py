"""Numbered lines that ask nothing and have no answers: headings of the questions below them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    FIELD,
    HEADING,
    QUESTION,
    ROW,
    SCALE,
    SourceLine,
    answers_of,
    split_space,
)
from surveys.imports.words.question_marks import holds_question

_ASKED: Final = (QUESTION, ROW)
_ANSWERED: Final = (ANSWER, FIELD)
_PART_OF_ANOTHER: Final = (*_ASKED, SCALE, HEADING)


def head_with_empty_questions(lines: Sequence[SourceLine], chosen: Collection[int]) -> None:
    """Make questions of one shape headings if none of them asks or has answers, and others are below them.

    The first of them is above all other questions: items of a question below it are no headings.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles.
    chosen : collection of int
        Numbers of the lines whose role a person chose; those keep it.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> texts = ("TOP 1 Kitchen", "TOP 2 Survey", "a) Do you eat here?", "b) Often?", "TOP 3 Other")
    >>> lines = [read_line(number, each, has_gap=False) for number, each in enumerate(texts, 1)]
    >>> for line in lines:
    ...     line.give(QUESTION)
    >>> head_with_empty_questions(lines, ())
    >>> [line.role for line in lines]
    ['heading', 'heading', 'question', 'question', 'heading']
    """
    places = defaultdict[str, list[int]](list)
    for place, line in enumerate(lines):
        if line.role in _ASKED:
            places[line.mark_shape if line.mark and line.mark.value else ""].append(place)
    asked = {name: found for name, found in places.items() if not all(_is_empty(lines, at) for at in found)}
    first = min((at for found in asked.values() for at in found), default=len(lines))
    for name, found in places.items():
        if (
            not name
            or name in asked
            or found[0] > first
            or not any(at > found[0] for at in map(min, asked.values()))
        ):
            continue
        for place in found:
            if lines[place].number not in chosen:
                lines[place].give(HEADING, is_certain=False)


def _is_empty(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a question asks nothing, lists nothing, and has nothing to answer with below it."""
    line = lines[place]
    if line.role != QUESTION or (line.cells[1:2] and line.topic):
        return False
    if holds_question(line.text) or split_space(line.text) is not None or line.ends_with_colon:
        return False
    listed = answers_of(line)
    if listed is not None and listed.before and listed.sign not in ",":
        return False
    below = next(
        (each.role for each in lines[place + 1 :] if each.role in (*_ANSWERED, *_PART_OF_ANOTHER)), ""
    )
    return below not in _ANSWERED
