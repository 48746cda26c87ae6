"""Names of variables and negative codes are no part of questions and answers."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of, text_of
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("name", ["b{}_drugs.", "SEX_0{}", "paid{}Ever:", "Q12.a.{}", "hiv_{} -"])
def test_names_of_variables_are_no_part_of_the_questions(name: str) -> None:
    """Before, they were, or only a part of them was cut."""
    text = f"T\n\n{name.format(1)} Do you lie?\n1 yes\n2 no\n{name.format(2)} Do you steal?\n1 yes\n2 no"
    assert [text_of(question) for question in read_paste(text).questions] == ["Do you lie?", "Do you steal?"]


def test_a_word_with_a_digit_in_front_of_one_question_belongs_to_it() -> None:
    texts = [
        text_of(question) for question in read_paste("T\n\nMP3_files, any?\n\nDo you lie?\n\nWhy?").questions
    ]
    assert texts[0] == "MP3_files, any?"


@pytest.mark.parametrize("sign", [" ", ": ", " = "])
def test_negative_codes_are_codes_of_answers(sign: str) -> None:
    """Before, these answers were left out."""
    own = "\n".join(f"{code}{sign}{word}" for code, word in (("1", "Yes"), ("2", "No"), ("-8", "Refused")))
    found = read_paste(f"T\n\nH1. Ill?\n{own}\nH2. Sad?\n{own}").questions
    assert [labels_of(question) for question in found] == [("Yes", "No", "Refused")] * 2


CODES = [("-1", "less"), ("0", "the same"), ("+1", "more")]


@pytest.mark.parametrize("form", ["{} {}", "{} = {}", "({}) {}", "{}. {}", "[{}] {}"])
def test_codes_with_signs_below_a_question_are_its_points(form: str) -> None:
    """Before, the first answer became an explanation, or its points were 901."""
    own = "\n".join(form.format(code, word) for code, word in CODES)
    found = read_paste(f"T\n\nQ1. Your debts are\n{own}\n\nQ2. Your drinking is\n{own}").questions
    assert [labels_of(question) for question in found] == [("less", "the same", "more")] * 2
    assert [points_of(question) for question in found] == [[-1, 0, 1]] * 2


def test_negative_codes_of_missing_answers_are_no_large_points() -> None:
    """Before, they were 908 and 909."""
    own = "0. Never\n1. Once\n-8. Don't know\n-9. Refused"
    found = read_paste(f"T\nHave you hit him?\n{own}\nHas he hit you?\n{own}").questions
    assert [points_of(question) for question in found] == [[0, 1, -8, -9]] * 2


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("B1aDo you drink?\nB1bAre you well?", ["Do you drink?", "Are you well?"]),
        ("Q1Haben Sie gelogen?\nQ2Haben Sie gestohlen?", ["Haben Sie gelogen?", "Haben Sie gestohlen?"]),
        ("Q1您吸烟吗？\nQ2您喝酒吗？", ["您吸烟吗？", "您喝酒吗？"]),
        ("1Do you lie?\n2Are you well?", ["Do you lie?", "Are you well?"]),
    ],
)
def test_codes_without_a_blank_leave_the_first_word(text: str, asked: list[str]) -> None:
    """Before, it was lost with the code, or the code was a part of the question."""
    assert [text_of(question) for question in read_paste(f"T\n\n{text}").questions] == asked


def test_numbers_without_a_blank_are_no_part_of_answers() -> None:
    (question,) = read_paste("T\n\n1. How often?\n1Once\n2Often").questions
    assert labels_of(question) == ("Once", "Often")
