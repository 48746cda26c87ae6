"""Questions that only some people may be asked, although no condition was read for them.

The sign is a word of a condition or a jump, a quoted answer, or the number of an earlier question. It is in a
line that is neither a question nor an answer, or in a remark after one. If neither the question at this line
nor the next one has a condition, the condition in the line was lost.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from surveys.imports.drafts.questionnaire import Question, Questionnaire, labels_of
from surveys.imports.lines import source_lines
from surveys.imports.lines.skips import codes_before
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.words.cues import CONDITION, ENDS, GOES_ON, IF_SO, LEADS_ON
from surveys.imports.words.patterns import IN_BRACKETS, NUMBER
from surveys.imports.words.question_marks import asks

_REMARK: Final = re.compile(rf"{IN_BRACKETS.pattern}|((?:→|⇒|➔|←|-{{1,20}}>|=>).{{1,80}})$")
"""Words in brackets, or behind an arrow at the end of a line."""
_QUOTED: Final = re.compile(r"[«»„“\"'‘「『=＝]\s?([^«»„“”\"'’」』=＝]{1,40})")
_CODE: Final = re.compile(r"(?:第\s?|[^\W\d_]\.?\s?)(\d{1,3})(?![\d.,:])")
"""A number behind a letter."""
_FEW: Final = 2
_NEAR: Final = 2
_WORDS: Final = re.compile(r"[^\W\d_]{2}")
_OWN: Final = (*source_lines.ASKED, source_lines.ANSWER, source_lines.SCALE, source_lines.JOINED)
_SILENT: Final = (source_lines.TITLE, source_lines.SCORING, source_lines.FIELD)


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
    questions = sorted(survey.questions, key=lambda question: question.line)
    starts = [question.line for question in questions]
    lines = {line.number: line for line in source}
    asked = [lines.get(start) for start in starts]
    known = {question.line for question in questions if question.condition}
    known |= {line for note in survey.notes if note.asks == "keep" for line in (note.line, note.target)}
    found = {
        line.number: line.limited_at
        for line in source
        if line.limited_at and not line.is_for_some and line.number in starts and line.number not in known
    }
    for line in source:
        place = bisect_right(starts, line.number)
        if line.number > len(text_lines) or line.role in _SILENT:
            continue
        said = _said(line, text_lines[line.number - 1])
        said = [words for words in said if not GOES_ON.fullmatch(words)]
        is_jump = any(LEADS_ON.search(words) and _WORDS.search(words) for words in said)
        if not place:
            # Before the first question, only lines that name a question matter.
            numbers = set(NUMBER.findall(line.text)) if is_jump else set[str]()
            concerned: Sequence[Question] = [
                each for each, its in zip(questions, asked, strict=True) if _has_code(its, numbers)
            ]
        elif _is_condition(line, said, questions[:place]) or _names(line, asked[:place]):
            concerned = _beside(line, questions, place)
        elif is_jump and not _leads_to(line, said, asked[place : place + 1]):
            concerned = questions[place : place + 1]
        else:
            continue
        if not any(question.line in known for question in concerned):
            found = {question.line: line.number for question in concerned} | found
        if is_jump and _leads_out(line, said):
            later = [start for start in starts[place:] if start not in known]
            found = dict.fromkeys(later, line.number) | found
    return found


def _beside(line: SourceLine, questions: Sequence[Question], place: int) -> Sequence[Question]:
    """Return the questions that a condition may concern: the one at its line, the next one, or both."""
    if line.role in source_lines.ASKED:
        return questions[place - 1 : place]
    return questions[place - (line.role != source_lines.ANSWER) : place + 1]


def _said(line: SourceLine, text: str) -> list[str]:
    """Return the words of a line that are no question or answer."""
    if line.role not in _OWN:
        return [text]
    return [
        match[1] or match[2]
        for match in _REMARK.finditer(text)
        if (match[1] or _WORDS.search(text[: match.start()]))
        and not asks(match[0])
        # An arrow that was rewritten is between a question and its answers.
        and (match[1] or line.skip or match[2][:2] in line.raw)
    ]


def _is_condition(line: SourceLine, said: Sequence[str], before: Sequence[Question]) -> bool:
    """Return whether words state a condition, or quote an answer of one of the questions above."""
    if line.role == source_lines.ANSWER and IF_SO.match(line.body):
        return True
    if any(CONDITION.search(f"{words}:") for words in said):
        return True
    quoted = {match[1].strip().casefold() for words in said for match in _QUOTED.finditer(words)}
    return bool(quoted) and any(
        label.casefold() in quoted for question in before for label in labels_of(question)
    )


def _names(line: SourceLine, above: Sequence[SourceLine | None]) -> bool:
    """Return whether a line that is no question or answer names the number of one just above."""
    if line.role in _OWN:
        return False
    mark = line.text[: -len(line.body) or None] if line.mark else ""
    codes = _CODE.findall(line.text.removeprefix(mark))
    is_named = any(_has_code(each, codes) for each in above[-_NEAR:])
    return is_named and len(NUMBER.findall(line.text)) <= _FEW


def _leads_to(line: SourceLine, said: Sequence[str], below: Sequence[SourceLine | None]) -> bool:
    """Return whether a jump leads to the next question, which everyone is asked."""
    if not below or below[0] is None:
        return False
    if line.target:
        return line.target <= below[0].number
    return _has_code(below[0], NUMBER.findall(" ".join(said)))


def _leads_out(line: SourceLine, said: Sequence[str]) -> bool:
    """Return whether an answer leads to no question, so that later ones are asked of the others only."""
    is_known = line.target or any(map(NUMBER.search, said)) or any(map(ENDS.fullmatch, said))
    return line.role == source_lines.ANSWER and not is_known


def _has_code(line: SourceLine | None, codes: Iterable[str]) -> bool:
    """Return whether a question has one of these numbers in front of it."""
    return line is not None and not codes_before(line).isdisjoint(codes)
