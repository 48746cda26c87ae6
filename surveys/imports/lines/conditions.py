"""Conditions that lines state, above, below or in front of a question: who is asked it.

A remark that names an earlier question with one of its answers is a condition of the question next to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from surveys.imports.lines.sheets import SHEET
from surveys.imports.lines.skips import (
    CODED_ANSWER,
    CONDITION_FORMULA,
    NUMBER_NAMED,
    STATED_ANSWER,
    codes_before,
    codes_of,
    places_ahead,
)
from surveys.imports.lines.source_lines import (
    ANSWER,
    ASKED,
    HEADING,
    HELP,
    INSTRUCTION,
    JOINED,
    LEFT,
    QUESTION,
    ROW,
    SCALE,
    SCORING,
    SKIP,
    TITLE,
    SourceLine,
    StatedCondition,
    answers_of,
)
from surveys.imports.words.cues import (
    COMING,
    ENDS,
    IF_SO,
    LEADS_ON,
    NAMES_QUESTION,
    begins_with_clause,
    is_condition,
    is_yes_no,
    pattern_of,
    says_how_many,
    speaks_of_condition,
)
from surveys.imports.words.marks import NUMBER_WORDS
from surveys.imports.words.patterns import HAN, IN_BRACKETS, NUMBER, REMARK_BEFORE

_FEW: Final = 2
_MOST: Final = 8
"""Largest number of conditions of one question that are read separately."""
_NEAR: Final = 8
_FOR_SOME: Final = pattern_of("for-some")
_FOR_ALL: Final = pattern_of("for-all")
_IF: Final = pattern_of("if")
_PLEASE: Final = re.compile(rf"\W*(?:{pattern_of('please').pattern})", re.IGNORECASE)
_COMMA: Final = re.compile(r"(?<=[,，])")
_SAYING: Final = (HELP, INSTRUCTION, LEFT, HEADING, SKIP)
"""Roles of lines that may say who is asked the questions below."""
_NEAR_REFERENCE, _BETWEEN_REFERENCES = 20, 6
_UNIT: Final = re.compile(
    r"\s?(?!(?:to|and|or|bis|und|oder|à|et|ou|a|y|o|e|al?|до|и|или)\s[^\W\d_]?\d)[^\W\d_]|\s?[%€$]"
)
"""Words for counted things: a number before one is not the number of a question."""
_NEVER: Final = (SCORING, TITLE, HEADING)
"""Roles of lines that have remarks, but no instructions."""
_WORDS: Final = re.compile(r"[㐀-鿿]|[^\W_㐀-鿿]+")
_QUOTED: Final = re.compile(r"[«»„“\"'‘「『]([^«»„“”\"'’「」『』]{1,40})[«»“”\"'’」』]")
_LED: Final = re.compile(r"(?P<words>[^?？→⇒➔>]{0,60}?)\s?(?:[→⇒➔]|-{1,20}>|=>)\s?(?=\w|[¿(])")
"""A condition and an arrow, which lead to a question."""


@dataclass(frozen=True)
class _Asked:
    """A question, and the answers that were read so far."""

    line: SourceLine
    answers: list[str]


def mark_conditions(lines: Sequence[SourceLine]) -> None:
    """Find which questions are asked only after some answers, and the words that say so.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles; `SourceLine.conditions` of questions is set.
    """
    reader = _Reader(lines)
    for place, line in enumerate(lines):
        if line.role in ASKED:
            reader.ask(line, place)
        elif line.role in (ANSWER, SCALE) and reader.last:
            listed = answers_of(line)
            labels = line.cells if line.role == SCALE else listed.labels if listed else [line.body]
            reader.last.answers.extend(labels)
        elif line.role in _SAYING:
            reader.is_within = reader.is_within and not line.has_gap
            reader.say(line, place)
        reader.is_within = line.role in ASKED or (reader.is_within and line.role in (*_SAYING, JOINED))
        if line.target is None and line.role in (QUESTION, ROW, ANSWER) and LEADS_ON.search(line.text):
            # The instruction is not a remark behind an answer, so it concerns all lines up to its target.
            for code in NUMBER_NAMED.finditer(line.text):
                for at in places_ahead(reader.codes, code, place)[:1]:
                    reader.ranges.add(lines[at].number, _condition_at(line))
        if line.target is not None and line.role not in _NEVER:
            reader.lead_on(line)


class _Reader:
    """Read the lines of a text from first to last, and give each question its conditions."""

    def __init__(self, lines: Sequence[SourceLine]) -> None:
        self.lines = lines
        self.beyond = lines[-1].number + 1 if lines else 0
        self.codes = codes_of([line if line.role in ASKED else None for line in lines])
        self.n_numbered = sum(
            line.mark is not None and line.mark.kind == "count" for line in lines if line.role == QUESTION
        )
        self.asked: dict[str, _Asked] = {}
        self.last: _Asked | None = None
        self.ranges = _Ranges()
        self.of_part: StatedCondition | None = None
        self.of_next: list[StatedCondition] = []
        self.perhaps = _Ranges()
        """What may limit who is asked some questions."""
        self.is_within = False
        """Whether only remarks without a gap are between the last question and this line."""
        self.ended_at = 0
        """The first line of an answer after which the survey ends, or goes on at an unknown question."""

    def ask(self, line: SourceLine, place: int) -> None:
        """Give a question the conditions that lines above state, and those that it states itself."""
        led = _LED.match(line.body)
        if led and (line.role == QUESTION and line.body in line.raw):
            # A condition before an arrow is not part of the question.
            line.raw, line.body = line.raw[line.raw.index(line.body) + led.end() :], line.body[led.end() :]
        own = [each.lower() for each in self.last.answers] if self.last else []
        listed = answers_of(line)
        # The numbers of its answers are not those of questions.
        is_list = listed is not None and (bool(listed.points) or listed.sign == "box")
        asked_text = listed.before if listed and listed.before and is_list else line.body
        text = REMARK_BEFORE.sub(r"\g<words>, ", line.body)
        pairs = (own[:_FEW], own[-_FEW:])
        follows_choice = self.last is not None and (any(map(is_yes_no, pairs)) or not own)
        is_stated = (
            is_condition(text, own)
            or any(map(IF_SO.match, _COMMA.split(text)[1:]))
            or (follows_choice and _IF.match(text) is not None)
            or (self.last is not None and _begins_for_some(text))
            or (self._follows_up(line) and begins_with_clause(text))
            or _stated(asked_text, self.asked) is not None
            or _names_answer(line.body, own)
            or any(map(_is_limit, IN_BRACKETS.findall(line.body)))
        )
        perhaps = [each.line for each in self.perhaps.over(line.number)]
        line.limited_at = self.ended_at or next(iter(perhaps), 0)
        line.conditions = self.ranges.over(line.number)
        line.conditions += [self.of_part] if self.of_part else []
        line.conditions += self.of_next
        line.conditions += [StatedCondition(line=line.number, words=line.body)] if is_stated else []
        if led and (words := led["words"].strip()):
            line.conditions.append(StatedCondition(line=line.number, words=words))
        if _stated(line.beside, self.asked) is not None:
            line.conditions.append(StatedCondition(line=line.number, words=line.beside))
        elif ahead := self._ahead(line.beside, place):
            behind = StatedCondition(line=line.number, words=line.beside, skips=True, is_behind=True)
            self.ranges.add(self.lines[ahead[-1]].number, behind)
        labels = line.cells if line.topic == SHEET else listed.labels if listed and listed.before else ()
        self.last, self.of_next = _Asked(line, [*labels]), []
        self.asked |= dict.fromkeys(codes_before(line), self.last)

    def _follows_up(self, line: SourceLine) -> bool:
        """Return whether a question has no number and follows the answers of one that has."""
        above = self.last.line if self.last and self.last.answers else None
        is_numbered = above is not None and above.mark is not None and above.mark.kind == "count"
        return is_numbered and line.mark is None and self.n_numbered >= _FEW

    def say(self, line: SourceLine, place: int) -> None:
        """Read a line that is neither a question nor an answer: it may limit who is asked those below."""
        named, speaks = _stated(line.text, self.asked), speaks_of_condition(line.text)
        is_numbered = NAMES_QUESTION.search(line.text) is not None
        is_said = named is not None or speaks or is_numbered
        ahead = self._ahead(line.text, place, named) if is_said else []
        is_for_some = _FOR_SOME.match(line.body) is not None
        if line.role == HEADING or _FOR_ALL.fullmatch(line.body):
            self.of_part, self.perhaps = None, _Ranges()
        is_jump = len(ahead) == 1 and self._is_question_between(place, ahead[0])
        stated = _condition_at(line, leads_on=is_jump)
        is_heading, answers = line.role == HEADING, self.last.answers if self.last else ()
        says = named is not None or is_for_some or line.role == SKIP or is_condition(line.text, answers)
        if ahead:
            # Some people continue at the only question named below, or answer the several that are named.
            first = line.number if is_jump else self.lines[ahead[0]].number
            ranges = self.ranges if named or speaks else self.perhaps
            ranges.add(self.lines[ahead[-1]].number + (not is_jump), stated, since=first)
        elif says and not is_heading and (concerned := _concerned(line.text, self.asked)):
            for each in concerned:
                each.line.conditions = _added(each.line.conditions, stated)
        elif (
            says
            and self.last
            and named is not self.last
            and not stated.skips
            and self._is_own(line, place, is_named=named is not None or (is_for_some and is_numbered))
        ):
            self.last.line.conditions = _added(self.last.line.conditions, stated)
        elif is_for_some and is_heading:
            self.of_part = stated
        elif speaks and COMING.search(line.text):
            self._limit_coming(line, place, stated)
        elif says:
            self.of_next = _added(self.of_next, stated)
            if not named and line.text[-1] not in ":：":
                self.perhaps.add(self.beyond, stated)

    def _limit_coming(self, line: SourceLine, place: int, stated: StatedCondition) -> None:
        """Limit the questions that follow: as many as a line says, or all of the part."""
        below = [each.number for each in self.lines[place + 1 :] if each.role in ASKED]
        count = next(filter(None, map(_count_of, _WORDS.findall(line.text.lower()))), 0)
        if 0 < count <= len(below):
            self.ranges.add(below[count - 1] + 1, stated)
        else:
            self.of_part = stated

    def _is_own(self, line: SourceLine, place: int, *, is_named: bool) -> bool:
        """Return whether a line concerns the last question: it is above its answers, or its last line."""
        below = self.lines[place + 1] if place + 1 < len(self.lines) else None
        ends = below is None or below.has_gap
        if self.is_within:
            return below is not None and not ends and below.role not in (QUESTION, ROW, HEADING)
        if self.last is None or line.has_gap or line.role == HEADING:
            return False
        is_formula = CONDITION_FORMULA.fullmatch(line.text) is not None
        return is_named or is_formula if ends else is_named and not self.last.answers

    def lead_on(self, line: SourceLine) -> None:
        """Read an instruction to skip at the end of a line."""
        is_answer = line.role in (QUESTION, ROW, ANSWER)
        words = line.skip if is_answer else f"{line.text} {line.skip}"
        stated = StatedCondition(line=line.number, words=words, skips=True, is_behind=is_answer)
        self.ranges.add(line.target or 0, stated)
        # A question that no line has may be any of those below.
        is_open = ENDS.fullmatch(line.skip) or (not line.target and NUMBER.search(line.skip))
        self.ended_at = self.ended_at or (line.number if is_open else 0)
        self.of_next = self.of_next if line.target else _added(self.of_next, stated)

    def _ahead(self, text: str, place: int, named: _Asked | None = None) -> list[int]:
        """Return the places of the questions below that a text names by their numbers."""
        codes = (code for code in _references(text) if not named or _named_by(code, self.asked) is not named)
        return sorted({at for code in codes for at in places_ahead(self.codes, code, place)[:1]})

    def _is_question_between(self, place: int, ahead: int) -> bool:
        return any(each.role in ASKED for each in self.lines[place + 1 : ahead])


def _is_limit(remark: str) -> bool:
    """Return whether a remark in a question says who is asked it; "(if any)" does not."""
    is_clause = len(remark.split()) > _FEW or HAN.search(remark) is not None
    is_for_some = any(map(_FOR_SOME.match, _COMMA.split(remark)))
    return bool(is_for_some or IF_SO.match(f"{remark}:") or (is_clause and _IF.match(f"{remark}:")))


def _begins_for_some(text: str) -> bool:
    """Return whether words and a colon in front of a question say who is asked it.

    >>> [_begins_for_some(each) for each in ("Smokers only: how often?", "Tick one only: how often?")]
    [True, False]
    """
    clause, colon, _rest = text.replace("：", ":").partition(":")
    is_instruction = says_how_many(clause) or _PLEASE.match(clause) is not None
    return bool(colon) and not is_instruction and _FOR_SOME.match(clause) is not None


def _count_of(word: str) -> int:
    return int(word) if word.isdecimal() else NUMBER_WORDS.get(word, 0)


def _references(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers in a text that may be those of questions: *Q5*, *2 to 4*, but not *12 months*."""
    end = 0
    for code in NUMBER_NAMED.finditer(text):
        before = text[max(0, code.start() - _NEAR_REFERENCE) : code.end()]
        goes_on = 0 < end >= code.start() - _BETWEEN_REFERENCES
        is_named = code["word"] or NAMES_QUESTION.search(before) or LEADS_ON.search(before)
        if is_named or goes_on or not _UNIT.match(text, code.end()):
            end = code.end()
            yield code


