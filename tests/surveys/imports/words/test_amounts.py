"""Ranges of amounts are answers, however they are written; their numbers are neither codes nor marks."""

import pytest

from surveys.imports.doubts.misreadings import LESS_CERTAIN
from surveys.imports.drafts.questionnaire import UNCERTAIN
from surveys.imports.pasted_text import read_paste
from surveys.imports.words.amounts import are_ranges, ranges_on
from surveys.imports.words.answers_on_line import answers_on


def answers(text: str) -> list[list[str]]:
    found = read_paste(text)
    assert not [note for note in found.notes if note.effect == UNCERTAIN and note.cause != LESS_CERTAIN]
    return [[option.texts[found.languages[0]] for option in each.options] for each in found.questions]


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ("How old are you?\n   under 30 / 30 to 44 / 45 or older", ["under 30", "30 to 44", "45 or older"]),
        ("How old are you? under 30, 30-44, 45+", ["under 30", "30-44", "45+"]),
        ("How old are you?  18-29  30-44  45-99", ["18-29", "30-44", "45-99"]),
        ("How old are you? 18-29 30-44 45-99", ["18-29", "30-44", "45-99"]),
        ("Wie alt sind Sie?\nunter 18 – 18-49 – 50 und älter", ["unter 18", "18-49", "50 und älter"]),
        (
            "What do you earn?\nto 1,000; 1,000-1,999; 2,000 or more",
            ["to 1,000", "1,000-1,999", "2,000 or more"],
        ),
        ("¿Cuántas horas?\n  menos de 20\n  20 - 35\n  más de 35", ["menos de 20", "20 - 35", "más de 35"]),
    ],
)
def test_ranges_are_answers(asked: str, labels: list[str]) -> None:
    text = f"Work\n1. {asked}\n2. Where?\n- here\n- there"
    assert answers(text) == [labels, ["here", "there"]]


@pytest.mark.parametrize(
    "labels",
    [
        ["0 Nothing", "1 Up to 50", "2 More than 50"],
        ["1.1 I eat alone", "1.2 I hide food"],
        ["Yes 1", "No 2"],
        ["Q1 in 2 words", "Q2 in 3 words"],
        ["1-2", "7-9"],
        ["30-18", "18-10"],
        ["1 2 3", "3 4 5"],
        ["never", "1-2", "why", "3-4"],
        [],
    ],
)
def test_codes_and_other_numbers_are_not_ranges(labels: list[str]) -> None:
    assert not are_ranges(labels)


def test_chinese_ranges_are_answers() -> None:
    text = "问卷\n1. 您的年龄？\n18岁以下 / 18-44岁 / 45岁以上\n2. 您吸烟吗？ 是 / 否"
    assert answers(text) == [["18岁以下", "18-44岁", "45岁以上"], []]


def test_a_line_needs_three_ranges() -> None:
    assert ranges_on("under 30 / 30-99") is None


def test_decimals_and_thousands_adjoin() -> None:
    assert are_ranges(["under 1.5", "1.5 to 2.5", "2.5 or more"])
    assert are_ranges(["0-999", "1.000-1.999", "2 000 or more"])


def test_a_sign_in_front_of_a_number_belongs_to_an_answer() -> None:
    assert answers_on("Age : -18 / 18-30 / 31+").labels == ("-18", "18-30", "31+")


def test_ranges_on_lines_without_marks_are_answers() -> None:
    text = "Work\n1. How many drinks?\n1 or 2\n3 or 4\n5 to 9\n10 or more\n2. Where?\n- here\n- there"
    labels = [option.texts["en"] for option in read_paste(text).questions[0].options]
    assert labels == ["1 or 2", "3 or 4", "5 to 9", "10 or more"]


def test_a_sentence_in_front_of_answers_in_brackets_is_none_of_them() -> None:
    survey = read_paste("T\n1. What bothers you? More than one answer possible. (noise, rubbish, dogs)")
    assert [option.texts for option in survey.questions[0].options] == [
        {"en": "noise"},
        {"en": "rubbish"},
        {"en": "dogs"},
    ]
