"""Remarks behind the last question that hold a question mark, but ask respondents nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import LEFT, SourceLine, answers_of, split_space, unit_of_space
from surveys.imports.words.cues import is_condition, pattern_of, says_how_many
from surveys.imports.words.question_marks import asks, holds_question

_ASKS_TEXT: Final = pattern_of("asks-text")
_MARKS: Final = re.compile(r"[?？؟]\W{0,3}")
_LABEL: Final = re.compile(r"[^\W\d_][^:：?？.]{0,40}[:：]\s?\S")
"""A label in front of a remark: *PS: ...*, *Note for the tutor: ...*."""
_LEAST_ASKED: Final = 2


def leave_closing(lines: Sequence[SourceLine]) -> None:
    """Leave out the last line that asks if words follow its question mark, or only it has a label in front.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it. At least one above it asks.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> text = ["1. Who?", "- all", "2. When?", "- now", "PS: is it too long? Call me."]
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(text)]
    >>> leave_closing(lines)
    >>> [line.role for line in lines]
    ['', '', '', '', 'left']
    """
    asking = [place for place, line in enumerate(lines) if holds_question(line.text)]
    if len(asking) < _LEAST_ASKED:
        return
    last, above = lines[asking[-1]], lines[asking[-2]]
    is_free = not (last.role or last.mark) and (above.mark is not None or above.is_starred or last.has_gap)
    listed = answers_of(last)
    has_list = listed is not None and listed.sign not in (",", "-")
    has_label = _LABEL.match(last.text) is not None and not any(
        _LABEL.match(lines[place].text) for place in asking[:-1]
    )
    if not (is_free and (has_label or _is_remark(last.text))) or has_list or split_space(last.text):
        return
    behind = lines[asking[-1] + 1 : asking[-1] + 2]
    if any(line.mark or unit_of_space(line.text) is not None for line in behind):
        return
    if not (is_condition(last.text) or says_how_many(last.text) or _ASKS_TEXT.search(last.text)):
        last.give(LEFT, is_certain=False)


def _is_remark(text: str) -> bool:
    """Return whether words follow a question mark, or several questions are asked."""
    return not asks(text) or len(_MARKS.findall(text)) > 1
