"""The roles of lines whose words were used in another place, or before roles were given.

Each line of a text has a role in the import report. Lines whose words became a condition, points, answers or
a range are not reported as left out.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from surveys.imports.questionnaire import Questionnaire, ReadLine
from surveys.imports.source_lines import INSTRUCTION, JOINED, LEFT, SourceLine
from surveys.questionnaire.asked_texts import yes_no_words

LEFT_OUT = "left"
"""The cause of notes on lines that are left out."""
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
    if not used:
        return
    for line in source:
        if line.number in used:
            line.give(role)
    survey.lines = [
        replace(each, role=role, is_certain=True) if each.line in used else each for each in survey.lines
    ]
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
    for line in source:
        if line.number in numbers:
            line.give(role)
    survey.lines = [
        replace(each, role=role, is_certain=True) if each.line in numbers else each for each in survey.lines
    ]


def account_for(survey: Questionnaire, texts: Sequence[str]) -> None:
    """Give each line without a role one: part of another if the survey has most of its words, else left out.

    Parameters
    ----------
    survey : Questionnaire
    texts : sequence of str
        All lines of the text.

    Examples
    --------
    >>> from surveys.imports.questionnaire import Part, Question
    >>> who = Question(line=1, texts={"en": "Who?"})
    >>> survey = Questionnaire(parts=[Part(line=0, texts={}, questions=[who])])
    >>> account_for(survey, ["Who", "?", "", "page 7"])
    >>> [(each.line, each.role) for each in survey.lines]
    [(1, 'joined'), (2, 'left'), (4, 'left')]
    """
    known = {each.line for each in survey.lines}
    words = {word.strip(_EDGES) for text in _texts_of(survey) for word in text.casefold().split()}
    for number, text in enumerate(texts, start=1):
        own = [word for word in (each.strip(_EDGES) for each in text.casefold().split()) if word]
        if text.strip() and number not in known:
            # A line that writes out abbreviations repeats them, and questions have only the words.
            is_used = any(map(str.isalpha, text)) and 2 * sum(word in words for word in own) > len(own)
            survey.lines.append(ReadLine(line=number, role=JOINED if is_used else LEFT, is_certain=True))
    survey.lines.sort(key=lambda each: each.line)


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
            yield from (*question.texts.values(), *question.help.values(), *question.unit.values())
            for option in question.options:
                yield from option.texts.values()
