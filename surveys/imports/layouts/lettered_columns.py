"""Answers of one question in several columns, each behind its letter or number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import COLUMN_GAP
from surveys.imports.words.question_marks import asks, holds_question
from surveys.imports.words.runs import filled_runs

_LEAST: Final = 2
_NUMBERED: Final = re.compile(r"[(（\[]\d|\d{1,2}\s?[)）]")
"""A number with a bracket; numbers with other signs count questions, too."""


def list_columns(lines: Sequence[str]) -> list[str]:
    """Write answers in columns on the first of their lines, in the order of their letters.

    Parameters
    ----------
    lines : sequence of str
        The letters count from the first one, across or down the columns, below a question.

    Examples
    --------
    >>> list_columns(["1. When?", "a) 8:00    b) 9:00", "c) 10:00   d) 11:00"])
    ['1. When?', '○ 8:00   ○ 9:00   ○ 10:00   ○ 11:00', '']
    >>> list_columns(["1. When?", "a) 8:00    c) 10:00", "b) 9:00"])[1]
    '○ 8:00   ○ 9:00   ○ 10:00'
    """
    found = [*lines]
    for run in filled_runs([line.strip() for line in lines]):
        place = run.start + 1
        while place < run.stop:
            end = place
            while end < run.stop and _cells(lines[end]):
                end += 1
            answers = _in_order(lines[place:end])
            if answers and _is_asked(lines[place - 1]):
                indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
                found[place:end] = [indent + "   ".join(answers), *("" for _row in range(place + 1, end))]
            place = max(end, place + 1)
    return found


def _is_asked(line: str) -> bool:
    mark, _body = mark_of(line.strip())
    return holds_question(line) or (mark is not None and mark.kind == "count") or line.rstrip()[-1:] in ":："


def _cells(line: str) -> list[str]:
    """Return the cells of a line in columns; empty if one begins with neither a letter nor a number."""
    cells = [cell for cell in COLUMN_GAP.split(line.strip()) if cell]
    return cells if all(map(_counts, cells)) else []


def _counts(cell: str) -> bool:
    mark, body = mark_of(cell)
    is_list = mark is not None and (
        mark.kind == "letter" or (mark.kind == "count" and _NUMBERED.match(cell) is not None)
    )
    return is_list and not asks(body)


def _in_order(rows: Sequence[str]) -> list[str]:
    """Return the answers of rows in their order, with boxes in place of letters, or with their numbers.

    It is empty unless at least two rows follow each other, and their marks count from the first one.
    """
    cells = [cell for row in rows for cell in _cells(row)]
    marked = [(mark, body) for mark, body in map(mark_of, cells) if mark]
    if len(rows) < _LEAST or len(cells) == len(rows) or len({mark.shape for mark, _body in marked}) > 1:
        return []
    is_letter = marked[0][0].kind == "letter"
    values = [mark.value[-1] if is_letter else mark.value[1] for mark, _body in marked]
    answers = sorted(
        (value, f"○ {body}" if is_letter else cell)
        for value, cell, (_mark, body) in zip(values, cells, marked, strict=True)
    )
    first = min(values)
    is_first = first in ((ord("a"), ord("A")) if is_letter else (0, 1))
    counts = sorted(values) == [*range(first, first + len(values))]
    return [answer for _value, answer in answers] if is_first and counts else []
