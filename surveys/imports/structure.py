"""Give each line of a pasted text its role, by what recurs: marks, columns, sets of answers, gaps.

No step knows words of a language. A role is certain if a recurring mark or place shows it. A line that could
have another role, or that joined a list without its mark, keeps the likeliest role and is uncertain: the
report asks about it. Each step reads each line a fixed number of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.about_lines import leave_own_fields, names_survey, read_labels
from surveys.imports.amount_marks import settle_amounts
from surveys.imports.answers_on_line import answers_on
from surveys.imports.conditions import mark_conditions, read_skips
from surveys.imports.cues import (
    ASKS_SEVERAL,
    CONDITION,
    ENDS,
    LEADS_ON,
    is_condition,
    says_how_many,
    speaks_of_condition,
)
from surveys.imports.empty_questions import head_with_empty_questions
from surveys.imports.footnotes import leave_footnotes
from surveys.imports.instructions_above import instruct_below, instruct_between
from surveys.imports.lone_answers import look_below, read_lone_answers
from surveys.imports.mail_headers import leave_mail_headers
from surveys.imports.mark_shapes import read_shapes
from surveys.imports.number_scales import read_number_scales
from surveys.imports.page_lines import leave_rules
from surveys.imports.patterns import BRACKETED, HAN, NUMBER, SPACE_TO_WRITE
from surveys.imports.question_marks import asks, holds_question
from surveys.imports.recurring_lines import read_recurring_lines
from surveys.imports.released_answers import release_answers
from surveys.imports.scale_frames import leave_above_scoring, leave_identity
from surveys.imports.scale_items import read_items
from surveys.imports.shared_answers import read_repeated_answers, read_shared_answers
from surveys.imports.source_lines import (
    ABOUT,
    ANSWER,
    ASKED,
    FIELD,
    HEADING,
    HELP,
    INSTRUCTION,
    INTRODUCTION,
    JOINED,
    LEFT,
    LONG,
    OPENING,
    QUESTION,
    REMARK_BEHIND,
    ROW,
    SCALE,
    SKIP,
    TITLE,
    SourceLine,
    answers_of,
    continues,
    ends_answer,
    is_labelled_space,
    is_long,
    is_paragraph,
    is_sentence,
    split_space,
    unit_of_space,
)
from surveys.imports.source_tables import name_labels, read_legends, read_tables, release_rows, share_scales
from surveys.imports.whole_questions import find_spaces, find_whole_questions
from surveys.imports.wordless_tables import read_wordless_tables

_LEAST_NUMBERED: Final = 2
_MOST_GREETINGS: Final = 4
"""More lines than this behind the last question are no greeting."""
_ENDED: Final = re.compile(r"[.:!。：！।؛]\s*$")
_NUMBERS: Final = re.compile(
    r"(?:[^\W\d]{1,12}\s?[:：]\s?)?(?P<range>-?[\d.,]{1,12} ?[-–—~～] ?-?[\d.,]{1,12})"
)
"""A range such as "0-60"."""
_LEGEND: Final = re.compile(r"(?P<key>\w{1,4})\s?[=＝:：]\s?(?P<label>[^=＝:：,，;；()（）\d]{2,60})")
_UNFINISHED: Final = re.compile(r"[^.?!:;。？！：；)）\]】_…।]$")


def with_structure(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Give each line its role.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.

    Examples
    --------
    >>> from surveys.imports.source_lines import read_line
    >>> text = ["Work", "1. Do you lie?", "a) Yes", "b) No", "2. How often?", "a) Once", "b) Often"]
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(text, start=1)]
    >>> [line.role for line in with_structure(lines)]
    ['title', 'question', 'answer', 'answer', 'question', 'answer', 'answer']
    """
    found = list(lines)
    chosen = {line.number for line in found if line.role}
    read_skips(found)
    settle_amounts(found)
    leave_mail_headers(found)
    read_labels(found)
    leave_own_fields(found)
    leave_rules(found)
    leave_footnotes(found)
    leave_identity(found)
    read_recurring_lines(found)
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
    _read_between(found)
    share_scales(found)
    name_labels(found)
    read_lone_answers(found, chosen)
    head_with_empty_questions(found, chosen)
    look_below(found)
    leave_above_scoring(found)
    mark_conditions(found)
    instruct_below(found)
    _find_paragraphs([line for line in found if line.number not in chosen])
    return found


