"""Items below a question that lists their answers, and items next to the steps of a scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    HEADING,
    QUESTION,
    SourceLine,
    answers_of,
)
from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.question_marks import asks

_IS_CODE: Final = re.compile(r"[(（]?9[)）=＝]?")


def read_items(lines: Sequence[SourceLine]) -> None:
    """Make answers rows if the question above lists answers; tell two lists apart."""
    place = 0
    while place < len(lines):
        asked = lines[place]
        first = _run_of(lines, place + 1) if asked.role in (QUESTION, "", HEADING) else []
        is_scale = bool(first) and first[0].mark_shape == "step"
        if len(first) < 2 or is_scale:
            place += 1
            continue
        second = _run_of(lines, place + 1 + len(first))
        listed = answers_of(asked)
        if listed and listed.before and listed.sign in ("code", "/", "box", "letter", "ends"):
            _make_rows(asked, first, listed.labels, listed.points)
            asked.body = listed.before
        elif len(second) > 1 and (asked.role == QUESTION or asks(asked.text)):
            _tell_items(asked, first, second)
        place += 1 + len(first)


def _run_of(lines: Sequence[SourceLine], start: int) -> list[SourceLine]:
    """Return the answers from a place on that have one shape of mark."""
    first = lines[start].mark if start < len(lines) else None
    end = start
    while first and end < len(lines) and lines[end].role == ANSWER:
        mark = lines[end].mark
        if mark is None or mark.shape != first.shape:
            break
        end += 1
    return [*lines[start:end]]


def _tell_items(asked: SourceLine, first: list[SourceLine], second: list[SourceLine]) -> None:
    """Tell the items of a question from their scale: codes count the steps of a scale."""
    likely = [*map(_steps, (first, second))]
    if likely[0] == likely[1] or any(run[0].mark_shape == "indent" for run in (first, second)):
        second[0].is_certain = False
        return
    items, scale = (second, first) if likely[0] > likely[1] else (first, second)
    labels = [line.body for line in scale]
    points = [line.mark.value[1] if line.mark and len(line.mark.value) > 1 else None for line in scale]
    _make_rows(asked, items, labels, [] if None in points else points)
    for line in scale:
        line.become_scale(labels)


def _steps(run: Sequence[SourceLine]) -> int:
    """Return how likely a list has the steps of a scale: 2 with codes, 1 with boxes, else 0."""
    mark = run[0].mark
    if mark is not None and _IS_CODE.fullmatch(mark.shape):
        return 2
    return int(mark is not None and BOX.fullmatch(mark.shape) is not None)


def _make_rows(
    asked: SourceLine, items: Sequence[SourceLine], labels: Sequence[str], points: Sequence[int | None]
) -> None:
    asked.become_scale(labels, points, topic="stem")
    for line in items:
        line.become_row(labels, points)
