"""Conditions that lines state, above, below or in front of a question: who is asked it.

A remark that names an earlier question with one of its answers is a condition of the question next to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from surveys.imports.lines.named_questions import Asked, clauses_about, named_by, stated_by
from surveys.imports.lines.sheets import SHEET, compares_answer
from surveys.imports.lines.skips import (
    CONDITION_FORMULA,
    NUMBER_NAMED,
    codes_before,
    codes_of,
    places_ahead,
    with_digits,
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
from surveys.imports.lines.text_languages import languages_of
from surveys.imports.words.cues import (
    COMING,
    CONDITION,
    IF_SO,
    LAST_QUESTION,
    LEADS_ON,
    NAMES_QUESTION,
    OTHERWISE,
    SKIPS_OVER,
    begins_with_clause,
    ends_survey,
    is_condition,
    is_yes_no,
    pattern_of,
    says_yes,
    speaks_of_condition,
    without_interviewer,
)
from surveys.imports.words.limits import FOR_SOME, is_for_all, is_for_some, is_limit, without_for_all
from surveys.imports.words.marks import NUMBER_WORDS
from surveys.imports.words.patterns import IN_BRACKETS, REMARK_BEFORE

_FEW: Final = 2
_MOST: Final = 8
"""Largest number of conditions of one question that are read separately."""
_NEAR: Final = 8
_IF: Final = pattern_of("if")
_SI: Final = re.compile(r"\W*si\s", re.IGNORECASE)
_COMMA: Final = re.compile(r"(?<=[,，])")
_LEAD: Final = re.compile(r"([^:：?？؟]{2,90}?)(?:[:：]|\s[-–—]{1,2}\s)(?=\s?\S)")
"""Words and a colon or a dash in front of a question."""
_BRACKET: Final = re.compile(r"[\[\]【】()（）]\s?")
_ANSWERED: Final = (QUESTION, ROW, ANSWER)
_SAYING: Final = (HELP, INSTRUCTION, LEFT, HEADING, SKIP)
"""Roles of lines that may say who is asked the questions below."""
_NEAR_REFERENCE, _BETWEEN_REFERENCES = 20, 6
_UNIT: Final = re.compile(
    r"\s?(?!(?:to|and|or|bis|und|oder|à|et|ou|a|y|o|e|al?|до|и|или)\s(?:[^\W\d_]{1,3}\s){0,2}[^\W\d_]?\d)[^\W\d_]|\s?[%€$]"
)
"""Words for counted things: a number before one is not the number of a question."""
_NEVER: Final = (SCORING, TITLE, HEADING)
"""Roles of lines that have remarks, but no instructions."""
_CLAUSE: Final = re.compile(r"\W{0,3}(?P<words>[^,，;；:：]{2,90})[,，;；:：]")
"""The words in front of the first comma of a line."""
_CODES: Final = re.compile(
    r"[=≠]\s?\d{1,3}(?:\s?(?:[,/]|\b(?:or|oder|ou|o|или)\b|或)\s?\d{1,3}(?!\d)){0,8}", re.IGNORECASE
)
"""Codes of answers: *= 1 or 2*."""
_SENTENCES: Final = re.compile(r"(?<=\w)[.](?:\s|$)|[;；。]")
_WORDS: Final = re.compile(r"[㐀-鿿]|[^\W_㐀-鿿]+")
_QUOTED: Final = re.compile(r"[«»„“\"'‘「『]([^«»„“”\"'’「」『』]{1,40})[«»“”\"'’」』]")
_LED: Final = re.compile(r"(?P<words>[^?？→⇒➔>]{0,60}?)\s?(?:[→⇒➔]|-{1,20}>|=>)\s?(?=\w|[¿(])")
"""A condition and an arrow, which lead to a question."""
_ARROW_BEFORE: Final = re.compile(r"^\W{0,2}(?:[→⇒➔►▶]|-{1,20}>|={1,20}>|>>?)\s?")


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
        elif line.role in (ANSWER, SCALE):
            reader.answer(line)
        elif line.role in _SAYING:
            reader.is_within = reader.is_within and not line.has_gap
            reader.say(line, place)
        reader.is_within = line.role in ASKED or (reader.is_within and line.role in (*_SAYING, JOINED))
        if line.target is not None and line.role not in _NEVER:
            reader.lead_on(line, place)
        elif line.target is None and line.role in _ANSWERED:
            reader.lead_within(line, place)


class _Reader:
    """Read the lines of a text from first to last, and give each question its conditions."""

    def __init__(self, lines: Sequence[SourceLine]) -> None:
        self.lines = lines
        asked = [line for line in lines if line.role in ASKED]
        self.end = asked[-1].number if asked else 0
        """The line of the last question."""
        self.codes = codes_of([line if line.role in ASKED else None for line in lines])
        self.n_numbered = sum(line.mark_kind == "count" for line in lines if line.role == QUESTION)
        self.asked: dict[str, Asked] = {}
        self.last: Asked | None = None
        self.ranges = _Ranges()
        self.of_part: StatedCondition | None = None
        self.of_next: list[StatedCondition] = []
        self.is_within = False
        """Whether only remarks without a gap are between the last question and this line."""

    def ask(self, line: SourceLine, place: int) -> None:
        """Give a question the conditions that lines above state, and those that it states itself."""
        if without_for_all(line.body) != line.body:
            self.of_part = None
        led = _cut_lead(line)
        own = [each.lower() for each in self.last.answers] if self.last else []
        is_stated = self._follows_answers(line, own) or self._says_who(line)
        words = [*([line.body] if is_stated else []), *([led] if led else [])]
        # Footnotes were read before.
        line.conditions = [*line.conditions, *self.ranges.over(line.number)]
        line.conditions += [self.of_part] if self.of_part else []
        line.conditions += self.of_next
        line.conditions += [StatedCondition(line=line.number, words=each) for each in words]
        self._read_beside(line, place)
        listed = answers_of(line)
        labels = line.cells if line.topic == SHEET else listed.labels if listed and listed.before else ()
        self.last, self.of_next = Asked(line, [*labels]), []
        self.asked |= dict.fromkeys(codes_before(line), self.last)

    def answer(self, line: SourceLine) -> None:
        """Keep the answers of a line, which conditions may name."""
        if self.last:
            listed = answers_of(line)
            labels = line.cells if line.role == SCALE else listed.labels if listed else [line.body]
            self.last.answers.extend(labels)

    def _follows_answers(self, line: SourceLine, own: Sequence[str]) -> bool:
        """Return whether a question begins with a condition about the one above it, with these answers."""
        listed = answers_of(line)
        body = listed.before if listed and listed.before and listed.sign == "cells" else line.body
        text = REMARK_BEFORE.sub(r"\g<words>, ", body)
        is_choice = any(map(is_yes_no, (own[:_FEW], own[-_FEW:]))) or not own
        return (
            is_condition(text, own)
            or any(map(IF_SO.match, _COMMA.split(text)[1:]))
            or (self.last is not None and is_choice and self._begins_with_if(text))
            or (self._follows_up(line) and begins_with_clause(text))
            or _names_answer(line.body, own)
        )

    def _begins_with_if(self, text: str) -> bool:
        """Return whether a question begins with a condition. In Italian, *si* does not mean if."""
        if _IF.match(text) is None:
            return False
        return _SI.match(text) is None or "it" not in languages_of(line.text for line in self.lines)

    def _says_who(self, line: SourceLine) -> bool:
        """Return whether a question says who is asked it: in front of it, in brackets, or by a number."""
        listed = answers_of(line)
        # The numbers of its answers are not those of questions.
        is_list = listed is not None and (bool(listed.points) or listed.sign == "box")
        asked_text = listed.before if listed and listed.before and is_list else line.body
        _asked, _sign, behind = line.body.replace("？", "?").partition("?")
        return (
            (self.last is not None and _begins_for_some(line.body))
            or any(map(_is_jump_ahead, _leads_of(line.body)))
            or stated_by(asked_text, self.asked) is not None
            or any(is_limit(each) for each in IN_BRACKETS.findall(line.body) if not _is_jump_ahead(each))
            or any(FOR_SOME.match(part) and NAMES_QUESTION.search(part) for part in _BRACKET.split(behind))
        )

    def _read_beside(self, line: SourceLine, place: int) -> None:
        """Read what cells next to a question in a sheet say about who is asked it, or who continues below."""
        if stated_by(line.beside, self.asked) is not None or compares_answer(line.beside):
            line.conditions.append(StatedCondition(line=line.number, words=line.beside))
        elif ahead := self._ahead(line.beside, place):
            behind = StatedCondition(line=line.number, words=line.beside, skips=True, is_behind=True)
            self.ranges.add(self.lines[ahead[-1]].number, behind)

    def _follows_up(self, line: SourceLine) -> bool:
        """Return whether a question has no number and follows the answers of one that has."""
        above = self.last.line if self.last and self.last.answers else None
        is_numbered = above is not None and above.mark_kind == "count"
        return is_numbered and line.mark is None and self.n_numbered >= _FEW

    def say(self, line: SourceLine, place: int) -> None:
        """Read a line that is neither a question nor an answer: it may limit who is asked those below."""
        readings = (self._leads_to_condition, self._say_both, self._say_each, self._say_end)
        if any(read(line, place) for read in readings):
            return
        named, speaks = stated_by(line.text, self.asked), speaks_of_condition(line.text)
        is_heading = line.role == HEADING
        if is_heading or is_for_all(line.text):
            self.of_part = None
        limits = _limits(line)
        speaks = speaks or limits or self._quotes_answer(line)
        is_naming = named or speaks or NAMES_QUESTION.search(line.text)
        if is_naming and (ahead := self._ahead(line.text, place, named)):
            if named or speaks:
                self._limit_ahead(line, place, ahead)
            return
        stated = _condition_at(line)
        says = limits or self._is_condition(line, named)
        if self._limit_above(line, place, named, stated if says else None):
            return
        if limits and is_heading:
            self.of_part = replace(stated, is_open=True)
        elif speaks and COMING.search(line.text):
            self._limit_coming(line, place, stated)
        elif (line.role == SKIP or limits) and (block := self._block_below(line, place)):
            self.ranges.add(block[-1].number + 1, stated)
        elif says:
            self.of_next = _added(self.of_next, stated)

    def _say_both(self, line: SourceLine, place: int) -> bool:
        """Read what some people do and what all others do: one group skips the next questions.

        Return whether it was understood.
        """
        text = without_interviewer(f"{line.text} {line.skip}" if line.target else line.text)
        parted = OTHERWISE.search(text)
        before, behind = (text[: parted.start()], text[parted.end() :]) if parted else ("", "")
        if not (CONDITION.search(f"{before}:") or _QUOTED.search(before)):
            return False
        clause = _CLAUSE.match(before)
        words = clause["words"] if clause else before
        first, other = (self._leads_to(each, place) for each in (before, behind))
        if other is not None and (first is None or not self._is_question_between(place, first)):
            until, skips = other, False
        elif first is not None and other is None:
            until, skips = first, True
        else:
            return False
        stated = StatedCondition(line=line.number, words=words.strip(" ([（"), skips=skips)
        self.ranges.add(self.lines[until].number, stated)
        line.target = None
        return True

    def _say_each(self, line: SourceLine, place: int) -> bool:
        """Read several sentences for different people, each with questions: *If A, ask 2. If B, go to 4.*"""
        parts = [each for each in _SENTENCES.split(without_interviewer(line.text)) if each.strip()]
        ahead = [self._ahead(_CODES.sub("=", each), place) for each in parts]
        if sum(map(bool, ahead)) < _FEW or not CONDITION.search(f"{line.text}:"):
            return False
        for words, places in zip(parts, ahead, strict=True):
            is_jump = len(places) == 1 and self._is_question_between(place, places[0])
            stated = StatedCondition(line=line.number, words=words, skips=is_jump)
            # What others do may concern the last of the questions.
            first, last = (places[0], places[-1]) if places else 2 * (max(map(max, filter(None, ahead))),)
            since, until = (line.number, last) if is_jump else (self.lines[first].number, last)
            self.ranges.add(self.lines[until].number + (not is_jump), stated, since=since)
        return True

    def _say_end(self, line: SourceLine, _place: int) -> bool:
        """Read for whom the survey ends: *(if no: end of the survey)*; return whether a line says so."""
        text = without_interviewer(line.text)
        clause = _CLAUSE.match(text)
        if clause is None or not CONDITION.search(f"{clause['words']}:"):
            return False
        if not ends_survey(text[clause.end() :]):
            return False
        words = clause["words"].strip(" ([（")
        self.ranges.add(self.end + 1, StatedCondition(line=line.number, words=words, skips=True))
        return True

    def _quotes_answer(self, line: SourceLine) -> bool:
        """Return whether a line quotes an answer to the last question: *those who ticked “no” go to 4*."""
        own = {each.casefold() for each in self._answers}
        quoted = (each.strip().casefold() for each in _QUOTED.findall(line.text))
        return any(each in own or (self.last is not None and says_yes(each) is not None) for each in quoted)

    def _leads_to(self, words: str, place: int) -> int | None:
        """Return the place of the only question below that words name."""
        ahead = self._ahead(words, place)
        return ahead[0] if len(ahead) == 1 else None

    def _leads_to_condition(self, line: SourceLine, place: int) -> bool:
        """Return whether a line only leads to the condition below: *Only if this is met:*"""
        below = self.lines[place + 1] if place + 1 < len(self.lines) else None
        return below is not None and below.role == SKIP and line.text.rstrip(")） ")[-1:] in (":", "：")

    def _is_condition(self, line: SourceLine, named: Asked | None) -> bool:
        """Return whether a line is a condition: it names a question, was left to be skipped, or says so."""
        return named is not None or line.role == SKIP or is_condition(line.text, self._answers)

    def _limit_above(
        self, line: SourceLine, place: int, named: Asked | None, stated: StatedCondition | None
    ) -> bool:
        """Limit the questions above that a line names, or the last one; return whether it concerns any.

        Parameters
        ----------
        line, place, named
            See `say`.
        stated : StatedCondition or None
            The whole line, if it is a condition.
        """
        clauses = clauses_about(line.text, self.asked) if line.role != HEADING else []
        for words, concerned in clauses:
            skips = LEADS_ON.search(words) is not None
            limit = StatedCondition(line=line.number, words=words, skips=skips)
            for each in concerned:
                each.line.conditions = _added(each.line.conditions, limit)
        can_concern = not clauses and stated is not None and not stated.skips
        last = self._concerned_above(line, place, named) if can_concern else None
        if last and stated:
            last.line.conditions = _added(last.line.conditions, stated)
        return bool(clauses or last)

    @property
    def _answers(self) -> Sequence[str]:
        """The answers of the last question, as far as they were read."""
        return self.last.answers if self.last else ()

    def _limit_ahead(self, line: SourceLine, place: int, ahead: Sequence[int]) -> None:
        """Limit the questions below that a line names, or those above the only one, where some continue."""
        is_jump = len(ahead) == 1 and self._is_question_between(place, ahead[0])
        first = line.number if is_jump else self.lines[ahead[0]].number
        stated = _condition_at(line, leads_on=is_jump)
        self.ranges.add(self.lines[ahead[-1]].number + (not is_jump), stated, since=first)

    def _limit_coming(self, line: SourceLine, place: int, stated: StatedCondition) -> None:
        """Limit the questions that follow: as many as a line says, or all of the part."""
        below = [each.number for each in self.lines[place + 1 :] if each.role in ASKED]
        count = next(filter(None, map(_count_of, _WORDS.findall(line.text.lower()))), 0)
        if 0 < count <= len(below):
            self.ranges.add(below[count - 1] + 1, stated)
        else:
            self.of_part = replace(stated, is_open=True)

    def _block_below(self, line: SourceLine, place: int) -> list[SourceLine]:
        """Return the questions below a condition with a colon: set in, counted apart, or its paragraph.

        One in brackets or between dashes has its paragraph, if that has several questions and is not last.
        """
        below = [each for each in self.lines[place + 1 :] if each.role in (*ASKED, HEADING, SKIP)]
        if not below:
            return []
        above = self.last.line.mark_shape if self.last else ""
        first = below[0]
        if not line.ends_with_colon:
            paragraph = takewhile(lambda each: not each.has_gap, self.lines[place + 1 :])
            asked = [each for each in paragraph if each.role in ASKED]
            is_part = line.is_bracketed and line.has_gap and 1 < len(asked) < len(below)
            return asked if is_part else []
        if _indent(first) > _indent(line):
            return [*takewhile(lambda each: each.role in ASKED and _indent(each) > _indent(line), below)]
        if first.mark_kind in ("count", "letter") and first.mark_shape != above:
            return [
                *takewhile(lambda each: each.role in ASKED and each.mark_shape == first.mark_shape, below)
            ]
        if line.has_gap and not first.has_gap:
            # The rest of its paragraph.
            rest = takewhile(lambda each: each.role in ASKED and not each.has_gap, below)
            return [*rest]
        return []

    def _concerned_above(self, line: SourceLine, place: int, named: Asked | None) -> Asked | None:
        """Return the last question if a line concerns it: it is above its answers, or its last line."""
        if self.last is None or named is self.last:
            return None
        below = self.lines[place + 1] if place + 1 < len(self.lines) else None
        ends = below is None or below.has_gap
        if self.is_within:
            is_above_answers = not ends and below is not None and below.role not in (QUESTION, ROW, HEADING)
            return self.last if is_above_answers else None
        if line.has_gap or line.role == HEADING:
            return None
        is_named = named is not None or (_limits(line) and NAMES_QUESTION.search(line.text) is not None)
        is_formula = CONDITION_FORMULA.fullmatch(line.text) is not None
        if (
            below is not None
            and line.is_bracketed
            and _indent(line) > max(_indent(self.last.line), _indent(below))
        ):
            # It is set in like the answers above, and not like the next question.
            return self.last
        is_own = is_named or is_formula if ends else is_named and not self.last.answers
        return self.last if is_own else None

    def lead_on(self, line: SourceLine, place: int) -> None:
        """Read an instruction to skip at the end of a line."""
        is_answer = line.role in _ANSWERED
        if not line.target and self.end > line.number and LAST_QUESTION.search(line.skip):
            line.target = self.end
        words = line.skip if is_answer or line.skip in line.text else f"{line.text} {line.skip}"
        stated = StatedCondition(line=line.number, words=words, skips=True, is_behind=is_answer)
        over = self._ahead(line.skip, place) if SKIPS_OVER.search(line.skip) else []
        if over:
            since, until = self.lines[over[0]].number, self.lines[over[-1]].number + 1
            self.ranges.add(until, stated, since=since)
        elif is_answer and ends_survey(line.skip):
            line.target = line.target or self.end + 1
            self.ranges.add(line.target, stated)
        else:
            self.ranges.add(line.target or 0, stated)
        self.of_next = self.of_next if line.target else _added(self.of_next, stated)

    def lead_within(self, line: SourceLine, place: int) -> None:
        """Read an instruction that is no remark behind an answer: it concerns all lines up to its target."""
        leads_on = LEADS_ON.search(line.text) is not None
        named = [match.span() for match in NAMES_QUESTION.finditer(line.text)]
        for code in NUMBER_NAMED.finditer(line.text):
            if leads_on or any(start <= code.start("number") < end for start, end in named):
                for at in places_ahead(self.codes, code, place)[:1]:
                    self.ranges.add(self.lines[at].number, _condition_at(line, leads_on=True))

    def _ahead(self, text: str, place: int, named: Asked | None = None) -> list[int]:
        """Return the places of the questions below that a text names by their numbers."""
        codes = (code for code in _references(text) if not named or named_by(code, self.asked) is not named)
        return sorted({at for code in codes for at in places_ahead(self.codes, code, place)[:1]})

    def _is_question_between(self, place: int, ahead: int) -> bool:
        return any(each.role in ASKED for each in self.lines[place + 1 : ahead])


def _is_jump_ahead(remark: str) -> bool:
    """Return whether a remark leads some people on, so that the question with it is for everyone."""
    leads_on = LEADS_ON.search(remark)
    return leads_on is not None and (NUMBER_NAMED.search(remark) or LAST_QUESTION.search(remark)) is not None


def _cut_lead(line: SourceLine) -> str:
    """Cut a condition before an arrow from a question, and return it; empty if there is none."""
    led = _LED.match(line.body)
    if led and line.role == QUESTION and line.body in line.raw:
        line.raw, line.body = line.raw[line.raw.index(line.body) + led.end() :], line.body[led.end() :]
    return led["words"].strip() if led else ""


def _limits(line: SourceLine) -> bool:
    """Return whether a heading, or the beginning of another line, says that it is for some people only."""
    if line.role == HEADING:
        return is_for_some(line.text)
    return FOR_SOME.match(line.body) is not None and not is_for_all(line.text)


def _begins_for_some(text: str) -> bool:
    """Return whether words in front of a question, in brackets or before a colon, say who is asked it.

    >>> [_begins_for_some(each) for each in ("Smokers only: how often?", "Tick one only: how often?")]
    [True, False]
    """
    return any(map(is_for_some, _leads_of(text)))


def _leads_of(text: str) -> list[str]:
    """Return the words in brackets, or before a colon or a dash, in front of a question."""
    return [lead[1] for pattern in (REMARK_BEFORE, _LEAD) if (lead := pattern.match(text))]


def _indent(line: SourceLine) -> int:
    return len(line.raw) - len(line.raw.lstrip())


def _count_of(word: str) -> int:
    return int(word) if word.isdecimal() else NUMBER_WORDS.get(word, 0)


def _references(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers in a text that may be those of questions: *Q5*, *2 to 4*, but not *12 months*."""
    end = 0
    text = with_digits(text)
    for code in NUMBER_NAMED.finditer(text):
        before = text[max(0, code.start() - _NEAR_REFERENCE) : code.end()]
        goes_on = 0 < end >= code.start() - _BETWEEN_REFERENCES
        is_named = code["word"] or NAMES_QUESTION.search(before) or LEADS_ON.search(before)
        if is_named or goes_on or not _UNIT.match(text, code.end()):
            end = code.end()
            yield code


def _condition_at(line: SourceLine, *, leads_on: bool = False) -> StatedCondition:
    """Return the condition that a whole line states: who is asked, or who skips what follows."""
    # An arrow in front of a line only points to it.
    skips = leads_on or LEADS_ON.search(_ARROW_BEFORE.sub("", line.text)) is not None
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
