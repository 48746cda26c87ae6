"""Answers in parentheses at the end of a pasted question, and paragraphs that introduce it."""

from __future__ import annotations

import pytest

from surveys.imports.pasted import pasted_read
from surveys.imports.questionnaire import draft_of


@pytest.mark.parametrize(
    ("line", "text", "low", "high"),
    [
        ("How many drinks? (0-12)", "How many drinks?", 0, 12),
        ("How old were you (0–99)?", "How old were you?", 0, 99),
        ("Hours of overtime (number, 0 to 99)", "Hours of overtime", 0, 99),
        ("您每周喝几杯？（0到12）", "您每周喝几杯？", 0, 12),
        ("加班小时数（数字，0至99）", "加班小时数", 0, 99),
    ],
)
def test_a_range_in_parentheses_asks_for_a_number(line: str, text: str, low: int, high: int) -> None:
    reading = pasted_read(f"Title\n1. {line}" if line.isascii() or "–" in line else f"题目\n1. {line}")
    assert not reading.notes
    (question,) = draft_of(reading)["blocks"][0]["questions"]
    assert question["kind"] == "number"
    assert next(said for said in question["text"].values() if said) == text
    assert (question["number"]["low"], question["number"]["high"]) == (low, high)


def test_named_ends_are_a_rating_in_both_languages() -> None:
    reading = pasted_read(
        "Pain | 疼痛\n1. How strong is it? (1 = none, 5 = very strong) | 有多强？（1=没有，5=很强）"
    )
    assert not reading.notes
    (question,) = draft_of(reading)["blocks"][0]["questions"]
    assert (question["kind"], question["look"]) == ("single", "rating")
    assert [option["text"]["en"] for option in question["options"]] == [
        "1 – none", "2", "3", "4", "5 – very strong",
    ]  # fmt: skip
    assert question["options"][-1]["text"]["zh-hans"] == "5 – 很强"
    assert question["text"] == {"en": "How strong is it?", "zh-hans": "有多强？"}


@pytest.mark.parametrize(
    "line",
    [
        "Did you take part (2010-2012)?",
        "Do you take pills (any kind)?",
        "How strong? (5 = none, 1 = very strong)",
        "How strong? (1 = none, 99 = very strong)",
    ],
)
def test_other_parentheses_stay_in_the_question(line: str) -> None:
    reading = pasted_read(f"Title\n1. {line}")
    assert reading.questions[0].texts["en"] == line
    assert not reading.questions[0].options


def test_a_question_with_options_keeps_its_parentheses() -> None:
    reading = pasted_read("Title\n1. How many? (0-12)\n- none\n- some")
    assert reading.questions[0].texts == {"en": "How many? (0-12)"}


def test_a_paragraph_before_the_first_question_is_the_purpose() -> None:
    reading = pasted_read(
        "Sleep\nWe want to know how people sleep.\nIt takes three minutes.\n\n1. Do you sleep badly?"
    )
    assert not reading.notes
    assert draft_of(reading)["about"]["purpose"]["en"] == (
        "We want to know how people sleep. It takes three minutes."
    )


def test_a_purpose_that_is_named_stays_and_a_paragraph_then_belongs_to_no_question() -> None:
    reading = pasted_read("Sleep\nPurpose: To learn.\nDear all\n1. Do you sleep badly?")
    assert draft_of(reading)["about"]["purpose"]["en"] == "To learn."
    assert [problem.line for problem in reading.notes] == [3]
