"""Questions that need no other line: starred ones, fields of a form, and those with their own answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    FIELD,
    HEADING,
    INSTRUCTION,
    JOINED,
    LONG,
    QUESTION,
    ROW,
    SCALE,
    SourceLine,
    all_answers,
    answers_of,
    continues,
    is_labelled_space,
    is_long,
    split_space,
)
from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.cues import IF_SO, LEADS_ON, ONLY_NUMBERS, TOOL, is_condition, says_how_many
from surveys.imports.words.patterns import BRACKETED, SPACE_TO_WRITE
from surveys.imports.words.question_marks import asks, holds_question
from surveys.imports.words.stated_scale import stated_scale

_LEAST_FIELDS: Final = 2
_BOXES_APART: Final = re.compile(rf"[:：?？؟]|\S\s{{3,}}(?:{BOX.pattern})")
_ENDS_FIRST: Final = re.compile(r"\W{0,3}[01](?!\d)")
_COLON: Final = re.compile(r"[:：?？؟]\s{0,20}(?=\S)")
_COLONS: Final = (":", "：")
_APART: Final = {"box": _BOXES_APART, "code": re.compile(r"[:：?？؟]\s{0,20}(?=\S)|\S\s{3,}\d")}
"""What is between a question and its answers, by the sign of these."""


def find_whole_questions(lines: Sequence[SourceLine]) -> None:
    """Find the questions that need no other line: follow-ups, starred ones, those with their own answers."""
    _leave_number_remarks(lines)
    _find_starred(lines)
    _find_labels_above_spaces(lines)
    _find_questions_above_lists(lines)
    _find_fields_below_questions(lines)
    _find_forms(lines)
    stands_alone = True
    holds_count = any(line.role == QUESTION and line.mark_kind == "count" for line in lines)
    for place, line in enumerate(lines):
        if line.mark is not None:
            line.is_whole = _is_counted_field(line) or (line.role == QUESTION and _lists_answers(line))
        _read_alone(lines, place, stands_alone=stands_alone, holds_count=holds_count)
        is_heading = line.role == HEADING or BRACKETED.fullmatch(line.text) is not None
        stands_alone = is_heading or line.role == ROW or line.is_whole


def _leave_number_remarks(lines: Sequence[SourceLine]) -> None:
    """Make lines that say that an answer is a number instructions: *Only numbers may be entered here.*"""
    for line in lines[1:]:
        if line.role in ("", ANSWER) and line.mark is None and ONLY_NUMBERS.search(line.text):
            line.give(INSTRUCTION)


def _find_starred(lines: Sequence[SourceLine]) -> None:
    starred = [line for line in lines if not line.role and line.is_starred and not TOOL.fullmatch(line.text)]
    for line in starred if len(starred) > 1 else ():
        line.give(QUESTION)


def _find_labels_above_spaces(lines: Sequence[SourceLine]) -> None:
    """Make questions of lines above a space to write, unless they are remarks in brackets."""
    for above, line in pairwise(lines):
        if above.role or line.role or not line.is_space:
            continue
        is_asking = above.ends_with_colon or asks(above.text)
        is_remark = above.text[0] in "(（" and above.text[-1] in ")）"
        if (is_asking or any(map(str.isalpha, line.text))) and not is_remark:
            above.give(QUESTION, is_certain=is_asking)


def _find_questions_above_lists(lines: Sequence[SourceLine]) -> None:
    """Make a line that lists answers, and recurs, the answers of the line above it; points may differ."""
    lists = [_labels_of(line) for line in lines]
    counts = Counter(lists)
    for (above, line), labels in zip(pairwise(lines), lists[1:], strict=False):
        if labels and counts[labels] > 1 and not line.role and above.role in ("", QUESTION):
            line.give(ANSWER)
            above.give(QUESTION, is_certain=above.is_certain)


def _labels_of(line: SourceLine) -> tuple[str, ...]:
    """Return the answers of a line without a mark that lists nothing else, in one order."""
    listed = all_answers(line) if not line.role and line.mark is None else None
    return tuple(sorted(listed.labels)) if listed and not listed.before else ()


def _find_fields_below_questions(lines: Sequence[SourceLine]) -> None:
    """Make a labelled space to write below a question its field."""
    for above, line in pairwise(lines):
        is_asked = asks(above.text) and split_space(above.text) is None and above.role not in (ROW, JOINED)
        if is_asked and _is_free(line) and not line.has_gap and is_labelled_space(line.text):
            line.give(FIELD)


def _is_free(line: SourceLine) -> bool:
    return not line.role and line.mark is None


def _is_counted_field(line: SourceLine) -> bool:
    """Return whether a numbered question has a space to write, so that no lines below are its answers."""
    if line.role not in ("", QUESTION) or line.mark_kind != "count":
        return False
    space = split_space(line.text)
    return SPACE_TO_WRITE.search(line.text) is not None and space is not None and space[0][-1:] in ":：?？؟"


def _read_alone(lines: Sequence[SourceLine], place: int, *, stands_alone: bool, holds_count: bool) -> None:
    """Make a line a question if it is a follow-up, states a scale, or has its own answers.

    Whether the text counts its questions decides how certain a list between dashes is.
    """
    line = lines[place]
    if line.role in ("", ANSWER) and is_condition(line.text):
        has_answers = _has_own_answers(line)
        if has_answers or _is_asking(line.text):
            line.mark, line.body, line.is_whole = None, line.text, has_answers
            line.give(QUESTION)
            return
    if not _is_free(line):
        return
    if IF_SO.match(line.text) and _leads_to_answers(lines, place):
        line.body = line.text
        line.give(QUESTION)
    elif not continues(line) and _asks_on_scale(line.text) and not _has_steps(lines[place + 1 : place + 2]):
        line.is_whole = True
        line.give(QUESTION, is_certain=False)
    elif (
        stands_alone or line.has_gap or _asks_to_write(line) or _is_field_below_title(lines[: place + 1])
    ) and _has_own_answers(line):
        line.is_whole = True
        # Dashes also separate the parts of a title.
        listed = answers_of(line)
        is_list = listed is None or listed.sign != "-" or not holds_count
        line.give(QUESTION, is_certain=is_list)


def _is_field_below_title(lines: Sequence[SourceLine]) -> bool:
    """Return whether the last of these lines is a label with a space to write, directly below the title."""
    *above, line = lines
    is_title = (
        len(above) == 1 and _is_free(above[0]) and not (above[0].ends_with_colon or asks(above[0].text))
    )
    return is_title and is_labelled_space(line.text)


def _is_asking(text: str) -> bool:
    """Return whether a text asks; behind the question mark it may say how to answer."""
    return asks(text) or (holds_question(text) and says_how_many(text))


def _leads_to_answers(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a line stands between two lists of answers, so that it asks without a question mark."""
    near = [*lines[max(place - 1, 0) : place], *lines[place + 1 : place + 3]]
    are_answers = all(each.role in ("", ANSWER) and not asks(each.text) for each in near)
    return len(near) > _LEAST_FIELDS and are_answers and not LEADS_ON.search(lines[place].text)