def _condition_at(line: SourceLine, *, leads_on: bool = False) -> StatedCondition:
    """Return the condition that a whole line states: who is asked, or who skips what follows."""
    skips = leads_on or LEADS_ON.search(line.text) is not None
    return StatedCondition(line=line.number, words=line.text, skips=skips)


def _added(before: Sequence[StatedCondition], stated: StatedCondition) -> list[StatedCondition]:
    """Return conditions with another one; too many become one without words, which is not read."""
    if len(before) >= _MOST:
        return [StatedCondition(line=stated.line, words="")]
    return [*before, stated]


class _Ranges:
    """Conditions of all questions up to a line."""

    def __init__(self) -> None:
        self._open: list[tuple[int, int, StatedCondition]] = []

    def add(self, until: int, stated: StatedCondition, *, since: int = 0) -> None:
        """Add a condition to the questions above one line that are not above another."""
        if until <= stated.line:
            return
        if len(self._open) == _MOST:
            # A text that limits one question so often is not read in detail.
            until, since = max(until, *(end for _start, end, _stated in self._open)), 0
            self._open, stated = [], StatedCondition(line=stated.line, words="", skips=True)
        self._open.append((since, until, stated))

    def over(self, number: int) -> list[StatedCondition]:
        """Return the conditions of a question, and forget those that end above it."""
        self._open = [each for each in self._open if number < each[1]]
        return list(dict.fromkeys(stated for since, _until, stated in self._open if since <= number))