def _leave_opening(lines: Sequence[SourceLine]) -> None:
    """Make lines that ask above numbered questions the introduction; leave out fields near the title."""
    head = next((place for place, line in enumerate(lines) if place and line.has_gap), 0)
    if lines and len(lines[0].cells) > 1 and split_space(lines[0].text) and not holds_question(lines[0].text):
        # A field next to the title.
        lines[0].body = lines[0].cells[0]
        lines[0].give(TITLE)
    for line in lines[:head]:
        is_free = not (line.role or line.mark or holds_question(line.text))
        if is_free and len(SPACE_TO_WRITE.findall(line.text)) > 1:
            line.give(LEFT, is_certain=False)
    marked = [
        place
        for place, line in enumerate(lines)
        if asks(line.text) and line.mark and line.mark.kind in ("count", "letter")
    ] or [
        place
        for place, line in enumerate(lines)
        if line.mark and line.mark.kind == "sign" and "?" in line.text
    ]
    if len(marked) < _LEAST_NUMBERED:
        return
    for place, line in enumerate(lines[: marked[0]]):
        if (
            "?" in line.text
            and not line.mark
            and not line.role
            and (lines[place + 1].has_gap or place < head or _is_remark(lines, place + 1))
            and not answers_of(line)
        ):
            line.give(INTRODUCTION if place else TITLE, is_certain=False)


