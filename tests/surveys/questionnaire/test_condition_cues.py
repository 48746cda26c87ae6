"""Beginnings of questions that are for some people only."""

import re

import pytest

from surveys.questionnaire.condition_cues import CONDITION_CUES, begins_with_condition


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
    ],
)
def test_other_questions_begin_with_no_condition(text: str) -> None:
    assert not begins_with_condition(text, is_below_yes_no=True)
