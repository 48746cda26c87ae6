"""Answers in a column at the right of their question, one below the other, as on paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.prefixes import Pair

_WIDE: Final = re.compile(r"(?<!\s)\s{3,}")
_GAP: Final = re.compile(r"(?<!\s)\s{2,}")
_NEAR: Final = 2
"""Columns by which answers below each other may differ."""
_LEAST_COLUMN: Final = 12
_LONGEST: Final = 60


def unfold_answers(pairs: Sequence[Pair]) -> list[Pair]:
    """Write the answers beside a question on the line below it, codes in front.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers. Lines whose answer moved become empty.

    Examples
    --------
    >>> unfold_answers([(1, "1. Hit you?     Yes  1"), (2, "                No   2"), (3, "2. When?")])
    [(1, '1. Hit you?'), (2, '1 Yes / 2 No'), (3, '2. When?')]
    """
    found = list(pairs)
    place = 0
    while place < len(found):
        text, column, answer = _split(found[place][1])
        answers, end = [answer], place + 1
        while answer and text and end < len(found):
            before, own, below = _split(found[end][1])
            if before or not below or abs(own - column) > _NEAR:
                break
            answers.append(below)
            end += 1
        if len(answers) > 1:
            coded = [_GAP.split(each) for each in answers]
            if all(len(each) == 2 for each in coded):
                answers = [f"{code} {label}" for label, code in coded]
            found[place] = found[place][0], text
            found[place + 1] = found[place + 1][0], " / ".join(answers)
            found[place + 2 : end] = [(number, "") for number, _text in found[place + 2 : end]]
        place = end
    return found


def _split(line: str) -> tuple[str, int, str]:
    """Return the text of a line, the column of the answer at its right, and this answer; empty without one.

    An answer has no further columns behind it but the one of its code.

    >>> _split("1. Hit you?     Yes   1"), _split("                No"), _split("Form        Yes     No")[2]
    (('1. Hit you?', 16, 'Yes   1'), ('', 16, 'No'), '')
    """
    body = line.strip()
    blanks = len(line) - len(line.lstrip())
    gap = None if blanks >= _LEAST_COLUMN else _WIDE.search(body)
    if blanks < _LEAST_COLUMN and gap is None:
        return body, 0, ""
    text, answer = (body[: gap.start()], body[gap.end() :]) if gap else ("", body)
    column = blanks + (gap.end() if gap else 0)
    pieces = _GAP.split(answer)
    is_coded = len(pieces) == 2 and pieces[1].isdecimal() and len(pieces[1]) < 3
    is_answer = len(answer) <= _LONGEST and (len(pieces) == 1 or is_coded)
    return (text, column, answer) if is_answer else (body, 0, "")
