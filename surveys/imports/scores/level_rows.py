"""Rows of a scoring rule that state a level each: ranges that follow each other, and have names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from surveys.imports.lines.source_lines import LEFT, SCORING, SourceLine
from surveys.imports.scores.rule_texts import explains_answers, scores_each
from surveys.imports.scores.score_levels import LEAST_RANGES, RANGE, levels_in, spans_in, steps_in
from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.cues import ABOUT_SCORE
from surveys.imports.words.legends import points_of_letters
from surveys.imports.words.patterns import HAN, NUMBER, POINTS, RUN_BEHIND, TO
from surveys.imports.words.question_marks import asks

_RANGE_FIRST: Final = re.compile(r"[^\W\d]{1,6}\s" + RANGE.pattern, re.IGNORECASE)
"""A range behind one word: *from 0 to 3*."""
_DECIMAL_ROW: Final = re.compile(rf"\d[.,]\d{{1,2}}\s?{TO}\s?\d[.,]\d")
"""A row that begins with a level of a mean."""
_LONE_ROW: Final = re.compile(rf"(?P<sum>\d{{1,3}})\s?(?:{POINTS})?\s?[=:：–—-]\s?[^\W\d]", re.IGNORECASE)
"""A row that begins with a single sum."""
_POINTS_LAST: Final = re.compile(
    rf"(?:\s(?:[.…_-]{{2,80}}|…)|\s\s|\t)\s?\d{{1,2}}\s?{POINTS}?\W*$|\s\d{{1,2}}\s{POINTS}$", re.I
)
"""Points behind an answer."""
_DOTTED_POINTS: Final = re.compile(
    rf"[\W\d_]*[^\W\d_].*(?:(?:[.…_]{{2,80}}|…)\s?\d{{1,2}}\s?{POINTS}?\W*|\s?[(（\[【]\d{{1,2}}\s?{POINTS}[)）\]】])$",
    re.IGNORECASE,
)
"""An answer, and its points behind dots or in brackets."""
_DASHED_POINTS: Final = re.compile(rf"(?P<label>.*[^\W\d_].*)\s[–—-]\s\d{{1,2}}\s{POINTS}\W*$", re.IGNORECASE)
"""An answer, and its points behind a dash."""
_EQUAL_POINTS: Final = re.compile(rf".*[^\W\d_].*[=＝]\s?\d{{1,2}}\s?{POINTS}\W*$", re.IGNORECASE)
"""An answer, and its points with their unit behind a sign of equality."""
_BULLETS: Final = ("•", "-", "–", "*", "·")
_LEVEL_FIRST: Final = re.compile(r"(?:[^\W\d]{1,12}[\s.]?){0,4}[<>≤≥]?\s?\d")
"""A row that begins with a sum, perhaps behind a few words: *up to 8*."""
_STATED_POINTS: Final = re.compile(r"[(（\[=＝]\s?\d{1,2}(?!\d)")
_RANGE_ONLY: Final = re.compile(r"^\d{1,3}\D{1,6}\d{1,3}")
_LEAST_STATED: Final = 4
"""Answers whose points a text states, if ranges in it may be levels of a sum."""
_EDGES: Final = " |\t•*–-"
Level = tuple[int, int | None]
"""The ends of a range; None without an upper one."""


def level_rows(lines: Sequence[SourceLine]) -> set[int]:
    """Return the places of ranges that follow each other and have names of their own, in a text with points.

    The line above them is not a question, so they are not answers.
    """
    has_points = _states_points(lines)
    runs = (run for run in _runs_of(lines) if len(run) > 1 and _are_named(lines, run))
    return {place for run in runs if _are_below_rule(lines, run, has_points=has_points) for place in run}


def _states_points(lines: Sequence[SourceLine]) -> bool:
    """Return whether a text states points of answers, or has a rule."""
    if any(line.role == SCORING for line in lines):
        return True
    n_stated = sum(len(_STATED_POINTS.findall(line.text)) for line in lines)
    n_circled = sum(bool(RUN_BEHIND.search(line.text)) for line in lines)
    n_rows = sum(sum(map(str.isdecimal, line.cells)) > LEAST_RANGES for line in lines)
    return max(n_stated, n_circled, n_rows + 1) >= _LEAST_STATED or any(
        explains_answers(line.text) or points_of_letters(line.text) or scores_each(line.text)
        for line in lines
    )


def _runs_of(lines: Sequence[SourceLine]) -> Iterator[list[int]]:
    """Yield the places of ranges that follow each other; lines that are left out interrupt none."""
    run: list[int] = []
    last: Level | None = None
    for place, line in enumerate(lines):
        if line.role == LEFT and run:
            continue
        level = None if line.role in (LEFT, SCORING) else _level_of(line)
        if last and level and not line.has_gap and _follow(last, level):
            run.append(place)
        else:
            yield run
            run = [place] if level else []
        last = level
    yield run


def _are_named(lines: Sequence[SourceLine], run: Sequence[int]) -> bool:
    """Return whether each range has a name of its own, and not a unit."""
    names = {_RANGE_ONLY.sub("", lines[at].text, count=1).strip(" :：–-=|").casefold() for at in run}
    return all(map(_may_name, names)) and len(names) == len(run)


def _may_name(name: str) -> bool:
    """Return whether words may be the name of a level, and not a unit."""
    return len(name) >= (len("轻度") if HAN.search(name) else len("bad"))


def _are_below_rule(lines: Sequence[SourceLine], run: Sequence[int], *, has_points: bool) -> bool:
    """Return whether ranges are not below a question, in a text with points or below words about a score."""
    above = run[0] - 1
    while above > 0 and lines[above].role == LEFT:
        above -= 1
    if above >= 0 and asks(lines[above].text) and not lines[run[0]].has_gap:
        return False
    near = lines[max(above - LEAST_RANGES, 0) : above + 1]
    return has_points or any(ABOUT_SCORE.search(line.text) for line in near)


def _level_of(line: SourceLine) -> Level | None:
    """Return the ends of the only range in a line that begins with it, or with a word before it."""
    raw = line.raw.strip(_EDGES)
    if lone := _LONE_ROW.match(raw):
        return int(lone["sum"]), int(lone["sum"])
    is_mean = _DECIMAL_ROW.match(raw) is not None
    text = raw if is_mean else line.text.strip(" |•*–-")
    is_first = is_mean or RANGE.match(line.text) or _begins_with_limit(line, text)
    if not is_first or _STATED_POINTS.search(text) or _POINTS_LAST.search(text):
        return None
    spans = [span for span in spans_in(text, int("." in text or "," in text)) if not span.is_weak]
    return (spans[0].low, spans[0].high) if len(spans) == 1 else None


def _begins_with_limit(line: SourceLine, text: str) -> bool:
    """Return whether a line without a mark that counts begins with a sum, perhaps behind a few words."""
    is_bare = line.mark is None or line.mark.is_weak or line.mark.shape in ("indent", *_BULLETS)
    return is_bare and _LEVEL_FIRST.match(text) is not None and not is_asked(line)


def _follow(first: Level, second: Level) -> bool:
    """Return whether two ranges follow each other, up or down; lines that only count up do not."""
    low, high = sorted((first, second), key=lambda each: each[0])
    has_range = any(start != end for start, end in (first, second))
    return has_range and low[1] is not None and low[1] + 1 == high[0]


def is_range_row(line: SourceLine) -> bool:
    """Return whether a line without a role has a range, and is no question."""
    if line.role or is_asked(line):
        return False
    return bool(RANGE.match(line.text) or RANGE.search(line.body) or _RANGE_FIRST.match(line.text))


def states_level(text: str) -> bool:
    """Return whether a line begins with the limit of a level and names it: *2 or more: high*."""
    spans = spans_in(text)[:1] if levels_in(text) else []
    return any(each.start == 0 and not each.is_weak and each.label for each in spans)


def is_answer_with_points(line: SourceLine) -> bool:
    """Return whether a line is an answer with its points behind it."""
    if line.mark is not None and BOX.match(line.raw.strip()) and _POINTS_LAST.search(line.raw.rstrip()):
        return True
    if line.mark_kind == "letter" and _EQUAL_POINTS.match(line.text):
        return True
    dashed = _DASHED_POINTS.match(line.text)
    is_dashed = dashed is not None and not ABOUT_SCORE.search(dashed["label"])
    return is_dashed or _DOTTED_POINTS.match(line.text) is not None


def is_asked(line: SourceLine) -> bool:
    """Return whether a line is numbered or ends with a question mark."""
    return asks(line.text) or (_is_counted(line) and not _states_sum(line.text))


def _is_counted(line: SourceLine) -> bool:
    """Return whether the number in front of a line counts it."""
    mark = line.mark
    return mark is not None and mark.is_number and mark.points is None


def _states_sum(text: str) -> bool:
    """Return whether a text begins with a sum or a range, or states several limits."""
    if _RANGE_FIRST.match(text) or any(span.start == 0 and not span.is_weak for span in spans_in(text)):
        return True
    return len(NUMBER.findall(text)) > LEAST_RANGES and len(steps_in(text)) > LEAST_RANGES
