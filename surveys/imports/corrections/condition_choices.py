"""Decisions of researchers about conditions: who is asked a question, and how its filter is sent.

They are the same for forms and pasted texts. The import report precedes the draft, so each
can be undone there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.conditions.named_answers import can_decide, choices_of
from surveys.imports.conditions.stated_conditions import READ, set_condition
from surveys.imports.corrections.question_changes import leave_out
from surveys.imports.drafts.protection import deciders_of, followers, note_skip, protect_question
from surveys.imports.drafts.questionnaire import ONE_ANSWER, SEVERAL, Note, Question, Questionnaire
from surveys.imports.formulas.form_conditions import terms_of
from surveys.imports.roles.outline import SKIPPED
from surveys.questionnaire.languages import has_catalogue

EVERYONE: Final = "everyone"
"""The choice for a question whose condition was removed."""
_MOST_LEVELS: Final = 60


def deciders_for(survey: Questionnaire, question: Question) -> list[Question]:
    """Return the questions above a question whose answers a condition can name, the nearest first."""
    questions = survey.questions
    place = next(number for number, each in enumerate(questions) if each is question)
    return [each for each in reversed(questions[:place]) if can_decide(each)]


def choose_condition(
    survey: Questionnaire, question: Question, decider: Question, positions: Collection[int]
) -> bool:
    """Ask a question only after these answers to another one; return whether that is possible.

    Parameters
    ----------
    survey : Questionnaire
        A protected question that decides becomes a point to settle.
    question : Question
    decider : Question
        A question above it.
    positions : collection of int
        Of its answers (`surveys.imports.conditions.named_answers.choices_of`): at least one, and not all.
    """
    count = len(choices_of(decider))
    chosen = {position for position in positions if 0 <= position < count}
    if not 0 < len(chosen) < count or all(each is not decider for each in deciders_for(survey, question)):
        return False
    before = deciders_of(question, survey.by_key)
    set_condition(survey, question, [(decider.line, frozenset(chosen))])
    _replace_skips(survey, question, decider)
    _settle(survey, [*before, decider])
    return True


def _replace_skips(survey: Questionnaire, question: Question, decider: Question) -> None:
    """Remove the notes on unused instructions to skip that a chosen condition replaces.

    Each question that such an instruction concerns is an open point of its own.
    """
    survey.notes = [
        note
        for note in survey.notes
        if note.cause != SKIPPED or not decider.line <= note.line < question.line
    ]


def ask_everyone(survey: Questionnaire, question: Question) -> None:
    """Remove the condition of a question; its audience becomes an open point again."""
    if not question.condition:
        return
    before = deciders_of(question, survey.by_key)
    question.condition = None
    question.texts, question.lead = question.whole_texts, {}
    survey.notes = [note for note in survey.notes if (note.line, note.cause) != (question.line, READ)]
    survey.note(
        question.line,
        _("you removed the condition of this question"),
        _("ask it whatever people answer, choose another condition, or leave it out"),
        asks="keep",
        target=question.line,
        where=survey.where(question.line),
    )
    _settle(survey, before)


def drop_broken(survey: Questionnaire) -> None:
    """Remove conditions with answers that no question above has; each becomes an open point again."""
    known: dict[str, set[str]] = {}
    for question in survey.questions:
        terms = terms_of(question.condition)
        if any(not known.get(term["question"], set()) >= {*term["options"]} for term in terms):
            ask_everyone(survey, question)
        if question.kind == SEVERAL:
            known |= {key: {"yes", "no"} for key in question.lines.values()}
        elif question.key:
            known[question.key] = {option.key for option in question.options} or {"yes", "no"}


def leave_followers(survey: Questionnaire, question: Question) -> None:
    """Leave out the follow-ups of a question, and the follow-ups of those."""
    following = followers(survey)
    left, found = [question], list[Question]()
    while left:
        own = left.pop()
        lines = {each.line for each in found}
        new = [each for each in following.get(own.key, ()) if each.line not in lines]
        found += new
        left += new
    leave_out(survey, found)
    protect_question(survey, question)


def one_answer_hindrance(survey: Questionnaire, question: Question) -> str:
    """Return why a question and its follow-ups cannot be sent as one answer each; empty if they can.

    Phones then compute one answer for each follow-up: its answer, or the filter's answer that skips it.
    """
    following = followers(survey)
    own = following.get(question.key, [])
    if not own or not can_decide(question):
        return _("only a yes/no or single-choice question can be sent with its follow-ups")
    if not all(map(can_decide, own)):
        return _("each follow-up must be a yes/no or single-choice question")
    if any(following.get(each.key) or len(terms_of(each.condition)) > 1 for each in own):
        return _("a follow-up also depends on other questions, or decides who is asked them")
    if not _are_directly_below(survey, question, own):
        return _("its follow-ups must be directly below it, in the same part")
    is_listed = all(each.options for each in (question, *own))
    if not (is_listed or all(map(has_catalogue, survey.languages))):
        return _("Sottovoce does not know the words for yes and no in this language")
    levels = max(len(choices_of(each)) for each in own) * len(choices_of(question))
    if levels > _MOST_LEVELS or question.condition:
        return _("there would be too many answers, or the question has a condition of its own")
    return ""


def _are_directly_below(survey: Questionnaire, question: Question, others: Sequence[Question]) -> bool:
    """Return whether several questions follow one in its part, with no other among them."""
    expected = [each.line for each in (question, *others)]
    parts = [[each.line for each in part.questions] for part in survey.parts]
    lines = next((lines for lines in parts if question.line in lines), [question.line])
    place = lines.index(question.line)
    return lines[place : place + len(expected)] == expected


def send_one_answer(survey: Questionnaire, question: Question) -> None:
    """Send a question and its follow-ups as one answer each; all of them are protected."""
    for each in (question, *followers(survey).get(question.key, ())):
        protect_question(survey, each)
    question.flags |= {ONE_ANSWER}


def apply_choices(before: Questionnaire, again: Questionnaire, chosen: Mapping[str, str]) -> None:
    """Repeat the choices of conditions in another reading of the same text.

    Parameters
    ----------
    before, again : Questionnaire
    chosen : mapping of str to str
        By line of a question, `EVERYONE` or ``DECIDER:POSITIONS``, such as ``3:0,2``. A choice is left out if
        one of the two questions is read differently now.
    """
    old = {question.line: question for question in before.questions}
    new = {question.line: question for question in again.questions}

    def is_same(line: int) -> bool:
        return (
            line in old
            and line in new
            and old[line].whole_texts == new[line].whole_texts
            and choices_of(old[line]) == choices_of(new[line])
        )

    for name, choice in chosen.items():
        line = int(name)
        decider, _colon, positions = choice.partition(":")
        if not is_same(line):
            continue
        if choice == EVERYONE:
            ask_everyone(again, new[line])
        elif is_same(int(decider)):
            choose_condition(again, new[line], new[int(decider)], {*map(int, positions.split(","))})


def _settle(survey: Questionnaire, deciders: Collection[Question]) -> None:
    """Ask about questions that now decide others, and stop asking about those that no longer do."""
    following = followers(survey)
    for question in {each.line: each for each in deciders}.values():
        asked: list[Note] = [
            note for note in survey.notes if note.asks == "skip" and note.line == question.line
        ]
        if following.get(question.key) and question.is_protected and not asked:
            note_skip(survey, question)
        elif not following.get(question.key) and asked:
            survey.notes = [note for note in survey.notes if note not in asked]
