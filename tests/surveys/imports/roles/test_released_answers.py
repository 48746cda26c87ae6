"""No line is lost because a person gave another line its role."""

import pytest

from surveys.imports.pasted_text import read_paste

MAIL = """Exam survey

Background
- Your gender: female / male / diverse
- Age: ____ years
- Faculty (Law, Medicine, Arts)
- Do you have a job besides your studies? If yes, how many hours per week?

Then the sensitive ones:
* Did you ever cheat in an exam? (yes/no)
* Have you ever paid someone to write a paper for you? (yes/no)
* Did you copy in an exam? never - once - often"""

LIST = (
    "Exam survey\n\nBackground\n- Your gender\n- Your age in years\n- Your faculty\n"
    "- Your job besides your studies\n\n"
    "Then the sensitive ones:\n* Did you ever cheat in an exam? (yes/no)\n"
    "* Have you ever paid someone to write a paper for you? (yes/no)\n* Did you copy? never - once - often"
)
"""Its list is read as the answers of the line above."""


def _roles(text: str, chosen: dict[int, str]) -> dict[int, str]:
    return {line.line: line.role for line in read_paste(text, ("en",), chosen).lines}


@pytest.mark.parametrize("role", ["heading", "introduction", "left"])
def test_questions_below_a_line_that_becomes_no_question_stay_questions(role: str) -> None:
    survey = read_paste(MAIL, ("en",), {3: role})
    assert [question.line for question in survey.questions] == [4, 5, 6, 7, 10, 11, 12]


@pytest.mark.parametrize("role", ["heading", "introduction", "left"])
def test_a_list_below_a_line_that_becomes_no_question_is_uncertain(role: str) -> None:
    survey = read_paste(LIST, ("en",), {3: role})
    assert {4, 5, 6, 7} <= {line.line for line in survey.lines if not line.is_certain}


def test_a_line_with_a_colon_above_a_list_of_questions_heads_them() -> None:
    assert _roles(MAIL, {3: "heading"})[9] == "heading"


def test_answers_without_their_question_are_shown_as_left_out_and_asked_about() -> None:
    text = "Work\n\n1. Your sex\n- Female\n- Male\n\n2. Do you lie?\n- Yes\n- No"
    survey = read_paste(text, ("en",), {3: "heading"})
    assert _roles(text, {3: "heading"})[4] == "left"
    assert {4, 5} <= {line.line for line in survey.lines if not line.is_certain}
    assert {4, 5} <= {note.line for note in survey.notes if note.cause == "left"}


def test_a_chosen_role_below_stays_and_a_line_left_out_inside_a_list_ends_none() -> None:
    assert _roles(MAIL, {3: "heading", 5: "answer"})[5] != "question"
    text = "Work\n1. Do you lie?\n- Yes\n- (see above)\n- No, why?\n2. Do you steal?\n- Yes\n- No"
    assert _roles(text, {4: "left"})[5] == "answer"
