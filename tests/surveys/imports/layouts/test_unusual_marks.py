"""Unusual signs in front of lines, and letters that scans have in place of numbers."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.layouts.unusual_marks import read_letters, write_marks
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("asked", "answer"),
    [(">>", "o"), (">", "*"), ("»", "-"), ("§", "+"), ("1.", "~"), ("1.", "_"), ("1.", "[_]"), ("1.", "[.]")],
)
def test_unusual_signs_are_marks_if_they_recur(asked: str, answer: str) -> None:
    second = asked.replace("1", "2")
    text = (
        f"Work\n\n{asked} Where do you work?\n{answer} office\n{answer} shop\n\n"
        f"{second} When do you work?\n{answer} by day\n{answer} at night"
    )
    survey = read_paste(text)
    assert [question.texts["en"] for question in survey.questions] == [
        "Where do you work?",
        "When do you work?",
    ]
    assert [labels_of(question) for question in survey.questions] == [
        ("office", "shop"),
        ("by day", "at night"),
    ]


@pytest.mark.parametrize("text", ["> Please tick one.\n> Thank you.", "~ once", "+ 5 years\n+ 6 years"])
def test_signs_of_quotes_and_amounts_stay(text: str) -> None:
    assert write_marks(text.split("\n")) == text.split("\n")


@pytest.mark.parametrize("box", ["1☐ ", "1 □ ", "01[ ] ", "1( ) ", "9 ○ "])
def test_a_number_in_front_of_a_box_is_part_of_the_mark(box: str) -> None:
    other = box.replace("1", "2")
    survey = read_paste(f"P1. Wo kaufen Sie Brot?\n{box}Bäcker\n{other}Markt\n", ("de",))
    assert labels_of(survey.questions[0]) == ("Bäcker", "Markt")


@pytest.mark.parametrize("one", ["l.", "I.", "i.", "|."])
def test_a_scanned_letter_in_front_of_the_first_question_is_its_number(one: str) -> None:
    survey = read_paste(f"Survey\n{one} Where do you live?\na) town\nb) village\n2. Do you drive?\n")
    assert survey.questions[0].texts == {"en": "Where do you live?"}


def test_numbers_and_letters_that_count_stay() -> None:
    lines = ["1. Do you drive?", "l. here", "I. Work", "1. Do you work?", "2. lb of sugar"]
    assert read_letters(lines) == lines


def test_a_question_between_lists_may_say_how_to_answer_it() -> None:
    survey = read_paste(
        "Wo?\n[_] Büro\n[_] Lager\nWas tut weh? Alles ankreuzen\n[_] Kopf\n[_] Arm\n", ("de",)
    )
    assert [labels_of(question) for question in survey.questions] == [("Büro", "Lager"), ("Kopf", "Arm")]


@pytest.mark.parametrize("box", ["[_]", "(_)", "[.]", "{ }"])
def test_unusual_boxes_may_be_behind_their_question(box: str) -> None:
    text = f"T\n\nDo you smoke? {box} yes {box} no {box} unsure\n\nDo you drink? {box} yes {box} no"
    survey = read_paste(text)
    assert [labels_of(each) for each in survey.questions] == [("yes", "no", "unsure"), ()]


def test_capital_letters_before_a_wide_gap_number_questions() -> None:
    text = "A   Which team?\n    ❑ red   ❑ blue\nB   Who leads\n    it?\n    ❑ I   ❑ you\nC   Ill?"
    assert [each.texts["en"] for each in read_paste(text).questions] == [
        "Which team?",
        "Who leads it?",
        "Ill?",
    ]
