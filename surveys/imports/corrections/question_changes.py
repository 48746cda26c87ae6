"""A researcher's changes to a question of a source: its kind, answers and place, and leaving it out."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.formats.joints import list_text
from surveys.imports.doubts.misreadings import settle_misreading
from surveys.imports.drafts.protection import decide_protection, followers
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    LOST,
    OFFERED,
    SEVERAL,
    STORED,
    WRONG,
    Option,
    Question,
    Questionnaire,
)
from surveys.imports.roles.question_kinds import decide_kind
from surveys.imports.words.marks import mark_of
from surveys.imports.words.runs import repeats
from surveys.questionnaire.languages import text_in

YES_NO, ONE, RATING, ROW, NUMBER, NO_QUESTION = "yes_no", "one", "rating", "row", "number", "none"
CHOICES: Final = {
    YES_NO: gettext_lazy("yes or no"),
    ONE: gettext_lazy("one of these answers"),
    RATING: gettext_lazy("a rating scale"),
    ROW: gettext_lazy("a row of a table"),
    SEVERAL: gettext_lazy("several of these answers"),
    NUMBER: gettext_lazy("a number or a date"),
    NO_QUESTION: gettext_lazy("nothing: leave it out"),
}
"""Kinds that a researcher can choose for a question, in words."""

_BETWEEN: Final = "|"
"""Between the texts of an answer in two languages."""
_FLAGS: Final = {RATING: {"rating"}, ROW: {"table"}}
_OF_KINDS: Final = frozenset(
    {"rating", "table", "text", "number", "one", "boxes", "several", "space", "slider"}
)
"""Flags that decide the kind of a question or its look."""


class ChangeRefused(ValueError):
    """A change that a question cannot have; the message is for the page."""


def choice_of(question: Question) -> str:
    """Return the kind of a question as `CHOICES` names it; empty for a place or a question that is not asked.

    Examples
    --------
    >>> choice_of(Question(line=1, texts={}, kind="single", flags=frozenset({"rating"})))
    'rating'
    """
    if question.kind in CHOICES:
        return question.kind
    if question.kind not in IMPORTED_KINDS or RATING not in IMPORTED_KINDS[question.kind].looks:
        return ""
    return next((choice for choice, flags in _FLAGS.items() if flags <= question.flags), ONE)


def answers_text(question: Question, languages: Sequence[str]) -> str:
    """Return the answers of a question as lines: its options in all languages, or its range.

    Examples
    --------
    >>> options = [Option(line=1, texts={"en": "Never", "fr": "Jamais"})]
    >>> answers_text(Question(line=1, texts={}, kind="single", options=options), ("en", "fr"))
    'Never | Jamais'
    """
    if question.kind == NUMBER:
        return question.range
    return "\n".join(
        f" {_BETWEEN} ".join(option.texts.get(tag, "") for tag in languages) for option in question.options
    )


def change_question(survey: Questionnaire, question: Question, choice: str, answers: str) -> None:
    """Ask a question in another way; nothing changes if that is refused.

    Parameters
    ----------
    survey : Questionnaire
        A stored question whose kind or answers change is protected unless it still asks for plain background.
    question : Question
        One of its questions that is asked.
    choice : str
        One of `CHOICES`, or that of the question.
    answers : str
        As `answers_text` returns them. Yes or no needs none.

    Raises
    ------
    ChangeRefused
        Its answers cannot be asked in this way, or other questions depend on them.
    """
    if choice == NO_QUESTION:
        _leave_out_alone(survey, question)
        return
    changed, read = copy.deepcopy(question), Questionnaire(languages=survey.languages)
    changed.flags = (question.flags - _OF_KINDS) | _FLAGS.get(choice, set())
    changed.points, changed.why, changed.lines = [], "", question.lines if choice == SEVERAL else {}
    changed.own.pop("number", None)
    lines = [" ".join(line.split()) for line in answers.splitlines() if line.strip()]
    if choice == YES_NO:
        changed.kind, changed.options, changed.range = YES_NO, [], ""
    elif choice == NUMBER:
        _ask_number(changed, lines, read)
    else:
        changed.kind, changed.range = SEVERAL if choice == SEVERAL else "single", ""
        changed.options = _options(question, lines, survey.languages, has_points=choice != SEVERAL)
    _check_followers(survey, question, changed)
    _replace(survey, question, changed, read)


def change_texts(survey: Questionnaire, question: Question, texts: Mapping[str, str]) -> None:
    """Reword a question; one that is stored as answered is protected unless it is still plain background.

    Parameters
    ----------
    survey : Questionnaire
    question : Question
        One of its questions.
    texts : mapping of str to str
        Its text by language.

    Raises
    ------
    ChangeRefused
        A text is empty.
    """
    if not all(text.strip() for text in texts.values()):
        raise ChangeRefused(_("Write the question."))
    where = survey.where(question.line)
    question.texts = {**question.texts, **texts}
    settle_misreading(survey, question)
    if question.is_protected is False:
        question.is_protected = None
        survey.notes = [note for note in survey.notes if (note.line, note.effect) != (question.line, STORED)]
    decide_protection(survey, lambda line: where)


def _ask_number(question: Question, lines: Sequence[str], read: Questionnaire) -> None:
    question.options = [
        Option(line=question.line, texts=dict.fromkeys(question.texts, line)) for line in lines[:1]
    ]
    question.flags |= {"number"}
    decide_kind(question, read)
    if len(lines) > 1 or question.kind != NUMBER or any(note.effect == WRONG for note in read.notes):
        raise ChangeRefused(_("Write one range, such as 0-60 or 2024-01 to 2025-12."))


def _without_points(split: list[list[str]]) -> tuple[list[list[str]], list[int]]:
    """Return the texts of answers without the points in front of all of them, and these points.

    >>> _without_points([["(0) Never"], ["(1) Often"]])
    ([['Never'], ['Often']], [0, 1])
    >>> _without_points([["(0) Never"], ["Often"]])
    ([['(0) Never'], ['Often']], [])
    """
    marks = [[mark_of(text) for text in texts] for texts in split]
    points = [{mark.points if mark else None for mark, _body in each} for each in marks]
    bare = [[body for _mark, body in each] for each in marks]
    stated = [value for own in points if len(own) == 1 for value in own if value is not None]
    is_stated = len(stated) == len(split) and len({texts[0] for texts in bare}) == len(split)
    return (bare, stated) if is_stated else (split, [])


def _options(
    question: Question, lines: Sequence[str], languages: Sequence[str], *, has_points: bool
) -> list[Option]:
    """Return the options that lines state; points in front of all answers become their points.

    One whose text is as before, or that only has another text at its place, keeps its key and points.
    """
    between = _BETWEEN if len(languages) > 1 else None
    split = [[text.strip() for text in line.split(between)] if between else [line] for line in lines]
    if len(lines) < 2:
        raise ChangeRefused(_("Write at least two answers, one per line."))
    if repeats(lines):
        twice = next(line for line in lines if lines.count(line) > 1)
        raise ChangeRefused(_("“%(answer)s” occurs twice. Keep one of the two.") % {"answer": twice})
    if any(len(texts) > len(languages) for texts in split):
        raise ChangeRefused(_("Write | only between the texts of one answer in both languages."))
    split, points = _without_points(split) if has_points else (split, [])
    known = _known_options(question, [texts[0] for texts in split], languages[0])
    options = []
    for place, texts in enumerate(split):
        old = known.get(texts[0])
        named = dict(zip(languages, texts, strict=False))
        kept: dict[str, Any] = {"key": old.key, "points": old.points} if old else {}
        kept |= {"points": points[place]} if points else {}
        options.append(Option(line=old.line if old else question.line, texts=named, **kept))
    return options


def _known_options(question: Question, texts: Sequence[str], tag: str) -> dict[str, Option]:
    """Return the options of a question by the new texts that have the same words, or are at their place."""
    known = {option.texts.get(tag, ""): option for option in question.options}
    if len(question.options) != len(texts):
        return known
    return known | {
        text: option
        for option, text in zip(question.options, texts, strict=True)
        if text not in known and option.texts.get(tag, "") not in texts
    }


def _check_followers(survey: Questionnaire, before: Question, after: Question) -> None:
    """Refuse a change of answers that conditions of other questions name."""
    others = followers(survey).get(before.key, [])
    kept = {option.key for option in after.options}
    if others and (before.kind != after.kind or not kept >= {option.key for option in before.options}):
        named = list_text(f"“{text_in(each.texts)}”" for each in others)
        raise ChangeRefused(
            _("%(questions)s depends on these answers. First change who is asked it.") % {"questions": named}
        )


def _replace(survey: Questionnaire, before: Question, after: Question, read: Questionnaire) -> None:
    """Put the changed question in place of the other, with the notes of its reading."""
    where = survey.where(before.line)
    if before.is_protected is False:
        after.is_protected = None
    survey.notes = [
        note
        for note in survey.notes
        if note.line != before.line
        or not (note.effect == WRONG or note.cause in _ABOUT_ANSWERS or note.asks == "answers")
    ]
    if after.is_protected is None:
        survey.notes = [note for note in survey.notes if (note.line, note.effect) != (before.line, STORED)]
    survey.notes += read.notes
    for part in survey.parts:
        part.questions = [after if each is before else each for each in part.questions]
    settle_misreading(survey, after)
    _drop_scores(survey, after)
    decide_protection(survey, lambda line: where)


_ABOUT_ANSWERS: Final = ("range", OFFERED)
"""Causes of notes on the answers of a question, which end with these."""


def leave_out(survey: Questionnaire, questions: Collection[Question]) -> None:
    """Leave questions out, with a note for the draft."""
    lines = {question.line for question in questions}
    for part in survey.parts:
        part.questions = [each for each in part.questions if each.line not in lines]
    survey.notes = [note for note in survey.notes if note.line not in lines or note.effect == LOST]
    for question in questions:
        survey.note(
            question.line,
            _("you left out “%(question)s”") % {"question": text_in(question.texts)},
            _("read the text again if you want to ask it"),
            effect=LOST,
            cause="left out",
        )


def _leave_out_alone(survey: Questionnaire, question: Question) -> None:
    if others := followers(survey).get(question.key, []):
        named = list_text(f"“{text_in(each.texts)}”" for each in others)
        raise ChangeRefused(
            _("%(questions)s depends on these answers. Leave it out first.") % {"questions": named}
        )
    leave_out(survey, [question])
    _drop_scores(survey, question)


def _drop_scores(survey: Questionnaire, question: Question) -> None:
    """Drop the scores that add up points of a question that lacks some of them now, with a note."""
    is_left_out = all(each is not question for each in survey.questions)
    has_points = question.kind == YES_NO or (
        question.kind != SEVERAL
        and bool(question.options)
        and all(option.points is not None for option in question.options)
    )
    lines = {
        score.line
        for score in survey.scores
        if question.line in score.questions and (score.rule.get("points") or is_left_out or not has_points)
    }
    survey.scores = [score for score in survey.scores if score.line not in lines]
    survey.notes = [note for note in survey.notes if note.asks != "score" or note.line not in lines]
    for line in sorted(lines):
        survey.note(
            line,
            _("the score is not added up, because “%(question)s” lacks points now")
            % {"question": text_in(question.texts)},
            _("write it in the builder: send one answer"),
            effect=LOST,
            cause="score",
        )


def move_question(survey: Questionnaire, question: Question, step: int) -> bool:
    """Ask a question one place earlier (-1) or later (1) in its part; return whether it moved.

    A question stays behind those that decide whether it is asked.
    """
    for part in survey.parts:
        places = [place for place, each in enumerate(part.questions) if each is question]
        if places and 0 <= places[0] + step < len(part.questions):
            other = part.questions[places[0] + step]
            decided = followers(survey)
            if question in decided.get(other.key, ()) or other in decided.get(question.key, ()):
                return False
            part.questions[places[0]], part.questions[places[0] + step] = other, question
            return True
    return False


def carry_changes(before: Questionnaire, again: Questionnaire, changed: Mapping[int, str]) -> None:
    """Carry changed questions over to another reading of the same text.

    Parameters
    ----------
    before, again : Questionnaire
    changed : mapping of int to str
        Lines of changed questions of `before`, each with the text of the question in its first reading; a
        question that is read differently now is left as it is read.
    """
    kept = {question.line: question for question in before.questions if question.line in changed}
    for question in list(again.questions):
        if question.line in changed and text_in(question.texts) == changed[question.line]:
            new = kept.get(question.line)
            if new is not None:
                new.condition, new.key = question.condition, question.key
                keys = {text_in(option.texts): option.key for option in question.options}
                for option in new.options:
                    option.key = keys.get(text_in(option.texts), "")
                _replace(again, question, new, Questionnaire(languages=again.languages))
            elif not followers(again).get(question.key):
                _leave_out_alone(again, question)
    for part in again.parts:
        lines = {question.line for question in part.questions}
        order = [question.line for question in before.questions if question.line in lines]
        if len(order) == len(lines):
            part.questions.sort(key=lambda question: order.index(question.line))