def _names_answer(text: str, answers: Sequence[str]) -> bool:
    """Return whether the remark in brackets in front of a text quotes an answer of the question above."""
    remark = REMARK_BEFORE.match(text)
    quoted = _QUOTED.findall(remark["words"].lower()) if remark else []
    return any(words.strip() in answers for words in quoted)


def _concerned(text: str, asked: Mapping[str, _Asked]) -> list[_Asked]:
    """Return the questions that a text names without an answer, behind the first that it names."""
    text = CODED_ANSWER.sub("=", text)
    named = [
        (each, text[match.end() : match.end() + _NEAR].lower())
        for match in NUMBER_NAMED.finditer(text)
        if (each := _named_by(match, asked))
    ]
    first = min((each.line.number for each, _behind in named), default=0)
    return [
        each
        for each, behind in named
        if each.line.number > first
        and not (
            STATED_ANSWER.search(behind)
            or any(len(label) > 1 and label.lower() in behind for label in each.answers)
        )
    ]


def _named_by(code: re.Match[str], asked: Mapping[str, _Asked]) -> _Asked | None:
    """Return the question whose number a text names, with or without the letters in front of it."""
    return asked.get((code["word"] + code["number"]).lower()) or asked.get(code["number"])


def _stated(text: str, asked: Mapping[str, _Asked]) -> _Asked | None:
    """Return the question of which a text names the number and an answer."""
    for match in NUMBER_NAMED.finditer(text):
        named = _named_by(match, asked)
        words = text.lower()
        if named and (
            STATED_ANSWER.search(text)
            or any(len(label) > 1 and label.lower() in words for label in named.answers)
        ):
            return named
    return None
