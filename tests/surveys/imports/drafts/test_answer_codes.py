"""Codes are left out of answers."""

import pytest

from surveys.imports.drafts.answer_codes import without_codes
from surveys.imports.drafts.questionnaire import Option, Question, Questionnaire
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", [" ", " = ", "="])
def test_a_letter_with_a_blank_or_an_equals_sign_is_not_part_of_an_answer(sign: str) -> None:
    labels = ["nie", "manchmal", "oft"]
    texts = (f"{letter}{sign}{label}" for letter, label in zip("ABC", labels, strict=True))
    asked = Question(
        line=1, texts={"de": "Wie oft?"}, options=[Option(line=2, texts={"de": each}) for each in texts]
    )
    without_codes(asked, Questionnaire())
    assert [each.texts["de"] for each in asked.options] == labels


@pytest.mark.parametrize(
    ("line", "labels", "points"),
    [
        ("а) ничего (0)     б) ворчит (1)     в) плачет (2)", ["ничего", "ворчит", "плачет"], [0, 1, 2]),
        ("①不喝（0分）\u3000②一两次（1分）\u3000③天天喝（3分）", ["不喝", "一两次", "天天喝"], [0, 1, 3]),
        ("a) nothing (0)     c) much (1)     d) all (2)", ["a) nothing", "c) much", "d) all"], [0, 1, 2]),
    ],
)
def test_letters_that_count_up_before_answers_with_points_are_left_out(
    line: str, labels: list[str], points: list[int]
) -> None:
    asked = read_paste(f"T\n\n1. Что?\n{line}\n\n2. Who?\n{line}").questions[0]
    assert [next(iter(each.texts.values())) for each in asked.options] == labels
    assert [each.points for each in asked.options] == points


@pytest.mark.parametrize("form", ["{} = {} pt", "{}: {} points", "{} → {} P.", "{} - {} punti", "{}={}"])
def test_points_behind_a_sign_are_no_part_of_answers_and_may_be_equal(form: str) -> None:
    labels = ["nowhere", "at home", "on trips", "at work"]
    answers = "\n".join(form.format(label, point) for label, point in zip(labels, (0, 1, 1, 2), strict=True))
    (question,) = read_paste(f"Smoke\n\n1. Where do you smoke?\n{answers}", ("en",)).questions
    assert [option.texts["en"] for option in question.options] == labels
    assert [option.points for option in question.options] == [0, 1, 1, 2]
