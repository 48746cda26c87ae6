"""Give each line of a pasted text its role, by what recurs: marks, columns, sets of answers, gaps.

No step knows words of a language. A role is certain if a recurring mark or place shows it. A line that could
have another role, or that joined a list without its mark, keeps the likeliest role and is uncertain: the
report asks about it. Each step reads each line a fixed number of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.conditions import mark_conditions
from surveys.imports.lines.skips import read_skips
from surveys.imports.lines.source_lines import (
    ABOUT,
    ANSWER,
    ASKED,
    HEADING,
    HELP,
    INSTRUCTION,
    INTRODUCTION,
    JOINED,
    LEFT,
    OPENING,
    QUESTION,
    TITLE,
    SourceLine,
    all_answers,
    answers_of,
    continues,
    is_paragraph,
    is_sentence,
    split_space,
)
from surveys.imports.roles.about_lines import leave_own_fields, read_labels
from surveys.imports.roles.amount_marks import settle_amounts
from surveys.imports.roles.closing_remarks import leave_closing
from surveys.imports.roles.empty_questions import head_with_empty_questions
from surveys.imports.roles.footnotes import leave_footnotes
from surveys.imports.roles.instructions_above import instruct_above, instruct_below, instruct_between
from surveys.imports.roles.leading_conditions import find_leading_conditions
from surveys.imports.roles.lines_between import beginning_of, is_instruction, read_between
from surveys.imports.roles.lone_answers import look_below, read_lone_answers
from surveys.imports.roles.mail_headers import leave_mail_headers
from surveys.imports.roles.mark_shapes import read_romans, read_shapes
from surveys.imports.roles.page_lines import leave_page_headings, leave_rules
from surveys.imports.roles.recurring_lines import read_recurring_lines
from surveys.imports.roles.released_answers import release_answers
from surveys.imports.roles.whole_questions import find_spaces, find_whole_questions
from surveys.imports.tables.header_tables import (
    name_labels,
    read_legends,
    read_tables,
    release_rows,
    share_scales,
)
from surveys.imports.tables.legend_items import read_repeated_answers, read_shared_answers
from surveys.imports.tables.number_scales import read_number_scales
from surveys.imports.tables.scale_frames import leave_above_scoring, leave_identity
from surveys.imports.tables.scale_items import read_items
from surveys.imports.tables.wordless_tables import read_wordless_tables
from surveys.imports.words.cues import says_how_many
from surveys.imports.words.patterns import SPACE_TO_WRITE
from surveys.imports.words.question_marks import asks, holds_question

_NAMED_NUMBER: Final = re.compile(
    r"[^\W\d_]{2,}\.?\s\d{1,4}(?!\d)|第?\d{1,3}[页期章年]"
    r"|\d{1,2}(?:\.?[ºª°]|th|st|nd|rd|è?me|[eè]|\.(?=\s[^\W\d]))(?!\w)"
)
"""A number behind its noun, or an ordinal: *leaflet 4*, *5th*."""
_BRACKET_BEHIND: Final = re.compile(r"[?？؟]\s{0,9}[(（](?P<words>[^()（）]{3,90})[)）]\W*$")
_LEAST_NUMBERED: Final = 2
_BETWEEN: Final = ("", LEFT, JOINED, INSTRUCTION)
"""Roles of lines that do not separate a question from its answers."""
_NO_LINE: Final = SourceLine(number=0, text="", raw="")
"""In place of the line above the first one, and below the last one."""
_SHORT_INSTRUCTION: Final = 6
"""Most words of an instruction behind a question mark."""


def with_structure(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Give each line its role.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> text = ["Work", "1. Do you lie?", "a) Yes", "b) No", "2. How often?", "a) Once", "b) Often"]
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(text, start=1)]
    >>> [line.role for line in with_structure(lines)]
    ['title', 'question', 'answer', 'answer', 'question', 'answer', 'answer']
    """
    found = list(lines)
    chosen = {line.number for line in found if line.role}
    read_romans(found)
    read_skips(found)
    find_leading_conditions(found)
    settle_amounts(found)
    leave_mail_headers(found)
    read_labels(found)
    leave_own_fields(found)
    leave_rules(found)
    leave_footnotes(found)
    leave_identity(found)
    read_recurring_lines(found)
    leave_closing(found)
    find_spaces(found)
    instruct_between(found)
    _leave_opening(found)
    read_number_scales(found)
    read_legends(found)
    read_tables(found)
    read_shared_answers(found)
    read_wordless_tables(found)
    release_rows(found)
    read_shapes(found)
    read_repeated_answers(found)
    read_items(found)
    release_answers(found, chosen)
    find_whole_questions(found)
    _find_questions(found)
    read_between(found)
    leave_page_headings(found, chosen)
    _settle_title(found)
    share_scales(found)
    name_labels(found)
    read_lone_answers(found, chosen)
    head_with_empty_questions(found, chosen)
    look_below(found)
    leave_above_scoring(found)
    mark_conditions(found)
    instruct_above(found)
    instruct_below(found)
    _find_paragraphs([line for line in found if line.number not in chosen])
    return found


