"""Keep the answers below a line to which a person gave another role."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    HEADING,
    INTRODUCTION,
    LEFT,
    QUESTION,
    TITLE,
    SourceLine,
    behind_mark,
    split_space,
)
from surveys.imports.words.answers_on_line import answers_on
from surveys.imports.words.question_marks import holds_question

_ENDING: Final = (HEADING, TITLE, INTRODUCTION, LEFT)
"""Roles of lines that have no answers."""


def release_answers(lines: Sequence[SourceLine], chosen: Collection[int]) -> None:
    """Separate the answers directly below a line from it, if a person made it a heading or left it out.

    They are questions if one of them asks, lists answers or has a space to write. Otherwise they are left
    out, and asked about. A line that is left out inside a list ends no list.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their marks read.
    chosen : collection of int
        Numbers of the lines whose role a person chose; those keep it.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> texts = ("You", "- Age: __", "- Town")
    >>> lines = [read_line(number, each, has_gap=False) for number, each in enumerate(texts, 1)]
    >>> for line, role in zip(lines, (HEADING, ANSWER, ANSWER)):
    ...     line.give(role)
    >>> release_answers(lines, {1})
    >>> [line.role for line in lines]
    ['heading', 'question', 'question']
    """
    for place, line in enumerate(lines):
        if line.number not in chosen or line.role not in _ENDING or (line.role == LEFT and not line.has_gap):
            continue
        below: list[SourceLine] = []
        for each in lines[place + 1 :]:
            if each.role != ANSWER or each.number in chosen or each.has_gap:
                break
            below.append(each)
        role = QUESTION if any(map(_is_question, below)) else LEFT
        for each in below:
            each.give(role, is_certain=False)


def _is_question(line: SourceLine) -> bool:
    """Return whether a line asks something, lists answers after its text, or has a write-in space."""
    listed = answers_on(behind_mark(line))
    is_list = listed is not None and bool(listed.before)
    return holds_question(line.text) or is_list or split_space(line.text) is not None
