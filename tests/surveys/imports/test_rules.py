"""One set of rules for every source: a text and a form that say the same make the same questions."""

from __future__ import annotations

import pytest

from surveys.imports.pasted import pasted_read
from surveys.imports.questionnaire import Part, Question, decide_protection, draft_of
from tests.fixtures.workbooks import workbook, xlsform_read


def test_a_text_and_a_form_make_the_same_questions() -> None:
    text = draft_of(pasted_read("Work\n1. Do you lie? [open]\n2. How often? [open]\n- Never\n- Daily"))
    form = draft_of(
        xlsform_read(
            workbook(
                survey=[
                    ["type", "name", "label"],
                    ["select_one yn", "lie", "Do you lie?"],
                    ["select_one o", "q", "How often?"],
                ],
                choices=[
                    ["list_name", "name", "label"],
                    ["yn", "yes", "Yes"],
                    ["yn", "no", "No"],
                    ["o", "never", "Never"],
                    ["o", "daily", "Daily"],
                ],
            )
        )
    )

    def shapes(document: dict[str, object]) -> list[object]:
        blocks = document["blocks"]
        assert isinstance(blocks, list)
        return [
            (block["protected"], question["kind"], question["text"], question.get("options"))
            for block in blocks
            for question in block["questions"]
        ]

    assert shapes(text) == shapes(form)


def test_protection_follows_the_mark_then_what_others_can_know() -> None:
    part, open_part = Part(line=0, texts={}), Part(line=1, texts={}, flags=frozenset({"open"}))

    def decided(text: str, flags: frozenset[str], below: Part) -> bool | None:
        question = Question(line=1, texts={"en": text}, flags=flags, kind="single")
        decide_protection(question, below)
        return question.is_protected

    assert decided("How old are you?", frozenset(), part) is False
    assert decided("Do you steal?", frozenset(), part) is True
    assert decided("Do you steal?", frozenset(), open_part) is False
    assert decided("Do you steal?", frozenset({"protected"}), open_part) is True


@pytest.mark.parametrize(
    "text",
    [
        "What was your last grade?",
        "Which grade did you get in your last exam?",
        "What mark do you get?",
        "How many hours do you sleep?",
        "Which faculty are you in?",
        "您上次考试成绩是多少？",
    ],
)
def test_faculty_hours_of_sleep_and_grade_start_as_stored_with_the_reason(text: str) -> None:
    question = Question(line=1, texts={"en": text}, flags=frozenset(), kind="number")
    decide_protection(question, Part(line=0, texts={}))
    assert question.is_protected is False
    assert question.why.startswith("people seldom hide this (")