def _leave_opening(lines: Sequence[SourceLine]) -> None:
    """Make lines that ask above numbered questions the introduction; leave out fields near the title."""
    first_gap = next((place for place, line in enumerate(lines) if place and line.has_gap), 0)
    _leave_fields(lines[:1], lines[:first_gap])
    for place, line in enumerate(lines[: _first_item(lines)]):
        if line.mark or line.role or not _only_asks(line):
            continue
        if not place:
            line.give(TITLE, is_certain=False)
        elif place < first_gap or lines[place + 1].has_gap or _is_remark(lines, place + 1):
            line.give(INTRODUCTION, is_certain=False)


def _leave_fields(title: Sequence[SourceLine], opening: Sequence[SourceLine]) -> None:
    """Leave out a field next to the title, and lines of several fields in the first paragraph."""
    for line in title:
        if len(line.cells) > 1 and split_space(line.text) and not holds_question(line.text):
            line.body = line.cells[0]
            line.give(TITLE)
    for line in opening:
        n_spaces = len(SPACE_TO_WRITE.findall(line.text))
        if n_spaces > 1 and not (line.role or line.mark or holds_question(line.text)):
            line.give(LEFT, is_certain=False)


def _first_item(lines: Sequence[SourceLine]) -> int:
    """Return the place of the first numbered question, or of the first with a sign; 0 without several."""
    marked = [place for place in _places_of(lines, ("count", "letter")) if _is_item(lines, place)]
    marked = marked or [place for place in _places_of(lines, ("sign",)) if "?" in lines[place].text]
    return marked[0] if len(marked) >= _LEAST_NUMBERED else 0


def _places_of(lines: Sequence[SourceLine], kinds: Container[str]) -> list[int]:
    """Return the places of lines with a mark of one of the kinds."""
    return [place for place, line in enumerate(lines) if line.mark_kind in kinds]


def _only_asks(line: SourceLine) -> bool:
    """Return whether a line asks, and has neither answers nor a space to write."""
    has_answers = answers_of(line) is not None and not _names_issue(line.text)
    return holds_question(line.text) and not has_answers and split_space(line.text) is None


def _names_issue(text: str) -> bool:
    """Return whether a bracket behind a title that asks names an issue or a class: *(leaflet 4, page 1)*."""
    bracket = _BRACKET_BEHIND.search(text)
    words, count = _NAMED_NUMBER.subn(" ", bracket["words"]) if bracket else ("", 0)
    return count > 0 and not any(map(str.isdecimal, words))


