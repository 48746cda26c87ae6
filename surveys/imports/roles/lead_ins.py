"""Lead-ins of scales: sentences above several questions that look like a question without answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import UNCERTAIN, Part, Question, Questionnaire, Texts
from surveys.imports.lines.source_lines import HELP, QUESTION, SourceLine
from surveys.imports.words.patterns import SPACE_TO_WRITE

LEAD_IN: Final = "lead-in"
"""The cause of notes on questions that were read as introductions."""
_LEAST: Final = 2
"""Fewest questions with the same answers that are the items of a scale."""


def read_lead_ins(survey: Questionnaire, source: Sequence[SourceLine], chosen: Collection[int] = ()) -> None:
    """Make a question without answers the introduction of the scale below it.

    It has no number and no space to write, and the questions below it have numbers and the same answers.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds.
    source : sequence of SourceLine
        Lines that are not blank, with their roles.
    chosen : collection of int
        Lines whose roles a person chose.

    Examples
    --------
    >>> from surveys.imports.pasted_text import read_paste
    >>> scale = "1. I felt sad.\\n- never\\n- often\\n2. I felt low.\\n- never\\n- often"
    >>> survey = read_paste(f"T\\n# Mood\\nHow often did these happen?\\n{scale}")
    >>> survey.parts[0].help, len(survey.questions)
    ({'en': 'How often did these happen?'}, 2)
    """
    lines = {line.number: line for line in source}
    asked = {note.line for note in survey.notes if note.asks == "answers"} - {*chosen}
    for question in [each for each in survey.questions if each.line in asked]:
        line = lines.get(question.line)
        if line is None or line.mark is not None or line.role != QUESTION or question.condition:
            continue
        if SPACE_TO_WRITE.search(line.raw):
            continue
        items = _items_below(survey, question)
        if not items or any(lines[each.line].mark is None for each in items if each.line in lines):
            continue
        introduce(survey, question)
        line.give(HELP)
        survey.lines = [
            replace(each, role=HELP) if each.line == line.number else each for each in survey.lines
        ]
        survey.notes = [
            note for note in survey.notes if note.line != line.number or note.asks not in ("answers", "keep")
        ]
        survey.note(
            line.number,
            _("it was read as the introduction of the questions below it, which have the same answers"),
            _("if it is a question, choose this role for its line, and write its answers"),
            effect=UNCERTAIN,
            cause=LEAD_IN,
        )


def can_introduce(survey: Questionnaire, question: Question) -> bool:
    """Return whether a question can become the introduction of others: some follow it in its part."""
    return any(question in part.questions[:-1] for part in survey.parts)


def introduce(survey: Questionnaire, question: Question) -> None:
    """Make a question the introduction of those that follow in its part.

    These begin a part of their own if other questions precede it.

    Parameters
    ----------
    survey : Questionnaire
    question : Question
        See `can_introduce`.
    """
    for place, part in enumerate(survey.parts):
        if question not in part.questions[:-1]:
            continue
        at = part.questions.index(question)
        before, after = part.questions[:at], part.questions[at + 1 :]
        if before:
            part.questions = before
            part = Part(line=0, texts={}, flags=part.flags)
            survey.parts.insert(place + 1, part)
        part.questions = after
        part.help = _joined(part.help, _joined(question.texts, question.help))
        return


def _joined(first: Texts, second: Texts) -> Texts:
    """Return two texts, one after the other, in each language."""
    tags = dict.fromkeys([*first, *second])
    return {
        tag: ("" if tag.startswith("zh") else " ").join(
            text for text in (first.get(tag), second.get(tag)) if text
        )
        for tag in tags
    }


def _items_below(survey: Questionnaire, question: Question) -> Sequence[Question]:
    """Return the first items of the scale right below a question; none if these have different answers."""
    part = next(each for each in survey.parts if question in each.questions)
    at = part.questions.index(question) + 1
    below = part.questions[at : at + _LEAST]
    labels = [[option.texts for option in each.options] for each in below]
    are_items = len(below) == _LEAST and bool(labels[0]) and all(own == labels[0] for own in labels)
    return below if are_items else ()
