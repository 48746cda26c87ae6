"""What a researcher answers in the import report: changes in rows, decisions on points, protection.

The fields of its form have the line of a question or the number of a note in their names; see
`surveys.authoring.import_report`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from surveys.authoring.score_fields import correct_scores
from surveys.imports.corrections.condition_choices import (
    EVERYONE,
    ask_everyone,
    choose_condition,
    deciders_for,
    drop_broken,
    leave_followers,
    one_answer_hindrance,
    send_one_answer,
)
from surveys.imports.corrections.question_changes import (
    CHOICES,
    YES_NO,
    ChangeRefused,
    answers_text,
    change_question,
    change_texts,
    choice_of,
    leave_out,
    move_question,
)
from surveys.imports.drafts.number_words import WORDS, name_numbers
from surveys.imports.drafts.protection import decide_protection, protect_question, store_question
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    UNCLEAR,
    Note,
    Option,
    Question,
    Questionnaire,
    retag,
)
from surveys.imports.roles.lead_ins import can_introduce, introduce
from surveys.imports.roles.question_kinds import decide_kind
from surveys.imports.scores.proposals import hindrance, shares_questions, use_score
from surveys.questionnaire.languages import known_languages, text_in

_LONGEST: Final = 5_000
_DIGITS: Final = 4
"""One more than the largest number of digits in the position of an answer."""

PROTECT, STORE = "protect", "store"
"""Names of the buttons that change the protection of the question in a line; their values are lines."""

APPLY, EARLIER, LATER, CHANGE = "apply", "earlier", "later", "change"
"""Names of the buttons that apply the changes in rows, move the question in a line, or show its menus."""

CONDITION, REMOVE = "condition", "everyone"
"""Names of the buttons that add or remove the condition of the question in a line."""
CHOICE_FIELDS: Final = ("decider-", "boxes-", "box-")
"""Prefixes of its field names: the chosen question, the question with visible answers, these answers."""

WAYS: Final = {
    "answers": ("introduce", "leave", "keep"),
    "keep": ("keep", "after", "leave"),
    "skip": ("protect", "one", "keep", "leave"),
    "score": ("one", "each"),
    WORDS: ("words", "numbers"),
}
"""Ways to settle a point, by what it asks; other points are left out or kept."""


def first_way(survey: Questionnaire, note: Note) -> str:
    """Return what happens to a point unless the researcher decides otherwise; empty if they must decide.

    Questions that decide who is asked others are protected, and the others asked of everyone. Whether a scale
    is one answer is never chosen in advance: one answer rules out other results for good, and each answer
    reveals more. Of scores that share questions, only the first is asked about in this way, because at most
    one can be sent.
    """
    if note.asks in ("skip", "keep"):
        return WAYS[note.asks][0]
    lines = [score.line for score in survey.scores]
    own = lines.index(note.line) if note.asks == "score" and note.line in lines else 0
    if any(shares_questions(survey.scores[own], each) for each in survey.scores[:own]):
        return WAYS["score"][1]
    return ""


def change_rows(
    survey: Questionnaire, changed_before: Mapping[str, str], answers: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str], dict[int, str]]:
    """Change the kind, answers and place of questions as chosen in their rows.

    Returns
    -------
    tuple
        The answers with the new numbers of notes, the text of each changed question in its first reading by
        line, and why the changes of some lines are refused.
    """
    before, changed, refused = list(survey.notes), dict(changed_before), {}
    for question in [each for each in survey.questions if f"kind-{each.line}" in answers]:
        choice, written = answers[f"kind-{question.line}"], answers.get(f"answers-{question.line}", "")
        written = written[:_LONGEST].strip()
        is_same = written == answers_text(question, survey.languages) or choice == YES_NO
        first_text, texts = text_in(question.texts), written_texts(question, answers)
        try:
            if texts != question.texts:
                change_texts(survey, question, texts)
                changed.setdefault(str(question.line), first_text)
            if choice in CHOICES and not (choice == choice_of(question) and is_same):
                change_question(survey, question, choice, written)
                changed.setdefault(str(question.line), first_text)
        except ChangeRefused as why:
            refused[question.line] = str(why)
    for name, step in ((EARLIER, -1), (LATER, 1)):
        for question in survey.questions:
            if str(question.line) == answers.get(name):
                move_question(survey, question, step)
                break
    rest = {name: text for name, text in answers.items() if not name.startswith(("how-", "said-"))}
    return rest | renumbered(before, survey, answers), changed, refused


def written_texts(question: Question, answers: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a question as written in its row."""
    return {
        tag: " ".join(answers.get(f"text-{question.line}-{tag}", text)[:_LONGEST].split())
        if f"text-{question.line}-{tag}" in answers
        else text
        for tag, text in question.texts.items()
    }


