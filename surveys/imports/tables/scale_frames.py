"""Lines around a scale that are neither items nor rules: names and dates, remarks, a signature."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    FIELD,
    HEADING,
    HELP,
    INTRODUCTION,
    JOINED,
    LEFT,
    QUESTION,
    ROW,
    SCALE,
    SCORING,
    TITLE,
    SourceLine,
    all_answers,
    split_space,
)
from surveys.imports.words.cues import pattern_of
from surveys.imports.words.question_marks import asks, holds_question

_SPACES: Final = re.compile(r"[_＿.…]{2,200}(?:\s?[/.-]\s?[_＿.…]{1,200}){0,4}")
_IN_BRACKETS: Final = re.compile(r"[(（][^()（）]{0,40}[)）]")
_LABELS: Final = re.compile(r"\s?[/,，、&]\s?|\s(?:und|and|et|y|e|и)\s")
_IDENTIFIES: Final = pattern_of("identifies")
_LEAST_ITEMS: Final = 4
_MOST_ABOVE: Final = 3
_LABEL: Final = re.compile(r"[^:：?？]{2,40}[:：]")
_ANY_NUMBER: Final = re.compile(r"\d")


def leave_identity(lines: Sequence[SourceLine]) -> None:
    """Leave out the lines of a scale that only ask who answers, and when."""
    is_scored = any(line.role == SCORING for line in lines)
    for line in lines if is_scored else ():
        if line.role or line.mark or asks(line.text):
            continue
        parts = [_IN_BRACKETS.sub("", part).strip(" :：\t") for part in _SPACES.split(line.raw)]
        labels = [label.strip() for part in parts if part for label in _LABELS.split(part)]
        has_space = _SPACES.search(line.raw) is not None or line.ends_with_colon
        if has_space and labels and all(map(_IDENTIFIES.fullmatch, labels)):
            line.give(LEFT)


def leave_above_scoring(lines: Sequence[SourceLine]) -> None:
    """Leave out an answer after a gap above the scoring rule whose mark the answers above it do not have."""
    first = next((place for place, line in enumerate(lines) if line.role == SCORING), 0)
    while first > 1 and lines[first - 1].role in (HEADING, LEFT, HELP):
        first -= 1
    line, above = (lines[first - 1], lines[first - 2]) if first > 1 else (None, None)
    if line is None or above is None or line.role != ANSWER or not line.has_gap:
        return
    shapes = [each.mark_shape for each in (line, above)]
    if above.role in (ANSWER, ROW, JOINED) and (shapes[0] != shapes[1] or above.role != ANSWER):
        line.give(LEFT, is_certain=False)


def leave_around(lines: Sequence[SourceLine]) -> None:
    """Leave out what was read as a question around the numbered items of a scored scale, with a doubt.

    It has no number, no answers and no space to write: a title, or the heading of the results. If no item has
    a number, only a first line that asks behind a label, above an explanation, is the title.

    Parameters
    ----------
    lines : sequence of SourceLine
        All lines, with their roles.
    """
    items = [place for place, line in enumerate(lines) if _is_item(line)]
    if not items and _asks_title(lines):
        lines[0].give(TITLE, is_certain=False)
    if len(items) < _LEAST_ITEMS or not any(line.role == SCORING for line in lines):
        return
    for place in (*range(items[0]), *range(items[-1] + 1, len(lines))):
        line = lines[place]
        answers = [*takewhile(lambda below: below.role in (ANSWER, SCALE, FIELD), lines[place + 1 :])]
        if line.role != QUESTION or line.mark or not _is_empty(line, answers):
            continue
        has_title = any(each.role == TITLE for each in lines)
        is_title = place < min(items[0], _MOST_ABOVE) and not (has_title or answers)
        line.give(TITLE if is_title else LEFT, is_certain=False)
        for answer in answers:
            answer.give(LEFT, is_certain=False)


def _is_empty(line: SourceLine, answers: Sequence[SourceLine]) -> bool:
    """Return whether a question has no space to write, and at most one answer, which has no mark."""
    has_marks = any(each.role != ANSWER or each.mark_shape not in ("", "indent") for each in answers)
    return len(answers) < 2 and not (has_marks or split_space(line.text) or all_answers(line))


def _asks_title(lines: Sequence[SourceLine]) -> bool:
    """Return whether the first line asks behind a label, above an explanation and questions with answers."""
    asked = [place for place, line in enumerate(lines) if line.role == QUESTION]
    if asked[:1] != [0] or len(asked) <= _LEAST_ITEMS or lines[1].role not in (HELP, INTRODUCTION):
        return False
    is_bare = split_space(lines[0].text) is None and all_answers(lines[0]) is None
    is_scored = any(line.role == SCORING for line in lines)
    return (
        lines[0].mark is None
        and _LABEL.match(lines[0].text) is not None
        and is_bare
        and is_scored
        and all([line.role for line in lines[at + 1 : at + 3]] == [ANSWER, ANSWER] for at in asked[1:])
    )


def _is_item(line: SourceLine) -> bool:
    is_counted = line.mark_kind == "count"
    return line.role == ROW or (line.role == QUESTION and is_counted)


def leave_behind(lines: Sequence[SourceLine]) -> None:
    """Leave out lines after the last scoring line that are no items and have no number: a signature."""
    last = max((place for place, line in enumerate(lines) if line.role == SCORING), default=len(lines))
    rest = lines[last + 1 :]
    if not any(line.role or _may_be_item(line) or _ANY_NUMBER.search(line.text) for line in rest):
        for line in rest if rest and rest[0].has_gap else ():
            line.give(LEFT, is_certain=False)


def _may_be_item(line: SourceLine) -> bool:
    """Return whether a line has a number or a letter, a question mark anywhere, or boxes."""
    listed = all_answers(line)
    is_marked = line.mark_kind in ("count", "letter")
    return is_marked or holds_question(line.text) or (listed is not None and listed.sign == "box")
