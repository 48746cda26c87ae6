"""Footnotes are no answers; those that say how many answers are possible are obeyed."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, text_of
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", ["*", " *", "¹", "†"])
def test_a_footnote_says_how_many_answers_are_possible(sign: str) -> None:
    """Before, it was the last answer."""
    note = f"{sign.strip()} Several answers are possible."
    text = f"T\n1. Do you lie?\n☐ Yes ☐ No\n2. To whom?{sign}\n☐ Boss ☐ Wife ☐ Father\n\n{note}"
    _first, second = read_paste(text).questions
    assert (text_of(second), second.kind, labels_of(second)) == (
        "To whom?",
        "several",
        ("Boss", "Wife", "Father"),
    )


def test_an_explanation_in_a_footnote_is_left_out_and_asked_about() -> None:
    survey = read_paste("T\n1. Did you have sex¹ today?\n- yes\n- no\n2. Why?\n- fun\n- love\n¹ Of any kind.")
    assert [len(question.options) for question in survey.questions] == [0, 2]
    assert [note.effect for note in survey.notes if note.line == 8][:1] == ["uncertain"]


def test_bullets_below_a_starred_question_are_answers() -> None:
    survey = read_paste("T\n1. How often do you lie?*\n* never\n* often\n2. To whom?*\n* boss\n* wife")
    assert [labels_of(question) for question in survey.questions] == [("never", "often"), ("boss", "wife")]


@pytest.mark.parametrize("sign", ["* ", "- ", "• ", "† "])
def test_a_note_below_that_names_questions_says_who_is_asked_them(sign: str) -> None:
    """Before, it was an answer of the last question."""
    text = "T\n1. Do you smoke?\n☐ Yes\n☐ No\n2. Where?\n☐ In\n☐ Out\n3. How many a day?\n"
    survey = read_paste(f"{text}4. How old are you?\n\n{sign}Questions 2-3: smokers only")
    assert [bool(question.condition) for question in survey.questions] == [False, True, True, False]
    assert survey.questions[3].kind == "number"


def test_bullets_that_lead_on_are_answers() -> None:
    survey = read_paste("T\n1. Do you lie?\n* yes\n* no (skip to question 3)\n2. To whom?\n3. When?")
    assert len(survey.questions) == 3
    assert survey.questions[0].kind == "yes_no"