def _is_remark(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a line in brackets ends its paragraph."""
    is_last = place + 1 < len(lines) and lines[place + 1].has_gap
    return is_last and BRACKETED.fullmatch(lines[place].text) is not None


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
    n_answers = sum(line.role == ANSWER for line in lines)
    counts = Counter(_beginning(line) for line in lines if not line.role)
    above: list[SourceLine] = []
    before = ""
    for place, line in enumerate(lines):
        below = lines[place + 1] if place + 1 < len(lines) else None
        is_list = not is_marked or (below is not None and below.role == ANSWER)
        if (
            line.role == ANSWER
            and is_list
            and above
            and before != QUESTION
            and (before != ANSWER or above[0].has_gap)
        ):
            _ask_above(above, counts, is_marked=is_marked)
        if not line.role:
            listed = answers_on(line.raw.strip()) if not asks(line.text) and "?" in line.text else None
            if (asks(line.text) or (listed and asks(listed.before))) and not BRACKETED.fullmatch(line.text):
                wraps = (
                    is_marked
                    and before == QUESTION
                    and not asks(lines[place - 1].text)
                    and not line.has_gap
                    and split_space(lines[place - 1].text) is None
                    and not (lines[place - 1].is_whole or "\t" in line.raw)
                )
                is_inside = lines[place - 1].role == JOINED or continues(line)
                if wraps and (lines[place - 1].role == QUESTION or is_inside):
                    line.give(JOINED)
                    continue
                line.give(QUESTION, is_certain=not is_marked or before != QUESTION)
            elif before != QUESTION or is_marked:
                above.append(line)
        if line.role not in ("", LEFT, JOINED, INSTRUCTION):
            before, above = "" if line.is_whole else line.role, []
    if not is_marked and not n_answers and not any(line.role in ASKED for line in lines):
        for line, below in pairwise(lines):
            if not line.role and line.has_gap and line.number > lines[0].number and not below.has_gap:
                line.give(QUESTION, is_certain=False)
    elif not is_marked:
        _ask_alike(lines)


def _ask_alike(lines: Sequence[SourceLine]) -> None:
    """Ask a line behind a gap that has answers right below, as the questions of the text have."""
    for place, line in enumerate(lines[:-1]):
        below, above = lines[place + 1], lines[place - 1] if place else None
        if line.role or below.role or not line.has_gap or below.has_gap or above is None or is_sentence(line):
            continue
        is_field = unit_of_space(below.text) is not None
        listed = answers_on(below.raw.strip())
        is_list = listed is not None and (listed.sign != "," or len(listed.labels) > 2)
        last = place + 2 >= len(lines) or lines[place + 2].has_gap
        if line.text[-1] not in ",，" and (is_field or is_list or not last):
            line.give(QUESTION, is_certain=False)


def _ask_above(above: Sequence[SourceLine], counts: Counter[str], *, is_marked: bool) -> None:
    """Make the last line above answers that is no instruction a question."""
    rest = [line for line in above if not (_is_instruction(line, counts) and len(above) > 1)]
    asked = rest[-1] if rest else above[-1]
    asked.give(QUESTION, is_certain=not is_marked and (asked.has_gap or len(above) == 1))


def _beginning(line: SourceLine) -> str:
    """Return what instructions of one kind have in common: their first words, or signs."""
    text = line.text.lower().strip("(（[【*")
    return text[:4] if HAN.search(text) else " ".join(text.split()[:2])


def _is_instruction(line: SourceLine, counts: Counter[str]) -> bool:
    """Return whether a line without a mark tells how to answer."""
    return (
        says_how_many(line.text)
        or bool(BRACKETED.fullmatch(line.text))
        or (bool(_ENDED.search(line.text)) and counts[_beginning(line)] > 1)
    )


def _read_between(lines: list[SourceLine]) -> None:
    """Give roles to the lines without a mark, by the lines around them."""
    numbers = {
        line.mark.value[-2] if len(line.mark.value) > 1 else 0
        for line in lines
        if line.role == QUESTION and line.mark
    }
    counts = Counter(_beginning(line) for line in lines if not line.role)
    asked = [line for line in lines[1:] if line.role == QUESTION]
    reader = _Between(
        numbers=numbers,
        counts=counts,
        texts=Counter(line.text.lower() for line in lines if not line.role),
        are_spaced=2 * sum(line.has_gap for line in asked) > len(asked),
        is_double=5 * sum(line.has_gap for line in lines[1:]) > 4 * len(lines[1:]),
        has_marks=any(line.role == ANSWER for line in lines),
        has_answers=len(asked) > 1,
        are_beside=all(line.role != ANSWER for line in lines)
        and sum(answers_of(line) is not None for line in asked) >= _LEAST_NUMBERED,
    )
    for line in lines:
        if line.role == ANSWER and ((is_sentence(line) and reader.is_skip(line)) or _ends_for_some(line)):
            line.give(SKIP)
        elif line.role == ANSWER and BRACKETED.fullmatch(line.text) and ASKS_SEVERAL.search(line.text):
            line.give(INSTRUCTION)
    for asked_line, line in pairwise(lines):
        if (
            line.role == ANSWER
            and line.has_gap
            and asked_line.role == QUESTION
            and split_space(asked_line.text)
        ):
            # The answer is written after the question.
            line.give(LEFT, is_certain=False)
    stretch: list[SourceLine] = []
    above: SourceLine | None = None
    ahead: list[SourceLine | None] = [*lines, None]
    for known in ahead:
        if known is not None and not known.role:
            stretch.append(known)
            continue
        if stretch:
            reader.read(above, stretch, known)
            # Lines about the survey interrupt its opening, and do not begin it again.
            above = stretch[-1] if above is None else above
        stretch = []
        above = known if known is None or known.role not in (LEFT, JOINED, ABOUT, INSTRUCTION) else above
    _settle_title(lines)


def _ends_for_some(line: SourceLine) -> bool:
    """Return whether a whole line ends the survey for some people: *(If no, you can stop here.)*."""
    return ENDS.fullmatch(line.text) is not None and CONDITION.search(f"{line.text}:") is not None


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
        first.is_certain = first.is_certain and not (is_above and any(line.mark is None for line in headings))
    elif first.role == HEADING and first.mark is not None:
        same = [line for line in headings if line.mark and line.mark.shape == first.mark.shape]
        if len(same) == 1 or not (is_above or opening[1].role == HELP):
            first.give(TITLE, is_certain=not (is_above and len(headings) > 1))


class _Between:
    """Reads the lines between two lines whose roles are known."""

    def __init__(
        self,
        *,
        numbers: set[int],
        counts: Counter[str],
        texts: Counter[str],
        are_spaced: bool,
        is_double: bool,
        has_marks: bool,
        has_answers: bool,
        are_beside: bool,
    ) -> None:
        self.numbers, self.counts, self.texts = numbers, counts, texts
        self.are_spaced, self.is_double, self.has_marks = are_spaced, is_double, has_marks
        self.has_answers, self.are_beside = has_answers, are_beside
        self.has_lists = False
        """Whether lines behind a gap are answers of an earlier question."""

    def read(self, above: SourceLine | None, lines: list[SourceLine], below: SourceLine | None) -> None:
        """Give roles to lines.

        Parameters
        ----------
        above, below : SourceLine or None
            The lines around; None at the ends of the text.
        lines : list of SourceLine
        """
        if above is None:
            self._opening(lines, below)
        elif above.role == QUESTION and below is not None and below.role == ANSWER:
            self._before_answers(above, lines)
        elif above.is_whole and unit_of_space(lines[0].text) is None:
            self._trailing(above, lines, below)
        elif above.role == QUESTION:
            self._body(above, lines, below)
        elif above.role in (TITLE, INTRODUCTION, HEADING):
            for line in lines:
                line.give(
                    HELP if above.role == HEADING else INTRODUCTION,
                    is_certain=is_long(line) or bool(_ENDED.search(line.text)),
                )
        else:
            self._trailing(above, lines, below)

    def _opening(self, lines: list[SourceLine], below: SourceLine | None) -> None:
        first, *others = lines
        if len(_LEGEND.findall(first.text)) > 2 or (is_sentence(first) and not names_survey(lines)):
            others = lines
        else:
            first.give(TITLE)
        for line in others:
            listed = answers_on(line.raw.strip()) if below is not None else None
            if listed and listed.points and len(listed.labels) > 2:
                line.give(SCALE)
                line.cells, line.points, line.body = list(listed.labels), listed.points, listed.before
            elif line is lines[-1] and below is not None and below.role == SCALE and not is_long(line):
                line.give(QUESTION)
            elif line is lines[-1] and line is not first and line.has_gap and not is_sentence(line):
                line.give(HEADING)
            else:
                line.give(INTRODUCTION, is_certain=is_sentence(line))

    def _before_answers(self, asked: SourceLine, lines: list[SourceLine]) -> None:
        for line in lines:
            if _is_instruction(line, self.counts):
                line.give(INSTRUCTION, is_certain=self._is_known(line))
            elif continues(line) and _UNFINISHED.search(asked.text):
                line.give(JOINED)
            else:
                line.give(HELP, is_certain=False)

    def _is_known(self, line: SourceLine) -> bool:
        return says_how_many(line.text) or self.counts[_beginning(line)] > 1

    def _body(self, asked: SourceLine, lines: list[SourceLine], below: SourceLine | None) -> None:
        """Read what stands below a question whose answers have no marks."""
        rest = list(lines)
        is_open = _UNFINISHED.search(asked.text) is not None and len(asked.text) > LONG // 2
        listed = answers_of(asked)
        # A list of answers goes on with its own sign.
        signs = f"{listed.sign[-1:]})）" if listed else ""
        while is_open and rest and continues(rest[0]) and (not signs or any(map(rest[0].text.count, signs))):
            rest[0].give(JOINED)
            rest = rest[1:]
        while (
            rest
            and len(rest) > 1
            and _is_instruction(rest[0], self.counts)
            and (unit_of_space(rest[1].text) is not None or not answers_on(rest[0].raw.strip()))
            and any(map(str.isalnum, rest[0].text))
        ) or (len(rest) > 1 and self._is_prompt(rest[1]) and is_sentence(rest[0])):
            rest[0].give(INSTRUCTION, is_certain=self._is_known(rest[0]))
            rest = rest[1:]
        if not rest:
            return
        fields = 0
        while fields < len(rest) and (
            unit_of_space(rest[fields].text) is not None or self._is_prompt(rest[fields])
        ):
            rest[fields].give(FIELD)
            fields += 1
        if fields:
            self._trailing(rest[fields - 1], rest[fields:], below)
            return
        first = rest[0]
        listed = answers_on(first.raw.strip())
        # A greeting after the last question is not a list of answers.
        is_apart = first.has_gap and below is None and self.has_answers
        is_clear = listed is not None and listed.sign not in (",", " ", "cells")
        is_beyond = (is_apart and not (self.is_double or self.has_lists)) or self.are_beside
        if below is None and is_beyond and not is_clear and rest[-1].text[-1] not in ":：":
            for line in rest:
                line.give(LEFT, is_certain=False)
            return
        self.has_lists = self.has_lists or first.has_gap
        if _is_instruction(first, self.counts) and not listed:
            first.give(INSTRUCTION, is_certain=self._is_known(first))
        elif span := _NUMBERS.fullmatch(first.text.strip()):
            # The smallest and the largest number that can be answered.
            first.mark, first.body = None, span["range"]
            first.raw = first.body
            first.give(ANSWER)
        elif listed and (listed.sign != "," or ((len(rest) == 1 or rest[1].has_gap) and not is_apart)):
            first.give(ANSWER, is_certain=listed.sign not in (",", " ") or len(rest) == 1)
            ends = (
                rest[1:2]
                if listed.sign == "ends"
                and len(rest) > 1
                and not rest[1].has_gap
                and not NUMBER.search(rest[1].text)
                else []
            )
            if listed.sign == "ends" and ends and all(label.isdecimal() for label in listed.labels):
                ends[0].give(ANSWER)
                self._trailing(ends[0], rest[2:], below)
                return
        elif below is None and len(rest) < _MOST_GREETINGS and self._closes(rest):
            for line in rest:
                line.give(LEFT, is_certain=False)
            return
        else:
            self._plain(asked, rest, below)
            return
        self._trailing(first, rest[1:], below)

    def _is_prompt(self, line: SourceLine) -> bool:
        """Return whether a recurring line asks respondents to write their answer: it ends with a colon."""
        return line.text[-1] in ":：" and self.texts[line.text.lower()] > 1 and not says_how_many(line.text)

    def _closes(self, lines: Sequence[SourceLine]) -> bool:
        """Return whether lines behind the last question are a greeting: behind a gap, or a single line."""
        if lines[0].text[:1].isdecimal() or lines[-1].text[-1] in ":：":
            return False
        return len(lines) == 1 or (lines[0].has_gap and not self.is_double and self.has_answers)

    def _plain(self, asked: SourceLine, lines: list[SourceLine], below: SourceLine | None) -> None:
        """Read answers without marks: the lines below a question up to a gap."""
        end = 1
        while end < len(lines) and (self.is_double or not lines[end].has_gap):
            end += 1
        if end == 1 and len(lines) > 2 and all(line.has_gap for line in lines[1:]):
            end = len(lines) - 1
        answers, others = lines[:end], lines[end:]
        if end == 1 and lines[0].text[-1] in ":：":
            # One line is not a list of answers. Directly above a list of questions, it is their heading.
            is_heading = below is not None and below.role == QUESTION and below.mark and not below.has_gap
            marks = [line.mark for line in (asked, below) if line and line.mark]
            is_inner = len({mark.shape for mark in marks}) > 1 and not asks(asked.text)
            is_heading = is_heading and len(lines) == 1 and asked.mark is not None
            is_heading = is_heading and (lines[0].has_gap or is_inner)
            lines[0].give(HEADING if is_heading else QUESTION, is_certain=False)
            answers = []
        is_end = below is None or (below.has_gap and not self.are_spaced)
        for position, line in enumerate(answers):
            last = position == len(answers) - 1
            is_odd = is_sentence(line) or _is_instruction(line, self.counts) or line.text[-1] in ":："
            # In a text without gaps, or with gaps everywhere, the last line may begin something else.
            doubtful = (
                last
                and position > 0
                and (is_end or self.is_double)
                and self.texts[line.text.lower()] < 2
                and not others
            )
            is_alone = len(answers) == 1 or (self.has_marks and not asks(asked.text))
            if last and BRACKETED.fullmatch(line.text) and says_how_many(line.text):
                line.give(INSTRUCTION)
            elif position and self._is_jump(line):
                line.give(SKIP)
            elif position and ends_answer(answers[0], answers[position - 1], line):
                line.give(JOINED, is_certain=False)
            else:
                line.give(ANSWER, is_certain=not (is_odd or doubtful or is_alone))
        if others:
            self._trailing(lines[end - 1], others, below)

    def _trailing(self, above: SourceLine, lines: list[SourceLine], below: SourceLine | None) -> None:
        """Read the lines behind the answers of a question."""
        if lines and below is not None and self._heads(lines):
            lines[0].give(HEADING, is_certain=False)
            for line in lines[1:]:
                line.give(HELP, is_certain=True)
            return
        for position, line in enumerate(lines):
            before = lines[position - 1] if position else above
            last = position == len(lines) - 1
            is_recurring = self.texts[line.text.lower()] > 1 or self.counts[_beginning(line)] > 2
            if unit_of_space(line.text) is not None:
                line.give(FIELD)
            elif BRACKETED.fullmatch(line.text) and ASKS_SEVERAL.search(line.text):
                line.give(INSTRUCTION)
            elif self.is_skip(line):
                line.give(SKIP)
            elif below is not None and below.role == ANSWER:
                self._within(above, line)
            elif continues(line) and before.role in (ANSWER, JOINED) and _UNFINISHED.search(before.text):
                line.give(JOINED, is_certain=len(before.text) > LONG // 2)
            elif is_recurring and (above.role != ANSWER or above.mark):
                # A few words that end several lists may be an answer without the mark of the others.
                line.give(LEFT, is_certain=before.role != ANSWER or line.has_gap or is_sentence(line))
            elif below is None:
                is_asked = (last and line.text[-1] in ":：") or is_labelled_space(line.text)
                line.give(QUESTION if is_asked else LEFT, is_certain=False)
            elif (
                last
                and not is_sentence(line)
                and not BRACKETED.fullmatch(line.text)
                and (line.has_gap or below.has_gap or above.role == ROW)
            ):
                is_clear = (above.mark is not None or above.role in (FIELD, ROW)) and not self.is_double
                line.give(
                    HEADING, is_certain=is_clear or (line.has_gap and not self.is_double and self.are_spaced)
                )
            elif above.role == ANSWER and above.mark is None and not line.has_gap:
                line.give(ANSWER, is_certain=False)
            else:
                line.give(LEFT, is_certain=False)

    def _heads(self, lines: Sequence[SourceLine]) -> bool:
        """Return whether a paragraph is a heading with its explanation: a title, and sentences below it."""
        first, *others = lines
        is_title = first.has_gap and not (is_sentence(first) or is_long(first) or first.mark)
        is_plain = not BRACKETED.fullmatch(first.text) and self.texts[first.text.lower()] < 2
        are_sentences = bool(others) and all(is_sentence(line) and not line.has_gap for line in others)
        return (
            is_title
            and is_plain
            and are_sentences
            and not self.is_double
            and not any(asks(line.text) or answers_on(line.raw.strip()) for line in lines)
        )

    def _within(self, above: SourceLine, line: SourceLine) -> None:
        if above.role == ANSWER and line.begins_small and _UNFINISHED.search(above.text):
            line.give(JOINED, is_certain=len(above.text) > LONG // 2)
        else:
            line.give(HELP if above.role == QUESTION else LEFT, is_certain=False)

    def _is_jump(self, line: SourceLine) -> bool:
        """Return whether a line among answers says for whom or where the questions go on."""
        bare = line.text.strip("()（）[]【】 ")
        is_conditional = CONDITION.match(bare) or (CONDITION.match(f"{bare}:") and self.is_skip(line))
        return bool(is_conditional) or (is_sentence(line) and self.is_skip(line))

    def is_skip(self, line: SourceLine) -> bool:
        """Return whether a line says which question follows: it names the number of one, or its cue."""
        numbers = {int(number) for number in NUMBER.findall(line.text)}
        behind = REMARK_BEHIND.search(line.text)
        label = line.text[: behind.start()] if behind else ""
        if label.strip() and not is_condition(label) and not LEADS_ON.search(label):
            # An answer with its own instruction.
            return False
        listed = answers_on(line.raw.strip())
        if listed and listed.points and len(listed.labels) > 2:
            # The numbers are codes of answers, not of questions.
            return False
        names = bool(numbers & self.numbers) and len(line.text) < 3 * LONG
        is_cue = bool(LEADS_ON.search(line.text))
        return (names and (bool(BRACKETED.fullmatch(line.text)) or speaks_of_condition(line.text))) or (
            is_cue and is_condition(line.text)
        )
