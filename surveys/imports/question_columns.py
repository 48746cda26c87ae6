"""Questions side by side in columns, each above its own answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.answers_on_line import BOX
from surveys.imports.marks import mark_of
from surveys.imports.question_marks import holds_question

_CELL: Final = re.compile(r"[^\s](?:[^\t\s]|[ ](?! ))*")
"""A cell; at least two blanks or a tab are between cells."""
_NEAR: Final = 6
"""Columns by which an answer may begin before or after its question."""
_LEAST: Final = 2
_MOST: Final = 4


def split_columns(lines: Sequence[str]) -> list[str]:
    """Write questions that stand side by side one below the other, each with its answers on its line.

    Parameters
    ----------
    lines : sequence of str
        Those whose answers moved become empty.

    Examples
    --------
    >>> rows = ["1. Ill?       2. Sad?", "( ) yes       1 no", "( ) no        2 yes"]
    >>> split_columns(rows)
    ['1. Ill?   ( ) yes   ( ) no', '2. Sad?   ○ no   ○ yes', '']
    """
    found = list(lines)
    place = 0
    while place < len(found):
        heads = _heads(found[place])
        end = place + 1
        while heads and end < len(found) and _is_row(found[end], heads):
            end += 1
        texts = _columns(found[place:end], heads) if heads else []
        if texts:
            found[place:end] = [*texts, *[""] * (end - place - len(texts))]
        place = max(end, place + 1)
    return found


def _cells(line: str) -> list[tuple[int, str]]:
    """Return the cells of a line, each with its column."""
    wide = line.expandtabs(24) if "\t" in line else line
    return [(cell.start(), cell[0].strip()) for cell in _CELL.finditer(wide)]


def _heads(line: str) -> list[tuple[int, str]]:
    """Return the questions that a line has side by side, each with a number; empty if it has no two."""
    cells = _cells(line)
    marks = [mark_of(text)[0] for _start, text in cells]
    are_numbered = all(mark is not None and mark.kind == "count" for mark in marks)
    are_asked = are_numbered and all(holds_question(text) for _start, text in cells)
    values = {mark.value for mark in marks if mark}
    return cells if _LEAST <= len(cells) <= _MOST and are_asked and len(values) == len(cells) else []


def _is_row(line: str, heads: Sequence[tuple[int, str]]) -> bool:
    """Return whether the cells of a line are below questions: one cell at most below each."""
    cells = _cells(line)
    columns = [_column(start, heads) for start, _text in cells]
    is_free = not any(holds_question(text) for _start, text in cells)
    return bool(cells) and is_free and None not in columns and len({*columns}) == len(columns)


def _column(start: int, heads: Sequence[tuple[int, str]]) -> int | None:
    near = min(range(len(heads)), key=lambda column: abs(heads[column][0] - start))
    return near if abs(heads[near][0] - start) <= _NEAR else None


def _columns(lines: Sequence[str], heads: Sequence[tuple[int, str]]) -> list[str]:
    """Return a line for each question, with the answers below it; empty if a question has no two answers."""
    answers: list[list[str]] = [[] for _head in heads]
    for line in lines[1:]:
        for start, text in _cells(line):
            column = _column(start, heads)
            if column is not None:
                body = mark_of(text)[1]
                answers[column].append(text if BOX.match(text) else f"○ {body}")
    if len(lines) < len(heads) or min(map(len, answers)) < _LEAST:
        return []
    return ["   ".join([text, *own]) for (_start, text), own in zip(heads, answers, strict=True)]
