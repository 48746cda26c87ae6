"""Beginnings of questions that concern only some people."""

import re

import pytest

from surveys.questionnaire.condition_cues import CONDITION_CUES, begins_with_condition, without_condition


@pytest.mark.parametrize(("meaning", "pattern", "example"), CONDITION_CUES)
def test_every_example_begins_with_its_cue(meaning: str, pattern: str, example: str) -> None:
    assert re.match(pattern, example, re.IGNORECASE), meaning
    assert begins_with_condition(example, is_below_yes_no=True)
    assert begins_with_condition(example, is_below_yes_no=False) == (meaning == "if-so")


@pytest.mark.parametrize(
    "text",
    [
        "Do you know if so many left?",
        "Ifeoma, yes?",
        "Have you stayed if asked?",
        "如果可以重新选择，您还会来吗？",
        "If you could change one thing, what would it be?",
        "Si vous pouviez choisir, que feriez-vous ?",
        "Wenn Sie wählen könnten, was wäre es?",
    ],
)
def test_other_questions_begin_with_no_condition(text: str) -> None:
    assert not begins_with_condition(text, is_below_yes_no=True)


@pytest.mark.parametrize(
    "text",
    [
        "If you were offered money, did you accept it?",
        "If you could not sleep, what did you do?",
        "Si vous étiez absent, pourquoi ?",
    ],
)
def test_what_happened_to_people_is_a_condition_and_no_wish(text: str) -> None:
    assert begins_with_condition(text, is_below_yes_no=True)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("If so, did you accept it?", "did you accept it?"),
        ("Wenn ja, wie oft?", "wie oft?"),
        ("Si es así, ¿cuándo?", "¿cuándo?"),
        ("如果有，是什么？", "是什么？"),
        ("If yes: how often?", "how often?"),
        ("If yes to that one, how often?", "If yes to that one, how often?"),
        ("If so,", "If so,"),
        ("How often?", "How often?"),
    ],
)
def test_a_question_is_read_without_its_condition(text: str, rest: str) -> None:
    assert without_condition(text) == rest
