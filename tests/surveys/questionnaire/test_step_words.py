"""Sentences on the steps in which numbers are sent."""

from typing import Any

import pytest

from surveys.questionnaire.step_words import step_sentence, steps_by_key


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (
            {"low": 18, "high": 97, "bin": 5},
            "Answers are sent in steps of 5: 18 and 19 to 22 cannot be told apart.",
        ),
        ({"low": 0, "high": 39, "bin": 2}, "Answers are sent in steps of 2: 0 and 1 cannot be told apart."),
        (
            {"low": "2020-01", "high": "2025-12", "bin": 3, "calendar": "month"},
            "Answers are sent in steps of 3: 2020-01 and 2020-02 to 2020-03 cannot be told apart.",
        ),
        ({"low": 0, "high": 6.9, "bin": 0.1, "decimals": 1}, ""),
        ({"low": 0, "high": 99, "bin": 7}, ""),
        ({"low": "many"}, ""),
        ({}, ""),
    ],
)
def test_a_sentence_names_the_answers_that_cannot_be_told_apart(
    number: dict[str, Any], sentence: str
) -> None:
    assert step_sentence(number) == sentence


def test_only_answers_that_people_give_have_steps() -> None:
    number = {"low": 0, "high": 99, "bin": 5}
    asked = [
        {"key": "days", "number": number},
        {"key": "sum", "number": number, "computed": {}},
        {"key": "yes"},
    ]
    document = {
        "blocks": [
            {"protected": True, "questions": asked},
            {
                "protected": False,
                "questions": [
                    {"key": "age", "number": number},
                    {"key": "year", "number": number | {"bin": 1}},
                ],
            },
        ]
    }
    assert list(steps_by_key(document)) == ["days", "age"]