def _find_forms(lines: Sequence[SourceLine]) -> None:
    """Make questions of all lines of a form: most have a space to write, or answers of their own."""
    block: list[SourceLine] = []
    ends: list[SourceLine | None] = [*lines, None]
    for line, below in zip(ends, [*ends[1:], None], strict=True):
        is_free = line is not None and not line.role and line.mark is None
        may_be = bool(block) and not _is_list_below(below)
        if line is not None and is_free and (_is_field(line) or (may_be and _may_be_field(line))):
            block.append(line)
            continue
        n_fields = sum(map(_is_field, block))
        if n_fields >= _LEAST_FIELDS or (n_fields and len(block) > _LEAST_FIELDS):
            for own in block:
                own.is_whole = True
                own.give(QUESTION, is_certain=_is_field(own))
        block = []


def _is_list_below(line: SourceLine | None) -> bool:
    """Return whether a line lists the answers of the line directly above it."""
    listed = all_answers(line) if line is not None and not (line.role or line.has_gap) else None
    return listed is not None and not listed.before and listed.sign != ","


def _is_field(line: SourceLine) -> bool:
    """Return whether a line ends with a space to write, or with answers behind its label."""
    space = split_space(line.text)
    is_label = space is not None and any(map(str.isalpha, space[0])) and len(space[0]) <= LONG
    return is_label or _has_own_answers(line)


def _may_be_field(line: SourceLine) -> bool:
    listed = answers_of(line)
    has_list = listed is not None and listed.sign == "," and _COLON.search(line.text) is not None
    return not is_long(line) and (line.ends_with_colon or asks(line.text) or has_list)


def _asks_on_scale(text: str) -> bool:
    """Return whether a text states a scale and says what for; a line may explain only its two ends."""
    is_asked = asks(text) or _ENDS_FIRST.match(text) is None
    return is_asked and stated_scale(text) is not None


def _has_steps(below: Sequence[SourceLine]) -> bool:
    """Return whether the line below a stated scale belongs to it: answers, or an item."""
    for line in below:
        listed = answers_of(line)
        if line.role in (ROW, SCALE, ANSWER) or (listed and listed.sign == "ends") or split_space(line.text):
            return True
    return False


def _has_own_answers(line: SourceLine) -> bool:
    """Return whether answers are behind the colon or question mark of a line, or a space to write."""
    space = split_space(line.text)
    return (space is not None and space[0][-1:] in ":：?？؟") or _lists_answers(line)


def _asks_to_write(line: SourceLine) -> bool:
    """Return whether a line is a question with a question mark and a space to write."""
    space = None if continues(line) else split_space(line.text)
    return space is not None and asks(space[0])


def _lists_answers(line: SourceLine) -> bool:
    """Return whether a line lists answers after its colon, its question mark, or wide blanks."""
    listed = answers_of(line)
    if listed is None or not listed.before:
        return False
    if listed.sign == "cells":
        label, *cells = line.cells
        return label[-1:] in _COLONS and len(cells) > 1 and not any(cell[-1:] in _COLONS for cell in cells)
    is_apart = _APART.get(listed.sign, _COLON).search(line.raw.strip()) is not None
    return is_apart and listed.sign in ("box", "/", "-", "letter", "code")


def find_spaces(lines: Sequence[SourceLine]) -> None:
    """Find the write-in spaces that fill the line below a question; the question ends there."""
    for above, line in pairwise(lines):
        is_asked = asks(above.text) or above.role == FIELD
        is_space = SPACE_TO_WRITE.match(line.text) is not None and line.is_space
        if is_asked and not (line.role or line.mark) and is_space:
            line.give(FIELD)