def _is_item(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a line asks, or has its answers behind it or below."""
    own = answers_of(lines[place])
    # An item may contain a comma: *Sleeping badly, or too much*.
    space = split_space(lines[place].text)
    if asks(space[0] if space else lines[place].text) or (own and (own.before or own.sign != ",")):
        return True
    below = [line for line in lines[place + 1 : place + 2] if line.mark is None]
    listed = [answers_of(line) for line in below]
    return any(each and not each.before for each in listed)


def _is_remark(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a line in brackets ends its paragraph."""
    is_last = place + 1 < len(lines) and lines[place + 1].has_gap
    return is_last and lines[place].is_bracketed


def _find_paragraphs(lines: Sequence[SourceLine]) -> None:
    """Introduce the survey, or else a part, with a paragraph or a salutation read as a heading or a title."""
    is_opening = True
    for line in lines:
        # "Dear colleague," is no title.
        is_salutation = line.role == TITLE and line.text[-1] in ",，"
        if line.role in (HEADING, TITLE) and (is_salutation or is_paragraph(line)):
            if is_opening:
                line.give(INTRODUCTION, is_certain=False)
            elif line.role == HEADING:
                line.topic, line.is_certain = OPENING, False
        is_opening = is_opening and line.role in (TITLE, INTRODUCTION, ABOUT, LEFT)


def _find_questions(lines: Sequence[SourceLine]) -> None:
    """Find the questions that have no mark: lines that ask, and lines directly above answers."""
    is_marked = any(line.role == QUESTION for line in lines)
    counts = Counter(beginning_of(line) for line in lines if not line.role)
    _ask_asking(lines, is_marked=is_marked)
    _ask_above_answers(lines, counts, is_marked=is_marked)
    if is_marked:
        return
    if any(line.role in (*ASKED, ANSWER) for line in lines):
        _ask_alike(lines)
    else:
        _ask_below_gaps(lines)


def _ask_asking(lines: Sequence[SourceLine], *, is_marked: bool) -> None:
    """Make lines that ask questions, or the rest of the question above them."""
    role = ""
    for above, line, below in zip([_NO_LINE, *lines], lines, [*lines[1:], _NO_LINE], strict=False):
        if not line.role and _is_asking(line, is_above_list=below.role == ANSWER):
            if is_marked and role == QUESTION and _wraps(above, line):
                line.give(JOINED)
            else:
                line.give(QUESTION, is_certain=not is_marked or role != QUESTION)
        role = _role_above(line, role)


def _ask_above_answers(lines: Sequence[SourceLine], counts: Counter[str], *, is_marked: bool) -> None:
    """Make a line between two lists of answers, or above the first, a question."""
    free: list[SourceLine] = []
    role = ""
    for line, below in pairwise([*lines, _NO_LINE]):
        is_list = line.role == ANSWER and (not is_marked or below.role == ANSWER or _lists_all(line))
        is_apart = bool(free) and (role != ANSWER or free[0].has_gap or _heads(free[-1], line))
        if is_list and is_apart and role != QUESTION:
            _ask_above(free, counts, is_marked=is_marked)
        if not line.role:
            free.append(line)
        elif line.role not in _BETWEEN:
            free = []
        role = _role_above(line, role)


def _role_above(line: SourceLine, before: str) -> str:
    """Return the role that counts for the lines below a line: its own, or that of the line before it."""
    if line.role in _BETWEEN:
        return before
    return "" if line.is_whole else line.role


def _lists_all(line: SourceLine) -> bool:
    """Return whether a line lists answers with boxes, codes or separators that are no commas."""
    listed = all_answers(line)
    return listed is not None and listed.sign != ","


def _heads(line: SourceLine, answer: SourceLine) -> bool:
    """Return whether a line between answers begins others: it has a colon, or they are set in deeper."""
    indents = [len(each.raw) - len(each.raw.lstrip()) for each in (line, answer)]
    return line.ends_with_colon or (indents[0] < indents[1] and len(line.cells) == 1)


def _ask_below_gaps(lines: Sequence[SourceLine]) -> None:
    """Make the first line of each paragraph but the first a question."""
    for line, after in pairwise(lines):
        if not line.role and line.has_gap and line.number > lines[0].number and not after.has_gap:
            line.give(QUESTION, is_certain=False)


def _is_asking(line: SourceLine, *, is_above_list: bool) -> bool:
    """Return whether a line asks, possibly with its answers or how to answer behind the question mark."""
    if line.is_bracketed:
        return False
    if asks(line.text) or "?" not in line.text:
        return asks(line.text)
    if is_above_list and len(line.text.rpartition("?")[2].split()) <= _SHORT_INSTRUCTION:
        return True
    if says_how_many(line.text.rpartition("?")[2]):
        return True
    listed, space = all_answers(line), split_space(line.text)
    return (listed is not None and asks(listed.before)) or (space is not None and asks(space[0]))


def _wraps(above: SourceLine, line: SourceLine) -> bool:
    """Return whether a line that asks is the rest of the question that begins above it."""
    if line.has_gap or "\t" in line.raw or asks(above.text) or above.is_whole:
        return False
    is_inside = above.role in (QUESTION, JOINED) or continues(line)
    return is_inside and split_space(above.text) is None


def _ask_alike(lines: Sequence[SourceLine]) -> None:
    """Ask a line behind a gap that has answers right below, as the questions of the text have."""
    for place, line in enumerate(lines[:-1]):
        below, above = lines[place + 1], lines[place - 1] if place else None
        if line.role or below.role or not line.has_gap or below.has_gap or above is None or is_sentence(line):
            continue
        is_field = below.is_space
        listed = all_answers(below)
        is_list = listed is not None and (listed.sign != "," or len(listed.labels) > 2)
        last = place + 2 >= len(lines) or lines[place + 2].has_gap
        if line.text[-1] not in ",，" and (is_field or is_list or not last):
            line.give(QUESTION, is_certain=False)


def _ask_above(above: Sequence[SourceLine], counts: Counter[str], *, is_marked: bool) -> None:
    """Make the last line above answers that is no instruction a question."""
    rest = [line for line in above if not (is_instruction(line, counts) and len(above) > 1)]
    asked = rest[-1] if rest else above[-1]
    asked.give(QUESTION, is_certain=not is_marked and (asked.has_gap or len(above) == 1))


def _settle_title(lines: Sequence[SourceLine]) -> None:
    """Tell the title from the first heading; a heading without a mark is never certain."""
    headings = [line for line in lines if line.role == HEADING]
    for line in headings:
        line.is_certain = line.is_certain and (line.mark is not None or line.topic == OPENING)
    opening = [line for line in lines if line.role not in (LEFT, ABOUT)][:2]
    if not opening:
        return
    first = opening[0]
    is_above = len(opening) > 1 and opening[1].role in ASKED
    if first.role == TITLE:
        is_unlike = _is_of_tool(first, [line for line in lines if line is not first])
        is_unsure = is_unlike or (is_above and any(line.mark is None for line in headings))
        first.is_certain = first.is_certain and not is_unsure
    elif first.role == HEADING and first.mark is not None:
        same = [line for line in headings if line.mark_shape == first.mark_shape]
        if len(same) == 1 or not (is_above or opening[1].role == HELP):
            first.give(TITLE, is_certain=not (is_above and len(headings) > 1))


def _is_of_tool(title: SourceLine, others: Sequence[SourceLine]) -> bool:
    """Return whether a title, or what is behind its colon, recurs, or it has the columns of all lines."""
    value = title.text.partition(":")[2].strip()
    recurs = any(line.text == title.text or (value and line.text.endswith(f": {value}")) for line in others)
    n_columns = title.text.count(";")
    has_columns = n_columns > 0 and {line.text.count(";") for line in others} == {n_columns}
    return recurs or has_columns
