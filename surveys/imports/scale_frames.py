"""Lines around a scale that are neither items nor rules: names and dates, remarks, a signature."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.cues import pattern_of
from surveys.imports.question_marks import asks
from surveys.imports.source_lines import ANSWER, HEADING, HELP, JOINED, LEFT, ROW, SCORING, SourceLine

_SPACES: Final = re.compile(r"[_＿.…]{2,200}(?:\s?[/.-]\s?[_＿.…]{1,200}){0,4}")
_IN_BRACKETS: Final = re.compile(r"[(（][^()（）]{0,40}[)）]")
_LABELS: Final = re.compile(r"\s?[/,，、&]\s?|\s(?:und|and|et|y|e|и)\s")
_IDENTIFIES: Final = pattern_of("identifies")
_ANY_NUMBER: Final = re.compile(r"\d")


def leave_identity(lines: Sequence[SourceLine]) -> None:
    """Leave out the lines of a scale that only ask who answers, and when."""
    is_scored = any(line.role == SCORING for line in lines)
    for line in lines if is_scored else ():
        if line.role or line.mark or asks(line.text):
            continue
        parts = [_IN_BRACKETS.sub("", part).strip(" :：\t") for part in _SPACES.split(line.raw)]
        labels = [label.strip() for part in parts if part for label in _LABELS.split(part)]
        has_space = _SPACES.search(line.raw) is not None or line.text[-1] in ":："
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
    shapes = [each.mark.shape if each.mark else "" for each in (line, above)]
    if above.role in (ANSWER, ROW, JOINED) and (shapes[0] != shapes[1] or above.role != ANSWER):
        line.give(LEFT, is_certain=False)


def leave_behind(lines: Sequence[SourceLine]) -> None:
    """Leave out lines after the last scoring line that neither ask nor have a number: a signature."""
    last = max((place for place, line in enumerate(lines) if line.role == SCORING), default=len(lines))
    rest = lines[last + 1 :]
    if not any(line.role or asks(line.text) or _ANY_NUMBER.search(line.text) for line in rest):
        for line in rest if rest and rest[0].has_gap else ():
            line.give(LEFT, is_certain=False)
