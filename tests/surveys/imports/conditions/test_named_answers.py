"""Words of a condition name answers by texts, yes and no, letters, or the people who gave them."""

import pytest

from surveys.imports.conditions.named_answers import AnswersNamed, letters_in, polarity_of
from surveys.imports.drafts.questionnaire import Option, Question


def asked(text: str, *answers: str) -> Question:
    options = [Option(line=2, texts={"x": answer}) for answer in answers]
    return Question(line=1, texts={"x": text}, kind="single" if answers else "yes_no", options=options)


@pytest.mark.parametrize(
    ("words", "question", "expected"),
    [
        ("only for smokers", asked("Do you smoke?"), {0}),
        ("nur für raucher", asked("Rauchen Sie?"), {0}),
        ("solo para mujeres", asked("Sexo", "mujer", "hombre"), {0}),
        ("仅限家长填写", asked("身份", "学生", "家长", "教师"), {1}),
        ("only for cyclists", asked("Do you smoke?"), set()),
        ("only for people with a dog", asked("Do you have a dog?"), {0}),
    ],
)
def test_people_are_named_by_the_beginning_of_a_word(
    words: str, question: Question, expected: set[int]
) -> None:
    assert AnswersNamed(words).people(question) == expected


def test_an_answer_that_declines_means_neither_yes_nor_no() -> None:
    assert AnswersNamed("se no").of(asked("Credi?", "sì", "no", "non so")) == {1}


@pytest.mark.parametrize(
    ("words", "expected"),
    [("da compilare solo se no", {False}), ("если да", {True}), ("yes or no", {True, False})],
)
def test_a_word_that_means_yes_in_another_language_counts_only_alone(words: str, expected: set[bool]) -> None:
    assert polarity_of(words) == expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [("falls B oder C", ["b", "c"]), ("l'a détesté", []), ("a la pregunta 3", []), ("Q1 a", [])],
)
def test_letters_of_answers_are_no_words(phrase: str, expected: list[str]) -> None:
    assert letters_in(phrase) == expected
