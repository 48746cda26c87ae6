"""Lines that state a condition for the questions below them: *If yes:*"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import SKIP, SourceLine, answers_of, split_space
from surveys.imports.words.cues import CONDITION
from surveys.imports.words.limits import FOR_SOME
from surveys.imports.words.question_marks import holds_question

_ARROWS: Final = "→⇒➔>＞=- "


def find_leading_conditions(lines: Sequence[SourceLine]) -> None:
    """Give lines the role of a condition that hold only its clause and a colon, above a question.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> text = ["If yes:", "How often?", "If yes, where:", "( ) here", "( ) there"]
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(text)]
    >>> find_leading_conditions(lines)
    >>> [line.role for line in lines]
    ['skip', '', '', '', '']
    """
    for line, below in pairwise(lines):
        if not line.role and _is_clause(line) and (below.role == SKIP or _is_asked(below)):
            # An arrow in front of it leads to no other question.
            line.mark, line.text = None, line.body.lstrip(_ARROWS)
            line.body = line.text
            line.give(SKIP)


def _is_clause(line: SourceLine) -> bool:
    """Return whether a line is one clause with a colon that begins with words of a condition."""
    clause = line.body.rstrip(" :：")
    is_whole = clause != line.body.rstrip() and not holds_question(clause)
    bare = line.body.lstrip(_ARROWS)
    is_one = not any(sign in clause for sign in ",，:：") and CONDITION.match(bare) is not None
    return is_whole and (is_one or FOR_SOME.match(bare) is not None)


def _is_asked(line: SourceLine) -> bool:
    """Return whether a line asks, or is followed by its answers or a space to write on the same line."""
    listed = answers_of(line)
    return holds_question(line.text) or split_space(line.text) is not None or bool(listed and listed.before)
