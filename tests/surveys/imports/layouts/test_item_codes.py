"""Names of variables and negative codes are no part of questions and answers."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, text_of
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
