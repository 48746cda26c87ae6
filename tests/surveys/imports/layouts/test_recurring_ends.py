"""Statements that end with the same answers on several lines have these answers, whatever separates them."""

import pytest

from surveys.imports.layouts.recurring_ends import write_recurring_ends
from surveys.imports.pasted_text import read_paste

ITEMS = ("Ich schlafe mit dem Handy ein", "Ich wache erholt auf", "Ich gehe spät ins Bett")
CODES = ("– ", "{}. ", "", "{}) ")
YES_NO = (
    ". ja / nein",
    ". ja/nein",
    " (ja/nein)",
    ". [ja / nein]",
    ". ja | nein",
    ". ja, nein",
    ". Ja O Nein O",
)
RANGES = (
    ". nie / manchmal / oft",
    ". nie – manchmal – oft",
    " (nie, manchmal, oft)",
    ". nie | manchmal | oft",
)


def _text(code: str, end: str) -> str:
    return "\n".join(["Schlaf", "", *(code.format(n) + item + end for n, item in enumerate(ITEMS, start=1))])


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("end", YES_NO)
def test_statements_with_yes_and_no_behind_them(code: str, end: str) -> None:
    """Only a colon, a question mark or wide blanks used to separate answers from a question."""
    survey = read_paste(_text(code, end))
    assert [question.kind for question in survey.questions] == ["yes_no"] * 3
    assert [question.texts["de"].rstrip(".") for question in survey.questions] == [*ITEMS]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("end", RANGES)
def test_statements_with_a_scale_behind_them(code: str, end: str) -> None:
    survey = read_paste(_text(code, end))
    assert [question.kind for question in survey.questions] == ["single"] * 3
    labels = [next(iter(option.texts.values())) for option in survey.questions[2].options]
    assert labels == ["nie", "manchmal", "oft"]


def test_statements_without_blanks_between_words() -> None:
    lines = ["我睡得好。（是/否）", "我常做梦。（是/否）", "我早起床。（是/否）"]
    assert write_recurring_ends(lines)[0] == "我睡得好。   ○ 是   ○ 否"


def test_items_that_end_with_the_same_word_keep_it() -> None:
    lines = ["I sleep in class yes/no", "I eat in class yes/no", "I run yes/no"]
    assert write_recurring_ends(lines)[0] == "I sleep in class   ○ yes   ○ no"


@pytest.mark.parametrize(
    "lines",
    [
        ["Lehrer/in", "Schüler/in", "Arbeiter/in"],
        ["10 € / month", "20 € / month", "30 € / month"],
        ["Question 1: a = 2 / b = 0", "Question 2: a = 2 / b = 0", "Question 3: a = 2 / b = 0"],
        ["Item 1 yes / no", "Item 2 yes / no", "Item 3 yes / no"],
        ["Do you eat? yes / no", "Do you sleep? yes / no", "Do you run? yes / no"],
        ["My age. yes / no", "My name"],
        [
            "At home, at work or elsewhere",
            "With friends, at work or elsewhere",
            "Alone, at work or elsewhere",
        ],
        [],
    ],
    ids=["ending", "unit", "key", "numbers", "questions", "once", "words", "empty"],
)
def test_other_lines_stay(lines: list[str]) -> None:
    assert write_recurring_ends(lines) == lines
