"""The roles of lines whose words were used in another place, or before roles were given.

Each line of a text has a role in the import report. Lines whose words became a condition, points, answers or
a range are not reported as left out.
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import LOST, Question, Questionnaire, ReadLine, text_of
from surveys.imports.lines.sheets import SHEET
from surveys.imports.lines.source_lines import ASKED, INSTRUCTION, JOINED, LEFT, QUESTION, SourceLine
from surveys.imports.words.cues import (
    CONDITION,
    LEADS_ON,
    SAYS_NUMBER,
    SAYS_ONE,
    SAYS_SEVERAL,
    SAYS_TEXT,
    says_how_many,
    says_yes,
)
from surveys.imports.words.patterns import HAN, IN_BRACKETS
from surveys.imports.words.question_marks import holds_question
from surveys.questionnaire.asked_texts import yes_no_words

LEFT_OUT = "left"
"""The cause of notes on lines that are left out."""
_CODE: Final = re.compile(r"^[a-z][.)、．]")
_WORD: Final = re.compile(r"[^\W\d_\u2460-\u24ff]{2,200}")
_TIME: Final = re.compile(r"\d[:h.]\d\d(?!\d)")
_DIGITS: Final = re.compile(r"\d{1,20}")
_BEGINNING: Final = 12
"""Characters of a question by which its place in its line is known."""
_LEAST_WORDS, _LEAST_HAN = 3, 6
"""Fewest words, or characters of Chinese, of a line that is not left out without a note."""
_LEAST_LOST: Final = 5
"""Letters of words that are left out of a question; fewer are abbreviations."""
_CUES: Final = (SAYS_ONE, SAYS_SEVERAL, SAYS_NUMBER, SAYS_TEXT, LEADS_ON, CONDITION)
"""What remarks that are understood say."""
_BETWEEN_CLAUSES: Final = re.compile(r"[,，;；。]")
_EDGES: Final = string.punctuation + "…·•–—„“”«»？。，：；（）【】☐□○"
"""Signs around words, which other lines may not share."""


def use_lines(
    survey: Questionnaire, source: Sequence[SourceLine], numbers: Collection[int], role: str
) -> None:
    """Give lines that are left out the role in which they were used, and remove the notes on them.

    Parameters
    ----------
    survey : Questionnaire
    source : sequence of SourceLine
        Lines that are not blank, with their roles.
    numbers : collection of int
        Numbers of the lines that were used; those with another role keep it.
    role : str
    """
    used = {line.number for line in source if line.number in numbers and line.role in (LEFT, INSTRUCTION)}
    _give_role(survey, source, used, role)
    survey.notes = [
        note for note in survey.notes if note.cause not in (LEFT_OUT, "uncertain") or note.line not in used
    ]


def drop_questions(
    survey: Questionnaire, source: Sequence[SourceLine], numbers: Collection[int], role: str
) -> None:
    """Remove questions that only explain the answers of others, and give their lines this role.

    Parameters
    ----------
    survey : Questionnaire
    source : sequence of SourceLine
        Lines that are not blank, with their roles.
    numbers : collection of int
        Lines of the questions.
    role : str
    """
    for part in survey.parts:
        part.questions = [each for each in part.questions if each.line not in numbers]
    _give_role(survey, source, numbers, role)


def _give_role(
    survey: Questionnaire, source: Sequence[SourceLine], numbers: Collection[int], role: str
) -> None:
    """Give lines a certain role, in the source and in the report."""
    for line in source:
        if line.number in numbers:
            line.give(role)
    survey.lines = [
        replace(each, role=role, is_certain=True) if each.line in numbers else each for each in survey.lines
    ]


def note_left_out(survey: Questionnaire, line: int) -> None:
    """Note that a line is left out, and how to keep it."""
    message, remedy = _("this line is left out"), _("write it after > if respondents need it")
    survey.note(line, message, remedy, cause=LEFT_OUT)


def account_for(survey: Questionnaire, texts: Sequence[str]) -> None:
    """Give each line without a role one: part of another if the survey has most of its words, else left out.

    A line that is left out is noted if it holds several words; it is lost if it holds a question or is
    directly between two lines of questions. If no question was found, one note says so instead.

    Parameters
    ----------
    survey : Questionnaire
    texts : sequence of str
        All lines of the text.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Part, Question
    >>> who = Question(line=1, texts={"en": "Who?"})
    >>> survey = Questionnaire(parts=[Part(line=0, texts={}, questions=[who])])
    >>> account_for(survey, ["Who", "?", "", "page 7"])
    >>> [(each.line, each.role) for each in survey.lines]
    [(1, 'joined'), (2, 'left'), (4, 'left')]
    """
    known = {each.line for each in survey.lines}
    asked = {each.line for each in survey.lines if each.role in ASKED}
    words = {word for text in _texts_of(survey) for word in _pieces(text)}
    for number, text in enumerate(texts, start=1):
        # Numbers and single letters are codes, which questions lack.
        pieces = [word for word in _pieces(text) if any(map(str.isalpha, word))]
        own = [word for word in pieces if len(word) > 1 or not word.isascii()]
        if text.strip() and number not in known:
            # A line that writes out abbreviations repeats them, and questions have only the words.
            is_used = 2 * sum(word in words for word in own) > len(own) > 0
            survey.lines.append(ReadLine(line=number, role=JOINED if is_used else LEFT, is_certain=True))
            if is_used or not survey.questions:
                continue
            is_between = {number - 1, number + 1} <= asked and _is_wording(text)
            if holds_question(text) or is_between:
                message, remedy = _("this line was not understood"), _("write it as a question of its own")
                survey.note(number, message, remedy, effect=LOST)
            elif len(own) >= _LEAST_WORDS or len(HAN.findall(text)) >= _LEAST_HAN:
                note_left_out(survey, number)
    survey.lines.sort(key=lambda each: each.line)


def _is_wording(text: str) -> bool:
    """Return whether a line may be the wording of a question: a word without a time, not how to answer."""
    return (
        _WORD.search(text) is not None
        and not _TIME.search(text)
        and not is_understood(text.strip("()[]（）【】"))
    )


def _pieces(text: str) -> Iterator[str]:
    """Yield the words of a text in small letters; of a text without blanks, each pair of signs.

    Examples
    --------
    >>> [*_pieces("Who? (you)")], [*_pieces("请选一项")], [*_pieces("项）")]
    (['who', 'you'], ['请选', '选一', '一项'], ['项'])
    """
    for word in text.casefold().split():
        bare = word.strip(_EDGES)
        yield from map("".join, pairwise(bare)) if HAN.search(bare) and len(bare) > 1 else (bare,)


def dropped_words(
    survey: Questionnaire, texts: Sequence[str], source: Sequence[SourceLine]
) -> dict[int, str]:
    """Return words of questions that neither the survey nor a note has, by the line of the question.

    Words that number a question, say how many answers to choose, or lead to another question are known.

    Parameters
    ----------
    survey : Questionnaire
    texts : sequence of str
        All lines of the text.
    source : sequence of SourceLine
        Lines that are not blank, with their roles.
    """
    kept: dict[int, list[str]] = {question.line: _words_of(question) for question in survey.questions}
    for note in survey.notes:
        if note.line in kept:
            kept[note.line].append(note.message)
    known = {word.casefold() for text in _texts_of(survey) for word in _WORD.findall(text)}
    found, remarks = dict[int, str](), dict[int, str]()
    for line in source:
        if line.role != QUESTION or line.topic == SHEET or not 0 < line.number <= len(texts):
            continue
        text = texts[line.number - 1]
        own = {*_WORD.findall(" ".join(kept.get(line.number, ())).casefold())}
        if remark := _lost_remark(text, own):
            remarks[line.number] = remark
        lost = _lost_words(text, known, own)
        if len("".join(lost)) >= _LEAST_LOST:
            found[line.number] = " ".join(lost)
    return ({} if _are_labels(remarks.values()) else remarks) | found


def lost_numbers(survey: Questionnaire, texts: Sequence[str], source: Sequence[SourceLine]) -> dict[int, str]:
    """Return numbers in the lines of questions that neither the survey nor a note has, by the line.

    Numbers in front of the text of a question, and codes of answers, are known. A line that leads to other
    questions names these.

    Parameters
    ----------
    survey, texts, source
        See `dropped_words`.
    """
    lines = {line.number: line for line in source}
    leading = {each.line for line in source for each in line.conditions}
    noted: dict[int, list[str]] = defaultdict(list)
    for note in survey.notes:
        noted[note.line].append(note.message)
    found: dict[int, str] = {}
    for question in survey.questions:
        line = lines.get(question.line)
        if line is None or line.number in leading or not 0 < line.number <= len(texts):
            continue
        said = [*_words_of(question), *noted[line.number], line.skip]
        said += [each.words for each in line.conditions]
        points = [*question.points, *(option.points for option in question.options)]
        codes = range(max(2, len(question.options)) + 1)
        known = {*_numbers_in(f"{said} {points} {question.own} {question.condition}"), *codes}
        # Its beginning must not end within a number.
        beginning = text_of(question)[:_BEGINNING].rstrip(string.digits)
        behind = texts[line.number - 1].partition(beginning or text_of(question))[2]
        if lost := [number for number in _numbers_in(behind) if number not in known]:
            found[line.number] = ", ".join(map(str, lost))
    return found


def _numbers_in(text: str) -> list[int]:
    return [*map(int, _DIGITS.findall(text))]


def _lost_words(text: str, known: Collection[str], own: Collection[str]) -> list[str]:
    """Return the words of a question that neither the survey nor the question has, without how to answer."""
    if says_how_many(text) or LEADS_ON.search(text):
        return []
    words = [word for word in _WORD.findall(text) if says_yes(word) is None]
    pairs = [(word, word.casefold() in known or word.casefold() in own) for word in words]
    # Words in front of the first known one number the question.
    return [word for word, is_known in dropwhile(lambda pair: not pair[1], pairs) if not is_known]


def is_understood(remark: str) -> bool:
    """Return whether words say how to answer a question, or who does.

    Parameters
    ----------
    remark : str
        Without brackets around it.

    Examples
    --------
    >>> is_understood("tick all that apply"), is_understood("card 5")
    (True, False)
    """
    return says_how_many(f"({remark})") or any(cue.search(remark) for cue in _CUES)


def _are_labels(remarks: Collection[str]) -> bool:
    """Return whether remarks say nothing about single questions: all are equal, or each is another word."""
    n_different = len({*remarks})
    is_each = n_different == len(remarks) and not any(" " in remark for remark in remarks)
    return len(remarks) > 1 and (n_different == 1 or is_each)


def _lost_remark(text: str, kept: Collection[str]) -> str:
    """Return a clause of a remark in brackets that is not understood and most of whose words are lost."""
    for remark in IN_BRACKETS.finditer(text):
        for clause in _BETWEEN_CLAUSES.split(remark[1]):
            words = [word for word in _WORD.findall(clause.casefold()) if says_yes(word) is None]
            if 2 * sum(word not in kept for word in words) > len(words) and not is_understood(clause):
                return clause.strip()
    return ""


def _words_of(question: Question) -> list[str]:
    """Return all texts of a question, with the condition in front of it."""
    own = [question.texts, question.help, question.unit, question.lead, question.whole_texts]
    return [
        text for texts in (*own, *(option.texts for option in question.options)) for text in texts.values()
    ]


def _texts_of(survey: Questionnaire) -> Iterator[str]:
    """Yield each text that respondents read."""
    for texts in (survey.title, *survey.about.values()):
        yield from texts.values()
    if any(question.is_asked and not question.options for question in survey.questions):
        for _tag, *words in yes_no_words(survey.languages):
            yield from words
    for part in survey.parts:
        yield from (*part.texts.values(), *part.help.values())
        for question in part.questions:
            yield from _words_of(question)
