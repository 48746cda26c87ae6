"""Words and signs that recur in front of questions and answers are not taken for a part of them."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.prefixes import without_prefixes


def lines(*texts: str) -> list[str]:
    return [line for _number, line in without_prefixes([*enumerate(texts, start=1)])]


@pytest.mark.parametrize(
    "labels",
    [
        ("Frage", "Frage"),
        ("Question A", "Question B"),
        ("Primera pregunta", "Segunda pregunta"),
        ("أولا", "ثانيا"),
    ],
)
def test_words_in_front_of_the_questions_become_numbers(labels: tuple[str, str]) -> None:
    assert lines(f"{labels[0]}: X?", f"{labels[1]}: Y?")[0][:3] in ("1. ", "65.")


def test_words_in_front_of_some_questions_belong_to_them() -> None:
    texts = ("Work: do you like it?", "Who?", "When?", "Where?", "Home: do you like it?")
    assert lines(*texts) == [*texts]


def test_words_below_all_questions_are_left_out() -> None:
    found = lines("Wie oft?", "Antworten: nie, oft", "Was?", "Antworten (mehrere): Brot; Käse")
    assert found == ["Wie oft?", "nie, oft", "Was?", "Brot; Käse [several]"]
    texts = ("1. Wie oft?", "Nachfragen: nie, oft", "2. Was?", "3. Wo?", "Nachfragen: da, dort")
    assert lines(*texts) == [*texts]


@pytest.mark.parametrize("sign", ["____", "( )", "[ ]", "☐"])
def test_blanks_in_front_of_numbers_are_left_out(sign: str) -> None:
    assert lines(f"{sign} 1. I worry.", f"{sign} 2. I sleep.") == ["1. I worry.", "2. I sleep."]


def test_a_line_with_the_number_of_a_question_counts_the_question_below() -> None:
    asked = (
        "Question 1 of 2",
        "Which?",
        "- a",
        "- b",
        "Question 2 of 2 (select all that apply)",
        "What?",
        "- c",
        "- d",
    )
    assert lines(*asked) == ["", "1. Which?", "- a", "- b", "", "2. What? [several]", "- c", "- d"]
    assert lines("Line 1", "Line 2", "Line 3") == ["Line 1", "Line 2", "Line 3"]


def test_headings_with_numbers_stay_headings() -> None:
    texts = ("Part 1", "1. Which?", "2. What?", "Part 2", "3. Who?", "4. When?")
    assert lines(*texts) == [*texts]


def test_letters_in_front_of_wide_blanks_count_answers() -> None:
    (question,) = read_paste("1. Which?\n   a  tea\n   b  coffee").questions
    assert [option.texts["en"] for option in question.options] == ["tea", "coffee"]