def renumbered(before: Sequence[Note], survey: Questionnaire, answers: Mapping[str, str]) -> dict[str, str]:
    """Return the answers to points with the numbers that their notes have now."""
    numbers = {id(note): number for number, note in enumerate(survey.notes)}
    return {
        f"{name}-{numbers[id(note)]}": answers[f"{name}-{number}"]
        for number, note in enumerate(before)
        for name in ("how", "said")
        if id(note) in numbers and f"{name}-{number}" in answers
    }


def change_protection(survey: Questionnaire, answers: Mapping[str, str]) -> dict[str, str]:
    """Protect or store a question; return the press, and the answers with the new numbers of notes."""
    before = list(survey.notes)
    for name, change in ((PROTECT, protect_question), (STORE, store_question)):
        question = next((each for each in survey.questions if str(each.line) == answers.get(name)), None)
        if question is not None and question.is_asked and IMPORTED_KINDS[question.kind].can_be_switched:
            change(survey, question)
    pressed = {name: answers[name] for name in (PROTECT, STORE) if name in answers}
    return pressed | renumbered(before, survey, answers)


def target_of(survey: Questionnaire, note: Note) -> Question | None:
    """Return the question that a note is about, if it has one."""
    line = note.target or note.line
    found = [question for question in survey.questions if question.line == line]
    inactive = [question for question in found if not question.is_asked]
    return next(iter(inactive if note.asks == "answers" else found), None)


def apply_answers(survey: Questionnaire, answers: Mapping[str, str]) -> dict[int, str]:
    """Apply the user's answers to a questionnaire; return the errors by number of the note."""
    unclear = [(number, note) for number, note in enumerate(survey.notes) if note.effect == UNCLEAR]
    wrong = correct_scores(survey, answers)
    for number, note in unclear:
        how, reply = answers.get(f"how-{number}", ""), answers.get(f"said-{number}", "")[:_LONGEST].strip()
        question = target_of(survey, note)
        if note.asks == "language":
            if reply not in {language.tag for language in known_languages()}:
                wrong[number] = _("Choose a language.")
            elif reply in survey.languages:
                wrong[number] = _("The survey is in this language already. Choose another one.")
            else:
                retag(survey, note.where or survey.languages[0], reply)
        elif how not in WAYS.get(note.asks, ("leave", "keep")):
            wrong[number] = _("Choose what to do.")
        elif how == "after":
            wrong[number] = _("Choose the question and its answers.")
        elif note.asks == "skip":
            if question is not None and how == "one" and (why := one_answer_hindrance(survey, question)):
                wrong[number] = _("Choose another option: %(why)s.") % {"why": why}
            elif question is not None:
                _SKIP_CHANGES[how](survey, question)
        elif note.asks == WORDS:
            if how == "words" and question and not name_numbers(survey, question, _lines_of(reply)):
                wrong[number] = _("Write a different text for each number, one per line.")
        elif note.asks == "score":
            use_score(survey, note.line, is_used=how == "one")
        elif question is not None and how == "leave":
            leave_out(survey, [question])
        elif question is not None and how == "introduce":
            if can_introduce(survey, question):
                introduce(survey, question)
            else:
                wrong[number] = _("No question follows in this part. Choose another option.")
        elif question is not None and note.asks == "answers" and not _set_options(survey, question, reply):
            wrong[number] = _("Write at least two answers, one per line, or a range such as 0-60.")
    for number, note in unclear:
        used = [score for score in survey.scores if score.line == note.line and score.is_used]
        if note.asks == "score" and (
            why := next(filter(None, (hindrance(survey, each) for each in used)), "")
        ):
            wrong[number] = why
    survey.notes = [note for note in survey.notes if note.effect != UNCLEAR]
    # A question that was left out may have decided about others.
    drop_broken(survey)
    return wrong


