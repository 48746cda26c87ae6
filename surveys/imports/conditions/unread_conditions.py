"""Account for every word of a condition or a jump in a text: it limits some questions, or is asked about.

A sign is a word of a condition or a jump, a quoted answer, the number of another question, or a remark in
front of a question that may name people. It is in a line that is neither a question nor an answer, or in a
remark in one. If no question has the condition, it was lost, and is asked about at each question that it may
concern: at all questions up to the target of a jump, and at all those below a line or heading up to the next
heading or a line for everyone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from surveys.imports.drafts.questionnaire import Questionnaire, labels_of, text_of
from surveys.imports.lines.named_questions import Asked, clauses_about
from surveys.imports.lines.skips import NUMBER_NAMED, codes_before, question_codes
from surveys.imports.lines.source_lines import (
    ANSWER,
    ASKED,
    FIELD,
    HEADING,
    JOINED,
    LEFT,
    SCALE,
    SCORING,
    SKIP,
    TITLE,
    SourceLine,
    answers_of,
    is_paragraph,
)
from surveys.imports.words.cues import (
    COMING,
    CONDITION,
    ENDS,
    GOES_ON,
    IF_SO,
    LAST_QUESTION,
    LEADS_ON,
    NAMES_QUESTION,
    SKIPS_OVER,
    TOOL,
    is_condition,
    pattern_of,
    says_yes,
    speaks_of_condition,
    words_of,
)
from surveys.imports.words.limits import FOR_SOME, is_for_all, is_for_some, may_limit, without_for_all
from surveys.imports.words.marks import NUMBER_WORDS
from surveys.imports.words.patterns import HAN, IN_BRACKETS, NUMBER, REMARK_BEFORE
from surveys.imports.words.question_marks import SIGN_OF_QUESTION, asks, holds_question

_REMARK: Final = re.compile(rf"{IN_BRACKETS.pattern}|((?:→|⇒|➔|←|-{{1,20}}>|=>).{{1,80}})$")
"""Words in brackets, or behind an arrow at the end of a line."""
_QUOTED: Final = re.compile(r"[«»„“\"'‘「『=＝]\s?([^«»„“\"'”’」』=＝]{1,40})")
_CODE: Final = re.compile(r"(?:第\s?|[^\W\d_]\.?\s?)(\d{1,3})(?![\d.,:])")
"""A number behind a letter."""
_FEW: Final = 2
_NEAR: Final = 2
_WORD: Final = re.compile(r"[^\W\d_]{2,20}")
_WORDS: Final = re.compile(r"[^\W\d_]{2}")
_LABELS: Final = (
    re.compile(r"([^:：?？؟()（）]{2,60}?)\s?[:：](?=.*[?？؟])"),
    re.compile(r"([^:：?？؟()（）,，]{2,60}?)(?:[,，]|\s[–—-]\s)(?=.*[?？؟])"),
)
"""Words and a colon, or a comma or dash, in front of a question."""
_BEHIND_ANSWER: Final = re.compile(
    r"(?<![^\W_])(?P<answer>[^\W\d_]{1,14})\s?(?:[(（\[【](?P<words>[^()（）\[\]【】]{3,90})[)）\]】]|\s[–—-]{1,3}\s(?P<rest>[^()]{3,90}))\W{0,2}$"
)
"""Words in brackets or after a dash behind the last answer of a line."""
_ASKS_TEXT: Final = pattern_of("asks-text")
_ALL: Final = pattern_of("all")
_WORD_OR_SIGNS: Final = re.compile(r"(?=([㐀-鿿]{2}))|([^\W\d_㐀-鿿]+)")
_CLAUSES: Final = re.compile(r"[,，:：;；]|\s[–—]\s")
_STEM, _SHORT_STEM = 5, 4
"""Letters that all forms of a word share, of a label in front of a question and of a clause with *if*."""
_COMMON: Final = frozenset(words_of("glue"))
_BRACKETS: Final = "([（【"
_LISTED: Final = (*ASKED, ANSWER)
_OWN: Final = (*_LISTED, SCALE, JOINED)
_SILENT: Final = (TITLE, SCORING, FIELD)
_PARTS: Final = (HEADING, LEFT)
"""Roles of lines that may begin a part for some people."""


def unread_conditions(
    survey: Questionnaire, text_lines: Sequence[str], source: Sequence[SourceLine]
) -> dict[int, int]:
    """Return the questions that may have a condition that was not read.

    Parameters
    ----------
    survey : Questionnaire
    text_lines : sequence of str
        All lines of the text.
    source : sequence of SourceLine
        Those that are not blank, with their roles.

    Returns
    -------
    dict of int to int
        By the line of a question, the line that may state its condition.
    """
    account = _Account(survey, source)
    found: dict[int, int] = {}
    for line in source:
        is_silent = line.role in _SILENT and not (line.role == SCORING and line.ends_with_colon)
        if line.number <= len(text_lines) and not is_silent:
            for number in account.concerned(line, text_lines[line.number - 1]):
                found.setdefault(number, line.number)
    return found


class _Account:
    """The questions of a text, and the lines whose conditions they have."""

    def __init__(self, survey: Questionnaire, source: Sequence[SourceLine]) -> None:
        self.questions = sorted(survey.questions, key=lambda question: question.line)
        self.starts = [question.line for question in self.questions]
        self.lines = {line.number: line for line in source}
        self.asked = [self.lines.get(start) for start in self.starts]
        self.codes = question_codes(source)
        self.numbered = {
            code: Asked(its, [*labels_of(question)])
            for question, its in zip(self.questions, self.asked, strict=True)
            if its
            for code in codes_before(its)
            if len(self.codes.get(code, ())) == 1
        }
        """The questions by their numbers, without those that share a number."""
        self.known = {question.line for question in self.questions if question.condition}
        self.known |= {
            line for note in survey.notes if note.asks == "keep" for line in (note.line, note.target)
        }
        self.read = {
            stated.line for line in source if line.number in self.known for stated in line.conditions
        }
        """Lines whose conditions some questions have."""
        self.shapes = {_shape(line) for line in source if line.role in _PARTS and is_for_all(line.text)}
        """Forms of lines that begin parts, of which some are for everyone."""
        self.parts = [line.number for line in source if self._begins_part(line)]

    def concerned(self, line: SourceLine, text: str) -> Iterator[int]:
        """Yield the lines of the questions that may have a condition of a line, and have none."""
        place = bisect_right(self.starts, line.number)
        said = [words for words in _said(line, text) if not _leads_nowhere(words)]
        if not place:
            concerned = self._named_below(line, said)
        elif line.target is not None or (any(map(_is_jump, said)) and not self._limits_itself(line)):
            concerned = self._jumped_over(line, said, place)
        elif _instructs_some(line, text):
            concerned = self.starts[place:]
        elif self._is_stated(line, said, place):
            concerned = self._limited(line, text, said, place)
        else:
            is_part = self._is_for_part(line) or self._names_group(line, place)
            concerned = self._of_part(line, place) if is_part else []
        yield from (each for each in (*concerned, *self._numbered(line, said)) if each not in self.known)

    def _numbered(self, line: SourceLine, said: Sequence[str]) -> Iterator[int]:
        """Yield the questions that a line limits by their numbers, wherever they are: *2 to 4: smokers only*.

        The number of another question in front of a question may be that of its decider.
        """
        for words in [line.body] if line.role in ASKED and NAMES_QUESTION.search(line.body) else said:
            if LEADS_ON.search(words) and not SKIPS_OVER.search(words):
                continue
            for _clause, named in clauses_about(words, self.numbered):
                if line.role not in _OWN or len(named) > 1:
                    yield from (each.line.number for each in named)

    def _named_below(self, line: SourceLine, said: Sequence[str]) -> Sequence[int]:
        """Return the questions that a jump above the first one names."""
        numbers = {*NUMBER.findall(line.text)} if any(map(_is_jump, said)) else set[str]()
        pairs = zip(self.starts, self.asked, strict=True)
        return [start for start, its in pairs if its and not codes_before(its).isdisjoint(numbers)]

    def _limits_itself(self, line: SourceLine) -> bool:
        """Return whether a question states its own condition: *(skip this if you do not smoke)*."""
        return line.role in ASKED and any(each.line == line.number for each in line.conditions)

    def _jumped_over(self, line: SourceLine, said: Sequence[str], place: int) -> Sequence[int]:
        """Return the questions between a jump and its target; all below if its target is not known.

        A jump in front of a question also leads some people past this question.
        """
        words = " ".join(said)
        place -= line.role in ASKED and any(
            _is_jump(each) and each in line.body[: len(each) + 1] for each in said
        )
        ahead = self._named_below_line(words, line.number)
        below = self.starts[place:]
        if ahead and SKIPS_OVER.search(words):
            return [start for start in below if min(ahead) <= start <= max(ahead)]
        if line.target or ahead or LAST_QUESTION.search(words):
            until = line.target or max(ahead or below[-1:], default=0)
            only_some = self._leads_some(line, place) and below[:1] == [until]
            return below[:1] if only_some else [start for start in below if start < until]
        if line.role in _LISTED:
            return self.starts[place - _may_mean_itself(line, words) :]
        counts = any(word in NUMBER_WORDS for word in _WORD.findall(words.casefold()))
        if counts or CONDITION.search(f"{words}:"):
            return self._of_part(line, place)
        return [] if line.number in self.read else below[:1]

    def _named_below_line(self, words: str, line: int) -> list[int]:
        """Return the questions below a line that words name by their numbers."""
        codes = [(code["word"] + code["number"], code["number"]) for code in NUMBER_NAMED.finditer(words)]
        named = [self.codes.get(whole) or self.codes.get(number, []) for whole, number in codes]
        return [start for starts in named for start in starts if start > line]

    def _leads_some(self, line: SourceLine, place: int) -> bool:
        """Return whether an answer leads to the next question, and another one leads nowhere."""
        end = self.starts[place] if place < len(self.starts) else line.number
        own = filter(None, map(self.lines.get, range(self.starts[place - 1], end)))
        answers = [each for each in own if each.role == ANSWER]
        return line in answers and any(each.target is None for each in answers)

    def _is_stated(self, line: SourceLine, said: Sequence[str], place: int) -> bool:
        """Return whether a line may state a condition: in its remarks, a clause, or by a number."""
        return (
            any(self._is_sign(line, words, place) for words in said)
            or any(self._repeats_above(clause, place, _SHORT_STEM) for clause in _clauses(line))
            or self._names_above(line, place)
        )

    def _is_sign(self, line: SourceLine, words: str, place: int) -> bool:
        """Return whether words may state a condition, or quote an answer of one of the questions above."""
        if line.role == ANSWER:
            if IF_SO.match(line.body) or (is_for_some(words) and any(map(_says_yes, words.split()))):
                return True
        elif is_for_some(words) and (line.role in _OWN or not is_paragraph(line)):
            return True
        if line.role in ASKED and line.body.startswith(words):
            return self._repeats_above(words, place, _STEM) or CONDITION.search(f"{words}:") is not None
        if line.role in ASKED and line.body[1:].startswith(words):
            return may_limit(words)
        if line.role in ASKED and may_limit(words) and self._repeats_above(words, place, _STEM):
            return True
        if CONDITION.search(f"{words}:") or (self._is_above_question(line) and may_limit(words)):
            return True
        return self._quotes_answer(line, words, place)

    def _quotes_answer(self, line: SourceLine, words: str, place: int) -> bool:
        """Return whether words quote an answer to a question above; yes and no outside of answers, too."""
        quoted = {match[1].strip().casefold() for match in _QUOTED.finditer(words)}
        said = [*quoted, *(_WORD.findall(words) if line.ends_with_colon else ())]
        if line.role not in (ANSWER, SCALE, JOINED) and (
            any(map(_says_yes, quoted)) or any(map(says_yes, said))
        ):
            return True
        labels = (label for question in self.questions[:place] for label in labels_of(question))
        return bool(quoted) and any(label.casefold() in quoted for label in labels)

    def _repeats_above(self, words: str, place: int, least: int) -> bool:
        """Return whether words share the beginning of a word with the question above: *Smokers: when?*

        Words that are repeated as a whole are about the same time or place: *At work, ...*
        """
        above = self.questions[max(place - _NEAR, 0) : place - 1]
        if any(f"{words}," in text for each in above for text in each.whole_texts.values()):
            return False
        said = " ".join(text for each in above for text in (text_of(each), *labels_of(each)))
        return not _stems(words, least).isdisjoint(_stems(said, least))

    def _limited(self, line: SourceLine, text: str, said: Sequence[str], place: int) -> Sequence[int]:
        """Return the questions that a condition may concern: at its line, the next, or all of its part.

        A sentence behind a question may also be about the next. Words in front of it may name several.
        """
        if line.role in ASKED and any(map(COMING.search, said)):
            return self._of_part(line, place - 1)
        if line.role in ASKED:
            near: Sequence[int] = self.starts[place - 1 : place + _is_sentence_behind(text, said)]
        elif line.role == HEADING:
            near = self._of_part(line, place)
        else:
            near = self.starts[place - 1 + self._is_about_next(line, text) : place + 1]
        near = [] if line.number in self.read or not self.known.isdisjoint(near) else near
        if line.role == SKIP and line.ends_with_colon and self._are_alike(place):
            near = [*near, *self.starts[place + 1 : place + 2]]
        is_own = line.has_gap and self._is_above_question(line)
        is_wide = not (line.role in _OWN or line.ends_with_colon or is_own) and _begins_so(line)
        return [*near, *(self._of_part(line, place) if is_wide else ())]

    def _are_alike(self, place: int) -> bool:
        """Return whether a question looks like the next one, so that the same condition may concern both."""
        first, second = [*self.asked[place : place + 2], None, None][:2]
        return first is not None and second is not None and first.mark_shape == second.mark_shape

    def _is_above_question(self, line: SourceLine) -> bool:
        """Return whether a line in brackets that is no answer is directly above a question."""
        below = self.lines.get(line.number + 1)
        is_left = line.role in (LEFT, SKIP) and line.is_bracketed
        return is_left and below is not None and below.role in ASKED and not below.has_gap

    def _is_about_next(self, line: SourceLine, text: str) -> bool:
        """Return whether a line that is directly above a question says nothing about the one before."""
        below = self.lines.get(line.number + 1)
        if below is None or line.role in _OWN or below.role not in ASKED:
            return False
        return text.strip()[0] not in _BRACKETS or (line.has_gap and not below.has_gap)

    def _of_part(self, line: SourceLine, place: int) -> Sequence[int]:
        """Return the questions below a line, up to the next heading or line for everyone."""
        following = bisect_right(self.parts, line.number)
        end = self.parts[following] if following < len(self.parts) else None
        return [start for start in self.starts[place:] if end is None or start < end]

    def _is_for_part(self, line: SourceLine) -> bool:
        """Return whether a line looks like those that begin parts for everyone, but names other people."""
        return line.role in _PARTS and _shape(line) in self.shapes and not is_for_all(line.text)

    def _names_group(self, line: SourceLine, place: int) -> bool:
        """Return whether a line names all of a group that a question above asks about: *All smokers:*."""
        if line.role not in _PARTS or is_paragraph(line) or is_for_all(line.text) or asks(line.text):
            return False
        found = _ALL.search(line.text)
        return found is not None and self._repeats_above(line.text[found.end() :], place + 1, _SHORT_STEM)

    def _begins_part(self, line: SourceLine) -> bool:
        if line.role in _OWN:
            return line.role in ASKED and without_for_all(line.body) != line.body
        return line.role == HEADING or is_for_all(line.text) or self._is_for_part(line)

    def _names_above(self, line: SourceLine, place: int) -> bool:
        """Return whether a line that is no question or answer names the number of one just above."""
        if line.role in _OWN:
            return False
        mark = line.text[: -len(line.body) or None] if line.mark else ""
        codes = _CODE.findall(line.text.removeprefix(mark))
        near = [each for each in self.asked[max(place - _NEAR, 0) : place] if each]
        is_named = any(not codes_before(each).isdisjoint(codes) for each in near)
        return is_named and len([*islice(NUMBER.finditer(line.text), _FEW + 1)]) <= _FEW


def _said(line: SourceLine, text: str) -> list[str]:
    """Return the words of a line that are no question or answer."""
    if line.role not in _OWN:
        # A condition above questions may have an arrow in front.
        return [line.text if line.role == SKIP and line.ends_with_colon else text]
    sign = SIGN_OF_QUESTION.search(text) if line.role in ASKED else None
    found = [match for match in _REMARK.finditer(text) if _is_remark(match, line)]
    # A remark within a question is part of it, unless it speaks of a condition.
    remarks = [
        match[1] or match[2]
        for match in found
        if sign is None or match.start() > sign.start() or speaks_of_condition(match[1] or match[2])
    ]
    before = REMARK_BEFORE.match(line.body)
    remarks += [before["words"]] if before and holds_question(line.body[before.end() :]) else []
    if sign and not remarks:
        remarks = _sentence_behind(line, text[sign.end() :].strip())
    labels = (each.match(line.body) for each in _LABELS if line.role in ASKED)
    return [*remarks, *(label[1] for label in labels if label)]


def _is_remark(match: re.Match[str], line: SourceLine) -> bool:
    """Return whether words in brackets or behind an arrow are no question, and no answers."""
    if asks(match[0]):
        return False
    # An arrow that was rewritten is between a question and its answers.
    is_kept = line.skip or match[0][:2] in line.raw
    return bool(match[1] or (is_kept and _WORDS.search(match.string[: match.start()])))


def _sentence_behind(line: SourceLine, words: str) -> list[str]:
    """Return the words behind the sign of a question, if they are no answers or speak of a condition."""
    speaks = LEADS_ON.search(words) or CONDITION.match(f"{words}:")
    return [words] if words and (speaks or answers_of(line) is None) else []


def _may_mean_itself(line: SourceLine, words: str) -> bool:
    """Return whether a remark may also be about its own question: no answers are in front of it."""
    is_alone = answers_of(line) is None or SKIPS_OVER.search(words) is not None
    return line.role in ASKED and is_alone


def _instructs_some(line: SourceLine, text: str) -> bool:
    """Return whether words behind *no* may end the survey for people who choose it: *No (thank you!)*."""
    behind = _BEHIND_ANSWER.search(text) if line.role in _LISTED else None
    if behind is None or says_yes(behind["answer"]) is not False:
        return False
    words = behind["words"] or behind["rest"]
    is_remark = len(words.split()) > 1 or HAN.search(words) is not None
    return is_remark and not (_ASKS_TEXT.search(words) or GOES_ON.fullmatch(words) or holds_question(words))


def _clauses(line: SourceLine) -> list[str]:
    """Return the clauses of a question that begin with a condition, if it has several."""
    clauses = _CLAUSES.split(line.body) if line.role in ASKED else []
    return [each for each in clauses if len(clauses) > 1 and CONDITION.match(f"{each.strip()}:")]


def _stems(text: str, least: int) -> set[str]:
    """Return the beginnings of the words of a text, without words that all conditions share.

    Examples
    --------
    >>> sorted(_stems("If you smoke or drink", 4))
    ['drin', 'smok']
    """
    words = map("".join, _WORD_OR_SIGNS.findall(text.casefold()))
    return {word[:least] for word in words if HAN.match(word) or (len(word) >= least and word not in _COMMON)}


def _is_sentence_behind(text: str, said: Sequence[str]) -> bool:
    """Return whether a text ends with a sentence that begins with a condition, not in brackets."""
    return any(text.rstrip().endswith(words) and CONDITION.match(f"{words}:") for words in said)


def _leads_nowhere(words: str) -> bool:
    return GOES_ON.fullmatch(words) is not None or TOOL.fullmatch(words) is not None


def _is_jump(words: str) -> bool:
    leads_on = LEADS_ON.search(words) is not None and _WORDS.search(words) is not None
    return leads_on or ENDS.fullmatch(words) is not None


def _begins_so(line: SourceLine) -> bool:
    """Return whether a line begins with a condition, and so may concern all questions below it."""
    starts = FOR_SOME.match(line.body) is not None or is_condition(line.text)
    return starts or (is_for_some(line.text) and not is_paragraph(line))


def _says_yes(word: str) -> bool:
    return says_yes(word) is not None


def _shape(line: SourceLine) -> tuple[str, str, bool]:
    """Return the form of a line that begins a part: its mark or bracket, and whether it has only capitals."""
    sign = line.mark.kind if line.mark else line.text[:1] if line.text[:1] in _BRACKETS else ""
    return line.role, sign, line.text.isupper()
