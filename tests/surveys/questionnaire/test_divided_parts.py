"""A part divided in two keeps its settings and title, and one whose questions belong together stays whole."""

import copy
from typing import Any

import pytest

from surveys.questionnaire.divided_parts import can_be_divided, divided_part
from tests.fixtures.checked_surveys import document_of, protected
from tests.fixtures.planned_drafts import EIGHT


def part(**more: Any) -> dict[str, Any]:
    return protected("b", *copy.deepcopy(EIGHT[:4]), **more)


@pytest.mark.parametrize(
    ("more", "divisible"),
    [
        ({}, True),
        ({"asked_if": {"question": "job", "options": ["yes"]}}, False),
        ({"exclusive": [["q0", "q1"]]}, False),
    ],
    ids=["plain", "condition", "exclusive answers"],
)
def test_parts_whose_questions_belong_together_cannot_be_divided(
    more: dict[str, Any], divisible: bool
) -> None:
    assert can_be_divided(part(**more)) is divisible


def test_a_piece_keeps_the_title_and_settings_but_not_the_number_of_drawn_questions() -> None:
    whole = part(questions_per_person=2, refusal=1000)
    document = document_of(whole)
    (entry,) = document["blocks"]
    piece = divided_part(entry, entry["questions"][2:], {"b"}, document)
    assert [question["key"] for question in piece["questions"]] == ["q2", "q3"]
    assert (piece["key"], piece["refusal"], piece["title"]) == ("b-2", 1000, entry["title"])
    assert "questions_per_person" not in piece
    assert divided_part(entry, entry["questions"][:2], (), document)["key"] == "b"
