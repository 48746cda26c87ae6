"""Footnotes: lines that begin with a sign which follows a word further up, such as a star."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import LEFT, SourceLine, StatedCondition
from surveys.imports.roles.listed_answers import number_allowed
from surveys.imports.words.cues import CONDITION, LEADS_ON, NAMES_QUESTION, says_how_many
from surveys.imports.words.limits import is_for_some
from surveys.imports.words.question_marks import asks, holds_question

_NOTE: Final = re.compile(r"(?P<sign>[*＊]{1,3}|[-–•·]|[¹²³⁴⁵⁶⁷⁸⁹†‡])\s?[(\"“„]?[^\W\d_]")
_BEHIND_WORD: Final = re.compile(r"(?<=[\w?.:)？。）])(?P<sign>[*＊]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹†‡])(?![\w*＊])")


def leave_footnotes(lines: Sequence[SourceLine]) -> None:
    """Leave out footnotes, and let lines that refer to them allow several answers, or limit who is asked.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> text = ["1. Which drugs*?", "a) LSD", "b) GHB", "* Several answers are possible."]
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(text)]
    >>> leave_footnotes(lines)
    >>> [line.role for line in lines], lines[0].body, {*lines[0].flags}
    (['', '', '', 'left'], 'Which drugs?', {'several'})
    """
    notes = [(place, match["sign"]) for place, line in enumerate(lines) if (match := _NOTE.match(line.text))]
    counts = Counter(sign for _place, sign in notes)
    for place, sign in notes:
        note = lines[place]
        above = [line for line in lines[:place] if sign in _signs(line)] if counts[sign] == 1 else []
        if note.role or not (above or _limits_others(note.text)):
            continue
        note.give(LEFT, is_certain=says_how_many(note.text))
        allowed, words = number_allowed(note.text), note.text.lstrip(sign).strip()
        if not above:
            note.mark, note.body = None, note.text
        limits = []
        if is_for_some(words) and not allowed:
            limits.append(StatedCondition(line=note.number, words=words))
        for line in above:
            line.flags |= allowed
            line.conditions = [*line.conditions, *limits]
            line.body = _BEHIND_WORD.sub("", line.body)


def _limits_others(text: str) -> bool:
    """Return whether a line says who answers the questions that it names, whatever sign it begins with.

    Examples
    --------
    >>> _limits_others("- Questions 2-3: smokers only"), _limits_others("- No (skip to question 5)")
    (True, False)
    """
    is_limit = is_for_some(text) or CONDITION.search(text) is not None
    is_about_others = NAMES_QUESTION.search(text) is not None and not (asks(text) or holds_question(text))
    return is_limit and is_about_others and not LEADS_ON.search(text)


def _signs(line: SourceLine) -> set[str]:
    """Return the signs of footnotes in a line."""
    return {match["sign"] for match in _BEHIND_WORD.finditer(line.text)} | (
        {"*"} if line.is_starred else set()
    )
