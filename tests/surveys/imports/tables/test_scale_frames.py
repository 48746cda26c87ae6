"""Lines around a scale are left out with a note: names, remarks above the rule, and a signature."""

import pytest

from surveys.imports.pasted_text import read_paste

ITEMS = "1. Do you hide bills?   yes / no\n2. Do you lie about prices?   yes / no"
RULE = "Total: 0 fine, 1-2 risk"


def roles(text: str, *numbers: int) -> list[str]:
    by_line = {line.line: line.role for line in read_paste(text).lines}
    return [by_line[number] for number in numbers]


@pytest.mark.parametrize(
    "form",
    [
        "Name/Code: ........   Date: ........",
        "Datum, Unterschrift: ____________",
        "姓名（可匿名）：＿＿＿＿　日期：＿＿＿＿",
        "Étiquette patient :",
    ],
)
def test_a_scale_does_not_ask_who_answers(form: str) -> None:
    survey = read_paste(f"Money\n\n{form}\n\n{ITEMS}\n\n{RULE}")
    assert [question.line for question in survey.questions] == [5, 6]
    assert any(note.line == 3 and "left out" in note.message for note in survey.notes)


def test_a_form_without_a_score_asks_for_a_name() -> None:
    assert "left" not in roles("Money\n\nName: ____\nAge: ____\n1. Do you hide bills?", 3, 4)


def test_a_remark_above_the_rule_is_not_an_answer() -> None:
    items = "1. How sad?\n   □ never (0)   □ often (1)\n\n2. How ill?\n   □ never (0)   □ often (1)"
    survey = read_paste(f"Mood\n\n{items}\n\n– Staff only below –\nSum: ____\n{RULE}")
    assert [len(question.options) for question in survey.questions] == [2, 2]


def test_a_signature_below_the_rule_is_not_a_question() -> None:
    survey = read_paste(f"A mail\n\n{ITEMS}\n\n{RULE}\n\nYours,\nM. Smith")
    assert [question.line for question in survey.questions] == [3, 4]


def test_a_title_and_the_heading_of_results_are_no_items() -> None:
    items = "".join(
        f"{n}. {text}\n" for n, text in enumerate(("I lie.", "I steal.", "I cheat.", "I hide."), 1)
    )
    text = (
        "Is honesty your problem?\nLast reviewed: 14 March 2023\n\n0 = never, 1 = often\n"
        f"{items}\nWhat does my result mean?\n\nScore 0 to 1: low\nScore 2 to 4: high"
    )
    survey = read_paste(text)
    assert len(survey.questions) == 4
    noted = {note.line for note in survey.notes if note.cause == "uncertain"}
    assert noted & {1, 2}


@pytest.mark.parametrize("last", ["Which drinks? (tick all)  □ beer □ wine", "Sought help: □ yes □ no"])
def test_questions_with_their_answers_below_the_rule_are_no_signature(last: str) -> None:
    """They used to be left out, because they did not end with a question mark."""
    rows = "\n".join(
        f"{letter}. I {verb} too much    0 1"
        for letter, verb in zip("abc", ("drank", "ate", "slept"), strict=True)
    )
    text = f"Habits\ncircle 0 (no) or 1 (yes)\n{rows}\nTotal ___ /3 (2+ = a problem)\n\n{last}\n"
    survey = read_paste(text)
    assert [each.role for each in survey.lines if each.line == 8] == ["question"]


def test_a_rule_that_holds_a_question_is_asked_about() -> None:
    rows = "\n".join(
        f"{letter}. I {verb} too much    0 1"
        for letter, verb in zip("abc", ("drank", "ate", "slept"), strict=True)
    )
    rule = "If your total is 2 or more: Have you sought help?   Yes / No / Not sure"
    survey = read_paste(
        f"Habits\ncircle 0 (no) or 1 (yes)\n{rows}\nTotal ___ /3 (2+ = a problem)\n\n{rule}\n"
    )
    roles = {each.line: each.role for each in survey.lines}
    assert roles[8] != "scoring" or any(note.line == 8 and note.cause == "misread" for note in survey.notes)


BOXES = "".join(
    f"{asked}?\n○ never (0)\n○ often (2)\n\n"
    for asked in ("Do you lie", "Do you owe", "Do you hide bills", "Do you gamble")
)


def test_a_first_line_that_asks_above_an_explanation_is_the_title() -> None:
    survey = read_paste(
        f"Test: are you spending?\nFrom the town library\n\n{BOXES}0-3 points: fine\n4-8 points: bad"
    )
    assert [*survey.title.values()] == ["Test: are you spending?"]
    assert any(note.line == 1 for note in survey.notes)
    assert len(survey.questions) == 4


@pytest.mark.parametrize("first", ["How old are you?", "What is your job?\nWrite a word."])
def test_a_first_question_without_a_label_is_still_asked(first: str) -> None:
    survey = read_paste(f"{first}\n\n{BOXES}0-3 points: fine\n4-8 points: bad")
    assert len(survey.questions) == 5
