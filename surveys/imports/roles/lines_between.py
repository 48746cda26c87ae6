"""Lines between questions: answers without marks, instructions, headings, thanks.

No step knows words of a language; what recurs, gaps and the lines around decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from surveys.imports.lines.source_lines import (
    ABOUT,
    ANSWER,
    FIELD,
    HEADING,
    HELP,
    INSTRUCTION,
    INTRODUCTION,
    JOINED,
    LEFT,
    LONG,
    ONE,
    QUESTION,
    REMARK_BEHIND,
    ROW,
    SCALE,
    SKIP,
    TITLE,
    SourceLine,
    all_answers,
    answers_of,
    continues,
    ends_answer,
    is_labelled_space,
    is_long,
    is_sentence,
    split_space,
)
from surveys.imports.roles.about_lines import names_survey
from surveys.imports.words.answers_on_line import Listed
from surveys.imports.words.cues import (
    CHOOSES,
    CONDITION,
    ENDS,
    LEADS_ON,
    is_condition,
    says_how_many,
    speaks_of_condition,
)
from surveys.imports.words.marks import Mark
from surveys.imports.words.patterns import HAN, NUMBER
from surveys.imports.words.question_marks import asks, holds_question

_LEAST_NUMBERED: Final = 2
_LEAST_STEPS: Final = 3
_NO_MARK: Final = ("", "indent")
"""Shapes of lines without a mark."""
_ARROWS: Final = ("→", "►", "▶", "➤")
_MOST_GREETINGS: Final = 4
"""More lines than this behind the last question are no greeting."""
_ENDED: Final = re.compile(r"[.:!。：！।؛]\s*$")
_NUMBERS: Final = re.compile(
    r"(?:[^\W\d]{1,12}\s?[:：]\s?)?(?P<range>-?[\d.,]{1,12} ?[-–—~～] ?-?[\d.,]{1,12})"
)
"""A range such as "0-60"."""
_LEGEND: Final = re.compile(r"(?P<key>\w{1,4})\s?[=＝:：]\s?(?P<label>[^=＝:：,，;；()（）\d]{2,60})")
_CLAUSE_END: Final = re.compile(r"[:,：，]")
_UNFINISHED: Final = re.compile(r"[^.?!:;。？！：；)）\]】_…।]$")


def read_between(lines: list[SourceLine]) -> None:
    """Give roles to the lines without a mark, by the lines around them."""
    reader = _Between(lines)
    _correct_answers(lines, reader)
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


def _correct_answers(lines: Sequence[SourceLine], reader: _Between) -> None:
    """Find the lines among the answers that are instructions, or examples of what to write."""
    for line in lines:
        is_said = is_sentence(line) or line.is_bracketed or line.mark_shape in _ARROWS
        if line.role == ANSWER and ((is_said and reader.is_skip(line)) or _ends_for_some(line)):
            line.give(SKIP)
    for above, line in pairwise(lines):
        if line.role != ANSWER:
            continue
        if _says_how(above, line):
            line.give(INSTRUCTION)
        elif line.has_gap and above.role == QUESTION and split_space(above.text):
            # The answer is written after the question.
            line.give(LEFT, is_certain=False)
        elif _lacks_mark(above, line):
            line.is_certain = False


def _lacks_mark(above: SourceLine, line: SourceLine) -> bool:
    """Return whether a line below an answer with a mark, or below several with boxes, has no mark."""
    if line.mark_shape not in _NO_MARK or above.role not in (QUESTION, ANSWER):
        return False
    listed = answers_of(above)
    has_boxes = listed is not None and listed.sign == "box"
    return has_boxes or (above.role == ANSWER and above.mark_shape not in _NO_MARK)


def _says_how(above: SourceLine, line: SourceLine) -> bool:
    """Return whether a line below answers says how many to choose: in brackets, as an order or unmarked.

    *Only one* can be an answer, but has the mark of the others, and is no order.
    """
    if line.mark_shape not in _NO_MARK or holds_question(line.text) or not says_how_many(line.text):
        return False
    return line.is_bracketed or _lacks_mark(above, line) or CHOOSES.search(line.text) is not None


def _ends_for_some(line: SourceLine) -> bool:
    """Return whether a whole line ends the survey for some people: *(If no, you can stop here.)*."""
    *_clause, last = _CLAUSE_END.split(line.text, maxsplit=1)
    ends = ENDS.fullmatch(line.text) or ENDS.fullmatch(last)
    return ends is not None and CONDITION.search(f"{line.text}:") is not None


def _number_of(mark: Mark) -> int:
    """Return the number of a question; 0 if its mark has none."""
    return mark.value[-2] if len(mark.value) > 1 else 0


class _Between:
    """Reads the lines between two lines whose roles are known."""

    def __init__(self, lines: Sequence[SourceLine]) -> None:
        asked = [line for line in lines[1:] if line.role == QUESTION]
        n_gaps = sum(line.has_gap for line in lines[1:])
        free = [line for line in lines if not line.role]
        self.counts = Counter(map(beginning_of, free))
        self.texts = Counter(line.text.lower() for line in free)
        self.numbers = {_number_of(line.mark) for line in lines if line.role == QUESTION and line.mark}
        self.are_spaced = 2 * sum(line.has_gap for line in asked) > len(asked)
        self.is_double = 5 * n_gaps > 4 * (len(lines) - 1)
        self.has_marks = any(line.role == ANSWER for line in lines)
        self.has_answers = len(asked) > 1
        n_listing = sum(answers_of(line) is not None for line in asked)
        self.are_beside = not self.has_marks and n_listing >= _LEAST_NUMBERED
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
        elif above.is_whole and not lines[0].is_space:
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
            listed = all_answers(line) if below is not None else None
            if listed and listed.points and len(listed.labels) > 2:
                line.become_scale(listed.labels, listed.points, topic="")
                line.body = listed.before
            elif line is lines[-1] and below is not None and below.role == SCALE and not is_long(line):
                line.give(QUESTION)
            elif line is lines[-1] and line is not first and line.has_gap and not is_sentence(line):
                line.give(HEADING)
            else:
                line.give(INTRODUCTION, is_certain=is_sentence(line))

    def _before_answers(self, asked: SourceLine, lines: list[SourceLine]) -> None:
        for line in lines:
            if is_instruction(line, self.counts):
                line.give(INSTRUCTION, is_certain=self._is_known(line))
            elif continues(line) and _UNFINISHED.search(asked.text):
                line.give(JOINED)
            else:
                line.give(HELP, is_certain=False)

    def _is_known(self, line: SourceLine) -> bool:
        return says_how_many(line.text) or self.counts[beginning_of(line)] > 1

    def _body(self, asked: SourceLine, lines: list[SourceLine], below: SourceLine | None) -> None:
        """Read the lines below a question whose answers have no marks."""
        rest = self._behind_instructions(_behind_text(asked, lines))
        fields = [*takewhile(self._is_field, rest)]
        for line in fields:
            line.give(FIELD)
        if fields:
            self._trailing(fields[-1], rest[len(fields) :], below)
        elif below is None and self._is_beyond(rest):
            _leave(rest)
        elif rest:
            self.has_lists = self.has_lists or rest[0].has_gap
            self._answers(asked, rest, below)

    def _answers(self, asked: SourceLine, lines: list[SourceLine], below: SourceLine | None) -> None:
        """Read lines below a question, of which the first may be an instruction, or hold all answers."""
        first, *others = lines
        listed = all_answers(first)
        if is_instruction(first, self.counts) and not listed:
            first.give(INSTRUCTION, is_certain=self._is_known(first))
        elif span := _NUMBERS.fullmatch(first.text.strip()):
            # The smallest and the largest number that can be answered.
            first.mark, first.body = None, span["range"]
            first.raw = first.body
            first.give(ANSWER)
        elif listed and (items := self._items_below(listed, others)):
            first.become_scale(listed.labels, listed.points, topic="")
            for line in items:
                line.become_row(listed.labels, listed.points, is_certain=False)
            first, others = items[-1], others[len(items) :]
        elif listed and self._is_list(listed, lines, below):
            first.give(ANSWER, is_certain=listed.sign not in (",", " ") or not others)
            if _are_steps(listed) and _are_ends(others[:1]):
                first, *others = others
                first.give(ANSWER)
        elif below is None and self._closes(lines):
            _leave(lines)
            return
        else:
            self._plain(asked, lines, below)
            return
        self._trailing(first, others, below)

    def _is_list(self, listed: Listed, lines: Sequence[SourceLine], below: SourceLine | None) -> bool:
        """Return whether a line lists answers: with commas, only if no other line could be an answer."""
        is_alone = len(lines) == 1 or lines[1].has_gap
        return listed.sign != "," or (is_alone and not self._is_apart(lines[0], below))

    def _is_apart(self, line: SourceLine, below: SourceLine | None) -> bool:
        """Return whether a gap is above the last lines of a text: a greeting is no list of answers."""
        return line.has_gap and below is None and self.has_answers

    def _items_below(self, listed: Listed, lines: Sequence[SourceLine]) -> list[SourceLine]:
        """Return the items below a line of answers: the rest of its paragraph, if none lists any."""
        items = [*takewhile(lambda line: not line.has_gap, lines)]
        are_plain = all(
            not (
                all_answers(line)
                or is_sentence(line)
                or is_instruction(line, self.counts)
                or self._is_jump(line)
            )
            and not (line.ends_with_colon or line.is_space)
            for line in items
        )
        is_scale = not listed.before and len(listed.labels) >= _LEAST_STEPS and len(items) >= _LEAST_NUMBERED
        return items if is_scale and are_plain and listed.sign in ("cells", "/", "-") else []

    def _behind_instructions(self, lines: list[SourceLine]) -> list[SourceLine]:
        """Find the instructions below a question, and return the lines behind them."""
        while len(lines) > 1 and (
            self._is_instruction_above(lines[0], lines[1])
            or (self._is_prompt(lines[1]) and is_sentence(lines[0]))
        ):
            lines[0].give(INSTRUCTION, is_certain=self._is_known(lines[0]))
            lines = lines[1:]
        return lines

    def _is_instruction_above(self, line: SourceLine, below: SourceLine) -> bool:
        """Return whether a line says how to answer, and answers or a space to write are below it."""
        return (
            is_instruction(line, self.counts)
            and (below.is_space or not all_answers(line))
            and any(map(str.isalnum, line.text))
        )

    def _is_field(self, line: SourceLine) -> bool:
        return line.is_space or self._is_prompt(line)

    def _is_beyond(self, lines: Sequence[SourceLine]) -> bool:
        """Return whether the last lines of a text are not the answers of its last question."""
        if not lines or lines[-1].ends_with_colon:
            return False
        listed = all_answers(lines[0])
        is_clear = listed is not None and listed.sign not in (",", " ", "cells")
        is_apart = self._is_apart(lines[0], None) and not (self.is_double or self.has_lists)
        return (is_apart or self.are_beside) and not is_clear

    def _is_prompt(self, line: SourceLine) -> bool:
        """Return whether a recurring line asks respondents to write their answer: it ends with a colon."""
        return line.ends_with_colon and self.texts[line.text.lower()] > 1 and not says_how_many(line.text)

    def _closes(self, lines: Sequence[SourceLine]) -> bool:
        """Return whether lines behind the last question are a greeting: behind a gap, or a single line."""
        is_long_list = len(lines) >= _MOST_GREETINGS
        if is_long_list or lines[0].text[:1].isdecimal() or lines[-1].ends_with_colon:
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
        if end == 1 and lines[0].ends_with_colon:
            # One line is not a list of answers. Directly above a list of questions, it is their heading.
            is_heading = not others and _heads_questions(asked, lines[0], below)
            lines[0].give(HEADING if is_heading else QUESTION, is_certain=False)
        else:
            is_end = below is None or (below.has_gap and not self.are_spaced)
            self._give_answers(asked, answers, is_end=not others and (is_end or self.is_double))
        if others:
            self._trailing(lines[end - 1], others, below)

    def _give_answers(self, asked: SourceLine, lines: Sequence[SourceLine], *, is_end: bool) -> None:
        """Make lines answers, and the last ones an instruction or a jump if they say so.

        At the end of a part, the last line may begin something else, unless it recurs.
        """
        is_alone = len(lines) == 1 or (self.has_marks and not asks(asked.text))
        _keep_commas(lines)
        for position, line in enumerate(lines):
            is_last = position == len(lines) - 1
            is_odd = is_sentence(line) or is_instruction(line, self.counts) or line.ends_with_colon
            is_doubtful = is_last and position > 0 and is_end and self.texts[line.text.lower()] < 2
            if is_last and _says_how(asked, line):
                line.give(INSTRUCTION)
            elif position and self._is_jump(line):
                line.give(SKIP)
            elif position and ends_answer(lines[0], lines[position - 1], line):
                line.give(JOINED, is_certain=False)
            else:
                line.give(ANSWER, is_certain=not (is_odd or is_doubtful or is_alone))

    def _trailing(self, above: SourceLine, lines: list[SourceLine], below: SourceLine | None) -> None:
        """Read the lines behind the answers of a question."""
        if lines and below is not None and self._heads(lines):
            lines[0].give(HEADING, is_certain=False)
            for line in lines[1:]:
                line.give(HELP)
            return
        for position, (before, line) in enumerate(pairwise([above, *lines]), start=1):
            if line.is_space:
                line.give(FIELD)
            elif _says_how(before, line):
                line.give(INSTRUCTION)
            elif self.is_skip(line):
                line.give(SKIP)
            elif below is not None and below.role == ANSWER:
                self._within(above, line)
            elif self._goes_on(before, line):
                line.give(JOINED, is_certain=len(before.text) > LONG // 2)
            elif self._recurs(line) and (above.role != ANSWER or above.mark):
                # A few words that end several lists may be an answer without the mark of the others.
                line.give(LEFT, is_certain=before.role != ANSWER or line.has_gap or is_sentence(line))
            else:
                self._behind(above, line, lines[position : position + 1], below)

    @staticmethod
    def _goes_on(before: SourceLine, line: SourceLine) -> bool:
        """Return whether a line is the rest of an answer; below a word with a small letter it is the next."""
        is_word = before.begins_small and len(before.text.split()) < len("abc")
        is_part = continues(line) and before.role in (ANSWER, JOINED) and not is_word
        return is_part and _UNFINISHED.search(before.text) is not None

    def _recurs(self, line: SourceLine) -> bool:
        """Return whether a line recurs, or its first words do several times."""
        return self.texts[line.text.lower()] > 1 or self.counts[beginning_of(line)] > 2

    def _behind(
        self, above: SourceLine, line: SourceLine, after: Sequence[SourceLine], below: SourceLine | None
    ) -> None:
        """Read a line behind answers that only its place explains; after it may be another one."""
        if self._asks_for_space(above, line, after, below):
            line.give(QUESTION, is_certain=False)
        elif below is None:
            is_asked = (not after and line.ends_with_colon) or is_labelled_space(line.text)
            line.give(QUESTION if is_asked else LEFT, is_certain=False)
        elif not after and _may_head(above, line, below):
            is_clear = above.mark is not None or above.role in (FIELD, ROW)
            is_clear = is_clear or (line.has_gap and self.are_spaced)
            line.give(HEADING, is_certain=is_clear and not self.is_double)
        else:
            line.give(ANSWER if _is_below_answer(above, line) else LEFT, is_certain=False)

    @staticmethod
    def _asks_for_space(
        above: SourceLine, line: SourceLine, after: Sequence[SourceLine], below: SourceLine | None
    ) -> bool:
        """Return whether a line asks for what is written in the space right below it."""
        if not after or after[0].has_gap or not after[0].is_space:
            return False
        is_last = below is None or below.role == LEFT
        is_label = above.mark is not None and not (continues(line) or is_sentence(line))
        return line.has_gap or (is_last and is_label)

    def _heads(self, lines: Sequence[SourceLine]) -> bool:
        """Return whether a paragraph is a heading with its explanation: a title, and sentences below it."""
        first, *others = lines
        is_title = first.has_gap and not (is_sentence(first) or is_long(first) or first.mark)
        is_plain = not first.is_bracketed and self.texts[first.text.lower()] < 2
        are_sentences = bool(others) and all(is_sentence(line) and not line.has_gap for line in others)
        return (
            is_title
            and is_plain
            and are_sentences
            and not self.is_double
            and not any(asks(line.text) or all_answers(line) for line in lines)
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
        listed = all_answers(line)
        if listed and not listed.before and (listed.points or listed.sign in "|/") and len(listed.labels) > 2:
            # The numbers are codes of answers or amounts, not numbers of questions.
            return False
        names = bool(numbers & self.numbers) and len(line.text) < 3 * LONG
        is_cue = bool(LEADS_ON.search(line.text))
        return (names and (line.is_bracketed or speaks_of_condition(line.text))) or (
            is_cue and is_condition(line.text)
        )


def _keep_commas(lines: Sequence[SourceLine]) -> None:
    """Make a first line with commas one answer if other answers are below it, and it does not go on there."""
    listed = all_answers(lines[0])
    if listed is None or listed.sign != "," or lines[0].text[-1] in ",，、":
        return
    if len(lines) > len("ab") or (len(lines) > 1 and len(listed.labels) == len("ab")):
        lines[0].topic = ONE


def _is_below_answer(above: SourceLine, line: SourceLine) -> bool:
    """Return whether a line is directly below an answer without a mark."""
    return above.role == ANSWER and above.mark is None and not line.has_gap


def _may_head(above: SourceLine, line: SourceLine, below: SourceLine) -> bool:
    """Return whether a line behind answers may be a heading: a gap or a table separates it.

    A small letter directly below an answer without a mark begins another one.
    """
    is_apart = line.has_gap or below.has_gap or above.role == ROW
    is_answer = _is_below_answer(above, line) and line.begins_small
    return is_apart and not (is_sentence(line) or line.is_bracketed or is_answer)


def _heads_questions(asked: SourceLine, line: SourceLine, below: SourceLine | None) -> bool:
    """Return whether a line below a question is the heading of the questions below it."""
    if asked.mark is None or below is None or below.role != QUESTION or below.mark is None or below.has_gap:
        return False
    return line.has_gap or (asked.mark_shape != below.mark_shape and not asks(asked.text))


def _behind_text(asked: SourceLine, lines: list[SourceLine]) -> list[SourceLine]:
    """Join the lines with which a question goes on, and return the lines behind them."""
    listed = answers_of(asked)
    is_asked = listed is None and holds_question(asked.text) and says_how_many(asked.text)
    if is_asked or _UNFINISHED.search(asked.text) is None or len(asked.text) <= LONG // 2:
        return lines
    # A list of answers goes on with its own sign.
    signs = f"{listed.sign[-1:]})）" if listed else ""
    joined = [
        *takewhile(lambda line: continues(line) and (not signs or any(map(line.text.count, signs))), lines)
    ]
    for line in joined:
        line.give(JOINED)
    return lines[len(joined) :]


def _leave(lines: Sequence[SourceLine]) -> None:
    for line in lines:
        line.give(LEFT, is_certain=False)


def _are_steps(listed: Listed) -> bool:
    """Return whether answers are the steps of a scale without words for its ends."""
    return listed.sign == "ends" and all(label.isdecimal() for label in listed.labels)


def _are_ends(below: Sequence[SourceLine]) -> bool:
    """Return whether the line below the steps of a scale holds words for its ends."""
    return any(not line.has_gap and not NUMBER.search(line.text) for line in below)


def beginning_of(line: SourceLine) -> str:
    """Return what instructions of one kind have in common: their first words, or signs."""
    text = line.text.lower().strip("(（[【*")
    return text[:4] if HAN.search(text) else " ".join(text.split()[:2])


def is_instruction(line: SourceLine, counts: Counter[str]) -> bool:
    """Return whether a line without a mark says how to answer."""
    return (
        (says_how_many(line.text) and not holds_question(line.text))
        or line.is_bracketed
        or (bool(_ENDED.search(line.text)) and counts[beginning_of(line)] > 1)
    )
