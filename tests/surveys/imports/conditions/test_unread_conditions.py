"""A condition or a jump that was not read is asked about at the questions that it may concern."""

import pytest

from surveys.imports.doubts.misreadings import MISREAD
from surveys.imports.pasted_text import read_paste


def limited(text: str) -> list[int]:
    notes = read_paste(text).notes
    return [note.line for note in notes if note.cause == MISREAD and "only some people" in note.message]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("T\n1. Do you lie?\n- Yes\n- No\n2. Why? (if ever)\n3. How old are you?", [5]),
        # A line above the first question, which the survey's introduction would hide.
        (
            "T\n\nIf not, skip question 2.\n\n1. Do you lie?\n- Yes\n- No\n2. To whom?\n- Friends\n- Others",
            [8],
        ),
        (
            "T\nF1. Do you lie?\n  Yes -> F2\n  No -> part B\nF2. To whom?\nF3. How often?\n- Never\n- Often",
            [6],
        ),
    ],
)
def test_what_was_not_read_is_asked_about(text: str, lines: list[int]) -> None:
    assert limited(text) == lines


@pytest.mark.parametrize(
    "text",
    [
        "T\n1. Do you lie?\n2. What do you do if you are asked?\n- Lie\n- Run\n3. How old are you?",
        "T\n1. Do you lie?\n- Yes -> go to 2\n- No -> go to 2\n2. Do you steal?\n- Yes\n- No",
        "T\n1. Do you lie?\n- Yes\n- No\n2. If yes, to whom?\n3. How old are you?",
        "T\nPart 2\n\n1. Do you lie?\n2. How often in the last 30 days?\nPart 3\n3. Do you steal?",
    ],
)
def test_plain_questions_and_known_conditions_are_not_asked_about(text: str) -> None:
    assert limited(text) == []


def test_below_an_answer_that_ends_the_survey_all_others_are_asked_about() -> None:
    text = (
        "T\n1. Do you lie?\n- Yes\n- No (end of the survey)\n2. To whom?\n- A\n- B\n3. How often?\n- C\n- D\n"
    )
    survey = read_paste(text)
    assert [note.target for note in survey.notes if note.asks == "keep"] == [5]
    assert [note.line for note in survey.notes if "line 4 may" in note.message] == [8]


def test_an_answer_after_which_the_survey_goes_on_is_no_condition() -> None:
    text = "T\n1. Debts?\n( ) Yes (continue)\n( ) No (skip to 3)\n2. When?\n( ) May\n( ) June\n3. Ill?"
    assert not [note for note in read_paste(f"{text}\n( ) Yes\n( ) No").notes if note.line == 8]