_SKIP_CHANGES: Final = {
    "protect": protect_question,
    "one": send_one_answer,
    "keep": store_question,
    "leave": leave_followers,
}


def with_chosen_filters(survey: Questionnaire, answers: Mapping[str, str]) -> Questionnaire:
    """Return a questionnaire with its filters and scores as chosen so far, to show their effect.

    Its points stay open, and `survey` does not change.

    Parameters
    ----------
    survey : Questionnaire
    answers : mapping of str to str
        The answers so far: ``how-N`` for note N. A filter without an answer stays protected.
    """
    chosen = copy.deepcopy(survey)
    correct_scores(chosen, answers, is_decided=False)
    for number, note in enumerate(survey.notes):
        how, question = answers.get(f"how-{number}", ""), target_of(chosen, note)
        if note.asks != "skip" or how not in ("one", "keep", "leave") or question is None:
            continue
        if how != "one" or not one_answer_hindrance(chosen, question):
            _SKIP_CHANGES[how](chosen, question)
    return chosen


def change_conditions(
    survey: Questionnaire, chosen_before: Mapping[str, str], answers: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str], bool]:
    """Ask questions only after the chosen answers, or ask everyone.

    Returns
    -------
    tuple
        The answers with the new numbers of notes, the chosen conditions by line of their question as
        `surveys.imports.corrections.condition_choices` expects them, and whether any condition changed.
    """
    before, chosen = list(survey.notes), dict(chosen_before)
    answers = dict(answers)
    for question in survey.questions:
        line = str(question.line)
        numbers = [
            number
            for number, note in enumerate(before)
            if note.asks == "keep" and (note.target or note.line) == question.line
        ]
        is_pressed = answers.get(CONDITION) == line
        for number in numbers if is_pressed else ():
            answers[f"how-{number}"] = "after"
        if answers.get(REMOVE) == line:
            ask_everyone(survey, question)
            chosen[line] = EVERYONE
        elif is_pressed or any(answers.get(f"how-{number}") == "after" for number in numbers):
            decider, positions = chosen_answers(survey, question, answers)
            if decider is not None and choose_condition(survey, question, decider, positions):
                chosen[line] = f"{decider.line}:{','.join(map(str, positions))}"
    is_changed = chosen != chosen_before or answers.get(REMOVE, "") != ""
    rest = {name: text for name, text in answers.items() if not name.startswith(("how-", "said-"))}
    return rest | renumbered(before, survey, answers), chosen, is_changed


def chosen_answers(
    survey: Questionnaire, question: Question, answers: Mapping[str, str]
) -> tuple[Question | None, list[int]]:
    """Return the question chosen to decide about another one, and the positions of its ticked answers."""
    line = question.line
    named = answers.get(f"decider-{line}", "")
    decider = next((each for each in deciders_for(survey, question) if str(each.line) == named), None)
    if decider is None or answers.get(f"boxes-{line}") != named:
        return decider, []
    start = f"box-{line}-"
    ticked = [name.removeprefix(start) for name in answers if name.startswith(start)]
    return decider, sorted(int(place) for place in ticked if place.isdecimal() and len(place) < _DIGITS)


def _lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not blank, with runs of blanks replaced by one."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _set_options(survey: Questionnaire, question: Question, text: str) -> bool:
    """Replace the options of a question by the lines of a text; return whether it can be asked with them."""
    language = survey.languages[0]
    lines = _lines_of(text)
    question.options = [Option(line=question.line, texts={language: line}) for line in lines]
    question.flags -= {"text", "number"}
    if not lines:
        return False
    decide_kind(question, survey)
    question.is_protected = None
    decide_protection(survey)
    return question.is_asked
