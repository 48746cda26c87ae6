"""Which questions of a source are protected, and why: by the rule, the source, or a researcher."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text
from surveys.imports.drafts.questionnaire import (
    OFFERED,
    ONE_ANSWER,
    STORED,
    Part,
    Question,
    Questionnaire,
    Texts,
    offered_options,
)
from surveys.questionnaire.background import why_stored
from surveys.questionnaire.exclusive_wordings import declines
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.sensitive import names_in


def decide_protection(survey: Questionnaire, where: Callable[[int], str] = lambda line: "") -> None:
    """Decide which questions of a source are protected. Every reader calls this, and nothing else decides it.

    A question is protected unless the source says otherwise or it only asks for plain background
    (`surveys.questionnaire.background`). Each question that is stored as answered gets a note. One that
    decides who is asked another is a point to settle; until then it is protected.

    Parameters
    ----------
    survey : Questionnaire
        Questions whose protection was decided before keep it.
    where : callable
        Returns the place of a line in a file, in words.
    """
    by_key = survey.by_key
    deciding = followers(survey)
    for part in survey.parts:
        for question in part.questions:
            if question.is_protected is not None:
                continue
            question.is_protected, question.why = _decision(question, part, by_key)
            if not question.is_asked and question.key in deciding:
                question.is_protected = True
            _note_offered(survey, question, where(question.line))
            if not question.is_protected:
                # One that still needs answers is decided again with them.
                if question.is_asked:
                    note_stored(survey, question, where(question.line))
            elif question.key in deciding:
                note_skip(survey, question, where(question.line))


def note_skip(survey: Questionnaire, question: Question, where: str = "") -> None:
    """Ask whether to protect a question that decides who is asked others, or to keep asking only some."""
    survey.note(
        question.line,
        _("the answer to this question decides who is asked other questions"),
        _("protect it and ask the others whatever people answer, or keep the skip"),
        where=where,
        asks="skip",
    )


def _note_offered(survey: Questionnaire, question: Question, where: str) -> None:
    """Note the options that a question does not list, and what the page offers instead of them.

    A protected list is asked as a yes/no question for each option; a stored one as boxes, with "None of
    these" below them.
    """
    survey.notes = [note for note in survey.notes if (note.line, note.cause) != (question.line, OFFERED)]
    if question.is_asked and question.kind == "single" and question.is_protected:
        for option in filter(lambda each: declines(each.texts), question.options):
            survey.note(
                question.line,
                _("this answer and “Prefer not to say” are both offered: %(answer)s")
                % {"answer": text_in(option.texts)},
                _("the page offers “Prefer not to say” itself; remove the answer in its row"),
                where=where,
                cause=OFFERED,
            )
    if not (offered := offered_options(question)):
        return
    if question.is_protected:
        message = _("not asked, because people answer each option with yes or no: %(options)s")
        remedy = _(
            "if none applies, people answer no to each option; “Prefer not to say” is offered for the whole "
            "part"
        )
    else:
        message = _("not in the list: %(options)s")
        remedy = _(
            "the page offers “None of these” below the list, which excludes the other options; people can "
            "also leave the question empty"
        )
    listed = list_text(f"“{text_in(option.texts)}”" for option in offered)
    survey.note(question.line, message % {"options": listed}, remedy, where=where, cause=OFFERED)


_STATED: Final = frozenset({"open", "protected"})


def _decision(question: Question, part: Part, by_key: Mapping[str, Question]) -> tuple[bool, str]:
    """Return whether to protect a question, and why: as the source says, else by the rule."""
    flags = question.flags & _STATED or part.flags & _STATED
    if flags:
        is_open = "open" in flags
        return not is_open, _("the text says that it is not protected") if is_open else question.why
    reason = _plain_reason(question, texts_around(part, question, by_key))
    return not reason, reason or question.why


def texts_around(part: Part, question: Question, by_key: Mapping[str, Question]) -> list[Texts]:
    """Return texts that show what a question is about: help, heading, and the questions that decide it.

    Parameters
    ----------
    part : Part
        The part of the question.
    question : Question
    by_key : mapping of str to Question
        All questions of the source.
    """
    deciding = deciders_of(question, by_key)
    return [
        part.texts,
        part.help,
        question.help,
        *(each.texts for each in deciding if not _plain_reason(each)),
    ]


def _plain_reason(question: Question, around: Iterable[Texts] = ()) -> str:
    options = [option.texts for option in question.options]
    return why_stored(question.kind, question.texts, options, around=around)


def note_stored(survey: Questionnaire, question: Question, where: str = "") -> None:
    """Note that a question is stored as answered, and why."""
    survey.note(
        question.line,
        _("stored as answered, because %(reason)s") % {"reason": question.why},
        _("press Protect if its answer may be private"),
        effect=STORED,
        where=where,
    )


def protect_question(survey: Questionnaire, question: Question) -> None:
    """Protect a question by a decision of the researcher; parts that depend on it are asked of everyone."""
    _forget_protection(survey, question)
    question.is_protected, question.why = True, _("you protected it")
    _note_offered(survey, question, survey.where(question.line))


def store_question(survey: Questionnaire, question: Question) -> None:
    """Store a question as answered by a decision of the researcher, with a note."""
    where = _forget_protection(survey, question)
    question.is_protected = False
    question.why = (
        _("you kept the skip: its answer decides who is asked other questions")
        if question.key in followers(survey)
        else _("you chose this")
    )
    _note_offered(survey, question, survey.where(question.line))
    note_stored(survey, question, where)


def is_decision(old: Question, new: Question) -> bool:
    """Return whether the protection of a question in an earlier reading is a decision that still holds.

    Protection follows from texts and answers, so a difference between equal ones is a decision. To protect
    is kept for other answers too, but to store is not: they may be private.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Option
    >>> old, new = (Question(line=1, texts={"en": "Team?"}, is_protected=each) for each in (False, True))
    >>> is_decision(old, new)
    True
    >>> new.options = [Option(line=2, texts={"en": "The gang"})]
    >>> is_decision(old, new), is_decision(new, old)
    (False, True)
    """
    is_same = old.kind == new.kind and [each.texts for each in old.options] == [
        each.texts for each in new.options
    ]
    return (
        old.texts == new.texts
        and old.is_protected != new.is_protected
        and (is_same or bool(old.is_protected))
    )


def _forget_protection(survey: Questionnaire, question: Question) -> str:
    """Remove the notes on a question's protection; return their place."""
    own = [
        note
        for note in survey.notes
        if note.line == question.line and (note.effect == STORED or note.asks == "skip")
    ]
    survey.notes = [note for note in survey.notes if not any(note is each for each in own)]
    return own[0].where if own else ""


def followers(survey: Questionnaire) -> dict[str, list[Question]]:
    """Return, by key of a question that decides, the questions asked only after certain answers to it."""
    found: dict[str, list[Question]] = defaultdict(list)
    by_key = survey.by_key
    for question in survey.questions:
        for decider in deciders_of(question, by_key):
            found[decider.key].append(question)
    return dict(found)


def lost_conditions(survey: Questionnaire) -> list[tuple[Question, list[Question]]]:
    """Return the questions that more people are asked, each with the protected questions that decided it.

    Follow-ups that are sent together with their filter keep their condition, because phones decide it.
    """
    by_key = survey.by_key
    lost = {key for key, each in by_key.items() if each.is_protected and ONE_ANSWER not in each.flags}
    pairs = (
        (each, [decider for decider in deciders_of(each, by_key) if decider.key in lost])
        for each in survey.questions
    )
    return [(each, deciders) for each, deciders in pairs if deciders]


def deciders_of(question: Question, by_key: Mapping[str, Question]) -> list[Question]:
    """Return the questions whose answers decide who is asked this question."""
    found = [by_key[key] for key in names_in(question.condition) if key in by_key]
    return [*{each.key: each for each in found}.values()]
