"""Answers that a question lists on its line."""

import pytest

from surveys.imports.roles.listed_answers import are_answers, lists_answers, number_allowed, question_mark
from surveys.imports.words.answers_on_line import answers_on


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("Do you smoke? (yes / no)", True),
        ("How often: never, at times, always", True),
        ("Wie oft? nie; selten; oft", True),
        ("In the last year, at work, did you drink", False),
    ],
)
def test_commas_separate_answers_only_behind_a_question_or_a_colon(text: str, *, is_list: bool) -> None:
    listed = answers_on(text)
    assert (listed is not None and are_answers(listed, text)) == is_list


@pytest.mark.parametrize(
    ("remark", "allowed"),
    [("(tick all that apply)", {"several"}), ("(nur eine Antwort)", {"one"}), ("(last year)", set())],
)
def test_a_remark_says_how_many_answers_are_allowed(remark: str, allowed: set[str]) -> None:
    assert number_allowed(remark) == allowed


def test_answers_before_a_remark_and_the_mark_behind_answers_are_found() -> None:
    line = "[ ] beer [ ] wine (tick all)"
    assert lists_answers(line, line.index("("))
    assert question_mark("Do you smoke (yes/no)?", "Do you smoke") == "?"
    assert question_mark("Do you smoke? (yes/no)", "Do you smoke?") == ""
