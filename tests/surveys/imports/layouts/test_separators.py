"""Answers with unusual signs between them."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", ["~", "<>", "///", "◇", "^", "+", ">>", "¦", "\\", "§"])
def test_any_sign_that_recurs_separates_answers(sign: str) -> None:
    texts = [f"1. How often? daily {sign} weekly {sign} never", f"2. Tired? yes {sign} no", "3. When? ____"]
    survey = read_paste("\n".join(texts))
    assert [*labels_of(survey.questions[0])] == ["daily", "weekly", "never"]
    assert survey.questions[1].kind == "yes_no"


def test_an_instruction_before_the_answers_belongs_to_none() -> None:
    survey = read_paste("1. Where? (tick all that apply) home ~ work ~ street\n2. Tired? yes ~ no")
    assert [*labels_of(survey.questions[0])] == ["home", "work", "street"]
    assert survey.questions[0].kind == "several"


def test_signs_in_questions_separate_nothing() -> None:
    survey = read_paste(
        "1. Do you like rock & roll?\n2. Are you 18 + years old?\n3. Do you like fish & chips?"
    )
    assert [question.kind for question in survey.questions] == ["yes_no"] * 3


@pytest.mark.parametrize("dash", ["–", "—", "-"])
def test_dashes_are_between_answers_and_not_in_front_of_them(dash: str) -> None:
    answers = f"mai 0 {dash} qualche volta 1 {dash} spesso 2"
    items = "\n".join(
        f"{n}. {text}\n   {answers}" for n, text in enumerate(("Piango.", "Urlo.", "Dormo male."), 1)
    )
    survey = read_paste(f"Scheda\n\n{items}\n\nSomma: 0-2 bene, 3-6 male", ("it",))
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2]] * 3
    assert {labels_of(each) for each in survey.questions} == {("mai", "qualche volta", "spesso")}
